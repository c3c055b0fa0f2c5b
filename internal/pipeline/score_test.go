package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/reward"
)

func mustScore(t testing.TB, p *Pipeline, o vitrine.Output, dir string) *Scored {
	t.Helper()
	s, err := p.Score(t.Context(), o, dir)
	must(t, err)
	return s
}

// asLine is a sample as samples.jsonl has it.
func asLine(t testing.TB, s vitrine.Sample) map[string]any {
	t.Helper()
	b, err := json.Marshal(s)
	must(t, err)
	var line map[string]any
	must(t, json.Unmarshal(b, &line))
	return line
}

func keys(t testing.TB, v any) []string {
	t.Helper()
	object, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%v is no object", v)
	}
	var names []string
	for k := range object {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// contract are the keys that every line has, and may those that it has where
// there is something to say.
var (
	contract = []string{"attempt", "cached", "cost", "error", "evidence", "findings", "id", "model", "outcome", "parts", "profile", "recipe", "reward", "status", "task_id", "timing_ms"}
	may      = []string{"fallbacks", "feedback", "gate", "group_id", "kind", "meta", "scores", "why"}
)

// wantContract holds a sample against what every reader of samples.jsonl relies
// on.
func wantContract(t *testing.T, s vitrine.Sample, parts []string) {
	t.Helper()
	line := asLine(t, s)
	have := slices.DeleteFunc(keys(t, line), func(k string) bool { return slices.Contains(may, k) })
	for what, diff := range map[string]string{
		"line":      cmp.Diff(contract, have),
		"parts":     cmp.Diff(parts, keys(t, line["parts"])),
		"timing_ms": cmp.Diff([]string{"build", "capture", "interact", "judge", "parse"}, keys(t, line["timing_ms"])),
		"cost":      cmp.Diff([]string{"tokens_in", "tokens_out", "usd"}, keys(t, line["cost"])),
		"cached":    cmp.Diff([]string{"build", "capture", "judge"}, keys(t, line["cached"])),
	} {
		if diff != "" {
			t.Errorf("%s: keys of %s (-want +got):\n%s", s.ID, what, diff)
		}
	}
	for name, v := range line["parts"].(map[string]any) {
		if _, number := v.(float64); !number {
			t.Errorf("%s: part %s is %v, want a number", s.ID, name, v)
		}
	}
	if _, list := line["findings"].([]any); !list {
		t.Errorf("%s: findings are %v, want a list", s.ID, line["findings"])
	}
	if _, number := line["reward"].(float64); number != (s.Status == vitrine.SampleScored) || (line["error"] == nil) != number || number != (s.Outcome != "") {
		t.Errorf("%s: status %s with reward %v, outcome %q and error %v", s.ID, s.Status, line["reward"], s.Outcome, line["error"])
	}
	if s.Status == vitrine.SampleUnjudged {
		fault := keys(t, line["error"])
		if !slices.Contains(fault, "stage") || !slices.Contains(fault, "code") || !slices.Contains(fault, "message") {
			t.Errorf("%s: error is %v", s.ID, line["error"])
		}
	}
}

func TestEachOutcome(t *testing.T) {
	t.Parallel()
	p := pipe(t, func(s *Settings) {
		s.Tasks = map[string]vitrine.Task{"known": {ID: "known", Instruction: "A page for a tea shop"}}
	})
	for want, all := range outputs() {
		for _, o := range all {
			t.Run(o.ID, func(t *testing.T) {
				t.Parallel()
				o.Model, o.Meta = "m", map[string]json.RawMessage{"x": []byte("1")}
				dir := t.TempDir()
				s := mustScore(t, p, o, dir)
				wantContract(t, s.Sample, []string{"looks"})
				if s.Sample.Outcome != want || s.Sample.Model != "m" || string(s.Sample.Meta["x"]) != "1" || s.Sample.TaskID != o.TaskID || s.Sample.Attempt != 1 {
					t.Errorf("got %+v", s.Sample)
				}
				if want == vitrine.OutcomeRendered != (s.Sample.Reward != nil && *s.Sample.Reward > 0) || want != vitrine.OutcomeRendered && s.Sample.Why == "" && s.Sample.Error == nil {
					t.Errorf("reward %v, why %q", s.Sample.Reward, s.Sample.Why)
				}
				if want == "" {
					return
				}
				if ev, err := evidence.Load(dir); err != nil || ev.Instruction != o.Instruction {
					t.Errorf("the evidence of it: %+v, %v", ev, err)
				}
				if text, err := os.ReadFile(filepath.Join(dir, "output.txt")); err != nil || string(text) != o.Text {
					t.Errorf("the output beside it: %q, %v", text, err)
				}
			})
		}
	}
}

func TestDrawingOfAnySizeIsSeen(t *testing.T) {
	t.Parallel()
	p := pipe(t, nil)
	for _, size := range []string{"", `width="90" height="90"`, `width="90"`, `height="90"`, `width="100%" height="100%"`, `width="100%"`, `width="5000" height="3000"`} {
		svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" ` + size + `><circle cx="40" cy="40" r="30" fill="teal"/></svg>`
		s := mustScore(t, p, vitrine.Output{ID: "a", Text: svg, Kind: vitrine.KindSVG}, t.TempDir())
		if s.Sample.Outcome != vitrine.OutcomeRendered {
			t.Errorf("%q: %s: %s", size, s.Sample.Outcome, s.Sample.Why)
			continue
		}
		if v := s.Evidence.Views[0]; v.PageWidth > v.Viewport.Width || v.PageHeight > v.Viewport.Height {
			t.Errorf("%q: the page is %dx%d", size, v.PageWidth, v.PageHeight)
		}
	}
}

func TestUnjudgedHasATypedCause(t *testing.T) {
	t.Parallel()
	tasks := map[string]vitrine.Task{}
	for name, test := range map[string]struct {
		output vitrine.Output
		change func(*Settings)
		stage  string
		code   vitrine.FaultCode
	}{
		"unknown task":               {vitrine.Output{ID: "a", Text: goodPage, TaskID: "9"}, func(s *Settings) { s.Tasks = tasks }, "input", vitrine.FaultUnknownTask},
		"missing browser":            {vitrine.Output{ID: "a", Text: goodPage}, func(s *Settings) { s.Browser = "/no/such/chromium" }, "capture", vitrine.FaultNoBrowser},
		"signal that no stage gives": {vitrine.Output{ID: "a", Text: drawing}, func(s *Settings) { s.Recipe = needsVision(t) }, "reward", vitrine.FaultJudge},
	} {
		s := mustScore(t, pipe(t, test.change), test.output, t.TempDir())
		f := s.Sample.Error
		if f == nil || f.Stage != test.stage || f.Message == "" || f.Code != test.code {
			t.Errorf("%s: got %+v, want %s in %s", name, f, test.code, test.stage)
		}
		if s.Sample.Reward != nil || s.Sample.Status != vitrine.SampleUnjudged {
			t.Errorf("%s: reward %v, status %s; a trainer must not learn from it", name, s.Sample.Reward, s.Sample.Status)
		}
	}
	known := vitrine.Output{ID: "a", Text: goodPage, TaskID: "9", Instruction: "its own"}
	if s := mustScore(t, pipe(t, func(s *Settings) { s.Tasks = tasks }), known, t.TempDir()); s.Sample.Status != vitrine.SampleScored {
		t.Errorf("a line with an instruction of its own needs no task: %+v", s.Sample.Error)
	}
}

// A disk that fails under any stage is told as such: no other sample would fare
// better.
func TestDiskFaultsOfEachStageAreTyped(t *testing.T) {
	t.Parallel()
	for _, inTheWay := range []string{"frames", "frames/index@desktop@0.png/x", "thumbs", "manifest.json/x", "judgement.json/x"} {
		dir := t.TempDir()
		if strings.Contains(inTheWay, ".") { // a folder where a file belongs
			must(t, os.MkdirAll(filepath.Join(dir, inTheWay), 0o755))
		} else {
			must(t, os.WriteFile(filepath.Join(dir, inTheWay), nil, 0o644))
		}
		s := mustScore(t, pipe(t, func(s *Settings) { s.NoCache = true }), vitrine.Output{ID: "a", Text: goodPage}, dir)
		want := vitrine.FaultUnwritable
		if strings.Contains(inTheWay, ".") {
			want = vitrine.FaultInternal // no disk does that
		}
		if f := s.Sample.Error; f == nil || f.Code != want || !strings.Contains(f.Message, dir) || s.Sample.Reward != nil {
			t.Errorf("%s is in the way: got %+v", inTheWay, f)
		}
	}
}

// needsVision is a recipe that cannot do without a vision model.
func needsVision(t testing.TB) *reward.Recipe {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.yaml")
	must(t, os.WriteFile(file, []byte("name: r\ncombine: sum\nparts:\n  v:\n    from: vision.total\n    weight: 1\n"), 0o644))
	return recipe(t, file)
}

func TestInstructionComesFromTheTask(t *testing.T) {
	t.Parallel()
	p := pipe(t, func(s *Settings) { s.Tasks = map[string]vitrine.Task{"1": {ID: "1", Instruction: "from the task"}} })
	for own, want := range map[string]string{"": "from the task", "its own": "its own"} {
		s := mustScore(t, p, vitrine.Output{ID: "a", Text: goodPage, TaskID: "1", Instruction: own}, t.TempDir())
		if s.Evidence.Instruction != want {
			t.Errorf("got %q, want %q", s.Evidence.Instruction, want)
		}
	}
}

// A recipe that stops at a gate spends nothing on what cannot win: not even a
// browser is needed.
func TestStopGateSparesBuildAndBrowser(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{} })
	client := server.Client(t, model.Settings{})
	p := pipe(t, func(s *Settings) {
		s.Recipe, s.Browser = recipe(t, "aescoder"), "/no/such/chromium"
		s.Vision = &Vision{Judges: vlm.Judges{Asker: client, Models: []string{"openai/gpt-5-mini"}}}
		s.Interact = &interact.Settings{Method: &agent.Agent{Asker: client, Settings: agent.Settings{Model: "openai/gpt-5-mini"}}}
	})
	for _, o := range []vitrine.Output{{ID: "hint", Text: badPage}, {ID: "talk", Text: "1 + 1 = 2"}, {ID: "empty"}} {
		dir := t.TempDir()
		o.Instruction = "A page about 1+1"
		s := mustScore(t, p, o, dir).Sample
		wantContract(t, s, []string{"exec", "interact", "static"})
		if s.Reward == nil || *s.Reward != -1 || s.Gate == "" || s.Why == "" || s.TimingMS.Build != 0 || s.TimingMS.Capture != 0 {
			t.Errorf("%s: got %+v", o.ID, s)
		}
		ev, err := evidence.Load(dir)
		if err != nil || len(ev.Views) > 0 || ev.Browser != "" || ev.Validity.Valid {
			t.Errorf("%s: evidence %+v, %v", o.ID, ev, err)
		}
		if frames, _ := os.ReadDir(filepath.Join(dir, "frames")); len(frames) > 0 {
			t.Errorf("%s: there are frames %v", o.ID, frames)
		}
	}
	if server.Calls() != 0 {
		t.Errorf("a model was asked %d times", server.Calls())
	}
	if s := mustScore(t, p, vitrine.Output{ID: "good", Text: goodPage}, t.TempDir()).Sample; s.Status != vitrine.SampleUnjudged || s.Error.Code != vitrine.FaultNoBrowser {
		t.Errorf("a page that passes the gate: %+v, want it to need the browser", s)
	}
}

