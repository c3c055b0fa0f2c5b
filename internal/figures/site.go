package figures

import (
	"vitrine"
	"vitrine/internal/runs"
)

// A Site is what the figures are computed of, for one sample.
type Site struct {
	Sample vitrine.Sample
	Judged bool // what became of the site is known
	Valid  bool // its render is
	// Appearance is the grade of a vision model and Measured that of the measured judge,
	// both 0 to 5; nil without one.
	Appearance, Measured *float64
	// Lint is 1 or 0 of a project that was linted; nil of any other.
	Lint *float64
	of   record
}

// A Tally counts the test cases of one site.
type Tally struct {
	Credit           float64 // 1 for each that passed, 0.5 for each partial one
	Passed           int
	Judged, Unjudged int
}

// Tally counts the test cases of a category, all where it is empty. Of a sample that could
// not be judged they are those of its task, where other samples of the run were tried.
func (s Site) Tally(category string) Tally {
	t := s.of.tally(category)
	return Tally{t.credit, t.passed, t.judged, t.unjudged}
}

// Sites reads a run folder.
func Sites(dir string, tasks map[string]vitrine.Task) ([]Site, error) {
	_, samples, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	samples = runs.Newest(samples)
	records, err := recordsOf(dir, samples, tasks)
	if err != nil {
		return nil, err
	}
	sites := make([]Site, len(records))
	for i, r := range records {
		sites[i] = Site{Sample: samples[i], Judged: r.judged, Valid: r.rendered, Appearance: r.appearance, Measured: r.measured, Lint: r.lint, of: r}
	}
	return sites, nil
}
