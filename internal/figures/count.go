package figures

import (
	"vitrine"
	"vitrine/internal/stats"
)

// The names of the intervals.
const (
	wilson    = "95 % Wilson score"
	bootstrap = "95 % percentile bootstrap over sites"
)

// seed is that of all intervals.
const seed = 1

// renderRate is the share of judged samples whose render is valid.
func renderRate(records []record) Figure {
	valid, judged, unjudged := 0, 0, 0
	for _, r := range records {
		switch {
		case !r.judged:
			unjudged++
		case r.rendered:
			valid++
			judged++
		default:
			judged++
		}
	}
	return share(valid, judged, unjudged)
}

// lintRate is the share of linted projects that pass. Outputs that are no projects are
// not of it.
func lintRate(records []record) Figure {
	passed, linted, unjudged := 0, 0, 0
	for _, r := range records {
		switch {
		case !r.project:
		case r.lint == nil:
			unjudged++
		default:
			linted++
			if *r.lint == 1 {
				passed++
			}
		}
	}
	return share(passed, linted, unjudged)
}

// graded is the grade of a vision model, measuredGrade that of the measured judge; nil
// for a sample without one.
func graded(r record) *float64        { return r.appearance }
func measuredGrade(r record) *float64 { return r.measured }

// meanGrade is the mean of a grade over samples with a valid render. Table 1 of WebGen-R1
// is only possible this way: of Qwen2.5-72B 8.86 % render, and its AAS is 3.14. A sample
// that renders and has no grade is unjudged.
func meanGrade(records []record, grade func(record) *float64) Figure {
	var values []float64
	unjudged := 0
	for _, r := range records {
		switch g := grade(r); {
		case !r.judged, r.rendered && g == nil:
			unjudged++
		case r.rendered:
			values = append(values, *g)
		}
	}
	if len(values) == 0 {
		return Figure{Unjudged: unjudged}
	}
	ones := make([]float64, len(values))
	for i := range ones {
		ones[i] = 1
	}
	return ratio(values, ones, len(values), unjudged)
}

// A tally counts test cases of one site.
type tally struct {
	credit           float64 // 1 for each that passed, 0.5 for each partial one
	passed           int
	judged, unjudged int
}

func (t tally) all() int { return t.judged + t.unjudged }

// tally counts the cases of a category, all where it is empty.
func (r record) tally(category string) (t tally) {
	for _, c := range r.cases {
		if category != "" && c.Category != category {
			continue
		}
		if c.Error != nil {
			t.unjudged++
			continue
		}
		t.judged++
		switch c.Verdict {
		case vitrine.VerdictPass:
			t.credit++
			t.passed++
		case vitrine.VerdictPartial:
			t.credit += 0.5
		}
	}
	for _, c := range r.missing {
		if category == "" || c.Category == category {
			t.unjudged++
		}
	}
	return t
}

// sites is the share of sites that pass all of their cases. One case that did not pass
// decides a site; else one that could not be judged leaves it open.
func sites(records []record, category string) Figure {
	passed, judged, unjudged := 0, 0, 0
	for _, r := range records {
		switch t := r.tally(category); {
		case t.passed < t.judged:
			judged++
		case t.unjudged > 0 || t.all() == 0 && r.lost:
			unjudged++
		case t.judged > 0:
			judged++
			passed++
		}
	}
	return share(passed, judged, unjudged)
}

// cases is the share of the credit that judged cases got, over all sites. The interval
// draws sites, since the cases of one site are not independent.
func cases(records []record, category string) Figure {
	var credit, counted []float64
	judged, unjudged := 0, 0
	for _, r := range records {
		t := r.tally(category)
		unjudged += t.unjudged
		if t.judged > 0 {
			judged += t.judged
			credit, counted = append(credit, t.credit), append(counted, float64(t.judged))
		}
	}
	if judged == 0 {
		return Figure{Unjudged: unjudged}
	}
	return ratio(credit, counted, judged, unjudged)
}

// casesCompat is that share where every case counts.
func casesCompat(records []record, category string) *float64 {
	credit, all := 0.0, 0
	for _, r := range records {
		t := r.tally(category)
		credit += t.credit
		all += t.all()
	}
	if all == 0 {
		return nil
	}
	compat := credit / float64(all)
	return &compat
}

// share is a share of independent samples.
func share(passed, judged, unjudged int) Figure {
	f := Figure{N: judged, Unjudged: unjudged}
	if e := stats.Share(passed, judged); e != nil {
		f.Value, f.Low, f.High, f.Interval = &e.Value, &e.Low, &e.High, wilson
	}
	return f
}

// ratio is Σ part / Σ whole over sites, of which each has some whole.
func ratio(part, whole []float64, n, unjudged int) Figure {
	e := stats.Bootstrap(part, whole, func(x, y []float64) float64 { return sum(x) / sum(y) }, seed)
	f := Figure{Value: &e.Value, N: n, Unjudged: unjudged}
	if len(part) > 1 {
		f.Low, f.High, f.Interval = &e.Low, &e.High, bootstrap
	}
	return f
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