// Of all kinds HTMLHint reads pages alone; of those of several files index.html.
func TestOnlyPagesAreHeldToHTMLHint(t *testing.T) {
	t.Parallel()
	p := judging(Settings{Recipe: recipe(t, "aescoder")})
	files := []vitrine.File{{Path: "index.html", Content: "<p>One</div>"}, {Path: "other.html", Content: "<p>Two</p>"}}
	for _, kind := range []vitrine.Kind{vitrine.KindPage, vitrine.KindProject, vitrine.KindComponent, vitrine.KindSVG, vitrine.KindPlot} {
		h, err := p.hint(&vitrine.Artifact{Kind: kind, Files: files}, nil)
		if page := kind == vitrine.KindPage; err != nil || h.Ran != page || len(h.Messages) > 0 != page {
			t.Errorf("%s: %+v, %v", kind, h, err)
		}
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	settings := func(s *Settings) { s.CacheDir = own }
	p := pipe(t, settings)
	for _, test := range []struct {
		output vitrine.Output
		first  vitrine.Cached
		second vitrine.Cached
	}{
		{vitrine.Output{ID: "page", Text: goodPage, Instruction: "tea"}, vitrine.Cached{}, vitrine.Cached{Capture: true, Judge: true}},
		{vitrine.Output{ID: "project", Text: whole}, vitrine.Cached{}, vitrine.Cached{Build: true, Capture: true, Judge: true}},
		{vitrine.Output{ID: "broken", Text: broken}, vitrine.Cached{}, vitrine.Cached{Build: true}},
		{vitrine.Output{ID: "talk", Text: "1 + 1 = 2"}, vitrine.Cached{}, vitrine.Cached{}},
	} {
		a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
		first := mustScore(t, p, test.output, a)
		second := mustScore(t, pipe(t, settings), test.output, b)
		anew := mustScore(t, pipe(t, func(s *Settings) { s.CacheDir, s.NoCache = own, true }), test.output, c)
		if first.Sample.Cached != test.first || second.Sample.Cached != test.second || anew.Sample.Cached != (vitrine.Cached{}) {
			t.Errorf("%s: cached is %+v, then %+v, and with no cache %+v", test.output.ID, first.Sample.Cached, second.Sample.Cached, anew.Sample.Cached)
		}
		for _, other := range []*Scored{second, anew} {
			if diff := cmp.Diff(first.Judgement, other.Judgement); diff != "" || *first.Sample.Reward != *other.Sample.Reward {
				t.Errorf("%s: judged otherwise (-first +other):\n%s", test.output.ID, diff)
			}
		}
		for name, content := range folder(t, a) {
			if strings.HasSuffix(name, ".png") && (folder(t, b)[name] != content || folder(t, c)[name] != content) {
				t.Errorf("%s: frame %s differs", test.output.ID, name)
			}
		}
	}
}

// folder reads the files of an evidence folder.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"*", "*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		must(t, err)
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil {
				rel, _ := filepath.Rel(dir, name)
				files[rel] = string(b)
			}
		}
	}
	return files
}

func TestFolderIsScoredWithoutParsing(t *testing.T) {
	t.Parallel()
	a := &vitrine.Artifact{Kind: vitrine.KindPage, Files: []vitrine.File{{Path: "index.html", Content: goodPage}, {Path: "tea.html", Content: goodPage}}}
	s, err := pipe(t, nil).ScoreArtifact(t.Context(), vitrine.Output{ID: "render"}, a, t.TempDir())
	must(t, err)
	if s.Sample.Outcome != vitrine.OutcomeRendered || s.Artifact != a || !slices.Equal(s.Evidence.Site.Routes, []string{"/", "/tea.html"}) {
		t.Errorf("got %+v", s.Sample)
	}
}

func TestCancelledScoreIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := pipe(t, nil).Score(ctx, vitrine.Output{ID: "a", Text: goodPage}, t.TempDir()); !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("got %+v, %v", s, err)
	}
}
