package review_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/dedup"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/review"
	"vitrine/internal/evidence"
	"vitrine/internal/leak"
	"vitrine/internal/meta/answers"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const lamps = "Please implement a web shop for lamps. Visitors browse lamps by room, filter them by price, put them into a cart and pay. Use linen for the background and teal for the components."

// borderline is a folder that dedup wrote, with two records for a person.
func borderline(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rows := fmt.Sprintf(`{"id":"a","instruction":%q}
{"id":"b","instruction":%q}
{"id":"c","instruction":%q}
{"id":"d","instruction":"<script>alert(1)</script> a game of chess"}
`, lamps, strings.ReplaceAll(lamps, "teal", "navy"), strings.ReplaceAll(lamps, "linen", "ivory"))
	thresholds := dedup.Defaults
	thresholds.Text = 0.999
	out := filepath.Join(dir, "out")
	sum, err := dedup.Run(context.Background(), dedup.Settings{Files: []string{write(t, filepath.Join(dir, "in.jsonl"), rows)}, Out: out, Thresholds: thresholds})
	if err != nil || sum.Review != 2 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return out
}

// A person answers the page of a server.
type person struct {
	t    *testing.T
	http *http.Client
	url  string
}

func asks(t *testing.T, items []review.Item, dir, reviewer string) *person {
	t.Helper()
	s, err := review.OpenStore(dir, reviewer)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	told, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- review.NewServer(items, s, 1).Serve(ctx, "127.0.0.1:0", func(url string) { told <- url })
	}()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &person{t, client, <-told}
}

// page gives the page that is shown, and where it lies.
func (p *person) page(at string) (text, url string) {
	p.t.Helper()
	r, err := p.http.Get(at)
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		p.t.Fatalf("%s: %s, %v", at, r.Status, err)
	}
	return string(b), r.Request.URL.String()
}

// say answers a page and gives the status.
func (p *person) say(at, value string) int {
	p.t.Helper()
	r, err := p.http.PostForm(at, url.Values{"value": {value}})
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Body.Close()
	return r.StatusCode
}

func TestBorderlineRecordsAreDecidedByPeople(t *testing.T) {
	dir, out := borderline(t), t.TempDir()
	items, err := review.Items(context.Background(), review.Settings{Path: dir, Sample: 1, Seed: 1})
	if err != nil || len(items) != 3 || items[2].Question != review.Good {
		t.Fatalf("%d items, %v; want two records and a row", len(items), err)
	}
	for name, said := range map[string]string{"ann": "true", "bob": "true", "cyd": "false"} {
		p := asks(t, items, review.Folder(dir), name)
		text, at := p.page(p.url)
		if !strings.Contains(text, "Do both ask for the same thing?") || !strings.Contains(text, "<mark>") || !strings.Contains(text, "0 of 3 answered") {
			t.Errorf("the page does not ask, or marks no difference:\n%s", text)
		}
		p.say(at, map[string]string{"true": "false", "false": "true"}[said]) // and then thinks better of it
		p.say(at, said)
		text, at = p.page(p.url)
		if !strings.Contains(text, "1 of 3 answered") {
			t.Error("an answer that is given again counts twice, or not at all")
		}
		if code := p.say(at, "maybe"); code != http.StatusBadRequest {
			t.Errorf("maybe: status %d", code)
		}
		p.say(at, "false")
	}
	again := asks(t, items, review.Folder(dir), "ann") // goes on where ann was
	if text, _ := again.page(again.url); !strings.Contains(text, "Is this row good for training?") {
		t.Error("what ann has answered is asked again")
	}
	done, err := review.Apply(context.Background(), dir, out)
	if err != nil || done.Read != 4 || done.Kept != 4-done.Dropped {
		t.Fatalf("%+v, %v", done, err)
	}
	set, err := answers.Open(review.Files(review.Folder(dir))...)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(answers.Raters(set, 1).Figures, func(f answers.Figure) bool { return f.Name == "Krippendorff's alpha" && f.N > 0 }) {
		t.Error("no agreement of the reviewers")
	}
}

