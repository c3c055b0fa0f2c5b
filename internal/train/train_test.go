package train

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/leak"
	"vitrine/internal/polltest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTrainingsThatShipAreWhole(t *testing.T) {
	if len(Builtin()) < 5 {
		t.Errorf("%d trainings ship", len(Builtin()))
	}
	for _, r := range Builtin() {
		if r.About == "" || r.Seed == 0 {
			t.Errorf("%+v", r)
		}
		for _, s := range r.Stages {
			if s.Method != "sft" && s.Reward == "" {
				t.Errorf("%s: %s has no reward", r.Name, s.Name)
			}
		}
	}
}

func TestSFTOfTheSmallModel(t *testing.T) {
	r, err := Load("sft")
	if err != nil || len(r.Stages) == 0 {
		t.Fatalf("%+v: %v", r, err)
	}
	if s := r.Stages[0]; s.Method != "sft" || s.Steps != 16 || s.Batch != 8 || s.LearningRate != 1e-4 || s.Warmup != 2 || s.MaxTokens != 240 {
		t.Errorf("%+v", s)
	}
}

// Scripts that draw are imitated, and the share of those that run is measured before and after.
func TestSFTOnPlotsOfTheSmallModel(t *testing.T) {
	r, err := Load("sft-plots")
	if err != nil || len(r.Stages) != 3 || r.Kind != "plot" {
		t.Fatalf("%+v: %v", r, err)
	}
	if s := r.Stages[1]; s.Method != "sft" || s.Steps != 16 || s.Batch != 8 || s.LearningRate != 1e-4 || s.Warmup != 2 {
		t.Errorf("%+v", s)
	}
	for _, i := range []int{0, 2} {
		if s := r.Stages[i]; s.Method != "evaluate" || s.Reward != "drawn" || s.Samples != 2 || s.Limit != 100 {
			t.Errorf("%+v", s)
		}
	}
}

func TestGRPOAROfTheSmallModel(t *testing.T) {
	r, err := Load("grpo-ar")
	if err != nil || len(r.Stages) != 4 || r.Stages[0].Method != "sft" {
		t.Fatalf("%+v: %v", r, err)
	}
	if s := r.Stages[2]; s.Method != "grpo" || s.Prompts != 4 || s.Samples != 8 || s.LearningRate != 1e-5 || s.Beta != 0.001 || s.Epsilon != 0.5 || s.Reward != "quality" {
		t.Errorf("%+v", s)
	}
}

func TestDPOAndRFTOfTheSmallModel(t *testing.T) {
	for name, beta := range map[string]float64{"dpo": 0.1, "rft": 0} {
		r, err := Load(name)
		if err != nil || len(r.Stages) != 4 || r.Stages[0].Method != "sft" {
			t.Fatalf("%+v: %v", r, err)
		}
		if s := r.Stages[2]; s.Method != name || s.Samples != 4 || s.Limit != 120 || s.Steps != 30 || s.Batch != 8 || s.LearningRate != 1e-5 || s.Beta != beta || s.Reward != "quality" {
			t.Errorf("%+v", s)
		}
	}
}

// Trajectories of refine sessions, a version and its revision; advantages over the batch, clipped
// to 2; the checkpoint by the mean over 40 tasks that are not trained on.
func TestReLookOfTheSmallModel(t *testing.T) {
	r, err := Load("relook")
	if err != nil || len(r.Stages) != 4 {
		t.Fatalf("%+v: %v", r, err)
	}
	if s := r.Stages[2]; s.Method != "relook" || s.Reward != "relook" || s.Samples != 8 || s.Rounds != 2 || s.Resamples != 2 || s.Loss != "dapo" || s.ScaleRewards != "batch" || s.AdvantageClip != 2 || s.Distill != 0.1 || s.Choose != 27 ||
		s.Steps != 40 || s.Prompts != 2 || s.Batch != 4 || s.LearningRate != 1e-5 || s.Warmup != 2 || s.Beta != 0.01 || s.Epsilon != 0.2 || s.Temperature != 1 || s.Ask != "always" || s.MaxTokens != 240 {
		t.Errorf("%+v", s)
	}
}

