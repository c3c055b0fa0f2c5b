package answers

import "vitrine/internal/stats"

// A Dropped judge is one without a piece of what it was shown or told.
type Dropped struct {
	Piece          string
	Whole, Without string // names of judges
}

// Worth is what each piece is worth: how much better the whole judge does against people than
// the one without it, over the items that both could judge; how many of those that both were
// asked about one could not is said. Of pairs, units and classes it is the difference of the
// shares that are right, of ratings that of Spearman's correlations, and by how much the mean
// absolute error is lower.
// Intervals draw tasks for both judges at once.
func Worth(s *Set, dropped []Dropped, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		for _, d := range dropped {
			both := all.only(func(i *item) bool {
				_, asked := i.first(d.Whole)
				_, askedWithout := i.first(d.Without)
				return asked && askedWithout && i.truth() != nil
			})
			if len(both.items) == 0 {
				continue
			}
			both.of, both.category = d.Whole, "without "+d.Piece
			if all.q.kind == Rating {
				both.worthOfGrades(d)
			} else {
				both.worthOfAnswers(d)
			}
		}
	})
}

func (s *scope) worthOfAnswers(d Dropped) {
	judged, lost := s.judgedBoth(d)
	var whole, without []bool
	var differences []float64
	for _, i := range judged.items {
		with, rest := equal(i.verdict(d.Whole), i.truth()), equal(i.verdict(d.Without), i.truth())
		whole, without = append(whole, with), append(without, rest)
		differences = append(differences, indicator(with)-indicator(rest))
	}
	judged.addOf("right with it", len(judged.items), lost, judged.tasks.Share(whole))
	judged.addOf("right without it", len(judged.items), lost, judged.tasks.Share(without))
	if len(differences) > 0 {
		judged.meanOf("worth of it", differences, func(v float64) float64 { return v })
		judged.add("permutation test's p by task", exactly(judged.byTask(differences)))
	}
}

// judgedBoth are the items that both judges have a verdict on, and how many others there are.
func (s *scope) judgedBoth(d Dropped) (judged *scope, lost int) {
	judged = s.only(func(i *item) bool { return i.verdict(d.Whole) != nil && i.verdict(d.Without) != nil })
	return judged, len(s.items) - len(judged.items)
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (s *scope) worthOfGrades(d Dropped) {
	judged, lost := s.judgedBoth(d)
	var whole, without, people, closer []float64
	for _, i := range judged.items {
		w, o, truth := i.verdict(d.Whole).Number, i.verdict(d.Without).Number, i.truth().Number
		whole, without, people = append(whole, w), append(without, o), append(people, truth)
		closer = append(closer, distance(o, truth)-distance(w, truth))
	}
	with, rest := stats.NewPaired(whole, people), stats.NewPaired(without, people)
	estimate := func(of func(w []float64) float64) *stats.Estimate {
		return judged.tasks.Resample(of, -2, 2, s.seed)
	}
	judged.addOf("Spearman with it", len(judged.items), lost, estimate(with.Spearman))
	judged.addOf("Spearman without it", len(judged.items), lost, estimate(rest.Spearman))
	judged.addOf("worth of it, Spearman", len(judged.items), lost, estimate(func(w []float64) float64 { return with.Spearman(w) - rest.Spearman(w) }))
	if len(closer) > 0 {
		judged.meanOf("worth of it, mean absolute error", closer, func(v float64) float64 { return v })
		judged.add("permutation test's p by task", exactly(judged.byTask(closer)))
	}
}
