package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/runs"
)

// spec is a recipe as run.json keeps it.
const spec = `{"name":"r","build":"strict","combine":"sum",
	"gates":[{"when":"format.code","is":0,"set":{"func_vis":0}}],
	"parts":{
		"code":{"from":"format.code","weight":0.1},
		"func_vis":{"from":"vision.appearance","fallback":{"signal":"measured.appearance","number":0},"weight":1}}}`

var started = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func header() runs.Header {
	finished := started.Add(90 * time.Second)
	return runs.Header{
		Started: started, Finished: &finished, Input: "pages.jsonl", Recipe: "r@0123abcd", RecipeSpec: json.RawMessage(spec), Judge: "measured", Interact: "none",
		Capture: vitrine.CaptureSettings{Viewports: []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}, TimesMS: []int{0, 1000}},
		Browser: "HeadlessChrome/1.2.3", InputErrors: []runs.InputError{{Line: 7, Message: "not JSON"}},
	}
}

func num(v float64) *float64 { return &v }

// sample i goes through every outcome and is unjudged now and then.
func sample(i int) vitrine.Sample {
	s := vitrine.Sample{
		ID: fmt.Sprintf("sample-%04d", i), Model: []string{"alpha", "beta"}[i%2], Kind: vitrine.KindPage, TaskID: "t1", Attempt: 1,
		Status: vitrine.SampleScored, Outcome: outcomes[i%len(outcomes)], Recipe: "r@0123abcd", Reward: num(float64(i%50) / 10),
		Parts:    map[string]float64{"code": 0, "func_vis": float64(i%50) / 10},
		Scores:   map[string]float64{"appearance": 3.2, "alignment": 30, "aesthetics": 20, "structure": 25, "total": 75},
		TimingMS: vitrine.Timing{Parse: 1, Build: 10, Capture: 400, Judge: 5},
		Why:      "because it is so",
		Fallbacks: []vitrine.Fallback{
			{Part: "func_vis", Wanted: "vision.appearance", Used: "measured.appearance", Why: "no vision model is configured"},
		},
		Findings: []vitrine.Finding{
			{Check: "landmarks", Status: vitrine.StatusScored, Score: num(0.9), Why: "There is a main."},
			{Check: "contrast", Status: vitrine.StatusScored, Score: num(0.25), Why: "Two texts are too pale.", Where: []vitrine.Place{
				{Route: "/", Viewport: "desktop", Box: vitrine.Box{X: 100, Y: 50, W: 300, H: 40}, Label: "pale text"},
				{Route: "/", Viewport: "mobile", Box: vitrine.Box{X: 10, Y: 500, W: 100, H: 30}},
			}},
			{Check: "tap-targets", Status: vitrine.StatusScored, Score: num(0.5), Why: "A link is too small.", Where: []vitrine.Place{
				{Route: "/", Viewport: "mobile", Box: vitrine.Box{X: 20, Y: 600, W: 10, H: 10}},
			}},
			{Check: "dead-links", Status: vitrine.StatusNotApplicable, Why: "There are no links."},
			{Check: "axe", Status: vitrine.StatusFailed, Why: "axe-core did not answer."},
		},
	}
	if i%10 == 9 {
		s.Status, s.Reward, s.Parts = vitrine.SampleUnjudged, nil, nil
		s.Error = vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "the browser died twice").WithFix("run it again")
	}
	return s
}

