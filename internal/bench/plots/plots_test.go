package plots

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/evidence"
	"vitrine/internal/runs"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// drawing is a PNG of white paper with a black bar.
func drawing(t *testing.T, bar image.Rectangle) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 320, 240))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := bar.Min.Y; y < bar.Max.Y; y++ {
		for x := bar.Min.X; x < bar.Max.X; x++ {
			img.SetGray(x, y, color.Gray{})
		}
	}
	var b bytes.Buffer
	must(t, png.Encode(&b, img))
	return b.Bytes()
}

var left, right = image.Rect(40, 40, 80, 200), image.Rect(200, 120, 280, 200)

func TestSimilarity(t *testing.T) {
	t.Parallel()
	decode := func(bar image.Rectangle) image.Image {
		img, err := png.Decode(bytes.NewReader(drawing(t, bar)))
		must(t, err)
		return img
	}
	if v := similarity(decode(left), decode(left)); v != 1 {
		t.Errorf("a picture and itself: %g", v)
	}
	if v := similarity(decode(left), decode(right)); v > 0.1 {
		t.Errorf("bars at other places: %g", v)
	}
	if v := similarity(decode(left), decode(image.Rectangle{})); v > 0.2 {
		t.Errorf("a bar and white paper: %g", v)
	}
	if v := similarity(decode(image.Rectangle{}), decode(image.Rectangle{})); v != 1 {
		t.Errorf("white paper twice: %g", v)
	}
}

// matPlot is MatPlotBench's data for a task without and one with a file.
func matPlot(t *testing.T) fstest.MapFS {
	return fstest.MapFS{
		"benchmark_instructions.json": {Data: []byte(`[{"id":1,"simple_instruction":"A bar.","expert_instruction":"x"},{"id":76,"simple_instruction":"The table."}]`)},
		"ground_truth/example_1.png":  {Data: drawing(t, left)}, "ground_truth/example_76.png": {Data: drawing(t, right)},
		"data/76/data.csv": {Data: []byte("a,b\n1,2\n")},
	}
}

func TestTasksOfMatPlotBench(t *testing.T) {
	t.Parallel()
	tasks, err := MatPlotBench{}.Tasks(matPlot(t))
	must(t, err)
	if len(tasks) != 2 || tasks[0].ID != "1" || tasks[0].Category != "without data" || len(tasks[1].Files) != 1 || tasks[1].Files[0].Path != "data.csv" {
		t.Errorf("%+v", tasks)
	}
	if p := (MatPlotBench{}).Prompt(tasks[1]); !strings.Contains(p.Text, "data.csv") || !strings.Contains(p.System, "```python") {
		t.Errorf("%+v", p)
	}
	for name, want := range map[string]string{
		"ground_truth/example_1.png": "task 1 has no true picture", "benchmark_instructions.json": "there is no benchmark_instructions.json",
	} {
		data := matPlot(t)
		delete(data, name)
		_, err := MatPlotBench{}.Tasks(data)
		refused(t, err, want)
	}
	data := matPlot(t)
	data["ground_truth/example_1.png"].Data = []byte("no picture")
	_, err = MatPlotBench{}.Tasks(data)
	refused(t, err, "example_1.png cannot be read")
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, want) || f.Fix == "" {
		t.Errorf("%v, want a fault of usage: %s", err, want)
	}
}

// rowOf is a row of PandasPlotBench with other values for some fields.
func rowOf(t *testing.T, change map[string]any) string {
	t.Helper()
	r := map[string]any{
		"id": 3, "task__plot_description": "A bar for each town.", "task__plot_style": "In grey.", "code_data": `df = pd.read_csv("data.csv")`,
		"data_csv": "town,people,share,open\nA,10,0.5,True\nB,20,,False\n", "plots_gt": []string{base64.StdEncoding.EncodeToString(drawing(t, left))},
	}
	for k, v := range change {
		r[k] = v
	}
	line, err := json.Marshal(r)
	must(t, err)
	return string(line)
}

