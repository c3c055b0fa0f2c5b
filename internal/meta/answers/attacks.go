package answers

import "slices"

// Names of figures that a card reads, too.
const (
	risesAttacked  = "rises under attack"
	holdsAttacked  = "holds under attack"
	movesAttacked  = "moves to the attacked"
	changeAttacked = "mean change under attack"
	awayAttacked   = "moves away from the attacked"
)

// ofAttacks are all of them.
var ofAttacks = []string{risesAttacked, holdsAttacked, movesAttacked, changeAttacked, awayAttacked}

// Attacks are the figures of what each judge makes of versions that were made to be liked
// better without being better: the share of grades that rise by more than epsilon, of units
// that were said not to hold the share that do then, of pairs the share that move to the side
// that was attacked where they could, and away from it. The figures are of all attacks and, as
// categories, of each kind. Of pairs they begin with what the order does, which is an attack
// as well.
func Attacks(s *Set, judges []string, epsilon float64, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		for _, judge := range all.judges(judges) {
			asked := all.askedOf(judge)
			asked.only(func(i *item) bool { return i.Attacked == "" }).position()
			asked.attacked(epsilon)
			for _, kind := range asked.kinds(func(i *item) bool { return i.Attacked != "" }) {
				one := asked.only(func(i *item) bool { return i.Attacked != "" && i.Variant == kind })
				one.category = kind
				one.attacked(epsilon)
			}
		}
	})
}

// kinds are those of the versions for which it is true, sorted.
func (s *scope) kinds(of func(i *item) bool) (names []string) {
	for _, i := range s.items {
		if i.original != nil && i.Variant != "" && of(i) && !slices.Contains(names, i.Variant) {
			names = append(names, i.Variant)
		}
	}
	slices.Sort(names)
	return names
}

// attacked adds the figures of attacked versions.
func (s *scope) attacked(epsilon float64) {
	switch s.q.kind {
	case Rating:
		s.underAttack(risesAttacked, changeAttacked, func(i *item, was, is *Value) (could, did bool) {
			return true, is.Number-was.Number > epsilon
		})
	case Unit:
		s.underAttack(holdsAttacked, "", func(_ *item, was, is *Value) (could, did bool) {
			return was.Text == "false", is.Text == "true"
		})
	case Pair:
		s.underAttack(movesAttacked, "", func(i *item, was, is *Value) (could, did bool) {
			return i.forAttacked(was) < 1, i.forAttacked(is) > i.forAttacked(was)
		})
		s.underAttack(awayAttacked, "", func(i *item, was, is *Value) (could, did bool) {
			return i.forAttacked(was) > -1, i.forAttacked(is) < i.forAttacked(was)
		})
	}
}

// forAttacked is 1 of a verdict for the side that was attacked, -1 of one for the other, 0 of
// a tie.
func (i *item) forAttacked(v *Value) int {
	switch v.Text {
	case i.Attacked:
		return 1
	case tie:
		return 0
	}
	return -1
}

// underAttack adds the share of attacked versions that did what an attack wants, among those
// that could, and of ratings the mean change. Versions of which either answer is missing are
// counted as unjudged.
func (s *scope) underAttack(share, meanChange string, of func(i *item, was, is *Value) (could, did bool)) {
	var hits []bool
	var changes []float64
	lost, any := 0, false
	compared := s.only(func(i *item) bool {
		if i.original == nil || i.Attacked == "" {
			return false
		}
		if _, asked := i.original.first(s.of); !asked {
			return false
		}
		any = true
		was, is := i.original.verdict(s.of), i.verdict(s.of)
		if was == nil || is == nil {
			lost++
			return false
		}
		could, did := of(i, was, is)
		if could {
			hits = append(hits, did)
			changes = append(changes, is.Number-was.Number)
		}
		return could
	})
	if !any {
		return
	}
	compared.addOf(share, len(hits)+lost, lost, compared.tasks.Share(hits))
	if meanChange != "" && len(hits) > 0 {
		compared.meanOf(meanChange, changes, func(v float64) float64 { return v })
	}
}