func TestWrongRecipesSayWhatIsWrong(t *testing.T) {
	const stage = "model: m\nstages:\n  - {name: s, method: sft, steps: 1, learning_rate: 1}\n"
	for text, want := range map[string]string{
		"":                                    "needs a model and stages",
		"model: m\nstages: []":                "needs a model and stages",
		stage + "modell: x":                   `unknown field "modell"`,
		stage + "tasks: x.jsonl":              "tasks and heldout go together",
		strings.Replace(stage, "sft", "x", 1): "want one of sft, grpo",
		strings.Replace(stage, "steps: 1", "steps: 0", 1):                                                                              "steps and learning_rate must be above 0",
		strings.Replace(stage, "steps: 1", "steps: many", 1):                                                                           "cannot unmarshal",
		strings.Replace(stage, "name: s", "name: ../s", 1):                                                                             "small letters",
		stage + "  - {name: s, method: evaluate, samples: 1}\n":                                                                        "two stages are called s",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 1, samples: 1}\n":                                    "samples of 2 or more",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 3, samples: 2}\n":                                    "not divided by 4",
		stage + "  - {name: d, method: dpo, steps: 1, learning_rate: 1, samples: 1}\n":                                                 "dpo needs samples of 2 or more",
		stage + "  - {name: e, method: evaluate}\n":                                                                                    "samples of 1 or more",
		stage + "  - {name: e, method: evaluate, samples: 1, report_to: mail}\n":                                                       "report_to",
		stage + "  - {name: e, method: evaluate, samples: 1, scale_rewards: both}\n":                                                   "scale_rewards",
		stage + "  - {name: e, method: evaluate, samples: 1, overlong: cut}\n":                                                         "overlong: want score or zero",
		stage + "  - {name: e, method: evaluate, samples: 1, temperature: 0}\n":                                                        "temperature: want 0.001 to 10",
		strings.Replace(stage, "learning_rate: 1", "learning_rate: .nan", 1):                                                           "learning_rate: want 0 to 1",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 1, samples: 4, loss: ppo}\n":                         "loss: want one of grpo",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 4294967296, samples: 4294967296}\n":                  "prompts: want 0 to 10000",
		stage + "  - {name: r, method: relook, steps: 1, learning_rate: 1, prompts: 1, samples: 1}\n":                                  "relook needs prompts",
		stage + "  - {name: r, method: relook, steps: 1, learning_rate: 1, prompts: 1, samples: 4, ask: never}\n":                      "ask: want trigger or always",
		stage + "  - {name: r, method: relook, steps: 1, learning_rate: 1, prompts: 1, samples: 4, rounds: 0}\n":                       "rounds: want 1 to 100",
		stage + "  - {name: r, method: relook, steps: 1, learning_rate: 1, prompts: 1, samples: 4, overlong: zero}\n":                  "zero is of grpo alone",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 1, samples: 4, advantage_clip: -1}\n":                "advantage_clip: want 0 to 100",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 1, samples: 4, choose: 5}\n":                         "choose is of relook alone",
		stage + "  - {name: g, method: grpo, steps: 1, learning_rate: 1, prompts: 1, samples: 4, distill: 0.1}\n":                      "distill is of relook alone",
		stage + "  - {name: r, method: relook, steps: 1, learning_rate: 1, prompts: 1, samples: 4, choose: 5}\ntasks: a\nheldout: b\n": "neither trained on nor held out",
		stage + "  - {name: m, method: reward-model, steps: 1, learning_rate: 1, samples: 1}\n":                                        "reward-model needs samples of 2",
		stage + "kind: video\n":                      `kind: want page or plot, got "video"`,
		stage + "kind: plot\ntasks: a\nheldout: b\n": "each task of a file says its own",
		stage + "  - {name: r, method: relook, steps: 1, learning_rate: 1, prompts: 1, samples: 4}\nkind: plot\n": "relook is of pages",
		"a: &a [1]\nb: *a\n": "anchor",
	} {
		_, err := parse("my.yaml", []byte(text))
		if f := (*vitrine.Fault)(nil); !errors.As(err, &f) || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := Load("smok"); err == nil || !strings.Contains(err.Error(), `did you mean "smoke"`) {
		t.Errorf("%v", err)
	}
	if _, err := Load("none.yaml"); err == nil {
		t.Error("a file that is not there is read")
	}
}

// program writes a script that stands in for a program.
func program(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o777))
	return file
}

// trainer has what a training needs, fails on its first run and ends well on the next.
const trainer = `
[ "$1" = -c ] && exit 0
cd "$3" || exit 1
echo '{"stage":"sft","step":1,"of":2,"loss":0.5,"seconds":2}'
echo "something else"
if [ ! -e second ]; then touch second; echo "Error: out of memory" >&2; exit 1; fi
grep -q '"url": *"http://127.0.0.1:1"' settings.json || exit 3
echo '{"stage":"sft","step":2,"of":2,"loss":0.4,"seconds":2}'
`