// gathered shows a site of two views with two frames each.
func gathered() *vitrine.Evidence {
	view := func(v vitrine.Viewport) vitrine.View {
		file := func(seconds int) string { return fmt.Sprintf("frames/index@%s@%d.png", v.Name, seconds) }
		return vitrine.View{
			Route: "/", Viewport: v, Validity: vitrine.Validity{Valid: true}, Title: "A site", Lang: "en", Thumb: "thumbs/index@" + v.Name + ".jpg",
			Frames:    []vitrine.Frame{{File: file(0), Width: v.Width, Height: 2000, SHA256: "a"}, {File: file(1), TimeMS: 1000, Width: v.Width, Height: 2000, SHA256: "b"}},
			PageWidth: v.Width, PageHeight: 2000, LoadMS: 120, Settled: true, AxeRan: true,
			Palette: []vitrine.Swatch{{Color: vitrine.Color{R: 255, A: 255}, Share: 0.6}, {Color: vitrine.Color{B: 255, A: 255}, Share: 0.3}},
			Axe:     []vitrine.AxeResult{{ID: "image-alt", Impact: "critical", Help: "Images need a text", Count: 2, Nodes: []string{"img.a"}}},
		}
	}
	return &vitrine.Evidence{
		Schema: vitrine.EvidenceSchema, Tool: vitrine.Version, Browser: "HeadlessChrome/1.2.3", Instruction: "Make a page about tea.",
		Site: vitrine.Site{Kind: vitrine.KindPage, Routes: []string{"/"}, Builder: "exact", Steps: []vitrine.BuildStep{
			{Name: "install", Command: "npm install", DurationMS: 2500, Log: "added 12 packages"},
			{Name: "build", Command: "npm run build", ExitCode: 1, DurationMS: 800, Log: "error: no such module"},
		}},
		Validity: vitrine.Validity{Valid: true},
		Views:    []vitrine.View{view(vitrine.Desktop), view(vitrine.Mobile)},
		Console: []vitrine.ConsoleMessage{
			{Route: "/", Viewport: "desktop", Level: "log", Text: "hello"},
			{Route: "/", Viewport: "desktop", Level: "exception", Text: "Error: no", URL: "/app.js", Line: 3},
			{Route: "/", Viewport: "mobile", Level: "exception", Text: "Error: no", URL: "/app.js", Line: 3},
		},
		Requests: []vitrine.Request{
			{Route: "/", URL: "/app.js", Method: "GET", Type: "Script", Status: 200, Result: "site", Bytes: 1234},
			{Route: "/", URL: "https://example.com/x.png", Method: "GET", Type: "Image", Result: "blocked"},
			{Route: "/", URL: "https://unpkg.com/three@0.150", Method: "GET", Type: "Script", Status: 200, Result: "fixture", Bytes: 9, Fixture: &vitrine.Fixture{Name: "three", Asked: "0.150", Given: "0.160.1"}},
			{Route: "/", URL: "https://picsum.photos/200", Method: "GET", Type: "Image", Status: 200, Result: "fixture", Bytes: 9, Fixture: &vitrine.Fixture{Name: "photo", StandIn: true}},
		},
		Hint: vitrine.Hint{Ran: true, Messages: []vitrine.HintMessage{{Rule: "id-unique", Message: "The id is used twice.", Line: 4, Col: 2}}},
	}
}

func artifact() *vitrine.Artifact {
	return &vitrine.Artifact{
		Kind: vitrine.KindPage, Title: "Tea", Reasoning: "First I think.", Files: []vitrine.File{{Path: "index.html", Content: "<!doctype html>\n<p>Tea</p>\n"}},
		CoT: vitrine.FormatScore{Score: 1}, Code: vitrine.FormatScore{Failed: []vitrine.FailedRule{{Rule: "manifest", Why: "there is none"}}},
		Notes: []vitrine.Note{{Code: "truncated", Text: "the last fence is open"}},
	}
}

func judgement() *vitrine.Judgement {
	return &vitrine.Judgement{Judge: "measured@1", Findings: []vitrine.Finding{}, Unknown: []string{"whether it is tasteful"}}
}

// opinionsOf is what two models say of a sample; one of them to no use.
func opinionsOf(s vitrine.Sample) []vitrine.Judgement {
	usd := 0.0125
	return []vitrine.Judgement{{
		Judge: "static@1 openai/critic", Protocol: "static", Scores: map[string]float64{"total": 75.5, "alignment": 30, "aesthetics": 20, "structure": 25.5},
		Feedback: "Clear and calm " + s.ID + "<img src=x onerror=alert(1)>", Cost: vitrine.Cost{USD: &usd, TokensIn: 900, TokensOut: 40},
		Calls: []vitrine.Call{{Model: "openai/critic", Served: "critic-2026", Finish: "stop", Answer: "{\"total\": 75.5}<script>alert(1)</script>"}},
	}, {
		Judge: "appearance@1 ollama/babbler", Protocol: "appearance", Cost: vitrine.Cost{TokensIn: 900, TokensOut: 4},
		Calls: []vitrine.Call{{Model: "ollama/babbler", Finish: "stop", Answer: "8/10, lovely!", Problem: "it is not JSON"}},
	}}
}

// traceOf is what came of exercising a sample: a control that works, one that is
// dead, and a test case that failed.
func traceOf(s vitrine.Sample) *vitrine.Trace {
	step := func(kind vitrine.ActionKind, name string, effect vitrine.Effect) vitrine.Step {
		c := &vitrine.Control{Mark: 1, Role: "button", Name: name, Box: vitrine.Box{X: 100, Y: 50, W: 300, H: 40}}
		return vitrine.Step{
			Action: vitrine.Action{Kind: kind, Target: &vitrine.Target{Role: "button", Name: name}}, Control: c, At: &c.Box, Effect: effect,
			Before: "trace/before.png", After: "trace/after.png",
		}
	}
	t := &vitrine.Trace{
		Schema: vitrine.TraceSchema, By: vitrine.ByVerify, Model: "openai/planner", Viewport: vitrine.Desktop, Validity: vitrine.Validity{Valid: true}, Score: num(1), Wanted: 3,
		Cases: []vitrine.Case{
			{ID: "1", Route: "/", Task: "click button Brew", Verdict: vitrine.VerdictWorks, Score: num(1), Why: "a text appeared", End: vitrine.EndFinished,
				Steps: []vitrine.Step{step(vitrine.ActClick, "Brew", vitrine.Effect{Appeared: []string{"Ready " + s.ID}, Regions: []vitrine.Box{{X: 10, Y: 20, W: 30, H: 40}}})}},
			{ID: "2", Route: "/menu", Task: "click button Pour", Verdict: vitrine.VerdictDead, Score: num(0), Why: "the button does nothing", End: vitrine.EndFinished,
				Steps: []vitrine.Step{step(vitrine.ActClick, "Pour", vitrine.Effect{})}},
			{ID: "3", Route: "/", Task: "Sort the teas", Expected: "Green tea comes first", Verdict: vitrine.VerdictFail, Score: num(0), Why: "the list is as it was", End: vitrine.EndStepLimit,
				Checks: []vitrine.Check{{Expect: "text Green tea", Held: false, Weight: 1, Saw: "Black tea"}, {Expect: "changed dom", Held: true, Weight: 1}}, Script: "- click: Sort"},
		},
	}
	if s.ID == hostile {
		poison(reflect.ValueOf(t))
	}
	return t
}