// TestTasksOfTheSameIDAreThoseOfTheirBenchmark, of two that number their tasks alike.
func TestTasksOfTheSameIDAreThoseOfTheirBenchmark(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		return write(t, filepath.Join(dir, name), fmt.Sprintf(`{"id":"1","instruction":%q}`+"\n", text))
	}
	against := []string{file("chess.jsonl", "A game of chess"), file("shop.jsonl", lamps)}
	thresholds := dedup.Defaults
	thresholds.Text = 0.999
	out := filepath.Join(dir, "out")
	in := file("in.jsonl", strings.ReplaceAll(lamps, "teal", "navy"))
	if sum, err := dedup.Run(context.Background(), dedup.Settings{Files: []string{in}, Against: against, Out: out, Thresholds: thresholds}); err != nil || sum.Review != 1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	items, err := review.Items(context.Background(), review.Settings{Path: out, Against: against})
	if err != nil || len(items) != 1 || items[0].Sides[1].Text != lamps {
		t.Errorf("%+v, %v; want the shop's task beside the record", items, err)
	}
}

// TestRowsThatAStepIsUnsureOfAreAskedAbout once, with what it is unsure of.
func TestRowsThatAStepIsUnsureOfAreAskedAbout(t *testing.T) {
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [{hints: {}}, {unique: {}}]"))
	if err != nil {
		t.Fatal(err)
	}
	rows := `{"id":"a","instruction":"A game of chess."}` + "\n" + `{"id":"b","instruction":"A shop for lamps. Hint: use a grid."}` + "\n"
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {write(t, filepath.Join(dir, "in.jsonl"), rows)}}, Say: t.Logf}
	if _, err := flow.Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	for sample, want := range []int{1, 2, 2} {
		items, err := review.Items(context.Background(), review.Settings{Path: s.Out, Sample: sample * 2, Seed: 1})
		if err != nil || len(items) != want || items[0].Task != "b" || items[0].Question != review.Good || !strings.Contains(items[0].Why, "Hint: use a grid.") || items[0].Sides[0].Text != "A shop for lamps." {
			t.Errorf("%d sampled: %+v, %v; want b with its hint, and %d in all", sample*2, items, err, want)
		}
	}
}

func TestRowsAreShownAsText(t *testing.T) {
	dir := borderline(t)
	items, err := review.Items(context.Background(), review.Settings{Path: filepath.Join(dir, "kept.jsonl"), Sample: 10})
	if err != nil || len(items) != 4 {
		t.Fatalf("%d items, %v", len(items), err)
	}
	p, found := asks(t, items, t.TempDir(), "ann"), false
	for i := range items {
		text, _ := p.page(fmt.Sprintf("%s%d", p.url, i))
		if strings.Contains(text, "<script>alert") {
			t.Error("what a row holds is markup of the page")
		}
		found = found || strings.Contains(text, "alert")
	}
	if !found {
		t.Error("the row is not shown")
	}
	at, _ := url.Parse(p.url)
	for _, other := range []string{"/", "/0", "/done"} {
		if r, err := p.http.Get("http://" + at.Host + other); err != nil || r.StatusCode != http.StatusNotFound {
			t.Errorf("%s is served without the path that was told: %v", other, err)
		} else {
			r.Body.Close()
		}
	}
}

// site is an evidence folder with one frame.
func site(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "frames"), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "frames", "a.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, image.NewGray(image.Rect(0, 0, 8, 8))), f.Close()); err != nil {
		t.Fatal(err)
	}
	ev := &vitrine.Evidence{Schema: vitrine.EvidenceSchema, Instruction: "A shop", Views: []vitrine.View{{Route: "/", Frames: []vitrine.Frame{{File: "frames/a.png"}, {File: "frames/b.png"}}}}}
	if err := evidence.Save(dir, ev); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestVotesOnPairsAreOfTheirAAndB wherever these stand.