func TestATrainingGoesOn(t *testing.T) {
	service := program(t, `echo "serving on http://127.0.0.1:1" >&2; exec sleep 60`)
	var said []Progress
	s := Settings{Dir: filepath.Join(t.TempDir(), "run"), Python: program(t, trainer), Serve: []string{service}, Say: func(p Progress) { said = append(said, p) }}
	r, err := Load("smoke")
	must(t, err)
	err = Start(t.Context(), r, s)
	if err == nil || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("a trainer that fails: %v", err)
	}
	if err := Start(t.Context(), r, s); err == nil || !strings.Contains(err.Error(), "holds a training already") {
		t.Errorf("a second start: %v", err)
	}
	other, err := os.OpenFile(filepath.Join(s.Dir, "lock"), os.O_RDWR, 0)
	must(t, err)
	must(t, disk.Lock(other, syscall.LOCK_EX))
	if err := Resume(t.Context(), s); err == nil || !strings.Contains(err.Error(), "another process trains") {
		t.Errorf("beside another: %v", err)
	}
	must(t, other.Close())
	must(t, Resume(t.Context(), s))
	if len(said) != 3 || said[2].Step != 2 || *said[2].Loss != 0.4 {
		t.Errorf("%+v", said)
	}
	if log, _ := os.ReadFile(filepath.Join(s.Dir, "train.log")); !strings.Contains(string(log), "something else") {
		t.Errorf("the log is %s", log)
	}
	if err := Resume(t.Context(), Settings{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "holds no training") {
		t.Errorf("another folder: %v", err)
	}
}

// A service that is killed is there again at the same address.
func TestTheServiceIsStartedAgain(t *testing.T) {
	starts := filepath.Join(t.TempDir(), "starts")
	p := program(t, `echo "$@" >> `+starts+`; echo "serving on http://127.0.0.1:7401" >&2; [ $(wc -l < `+starts+`) -gt 2 ] && exec sleep 60`)
	s, err := startService(t.Context(), []string{p}, filepath.Join(t.TempDir(), "log"))
	must(t, err)
	polltest.Until(t, "it was started three times", func() bool {
		b, _ := os.ReadFile(starts)
		return strings.Count(string(b), "\n") == 3
	})
	s.stop()
	text, _ := os.ReadFile(starts)
	if s.url != "http://127.0.0.1:7401" || string(text) != "--listen 127.0.0.1:0\n--listen 127.0.0.1:7401\n--listen 127.0.0.1:7401\n" {
		t.Errorf("%s: %s", s.url, text)
	}
	if _, err := startService(t.Context(), []string{program(t, "exit 1")}, filepath.Join(t.TempDir(), "log")); err == nil {
		t.Error("a service that never served was taken")
	}
}