// A book is what one sample of a run folder is made from; nil parts are left out.
type book struct {
	sample    vitrine.Sample
	evidence  *vitrine.Evidence
	artifact  *vitrine.Artifact
	judgement *vitrine.Judgement
}

func whole(s vitrine.Sample) book { return book{s, gathered(), artifact(), judgement()} }

// sharedRuns is where the run folders lie that tests only read.
var (
	sharedRuns string
	sharing    sync.Mutex
)

// shared is a run folder of this name with its report, written by the first test that
// asks for it.
func shared(t testing.TB, name string, write func(dir string)) string {
	t.Helper()
	sharing.Lock()
	defer sharing.Unlock()
	dir := filepath.Join(sharedRuns, name)
	if _, err := os.Stat(dir); err != nil {
		write(dir)
		must(t, Write(dir))
	}
	return dir
}

// writeRun makes a run folder.
func writeRun(t testing.TB, h runs.Header, books ...book) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	writeRunTo(t, dir, h, books...)
	return dir
}

func writeRunTo(t testing.TB, dir string, h runs.Header, books ...book) {
	t.Helper()
	run, err := runs.Create(dir, h)
	must(t, err)
	for _, b := range books {
		if b.evidence != nil {
			b.sample.Evidence = writeEvidence(t, run, b)
		}
		must(t, run.Append(b.sample))
	}
	must(t, run.Close())
}

func writeEvidence(t testing.TB, run *runs.Run, b book) string {
	t.Helper()
	dir, err := run.NewEvidence()
	must(t, err)
	must(t, evidence.Save(dir, b.evidence))
	must(t, evidence.SaveArtifact(dir, b.artifact, "what the model wrote"))
	must(t, evidence.SaveJudgement(dir, b.judgement))
	must(t, evidence.SaveOpinions(dir, opinionsOf(b.sample)))
	must(t, evidence.SaveTrace(dir, traceOf(b.sample)))
	must(t, os.Mkdir(filepath.Join(dir, "trace"), 0o755))
	for _, name := range []string{"before.png", "after.png"} {
		must(t, os.WriteFile(filepath.Join(dir, "trace", name), pictures[vitrine.Desktop.Width], 0o644))
	}
	must(t, os.Mkdir(filepath.Join(dir, "frames"), 0o755))
	must(t, os.Mkdir(filepath.Join(dir, "thumbs"), 0o755))
	for _, v := range b.evidence.Views {
		must(t, os.WriteFile(filepath.Join(dir, v.Thumb), thumb, 0o644))
		for _, f := range v.Frames {
			must(t, os.WriteFile(filepath.Join(dir, f.File), pictures[v.Viewport.Width], 0o644))
		}
	}
	name, err := run.KeepEvidence(dir, b.sample.ID)
	must(t, err)
	return name
}

var thumb = func() []byte {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, gradient(64, 48), nil); err != nil {
		panic(err)
	}
	return out.Bytes()
}()

// pictures are of the shape of the frames of a viewport, by its width.
var pictures = map[int][]byte{
	vitrine.Desktop.Width: picture(128, 200),
	vitrine.Mobile.Width:  picture(39, 200),
}

func picture(width, height int) []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, gradient(width, height)); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func gradient(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, color.RGBA{uint8(40 + x), uint8(80 + y), 170, 255})
		}
	}
	return img
}

// hostile is what a model might write into any field. It sets a mark on the
// window if any of it runs.
const hostile = `</script></title></textarea><script>window.pwned=1</script><img src=x onerror="window.pwned=2"><svg onload=window.pwned=3>'"` + "`" + `&lt;{{.}} javascript:window.pwned=4 ü ` + "\u202e 漢字"

// poison puts hostile text into every string of v, as deep as it goes.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile)
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				poison(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			poison(v.Index(i))
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
