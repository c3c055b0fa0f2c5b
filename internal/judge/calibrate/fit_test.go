package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/stats"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

var testChecks = []string{"strong", "weak", "noise", "opposed", "constant", "rare"}

// someRows are rated by the first two checks; the fourth goes against the ratings,
// the last applies to one row in ten.
func someRows(n int, noise float64) []Row {
	random := rand.New(rand.NewPCG(7, 0))
	rows := make([]Row, n)
	for i := range rows {
		strong, weak, rare := random.Float64(), random.Float64(), math.NaN()
		if i%10 == 0 {
			rare = random.Float64()
		}
		rows[i] = Row{
			Name: fmt.Sprint("site-", i), Hand: 0.5 + 0.3*(random.Float64()-0.5), Weight: 1,
			Rating: 2 + 4*strong + 1.5*weak + noise*random.NormFloat64(),
			Scores: []float64{strong, weak, random.Float64(), 1 - strong, 0.7, rare},
		}
	}
	return rows
}

var testSettings = Settings{Folds: 10, Seed: 1}

func fitted(t *testing.T, rows []Row, s Settings) *Calibration {
	t.Helper()
	p, err := Fit("measured@2", testChecks, rows, s, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFitFindsWhatTheRatingsFollow(t *testing.T) {
	p := fitted(t, someRows(200, 0.5), testSettings)
	w := map[string]float64{}
	for _, c := range p.Checks {
		w[c.ID] = c.Weight
	}
	if math.Abs(w["strong"]-4) > 0.6 || math.Abs(w["weak"]-1.5) > 0.6 {
		t.Errorf("weights %v, want about strong 4 and weak 1.5", w)
	}
	if w["opposed"] != 0 || w["constant"] != 0 {
		t.Errorf("weights %v, want 0 for opposed and constant", w)
	}
	// Of the variance, 0.25 is noise beside 16/12 + 2.25/12: no judge can do better
	// than the root of 0.86.
	if r := p.Calibrated.Pearson.Value; r < 0.88 || r > 0.96 {
		t.Errorf("Pearson out of fold is %.3f, want about 0.92", r)
	}
	if p.Calibrated.N != 200 || p.FittedOn.Count != 200 || p.Folds != 10 {
		t.Errorf("counts: %+v", p)
	}
}

func TestFitOfNothingFindsNothing(t *testing.T) {
	rows := someRows(100, 0)
	random := rand.New(rand.NewPCG(9, 0))
	const draws = 10
	var mean float64
	for range draws {
		for i := range rows {
			rows[i].Rating = random.Float64()
		}
		if e := fitted(t, rows, testSettings).Calibrated.Pearson; e != nil {
			mean += e.Value / draws
		}
	}
	if mean > 0.08 { // the mean of ten correlations of noise deviates by 0.03
		t.Errorf("out of fold, fits to noise agree with it by %.3f", mean)
	}
}

func TestFitIsAFunctionOfItsInput(t *testing.T) {
	rows := someRows(80, 1)
	first := fitted(t, rows, testSettings)
	if diff := cmp.Diff(first, fitted(t, rows, testSettings)); diff != "" {
		t.Errorf("fitted twice (-first +again):\n%s", diff)
	}
	if other := fitted(t, rows, Settings{Folds: 10, Seed: 2}); cmp.Equal(first.Calibrated, other.Calibrated) {
		t.Error("another seed gave the same folds")
	}
}

// What is better by a check is never worse by the fit.
func TestNoWeightIsNegativeAndNoMapFalls(t *testing.T) {
	for _, noise := range []float64{0, 1, 5} {
		p := fitted(t, someRows(60, noise), testSettings)
		if err := p.validate("measured@2", testChecks); err != nil {
			t.Errorf("noise %v: %v", noise, err)
		}
		for _, c := range p.Checks {
			last := math.Inf(-1)
			for s := 0.0; s <= 1; s += 0.125 {
				rating := p.Rating(0.5, []vitrine.Finding{{Check: c.ID, Status: vitrine.StatusScored, Score: &s}})
				if rating < last {
					t.Errorf("noise %v: %s at %v gives %v, less than %v", noise, c.ID, s, rating, last)
				}
				last = rating
			}
		}
	}
}

// With checks that say nothing, the hand-set roll-up is what remains.
func TestFitFallsBackOnTheHandSetRollUp(t *testing.T) {
	rows := someRows(60, 0)
	for i := range rows {
		rows[i].Rating = 1 + 8*rows[i].Hand
		for j := range rows[i].Scores {
			rows[i].Scores[j] = math.NaN()
		}
	}
	p := fitted(t, rows, testSettings)
	if r := p.Calibrated.Pearson.Value; r < 0.98 {
		t.Errorf("Pearson is %.3f, want nearly 1", r)
	}
}

// solve finds the minimum: the gradient is 0 where a weight is above 0, and points
// upwards where it is 0.
func TestSolveMeetsItsConditions(t *testing.T) {
	rows := someRows(120, 1)
	m := whole(rows).moments()
	for _, lambda := range lambdas {
		got := m.solve(lambda)
		for j, w := range got.weights {
			if m.spread[j] == 0 {
				continue
			}
			penalty := lambda
			if j == 0 {
				penalty = handLambda
			}
			slope := penalty*w*m.spread[j] - m.target[j]
			for k, v := range got.weights {
				slope += m.gram[j][k] * v * m.spread[k]
			}
			if w > 0 && math.Abs(slope) > 1e-6 || w == 0 && slope < -1e-6 {
				t.Errorf("lambda %v, column %d: weight %v with slope %v", lambda, j, w, slope)
			}
		}
	}
}

func TestGroupsAreNeverSplit(t *testing.T) {
	rows := someRows(95, 0)
	for i := range rows {
		rows[i].Group = fmt.Sprint(i / 7)
	}
	fold := split(rows, 5, rand.New(rand.NewPCG(1, 0)))
	sizes := make([]int, 5)
	for i := range rows {
		sizes[fold[i]]++
		if fold[i] != fold[i/7*7] {
			t.Errorf("row %d of group %s is in fold %d, the first of it in %d", i, rows[i].Group, fold[i], fold[i/7*7])
		}
	}
	if slices.Min(sizes) < 14 {
		t.Errorf("folds of %v rows, want them about even", sizes)
	}
}

// A heavy row counts as often as its weight says.
func TestWeightsCountRows(t *testing.T) {
	light := someRows(40, 1)
	heavy := slices.Clone(light)
	heavy[3].Weight = 3
	twice := append(slices.Clone(light), light[3], light[3])
	a, b := whole(heavy).moments().solve(0.1), whole(twice).moments().solve(0.1)
	for j := range a.weights {
		if math.Abs(a.weights[j]-b.weights[j]) > 1e-6 {
			t.Errorf("column %d: weight 3 gives %v, three rows give %v", j, a.weights[j], b.weights[j])
		}
	}
}

func TestFitRefuses(t *testing.T) {
	change := func(f func([]Row)) []Row {
		rows := someRows(40, 1)
		f(rows)
		return rows
	}
	for name, tt := range map[string]struct {
		rows []Row
		s    Settings
		want string
	}{
		"none":       {nil, testSettings, "0 ratings"},
		"few":        {someRows(29, 1), testSettings, "29 ratings to fit on, want at least 30"},
		"constant":   {change(func(r []Row) { setAll(r, 3) }), testSettings, "all ratings are 3"},
		"NaN":        {change(func(r []Row) { r[4].Rating = math.NaN() }), testSettings, "site-4"},
		"infinite":   {change(func(r []Row) { r[5].Rating = math.Inf(1) }), testSettings, "site-5"},
		"no weight":  {change(func(r []Row) { r[6].Weight = 0 }), testSettings, "site-6"},
		"one fold":   {someRows(40, 1), Settings{Folds: 1}, "at least 2 folds"},
		"few groups": {change(func(r []Row) { inGroups(r, 3) }), testSettings, "3 groups for 10 folds"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Fit("measured@2", testChecks, tt.rows, tt.s, func(int, int) {})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func setAll(rows []Row, rating float64) {
	for i := range rows {
		rows[i].Rating = rating
	}
}

func inGroups(rows []Row, n int) {
	for i := range rows {
		rows[i].Group = fmt.Sprint("g", i%n)
	}
}

func TestFiguresAreThoseOfTheStatistics(t *testing.T) {
	rows := someRows(50, 1)
	p := fitted(t, rows, testSettings)
	var hand, ratings []float64
	for _, r := range rows {
		hand, ratings = append(hand, r.Hand), append(ratings, r.Rating)
	}
	if diff := cmp.Diff(stats.Agree(hand, ratings, 1), p.Default); diff != "" {
		t.Errorf("default (-want +got):\n%s", diff)
	}
}
