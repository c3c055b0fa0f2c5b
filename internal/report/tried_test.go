package report

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine"
)

// explored is an exploration whose three most important controls work, with others
// that are dead or could not be judged.
func explored() *vitrine.Trace {
	t := &vitrine.Trace{Schema: vitrine.TraceSchema, By: vitrine.ByExplore, Viewport: vitrine.Desktop, Validity: vitrine.Validity{Valid: true}, Score: num(3), Wanted: 3}
	verdicts := []vitrine.CaseVerdict{vitrine.VerdictWorks, vitrine.VerdictWorks, vitrine.VerdictWorks, vitrine.VerdictDead, vitrine.VerdictDead, vitrine.VerdictUnclear}
	for i, v := range verdicts {
		control := &vitrine.Control{Mark: i + 1, Role: "button", Name: fmt.Sprintf("B%d", i+1), Box: vitrine.Box{X: 10, Y: 20, W: 30, H: 40}}
		t.Cases = append(t.Cases, vitrine.Case{
			ID: fmt.Sprint(i + 1), Route: "/", Task: "operate it", Control: control, Verdict: v, Why: "it was seen", End: vitrine.EndFinished,
			Steps: []vitrine.Step{{Action: vitrine.Action{Kind: vitrine.ActClick}, Control: control, At: &control.Box, Before: "trace/before.png", After: "trace/after.png"}},
		})
	}
	return t
}

func TestExplorationSaysWhatWorksAndWhatIsDead(t *testing.T) {
	t.Parallel()
	s := filled()
	s.Trace = explored()
	page, err := s.pages()
	must(t, err)
	for _, want := range []string{
		"3 works</span> button &#34;B1&#34;, button &#34;B2&#34;, button &#34;B3&#34;", "2 dead</span> button &#34;B4&#34;, button &#34;B5&#34;",
		"1 could not be judged</span> button &#34;B6&#34;", "of all 6 that were tried, 3 work, 2 dead, 1 could not be judged",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "3 of 3") {
		t.Error("the page says 3 of 3 where controls are dead")
	}
}

// A page beside its evidence finds its pictures, styles and scripts there.
func TestPageOfOneSampleIsWhole(t *testing.T) {
	t.Parallel()
	dir := writeRun(t, header(), whole(sample(0)))
	alone := filepath.Join(dir, "evidence", "sample-0000")
	must(t, WritePage(alone, sample(0)))
	page, err := os.ReadFile(filepath.Join(alone, "report.html"))
	must(t, err)
	var named []string
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"#]+)"`).FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
		if _, err := os.Stat(filepath.Join(alone, m[1])); err != nil {
			t.Errorf("%s is not there", m[1])
		}
	}
	for _, want := range []string{"trace/before.png", "frames/index@desktop@0.png", "report/report.css", "report/sample.js", "artifact.json"} {
		if !slices.Contains(named, want) {
			t.Errorf("the page does not name %s", want)
		}
	}
	if strings.Contains(string(page), "Gallery of") {
		t.Error("the page leads to a gallery that is not there")
	}
}
