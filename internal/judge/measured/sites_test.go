package measured_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/capture"
	"vitrine/internal/htmlhint"
	"vitrine/internal/judge/measured"
)

const sites = "../../../testdata/sites"

// siteJudge captures test sites with a real browser and judges what was seen.
type siteJudge struct{ capturer *capture.Capturer }

func newSiteJudge(t *testing.T) siteJudge {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	supervisor := browser.New(browser.Settings{})
	t.Cleanup(supervisor.Close)
	return siteJudge{&capture.Capturer{Browser: supervisor}}
}

func (s siteJudge) judge(t *testing.T, name string, viewports ...vitrine.Viewport) vitrine.Judgement {
	t.Helper()
	site, instruction := readSite(t, name)
	settings := vitrine.CaptureSettings{Viewports: viewports, TimesMS: []int{0}, MaxRoutes: len(site.Routes)}
	ev, err := s.capturer.Site(t.Context(), site, settings, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ev.Instruction = instruction
	if ev.Hint, err = htmlhint.HTML(string(site.Files["index.html"]), nil); err != nil {
		t.Fatal(err)
	}
	return measured.Judge(ev)
}

// readSite reads a test site and what it was asked to be.
func readSite(t testing.TB, name string) (site *vitrine.Site, instruction string) {
	t.Helper()
	dir := filepath.Join(sites, name)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	site = &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{}}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() == "task.txt" {
			instruction = strings.TrimSpace(string(content))
			continue
		}
		site.Files[e.Name()] = content
		if strings.HasPrefix(name, "unreachable-routes") && e.Name() != "index.html" && strings.HasSuffix(e.Name(), ".html") {
			site.Routes = append(site.Routes, "/"+e.Name())
		}
	}
	return site, instruction
}

// viewports gives checks about narrow screens one.
func viewports(id string) []vitrine.Viewport {
	switch id {
	case "tap-targets":
		return []vitrine.Viewport{vitrine.Mobile}
	case "responsive", "overflow-x":
		return []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}
	}
	return []vitrine.Viewport{vitrine.Desktop}
}

func scoreOf(t *testing.T, j vitrine.Judgement, id string) (float64, string) {
	t.Helper()
	for _, f := range j.Findings {
		if f.Check == id && f.Score != nil {
			return *f.Score, f.Why
		}
		if f.Check == id {
			t.Fatalf("%s is %s: %s", id, f.Status, f.Why)
		}
	}
	t.Fatalf("no finding of %s", id)
	return 0, ""
}

func TestGoodAndBadPages(t *testing.T) {
	s := newSiteJudge(t)
	for _, id := range measured.Checks() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			good, praise := scoreOf(t, s.judge(t, id+"-good", viewports(id)...), id)
			bad, blame := scoreOf(t, s.judge(t, id+"-bad", viewports(id)...), id)
			t.Logf("good %.2f: %s", good, praise)
			t.Logf("bad  %.2f: %s", bad, blame)
			if good < 0.8 || bad > good-0.3 {
				t.Errorf("good %.2f, bad %.2f: want the good page at 0.8 or more and the bad one at least 0.3 lower", good, bad)
			}
		})
	}
}

// The same bakery four times: as the browser shows it without styles, with a few
// styles, well designed, and well designed but unreadable and out of the window.
func TestBetterPagesScoreHigher(t *testing.T) {
	s := newSiteJudge(t)
	appearance := map[string]float64{}
	for _, name := range []string{"plain", "broken", "basic", "designed"} {
		appearance[name] = s.judge(t, "ranking-"+name, vitrine.Desktop, vitrine.Mobile).Scores["appearance"]
	}
	t.Log(appearance)
	for _, pair := range [][2]string{{"plain", "basic"}, {"basic", "designed"}, {"broken", "basic"}} {
		if worse, better := appearance[pair[0]], appearance[pair[1]]; worse > better-0.5 {
			t.Errorf("%s has %.2f, %s %.2f: want at least half a grade between them", pair[0], worse, pair[1], better)
		}
	}
	if plain, designed := appearance["plain"], appearance["designed"]; plain < 1 || plain > 2.5 || designed < 4 {
		t.Errorf("plain %.2f, designed %.2f: want about 2 and at least 4", plain, designed)
	}
}

func TestEachCheckHasItsFileAndPages(t *testing.T) {
	for _, id := range measured.Checks() {
		for _, file := range []string{
			strings.ReplaceAll(id, "-", "_") + ".go",
			filepath.Join(sites, id+"-good", "index.html"),
			filepath.Join(sites, id+"-bad", "index.html"),
		} {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}
