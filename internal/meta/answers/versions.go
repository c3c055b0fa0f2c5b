package answers

import (
	"math"
	"slices"

	"vitrine/internal/stats"
)

// Names of figures that a card reads, too.
const (
	changesEqual  = "changes where equal"
	changesBroken = "changes where broken"
	fallsBroken   = "falls where broken"
	unholdsBroken = "no longer holds where broken"
)

// Equivalence are the figures of what each judge makes of other versions of the same thing:
// of those of equal function the share of which it answers otherwise, and of broken ones the
// share of which it does, as it must. Ratings count as changed beyond epsilon. The figures are
// of all versions and, as categories, of each kind.
func Equivalence(s *Set, judges []string, epsilon float64, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		for _, judge := range all.judges(judges) {
			all.askedOf(judge).eachVersion(epsilon)
		}
	})
}

// askedOf is the scope of the items that a judge was asked about.
func (s *scope) askedOf(judge string) *scope {
	asked := s.only(func(i *item) bool {
		_, ok := i.first(judge)
		return ok
	})
	asked.of = judge
	return asked
}

// eachVersion adds the figures of all versions, then those of each kind.
func (s *scope) eachVersion(epsilon float64) {
	s.versions(epsilon)
	for _, kind := range s.kinds(func(i *item) bool { return i.Attacked == "" }) {
		one := s.only(func(i *item) bool { return i.original != nil && i.Variant == kind && i.Attacked == "" })
		one.category = kind
		one.versions(epsilon)
	}
}

// versions adds how often the answer changes from an item to a version of it.
func (s *scope) versions(epsilon float64) {
	s.changes(false, changesEqual, "mean change where equal", func(was, is *Value) bool {
		if s.q.kind == Rating {
			return math.Abs(is.Number-was.Number) > epsilon
		}
		return !equal(was, is)
	})
	switch s.q.kind {
	case Rating:
		s.changes(true, fallsBroken, "mean change where broken", func(was, is *Value) bool { return was.Number-is.Number > epsilon })
	case Unit:
		s.changes(true, unholdsBroken, "", func(_, is *Value) bool { return is.Text == "false" })
	default:
		s.changes(true, changesBroken, "", func(was, is *Value) bool { return !equal(was, is) })
	}
}

// changes adds the share of versions, broken ones or others, of which changed is true, and of
// ratings the mean change. A broken version can only cease to hold where its original is said
// to hold: units of which it is not are left out.
func (s *scope) changes(broken bool, share, meanChange string, changed func(was, is *Value) bool) {
	var hits []bool
	var differences []float64
	lost := 0
	compared := s.only(func(i *item) bool {
		if i.original == nil || i.Broken != broken || i.Attacked != "" {
			return false
		}
		if _, asked := i.original.first(s.of); !asked {
			return false
		}
		was, is := i.original.verdict(s.of), i.verdict(s.of)
		switch {
		case was == nil || is == nil:
			lost++
			return false
		case broken && s.q.kind == Unit && was.Text != "true":
			return false
		}
		hits = append(hits, changed(was, is))
		differences = append(differences, is.Number-was.Number)
		return true
	})
	if len(hits)+lost == 0 {
		return
	}
	compared.addOf(share, len(hits)+lost, lost, compared.tasks.Share(hits))
	if s.q.kind == Rating && len(hits) > 0 {
		compared.meanOf(meanChange, differences, func(v float64) float64 { return v })
	}
}

// PairBench are the figures of Feizi et al. (2025), as WebGen-R1 uses them (E.6, Table 9), of
// each judge of ratings: 1 − RS, which is the share of scores within epsilon of each other in
// both orders of the inputs, and Smoothness, over all items and of each template; besides how
// far templates go together, what a paraphrase changes, and whether a distractor, which is
// broken, is below its original.
func PairBench(s *Set, judges []string, epsilon float64, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		if all.q.kind != Rating {
			return
		}
		for _, judge := range all.judges(judges) {
			asked := all.askedOf(judge)
			asked.symmetry(epsilon)
			var templates []string
			for _, i := range asked.items {
				if i.Template != "" && !slices.Contains(templates, i.Template) {
					templates = append(templates, i.Template)
				}
			}
			slices.Sort(templates)
			for _, template := range templates {
				one := asked.only(func(i *item) bool { return i.Template == template })
				one.category = "template " + template
				one.symmetry(epsilon)
			}
			asked.templates(epsilon)
			asked.eachVersion(epsilon)
		}
	})
}

// symmetry adds 1 − RS, over what was asked in both orders, and Smoothness of all scores.
func (s *scope) symmetry(epsilon float64) {
	var first, second, scores []float64
	var both []*item
	lost := 0
	for _, i := range s.items {
		for _, a := range i.answers {
			if a.Judge != s.of {
				continue
			}
			if a.Value != nil {
				scores = append(scores, a.Value.Number)
			}
			if a.Swapped {
				continue
			}
			switch b := i.swapped(s.of, a.Repeat); {
			case b == nil:
			case a.Value == nil || b.Value == nil:
				lost++
			default:
				first, second, both = append(first, a.Value.Number), append(second, b.Value.Number), append(both, i)
			}
		}
	}
	if len(both)+lost > 0 {
		s.addOf("1 - RS", len(both)+lost, lost, tasksOf(both).RelaxedSymmetry(first, second, epsilon))
	}
	s.addOf("Smoothness, bits", len(scores), 0, exactly(stats.Smoothness(scores)))
}

// templates adds how far the scores of items go together that differ in nothing but the
// template: the share that are within epsilon by all templates, and the mean of the highest
// less the lowest.
func (s *scope) templates(epsilon float64) {
	type thing struct{ task, category, model, variant string }
	groups := map[thing][]*item{}
	var things []thing
	for _, i := range s.items {
		t := thing{task: i.Task, category: i.Category, model: i.Model, variant: i.Variant}
		if groups[t] == nil {
			things = append(things, t)
		}
		groups[t] = append(groups[t], i)
	}
	one := *s
	one.items = nil
	var spreads []float64
	var within []bool
	lost := 0
	for _, t := range things {
		low, high, unjudged := math.Inf(1), math.Inf(-1), false
		templates := map[string]bool{}
		for _, i := range groups[t] {
			templates[i.Template] = true
			if v := i.verdict(s.of); v != nil {
				low, high = min(low, v.Number), max(high, v.Number)
			} else {
				unjudged = true
			}
		}
		switch {
		case len(templates) < 2 || len(templates) < len(groups[t]): // nothing to compare, or more than templates differs
		case unjudged:
			lost++
		default:
			one.items = append(one.items, groups[t][0])
			spreads, within = append(spreads, high-low), append(within, high-low <= epsilon)
		}
	}
	if len(within)+lost == 0 {
		return
	}
	one.tasks = tasksOf(one.items)
	one.addOf("the same by all templates", len(within)+lost, lost, one.tasks.Share(within))
	if len(within) > 0 {
		one.meanOf("mean spread of templates", spreads, func(v float64) float64 { return v })
	}
}
