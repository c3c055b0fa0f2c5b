package train

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSweepsThatShipAreWhole(t *testing.T) {
	if len(BuiltinSweeps()) < 3 {
		t.Errorf("%d sweeps ship", len(BuiltinSweeps()))
	}
	for _, s := range BuiltinSweeps() {
		seen := map[string]bool{}
		for _, row := range s.Rows {
			stages := fmt.Sprintf("%+v", row.Recipe.Stages)
			if seen[stages] {
				t.Errorf("%s: %s is the same as another row", s.Name, row.Name)
			}
			seen[stages] = true
		}
	}
	both, err := LoadSweep("webgen-r1")
	must(t, err)
	var rows []string
	for _, row := range both.Rows {
		text := row.Name
		for _, stage := range row.Recipe.Stages {
			text += " " + stage.Name
			if stage.Method == "grpo" {
				text += fmt.Sprint(" of ", stage.Samples)
			}
		}
		rows = append(rows, text)
	}
	want := []string{
		"both sft before grpo of 8 after", "sft-only sft before after", "rl-only before grpo of 8 after", "g2 sft before grpo of 2 after",
		"g4 sft before grpo of 4 after", "g16 sft before grpo of 16 after", "g32 sft before grpo of 32 after",
	}
	if !slices.Equal(rows, want) { // WebGen-R1, Tables 3 and 4
		t.Errorf("got %q", rows)
	}
}

func TestWrongSweepsSayWhatIsWrong(t *testing.T) {
	const rows = "recipe: smoke\nrows:\n  - {name: a}\n"
	for text, want := range map[string]string{
		"":                           "needs a recipe and rows",
		"recipe: smoke\nrows: []":    "needs a recipe and rows",
		"recipe: smok\n" + rows[14:]: `did you mean "smoke"`,
		rows + "  - {name: a}\n":     "row 2: want a name of its own",
		rows + "  - {name: ../b}\n":  "row 2: want a name of its own",
		rows + "  - {name: b, stages: {grpo: {samples: 1}}}\n":              "row b: stage grpo: grpo needs",
		rows + "  - {name: b, stages: {grpo: {sampels: 1}}}\n":              "row b: stage grpo",
		rows + "  - {name: b, stages: {rl: {samples: 2}}}\n":                `no stage "rl"`,
		rows + "  - {name: b, without: [rl]}\n":                             `no stage "rl"`,
		rows + "  - {name: b, without: [sft, grpo]}\n":                      "nothing is left",
		rows + "  - {name: b, stages: {grpo: {batch: 3}}}\n":                "not divided by 3",
		rows + "  - {name: b, stages: {grpo: {name: sft}}}\n":               "row b: two stages are called sft",
		rows + "  - {name: b, stages: {sft: {steps: 3}}, without: [sft]}\n": "row b: stage sft is both changed and left out",
	} {
		if _, err := parseSweep("my.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// sweepTrainer is done with a run at once, but for that of row b when it is first tried.
const sweepTrainer = `
[ "$1" = -c ] && exit 0
cd "$3" || exit 1
case "$3" in */b) if [ ! -e second ]; then touch second; echo "Error: killed" >&2; exit 1; fi;; esac
echo x >> times
echo '{"stage": "grpo", "step": 1, "reward": 0.5}' > curves.jsonl
touch sft.done grpo.done
`

func TestASweepGoesOnWhereItStopped(t *testing.T) {
	sweep, err := parseSweep("my.yaml", []byte("recipe: smoke\nrows:\n  - {name: a}\n  - {name: b, stages: {grpo: {samples: 8}}}\n  - {name: c, without: [sft]}\n"))
	must(t, err)
	dir := t.TempDir()
	s := Settings{Python: program(t, sweepTrainer), URL: "http://127.0.0.1:1", Say: func(Progress) {}}
	if err := RunSweep(t.Context(), sweep, []string{"d"}, s, dir); err == nil || !strings.Contains(err.Error(), `no row "d"`) {
		t.Errorf("a row that is not there: %v", err)
	}
	if err := RunSweep(t.Context(), sweep, []string{"a", "b"}, s, dir); err == nil || !strings.Contains(err.Error(), "row b: ") {
		t.Errorf("a row that fails: %v", err)
	}
	must(t, RunSweep(t.Context(), sweep, []string{"a", "b"}, s, dir))
	for _, row := range []string{"a", "b"} {
		times, err := os.ReadFile(filepath.Join(dir, row, "times"))
		if err != nil || string(times) != "x\n" {
			t.Errorf("%s was done %q: %v", row, times, err)
		}
	}
	all, err := Standings(sweep, dir)
	must(t, err)
	if !all[0].Done || all[0].Steps != 1 || !all[1].Done || all[2].Done || all[2].Steps != 0 || all[2].Reward != nil {
		t.Errorf("%+v", all)
	}
}

func TestARowThatWasBegunWithAnotherRecipeIsRefused(t *testing.T) {
	dir := t.TempDir()
	tasks := filepath.Join(dir, "tasks.jsonl")
	must(t, os.WriteFile(tasks, nil, 0o666))
	t.Chdir(dir)
	const recipe = "model: m\ntasks: tasks.jsonl\nheldout: tasks.jsonl\nstages:\n  - {name: sft, method: sft, steps: 1, learning_rate: 1.0e-5}\n  - {name: grpo, method: grpo, steps: 1, learning_rate: 1.0e-5, prompts: 1, samples: 4}\n"
	sweep := func(recipe, rows string) *Sweep {
		must(t, os.WriteFile("recipe.yaml", []byte(recipe), 0o666))
		s, err := parseSweep("my.yaml", []byte("recipe: ./recipe.yaml\nrows:\n"+rows))
		must(t, err)
		return s
	}
	const a, more = "  - {name: a, stages: {sft: {learning_rate: 2.0e-5}}}\n", "  - {name: a, about: two, stages: {sft: {learning_rate: 2.0e-5}}}\n  - {name: c}\n"
	s := Settings{Python: program(t, sweepTrainer), URL: "http://127.0.0.1:1", Say: func(Progress) {}}
	must(t, RunSweep(t.Context(), sweep(recipe, a), nil, s, dir))
	must(t, RunSweep(t.Context(), sweep(recipe, more), []string{"a"}, s, dir)) // another text and another row
	for _, c := range []struct{ recipe, rows, want string }{
		{recipe, "  - {name: a, stages: {sft: {learning_rate: 3.0e-5}}}\n", "row a: " + filepath.Join(dir, "a") + " was begun with another recipe: stage sft is not as it was"},
		{recipe, "  - {name: a, stages: {sft: {learning_rate: 2.0e-5}}, without: [grpo]}\n", "stage grpo is left out now"},
		{recipe + "  - {name: after, method: evaluate, samples: 1}\n", a, "stage after is not as it was"},
		{"seed: 2\n" + recipe, a, "seed is 2 now and was 1"},
		{strings.Replace(recipe, "model: m", "model: n", 1), a, `model is "n" now and was "m"`},
		{strings.ReplaceAll(recipe, "tasks.jsonl", "''"), a, `tasks is "" now`},
	} {
		changed := sweep(c.recipe, "  - {name: z}\n"+c.rows)
		_, err := Standings(changed, dir)
		for _, err := range []error{RunSweep(t.Context(), changed, nil, s, dir), err} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.want, err)
			}
		}
	}
	if _, err := os.Stat("z"); err == nil {
		t.Error("a row was run before all were checked")
	}
}