func TestVotesOnPairsAreOfTheirAAndB(t *testing.T) {
	dir := t.TempDir()
	site(t, filepath.Join(dir, "olive-model"))
	site(t, filepath.Join(dir, "plum-model"))
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, `{"id":"p%d","a":"olive-model","b":"plum-model"}`+"\n", i)
	}
	items, err := review.Pairs(write(t, filepath.Join(dir, "pairs.jsonl"), b.String()))
	if err != nil || len(items) != 12 {
		t.Fatalf("%d pairs, %v", len(items), err)
	}
	folder := review.Folder(filepath.Join(dir, "pairs.jsonl"))
	p := asks(t, items, folder, "ann")
	left := map[string]int{}
	for i := range items {
		text, at := p.page(fmt.Sprintf("%s%d", p.url, i))
		_, buttons, _ := strings.Cut(text, `name="value" value="`)
		first := buttons[:1]
		left[first]++
		if !strings.Contains(text, `name="value" value="tie"`) {
			t.Error("nobody can say that neither is better")
		}
		if !strings.Contains(text, "A shop") || strings.Contains(text, "olive-model") || strings.Contains(text, "plum-model") {
			t.Error("the page lacks the instruction, or says whose the sites are")
		}
		_, picture, _ := strings.Cut(text, `<img src="`)
		picture, _, _ = strings.Cut(picture, `"`)
		base, _ := url.Parse(p.url)
		if r, err := p.http.Get("http://" + base.Host + picture); err != nil || r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%s: %v", picture, err)
		} else {
			r.Body.Close()
		}
		p.say(at, first) // what is on the left
	}
	if left["A"] == 0 || left["B"] == 0 {
		t.Errorf("on the left is %v: want both", left)
	}
	for line := range strings.Lines(read(t, filepath.Join(folder, "ann.jsonl"))) {
		if strings.Contains(line, `"label"`) && !strings.Contains(line, `"value":"A","seconds"`) && !strings.Contains(line, `"value":"B","seconds"`) || strings.Contains(line, `"value":"A"`) && !strings.Contains(line, `"first":"A"`) {
			t.Errorf("who votes for the left votes for what stood first: %s", line)
		}
	}
}

func TestWhatCannotBeReviewedIsRefused(t *testing.T) {
	dir := borderline(t)
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.Mkdir(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(broken, "ann.jsonl"), `{"label":{"item":"x","rater":"ann","value":true}}`+"\n")
	pairs := write(t, filepath.Join(broken, "pairs.json"), `{"a":"gone","b":"gone"}`)
	answered := write(t, filepath.Join(t.TempDir(), "dropped.jsonl"), `{"id":"a"}`)
	label(t, review.Folder(answered), "ann", review.Good, "a", "true")
	ctx := context.Background()
	for want, try := range map[string]func() error{
		"has no finished run": func() error { _, err := review.Items(ctx, review.Settings{Path: t.TempDir()}); return err },
		"cannot read":         func() error { _, err := review.Items(ctx, review.Settings{Path: "gone"}); return err },
		"nothing to ask": func() error {
			_, err := review.Items(ctx, review.Settings{Path: filepath.Join(dir, "kept.jsonl")})
			return err
		},
		"nobody has answered":  func() error { _, err := review.Apply(ctx, dir, t.TempDir()); return err },
		"where they are read":  func() error { _, err := review.Apply(ctx, answered, filepath.Dir(answered)); return err },
		"a file of the review": func() error { _, err := review.Apply(ctx, answered, t.TempDir()); return err },
		"a reviewer's name":    func() error { _, err := review.OpenStore(t.TempDir(), "../ann"); return err },
		"without the item":     func() error { _, err := review.OpenStore(broken, "ann"); return err },
		"no evidence folder":   func() error { _, err := review.Pairs(pairs); return err },
		"cannot listen on":     func() error { return review.NewServer(nil, nil, 1).Serve(ctx, "nowhere:x", nil) },
	} {
		var fault *vitrine.Fault
		if err := try(); !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" || !strings.Contains(fault.Message, want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	w := httptest.NewRecorder()
	s, err := review.OpenStore(t.TempDir(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	review.NewServer(nil, s, 1).Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("status %d", w.Code)
	}
}
