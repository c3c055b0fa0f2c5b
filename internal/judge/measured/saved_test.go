package measured_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/capture"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/measured"
)

// BenchmarkSavedEvidence judges saved evidence, folder by folder: what EVIDENCE
// matches, such as '.vitrine/runs/*/evidence/*', or else test sites that are
// captured first. It gives the middle and the 95th percentile of reading a folder
// and judging it, and of judging alone.
func BenchmarkSavedEvidence(b *testing.B) {
	dirs := evidenceFolders(b)
	var whole, alone []time.Duration
	for b.Loop() {
		for _, dir := range dirs {
			start := time.Now()
			ev, err := evidence.Load(dir)
			if err != nil {
				b.Fatal(err)
			}
			read := time.Now()
			measured.Judge(ev)
			whole, alone = append(whole, time.Since(start)), append(alone, time.Since(read))
		}
	}
	b.ReportMetric(float64(len(dirs)), "folders")
	report := func(took []time.Duration, name string) {
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms-"+name)
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms-"+name)
	}
	report(whole, "read+judge")
	report(alone, "judge")
}

func evidenceFolders(b *testing.B) []string {
	if pattern := os.Getenv("EVIDENCE"); pattern != "" {
		dirs, err := filepath.Glob(pattern)
		if err != nil || len(dirs) == 0 {
			b.Fatalf("EVIDENCE=%s matches no folder (%v)", pattern, err)
		}
		return dirs
	}
	if testing.Short() {
		b.Skip("needs a browser, or EVIDENCE")
	}
	supervisor := browser.New(browser.Settings{})
	b.Cleanup(supervisor.Close)
	capturer := capture.Capturer{Browser: supervisor}
	var dirs []string
	for _, name := range []string{"ranking-designed", "ranking-plain", "ranking-basic", "palette-good", "requested-features-good"} {
		site, instruction := readSite(b, name)
		dir := b.TempDir()
		ev, err := capturer.Site(b.Context(), site, vitrine.CaptureSettings{Viewports: []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}, TimesMS: []int{0}, MaxRoutes: 1}, dir)
		if err != nil {
			b.Fatal(err)
		}
		ev.Schema, ev.Instruction = vitrine.EvidenceSchema, instruction
		if err := evidence.Save(dir, ev); err != nil {
			b.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}
