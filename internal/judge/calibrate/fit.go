package calibrate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"vitrine/internal/stats"
)

// LeastRows is the smallest number of ratings that a fit accepts.
const LeastRows = 30

// innerFolds is the number of folds into which the training ratings are split again, to
// choose the penalty.
const innerFolds = 5

// Settings determine a fit, together with the ratings.
type Settings struct {
	Folds int    // default 10
	Seed  uint64 // of folds and bootstrap
}

// A Row is one rated site.
type Row struct {
	Name string
	// Hand is the roll-up by the default weights, in [0,1].
	Hand float64
	// Scores are those of the checks, in [0,1]; NaN where one does not apply.
	Scores []float64
	Rating float64
	Weight float64 // of the rating, above 0
	// Group keeps related rows in one fold; an empty one is a group of one row.
	Group string
}

// Fit fits the weights of checks, given by their ids in the order of Row.Scores,
// to ratings. After each fold it calls step with its progress. The error says what is
// wrong with the ratings. The result depends on the arguments alone.
func Fit(judge string, checks []string, rows []Row, s Settings, step func(done, all int)) (*Calibration, error) {
	if err := Fittable(rows, s); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(s.Seed, 1))
	folds := split(rows, s.Folds, random)
	calibrated := make([]float64, len(rows))
	for k := range s.Folds {
		train, test := parts(rows, folds, k)
		m := train.fit(random)
		for _, i := range test {
			calibrated[i] = m.predict(&rows[i])
		}
		step(k+1, s.Folds+1)
	}
	p := whole(rows).fit(random).calibration(checks)
	p.Version, p.Judge, p.Folds, p.Seed = Version, judge, s.Folds, s.Seed
	p.FittedOn = describe(rows)
	ratings, hand := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		ratings[i], hand[i] = r.Rating, r.Hand
	}
	p.Calibrated = stats.Agree(calibrated, ratings, s.Seed)
	p.Default = stats.Agree(hand, ratings, s.Seed)
	step(s.Folds+1, s.Folds+1)
	return p, nil
}

// Fittable returns an error that says why nothing can be fitted to the ratings, whatever
// the scores are; nil if something can.
func Fittable(rows []Row, s Settings) error {
	groups := map[string]bool{}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range rows {
		groups[rows[i].group(i)] = true
		low, high = min(low, rows[i].Rating), max(high, rows[i].Rating)
		if !finite(rows[i].Rating, rows[i].Weight, rows[i].Hand) || rows[i].Weight <= 0 {
			return fmt.Errorf("%s: rating, weight and roll-up must be finite numbers, the weight above 0", rows[i].Name)
		}
	}
	switch {
	case len(rows) < LeastRows:
		return fmt.Errorf("there are %d ratings to fit on, want at least %d", len(rows), LeastRows)
	case low == high:
		return fmt.Errorf("all ratings are %v: a fit needs ratings that differ", low)
	case s.Folds < 2:
		return errors.New("want at least 2 folds")
	case len(groups) < s.Folds:
		return fmt.Errorf("there are %d groups for %d folds: a group is never split", len(groups), s.Folds)
	}
	return nil
}

func (r *Row) group(i int) string {
	return cmp.Or(r.Group, fmt.Sprintf("\x00%d", i))
}

func describe(rows []Row) FittedOn {
	f := FittedOn{Count: len(rows), Low: math.Inf(1), High: math.Inf(-1)}
	sum := sha256.New()
	var weights float64
	for _, r := range rows {
		fmt.Fprintf(sum, "%q %v %v %q\n", r.Name, r.Rating, r.Weight, r.Group)
		f.Mean += r.Weight * r.Rating
		weights += r.Weight
		f.Low, f.High = min(f.Low, r.Rating), max(f.High, r.Rating)
	}
	f.Mean /= weights
	f.Hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return f
}

// split assigns each row to a fold: groups go, the largest first and groups of equal size
// in random order, to the fold with the fewest rows so far.
func split(rows []Row, folds int, random *rand.Rand) []int {
	members := map[string][]int{}
	var groups []string
	for i := range rows {
		g := rows[i].group(i)
		if members[g] == nil {
			groups = append(groups, g)
		}
		members[g] = append(members[g], i)
	}
	random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	slices.SortStableFunc(groups, func(a, b string) int { return cmp.Compare(len(members[b]), len(members[a])) })
	size, fold := make([]int, folds), make([]int, len(rows))
	for _, g := range groups {
		k := slices.Index(size, slices.Min(size))
		size[k] += len(members[g])
		for _, i := range members[g] {
			fold[i] = k
		}
	}
	return fold
}

// A sample is some of the rows.
type sample []*Row

func whole(rows []Row) sample {
	all := make(sample, len(rows))
	for i := range rows {
		all[i] = &rows[i]
	}
	return all
}

// parts are the rows outside fold k, and the indexes of those in it.
func parts(rows []Row, fold []int, k int) (train sample, test []int) {
	for i := range rows {
		if fold[i] == k {
			test = append(test, i)
		} else {
			train = append(train, &rows[i])
		}
	}
	return train, test
}