func TestWithoutTheTrainer(t *testing.T) {
	r, err := Load("smoke")
	must(t, err)
	err = Start(t.Context(), r, Settings{Dir: t.TempDir(), Python: "/nonexistent"})
	if f := (*vitrine.Fault)(nil); !errors.As(err, &f) || !strings.Contains(f.Fix, "train/setup.sh") {
		t.Errorf("%v", err)
	}
	r.Tasks, r.HeldOut = "none.jsonl", "none.jsonl"
	if err := Start(t.Context(), r, Settings{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "tasks: ") {
		t.Errorf("%v", err)
	}
	r.Tasks, r.HeldOut, r.Stages[0].Reward = "", "", "qualty"
	if err := Start(t.Context(), r, Settings{Dir: t.TempDir(), Python: program(t, trainer)}); err == nil || !strings.Contains(err.Error(), `did you mean "quality"`) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	r.Tasks, r.HeldOut = "", ""
	if err := Start(ended, r, Settings{Dir: t.TempDir(), Python: program(t, trainer), URL: "http://127.0.0.1:1", Say: func(Progress) {}}); err == nil {
		t.Error("it ran")
	}
}

func TestShow(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)) }
	write(settingsFile, `{"stages":[{"name":"before","method":"evaluate"},{"name":"grpo","method":"grpo"},{"name":"after","method":"evaluate"},{"name":"later","method":"evaluate"}]}`)
	write("curves.jsonl", `{"stage":"grpo","step":1,"reward":0.1}`+"\n"+`{"stage":"grpo","step":2,"reward":0.2}`+"\n"+`{"stage":"grpo","step":2,"reward":0.3}`+"\n"+`{"stage":"gr`)
	write("trained.json", `["list"]`)
	write("before.jsonl", `{"task_id":"a","archetype":"list","reward":0.2,"outcome":"rendered","parts":{"function":0}}
{"task_id":"a","archetype":"list","reward":0.4,"outcome":"rendered","parts":{"function":0.5}}
{"task_id":"b","archetype":"tabs","reward":null,"outcome":"","parts":{"function":null}}
{"task_id":"c","archetype":"tabs","reward":0,"outcome":"no_artifact","parts":{"function":0}}
{"task_id":"d","archetype":"list","reward":0,"outcome":"no_artifact","parts":{"function":0}}
{"task_id":"e","archetype":"tabs","reward":0,"outcome":"no_artifact","parts":{"function":0}}
`)
	write("after.jsonl", `{"task_id":"a","archetype":"list","reward":0.5,"outcome":"rendered","parts":{"function":1}}
{"task_id":"b","archetype":"tabs","reward":0.9,"outcome":"rendered","parts":{"function":1}}
{"task_id":"c","archetype":"tabs","reward":0.1,"outcome":"rendered","parts":{"function":0}}
{"task_id":"d","archetype":"list","reward":0.4,"outcome":"rendered","parts":{"function":0}}
{"task_id":"e","archetype":"tabs","reward":0.3,"outcome":"rendered","parts":{"function":0}}
`)
	r, err := Show(dir)
	must(t, err)
	if len(r.Steps) != 2 || r.Steps[1]["reward"] != 0.3 {
		t.Errorf("steps %v", r.Steps)
	}
	if before := r.Tests[0]; len(r.Tests) != 2 || before.N != 6 || before.Unjudged != 1 || !near(before.Reward.Value, 0.075) || !near(before.Rendered.Value, 0.25) || !near(before.Function.Value, 0.0625) {
		t.Errorf("tests %+v", r.Tests)
	}
	got := map[string]float64{}
	for _, g := range r.Gain {
		got[g.What+" "+g.Of] = g.Mean.Value
	}
	for what, want := range map[string]float64{"reward all": 0.25, "reward trained": 0.3, "reward new": 0.2, "function all": 0.1875, "rendered new": 1} {
		if !near(got[what], want) {
			t.Errorf("gain in %s is %v, want %v", what, got[what], want)
		}
	}
	if _, err := Show(t.TempDir()); err == nil {
		t.Error("an empty folder is shown")
	}
}

func near(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }

func TestARunIsWatchedToItsEnd(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)) }
	put("settings.json", `{"stages": [{"name": "before", "method": "evaluate", "limit": 2, "samples": 2}, {"name": "grpo", "method": "grpo"}]}`)
	put("before.jsonl", `{"task_id": "a", "reward": 0.5}`+"\n"+`{"task_id": "a", "reward": null}`+"\n")
	put("curves.jsonl", `{"stage": "grpo", "step": 1, "of": 2, "reward": 0.25, "part_function": 0.1}`+"\n")
	put("lock", "")
	held, err := os.Open(filepath.Join(dir, "lock"))
	must(t, err)
	must(t, disk.Lock(held, syscall.LOCK_EX))
	var said []Progress
	must(t, Watch(t.Context(), dir, time.Millisecond, func(p Progress) {
		said = append(said, p)
		switch len(said) {
		case 2: // the training goes on while it is watched
			put("curves.jsonl", `{"stage": "grpo", "step": 1, "of": 2}`+"\n"+`{"stage": "grpo", "step": 2, "of": 2}`+"\n")
			put("alarms.jsonl", `{"stage": "grpo", "step": 2, "alarm": "pages repeat each other"}`+"\n")
		case 4:
			put("grpo.done", "model")
			must(t, held.Close())
		}
	}))
	if len(said) != 4 || said[0].Step != 2 || said[0].Of != 4 || *said[0].Reward != 0.5 || *said[1].Function != 0.1 || said[2].Step != 2 || said[3].Alarm == "" {
		t.Errorf("%+v", said)
	}
	must(t, os.Remove(filepath.Join(dir, "grpo.done")))
	err = Watch(t.Context(), dir, time.Millisecond, func(Progress) {})
	if err == nil || !strings.Contains(err.Error(), "nobody trains") {
		t.Errorf("a run that stands still: %v", err)
	}
}