func TestTasksOfPandasPlotBench(t *testing.T) {
	t.Parallel()
	read := func(text string) ([]vitrine.Task, error) {
		return PandasPlotBench{}.Tasks(fstest.MapFS{rowsFile: {Data: []byte(text)}})
	}
	tasks, err := read(rowOf(t, nil) + "\n\n" + rowOf(t, map[string]any{"id": 0}))
	must(t, err)
	if len(tasks) != 2 || tasks[0].ID != "3" || tasks[1].ID != "0" || tasks[0].Instruction != "A bar for each town.\nIn grey." || !strings.Contains(tasks[0].Files[1].Content, "read_csv") {
		t.Errorf("%+v", tasks)
	}
	text := PandasPlotBench{}.Prompt(tasks[0]).Text
	for _, want := range []string{"4 columns and 2 rows", "town (object), people (int64), share (float64), open (bool)", `["A","10","0.5","True"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, text)
		}
	}
	for want, change := range map[string]map[string]any{
		"no id": {"id": nil}, "no task__plot_description": {"task__plot_description": " "}, "no data_csv": {"data_csv": ""}, "no true picture": {"plots_gt": nil}, "plots_gt: not a picture": {"plots_gt": []string{"aGVsbG8="}},
	} {
		_, err := read(rowOf(t, change))
		refused(t, err, "line 1: "+want)
	}
	_, err = read("{")
	refused(t, err, "line 1: unexpected end")
}

// sampled writes a run folder of samples, whose plots are drawings.
func sampled(t *testing.T, all []vitrine.Sample, code map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "samples")
	r, err := runs.Create(dir, runs.Header{Recipe: "plot@1", Judge: "m"})
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for _, s := range all {
		s.Model = "m"
		if s.Status == "" {
			s.Status, s.Reward = vitrine.SampleScored, new(float64)
			folder, err := r.NewEvidence()
			must(t, err)
			must(t, r.Put(filepath.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder), "frame.png"), drawing(t, left)))
			must(t, evidence.Save(folder, &vitrine.Evidence{Schema: vitrine.EvidenceSchema, Views: []vitrine.View{{Route: "/", Frames: []vitrine.Frame{{File: "frame.png"}}}}}))
			must(t, evidence.SaveArtifact(folder, &vitrine.Artifact{Kind: vitrine.KindPlot, Files: []vitrine.File{{Path: "plot.py", Content: code[s.ID]}}}, ""))
			s.Evidence, err = r.KeepEvidence(folder, s.ID)
			must(t, err)
		}
		must(t, r.Append(s))
	}
	return dir
}

func unjudged(id string, code vitrine.FaultCode) vitrine.Sample {
	return vitrine.Sample{ID: id, TaskID: id, Status: vitrine.SampleUnjudged, Error: vitrine.NewFault("judge", code, nil, "gone")}
}

func drawn(id string, score float64) vitrine.Sample {
	return vitrine.Sample{ID: id, TaskID: id, Kind: vitrine.KindPlot, Outcome: vitrine.OutcomeRendered, Scores: map[string]float64{"vision.plot": score}}
}

func failed(id string, outcome vitrine.Outcome, why string) vitrine.Sample {
	return vitrine.Sample{ID: id, TaskID: id, Kind: vitrine.KindPlot, Outcome: outcome, Why: why, Scores: map[string]float64{"vision.plot": 0}}
}

// parts are those of the columns errors, mean and good, and of the agreement where there is
// a true picture: -1 for what could not be judged, -2 for what is in no figure.
func parts(p bench.Parts) (all [4]float64) {
	for i, key := range []string{"errors", "mean", "good", "agreement"} {
		part, there := p[key]
		switch {
		case !there:
			all[i] = -2
		case part == nil:
			all[i] = -1
		default:
			all[i] = math.Round(part.Sum / part.Of)
		}
	}
	return all
}

// The quirks of PandasPlotBench, one a row: tasks 0 to 6 are judged in that order.
func TestRulesOfPlots(t *testing.T) {
	t.Parallel()
	tasks := map[string]vitrine.Task{}
	for _, id := range []string{"0", "1", "2", "3", "4", "5", "6", "10"} {
		tasks[id] = vitrine.Task{ID: id, Picture: drawing(t, left)}
	}
	page := drawn("5", 90)
	page.Kind = vitrine.KindPage
	dir := sampled(t, []vitrine.Sample{
		unjudged("10", vitrine.FaultJudge), drawn("0", 75), unjudged("1", vitrine.FaultRateLimited), drawn("2", 80), drawn("6", 74),
		failed("3", vitrine.OutcomeBuildFailed, "build_error: ValueError"), failed("4", vitrine.OutcomeBuildFailed, "no_picture: the program drew none"), page,
	}, map[string]string{"0": "from matplotlib import pyplot", "2": "import plotly", "6": "from matplotlib import pyplot"})
	for name, want := range map[string]struct {
		of  bench.Sited
		has map[string][2][4]float64 // strict, compat
	}{
		"pandas": {PandasPlotBench{}, map[string][2][4]float64{
			"0":  {{0, 75, 1, 100}, {0, 75, 1, 100}}, // 75 is good
			"1":  {{-1, -1, -1, -1}, {0, 75, 1, -2}}, // the score of the row before
			"2":  {{0, 80, 1, 100}, {0, 0, 0, 100}},  // another library
			"3":  {{1, 0, 0, 0}, {1, 0, 0, 0}},       // an error
			"4":  {{1, 0, 0, 0}, {0, 0, 0, 0}},       // no picture, and no error
			"5":  {{1, 0, 0, 0}, {0, 0, 0, 0}},       // a page is no plot
			"6":  {{0, 74, 0, 100}, {0, 74, 0, 100}}, // 74 is not
			"10": {{-1, -1, -1, -1}, {0, 0, 0, -2}},  // the judge said nothing that can be read
		}},
		"matplot": {MatPlotBench{}, map[string][2][4]float64{
			"1": {{-1, -1, -1, -1}, {-2, -2, -2, -2}}, // leaves the mean
			"2": {{0, 80, 1, 100}, {0, 80, 1, 100}},
			"3": {{1, 0, 0, 0}, {1, 0, 0, 0}},
		}},
	} {
		all, err := want.of.Measure(dir, tasks)
		must(t, err)
		for id, w := range want.has {
			if got := [2][4]float64{parts(all[id].Strict), parts(all[id].Compat)}; got != w {
				t.Errorf("%s, task %s: %v, want %v", name, id, got, w)
			}
		}
	}
}

// Without a model there is no mean.
func TestPlotsWithoutAModel(t *testing.T) {
	t.Parallel()
	s := drawn("0", 0)
	s.Scores = nil
	all, err := MatPlotBench{}.Measure(sampled(t, []vitrine.Sample{s}, nil), map[string]vitrine.Task{"0": {ID: "0", Picture: drawing(t, right)}})
	must(t, err)
	if got := parts(all["0"].Strict); got[0] != 0 || got[1] != -2 || got[2] != -2 || got[3] > 10 {
		t.Errorf("%v", got)
	}
}

func FuzzHead(f *testing.F) {
	f.Add("a,b\n1,2\n")
	f.Add("a\n\"")
	f.Fuzz(func(t *testing.T, table string) {
		if head(table) == "" {
			t.Error("nothing is said of the table")
		}
	})
}

func FuzzTaskOf(f *testing.F) {
	f.Add([]byte(`{"id":1,"task__plot_description":"x","data_csv":"a\n1","plots_gt":["aGVsbG8="]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if task, err := taskOf(line); err == nil && (task.ID == "" || len(task.Picture) == 0) {
			t.Errorf("%+v", task)
		}
	})
}
