package pipeline

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build/plot"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/picture"
	"vitrine/internal/sandbox"
)

// needsPython skips a test on a machine without what plots need.
func needsPython(t *testing.T) {
	t.Helper()
	if _, err := plot.New(plot.Settings{Store: t.TempDir(), Sandbox: sandbox.Sandbox{}}).Versions(); err != nil {
		t.Skip(vitrine.AsFault("build", err).Message)
	}
}

// plotTasks has a task with a file, and one without.
var plotTasks = map[string]vitrine.Task{
	"tea":  {ID: "tea", Instruction: "Plot data.csv", Files: []vitrine.File{{Path: "data.csv", Content: "a,b\n1,2\n3,5\n2,2\n"}}},
	"none": {ID: "none", Instruction: "Plot something"},
}

// A plot is seen as it was saved, by no browser, and is measured by its pixels alone, which
// is no grade: without a model there is no reward.
func TestAPlotIsEvidence(t *testing.T) {
	t.Parallel()
	needsPython(t)
	dir := t.TempDir()
	s := mustScore(t, pipe(t, func(s *Settings) { s.Tasks = plotTasks }), vitrine.Output{ID: "a", Text: plotOutput, TaskID: "tea"}, dir)
	if f := s.Sample.Error; f == nil || f.Stage != "reward" || !strings.Contains(f.Message, "--recipe plot") || s.Sample.Kind != vitrine.KindPlot || !s.Evidence.Validity.Valid {
		t.Fatalf("%+v, %+v", s.Sample, f)
	}
	if _, ok := s.Sample.Scores["aesthetics"]; !ok || len(s.Sample.Scores) != 1 {
		t.Errorf("measured %v", s.Sample.Scores)
	}
	v := s.Evidence.Views[0]
	if len(s.Evidence.Views) != 1 || v.PageWidth != 640 || v.PageHeight != 480 || v.Thumb == "" || len(v.Frames) != len(s.Evidence.Settings.TimesMS) {
		t.Errorf("the view is %+v", v)
	}
	img, err := picture.ReadFile(os.DirFS(dir), v.Frames[0].File)
	must(t, err)
	if at := img.At(0, 0); img.Bounds() != image.Rect(0, 0, 640, 480) || color.RGBAModel.Convert(at) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the frame is of %v, its corner %v", img.Bounds(), at)
	}
	for _, f := range s.Sample.Findings {
		if page := slices.Contains([]string{"title-lang", "responsive", "axe", "blank"}, f.Check); page && f.Status != vitrine.StatusNotApplicable {
			t.Errorf("%s is %s of a plot: %s", f.Check, f.Status, f.Why)
		}
	}
}

// A plot that does not come to a picture is data, with its cause.
func TestPlotsThatFail(t *testing.T) {
	t.Parallel()
	needsPython(t)
	p := pipe(t, func(s *Settings) { s.Tasks = plotTasks })
	for name, test := range map[string]struct {
		output  vitrine.Output
		outcome vitrine.Outcome
		why     string
	}{
		"no file":    {vitrine.Output{ID: "a", Text: plotOutput, TaskID: "none"}, vitrine.OutcomeBuildFailed, "no_file: the program reads a file that its task does not have: FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'"},
		"no picture": {vitrine.Output{ID: "b", Text: "```python\nimport matplotlib\n```"}, vitrine.OutcomeBuildFailed, "no_picture: the program ended well and drew no picture"},
		"blank":      {vitrine.Output{ID: "c", Text: "```python\nimport matplotlib.pyplot as plt\nplt.figure()\n```"}, vitrine.OutcomeInvalidRender, "blank: the whole picture has one colour"},
	} {
		s := mustScore(t, p, test.output, t.TempDir())
		if s.Sample.Outcome != test.outcome || s.Sample.Why != test.why || s.Sample.Reward == nil || *s.Sample.Reward != 0 {
			t.Errorf("%s: %s, %q, %v, %+v", name, s.Sample.Outcome, s.Sample.Why, s.Sample.Reward, s.Sample.Error)
		}
	}
}

// The plot recipe pays what a model says of the plot and the true one, and nothing, without
// asking, for a program that fails.
func TestAPlotIsRewardedByTheTrueOne(t *testing.T) {
	t.Parallel()
	needsPython(t)
	p, server := withModel(t, "plot", model.Settings{}, func(q modeltest.Question) modeltest.Answer {
		if len(q.Images) != 2 || !strings.Contains(q.Text, "Plot data.csv") {
			t.Errorf("the model is shown %d pictures and the words %q", len(q.Images), q.Text)
		}
		return modeltest.Answer{Text: `{"reason": "The same two lines.", "score": 82}`}
	})
	task := plotTasks["tea"]
	task.Picture = truePlot(t)
	p.settings.Tasks = map[string]vitrine.Task{"tea": task}
	s := mustScore(t, p, vitrine.Output{ID: "a", Text: plotOutput, TaskID: "tea"}, t.TempDir())
	if s.Sample.Reward == nil || *s.Sample.Reward != 0.82 || s.Sample.Scores["vision.plot"] != 82 {
		t.Errorf("%v, %v, %+v", s.Sample.Reward, s.Sample.Scores, s.Sample.Error)
	}
	s = mustScore(t, p, vitrine.Output{ID: "b", Text: "```python\n1 / 0\n```", TaskID: "tea"}, t.TempDir())
	if s.Sample.Reward == nil || *s.Sample.Reward != 0 || s.Sample.Scores["vision.plot"] != 0 || server.Calls() != 1 {
		t.Errorf("%v, %v, %+v, %d calls", s.Sample.Reward, s.Sample.Scores, s.Sample.Error, server.Calls())
	}
}

func truePlot(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	must(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 64, 48))))
	return out.Bytes()
}

// Without plotly's script its figures are not blank: they cannot be judged.
func TestPlotlyWithoutItsScriptIsUnjudged(t *testing.T) {
	t.Parallel()
	needsPython(t)
	text := "```python\nimport plotly.express as px\npx.bar(x=[1], y=[3]).show()\n```"
	s := mustScore(t, pipe(t, nil), vitrine.Output{ID: "a", Text: text}, t.TempDir())
	if f := s.Sample.Error; f == nil || f.Code != vitrine.FaultUnsupportedKind || !strings.Contains(f.Fix, "plotly.js-dist-min") || s.Sample.Reward != nil {
		t.Errorf("got %+v, %v", f, s.Sample.Reward)
	}
}
