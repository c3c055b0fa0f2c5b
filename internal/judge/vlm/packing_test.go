package vlm

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
)

func project() []vitrine.File {
	return []vitrine.File{
		{Path: "README.md", Content: "read me"},
		{Path: "index.html", Content: "<div id=root>"},
		{Path: "package-lock.json", Content: "{}"},
		{Path: "package.json", Content: "{}"},
		{Path: "public/logo.svg", Content: "<svg>"},
		{Path: "src/App.tsx", Content: `import { Home } from "./pages/Home"`},
		{Path: "src/components/Card.tsx", Content: `import "../lib/money"; export const Card = 1`},
		{Path: "src/components/Unused.tsx", Content: "export default 1"},
		{Path: "src/index.css", Content: "body{}"},
		{Path: "src/lib/money.ts", Content: "export const euro = 1"},
		{Path: "src/main.tsx", Content: `import App from './App'`},
		{Path: "src/pages/Home.tsx", Content: `import { Card } from "@/components/Card"`},
		{Path: "src/photo.bin", Content: "\x00\xff"},
	}
}

func order(text string) (names []string) {
	for _, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, "=== file "); ok {
			names = append(names, name)
		}
	}
	return names
}

func TestCodeIsPackedByRelevance(t *testing.T) {
	t.Parallel()
	p := packCode(project(), 10000)
	want := []string{
		"index.html", "src/App.tsx", "src/main.tsx", "src/pages/Home.tsx", "src/components/Card.tsx", "src/lib/money.ts",
		"src/index.css", "public/logo.svg", "src/components/Unused.tsx", "README.md", "package.json",
	}
	if diff := cmp.Diff(want, order(p.text)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"package-lock.json (lock file)", "src/photo.bin (no text)"}, p.leftOut); diff != "" {
		t.Error(diff)
	}
}

func TestWhatHasNoRoomIsNamed(t *testing.T) {
	t.Parallel()
	files := append(project(), vitrine.File{Path: "src/components/Huge.tsx", Content: strings.Repeat("ü", 20000)})
	p := packCode(files, 2000)
	if len(p.text) > 2000*bytesPerToken+1000 || !utf8.ValidString(p.text) {
		t.Errorf("%d bytes", len(p.text))
	}
	found := false
	for _, name := range p.leftOut {
		found = found || strings.HasPrefix(name, "src/components/Huge.tsx (the last")
		if !strings.Contains(p.text, name) {
			t.Errorf("the model is not told of %s", name)
		}
	}
	if !found || !strings.Contains(p.text, "=== cut here") {
		t.Errorf("left out %v", p.leftOut)
	}
	// The judgement says so too.
	s := site()
	s.Files = files
	j := Judge{Asker: says(right["code"].answer), Settings: Settings{Protocol: "code", Model: "m/m", CodeTokens: 2000}}
	got, err := j.Judge(t.Context(), s)
	if err != nil || !cmp.Equal(got.LeftOut, p.leftOut) {
		t.Errorf("%v, %v", got.LeftOut, err)
	}
}

func TestOneFileThatIsTooBigIsCut(t *testing.T) {
	t.Parallel()
	p := packCode(ofHTML(strings.Repeat("x", 100000)), 100)
	if len(p.text) > 600 || len(p.leftOut) != 1 {
		t.Errorf("%d bytes, left out %v", len(p.text), p.leftOut)
	}
}

func TestThousandsOfFilesAreNamedWithinBounds(t *testing.T) {
	t.Parallel()
	var files []vitrine.File
	for i := range 5000 {
		files = append(files, vitrine.File{Path: strings.Repeat("d/", i%50) + "f" + strings.Repeat("x", i%97) + ".ts", Content: strings.Repeat("y", 4000)})
	}
	if p := packCode(files, 2000); len(p.text) > 2000*bytesPerToken+20000 || len(p.leftOut) < 4900 {
		t.Errorf("%d bytes, %d left out", len(p.text), len(p.leftOut))
	}
}

func TestPicturesInCodeAreReplacedByTheirSize(t *testing.T) {
	t.Parallel()
	p := packCode(ofHTML(`<img src="data:image/png;base64,`+strings.Repeat("A", 5000)+`">`), 10000)
	if strings.Contains(p.text, "AAAA") || !strings.Contains(p.text, "data:[5022 bytes]") {
		t.Errorf("%.200s", p.text)
	}
}

func TestImportsInACircle(t *testing.T) {
	t.Parallel()
	p := packCode([]vitrine.File{{Path: "src/main.ts", Content: `import "./a"`}, {Path: "src/a.ts", Content: `import "./main"; import "./a"; import "../../up"; import "react"`}}, 100)
	if diff := cmp.Diff([]string{"src/main.ts", "src/a.ts"}, order(p.text)); diff != "" {
		t.Error(diff)
	}
}

func TestTallFramesComeInParts(t *testing.T) {
	t.Parallel()
	s := site()
	one := s.Frames
	s.Frames = func(f vitrine.Frame) ([]model.Image, error) {
		images, err := one(f)
		return append(images, images...), err
	}
	asker := says(right["static"].answer)
	if _, err := (&Judge{Asker: asker, Settings: settings("static")}).Judge(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if n := len(pictures(asker.asked[0])); n != 2 || !strings.Contains(sent(asker.asked[0]), "part 2 of 2 from the top") {
		t.Errorf("%d pictures:\n%s", n, sent(asker.asked[0]))
	}
}

// A checklist is the task file's own JSON.
func TestChecklistsAreReadAsPublished(t *testing.T) {
	t.Parallel()
	var items []Item
	if err := json.Unmarshal([]byte(`[{"id": 0, "title": "Is it there?", "description": "Look.", "maxScore": 10}]`), &items); err != nil {
		t.Fatal(err)
	}
	s := site()
	s.Checklist = items
	asker := says(`{"analysis":"x","items":{"item_1":10},"overall":10}`)
	got, err := (&Judge{Asker: asker, Settings: settings("checklist")}).Judge(t.Context(), s)
	if err != nil || got.Scores["checklist"] != 10 || *got.Findings[0].Score != 1 || !strings.Contains(sent(asker.asked[0]), "item_1 (0 to 10): Is it there? Look.") {
		t.Errorf("%+v, %v", got.Scores, err)
	}
}
