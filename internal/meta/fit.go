package meta

import (
	"fmt"
	"math"
	"slices"

	"vitrine"
	"vitrine/internal/judge/calibrate"
)

// Fittable reports what is wrong with the ratings before anything is judged.
func (r *Ratings) Fittable(s calibrate.Settings) error {
	rows := make([]calibrate.Row, len(r.rows))
	for i, rated := range r.rows {
		rows[i] = calibrate.Row{Name: rated.Name, Rating: rated.Score, Weight: rated.Weight, Group: rated.Group}
	}
	return r.unfit(calibrate.Fittable(rows, s))
}

// Fit fits the judge to the ratings of judged sites. Left is how many were left out: those
// that do not render or cannot be measured.
func (r *Ratings) Fit(sites []Rated, s calibrate.Settings) (p *calibrate.Calibration, left int, err error) {
	judge, checks := r.judge()
	rows, left := rows(sites, checks)
	if left > 0 {
		r.Say("left out %d sites that do not render or cannot be measured: there is nothing to fit weights on", left)
	}
	said := counter{say: r.Say, verb: "fitted", all: s.Folds + 1}
	p, err = calibrate.Fit(judge, checks, rows, s, func(int, int) { said.one() })
	return p, left, r.unfit(err)
}

func (r *Ratings) unfit(err error) error {
	if err == nil {
		return nil
	}
	return vitrine.NewFault("judge", vitrine.FaultUsage, err, "cannot fit to "+r.File).
		WithFix(fmt.Sprintf("rate at least %d sites, not all alike, in at least as many groups as there are --folds", calibrate.LeastRows))
}

// rows are the sites that weights can be fitted on, and how many are not.
func rows(sites []Rated, checks []string) (rows []calibrate.Row, left int) {
	for _, s := range sites {
		if !s.valid || math.IsNaN(s.hand) {
			left++
			continue
		}
		row := calibrate.Row{Name: s.Name, Hand: s.hand, Rating: s.Score, Weight: s.Weight, Group: s.Group, Scores: make([]float64, len(checks))}
		for i, id := range checks {
			row.Scores[i] = math.NaN()
			f := slices.IndexFunc(s.judgement.Findings, func(f vitrine.Finding) bool { return f.Check == id })
			if f >= 0 && s.judgement.Findings[f].Score != nil {
				row.Scores[i] = *s.judgement.Findings[f].Score
			}
		}
		rows = append(rows, row)
	}
	return rows, left
}
