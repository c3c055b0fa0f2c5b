package answers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"vitrine/internal/stats"
)

// An item with all that is said of it.
type item struct {
	Item
	original *item // that it is a version of, nil of none
	labels   []Label
	answers  []Answer
}

// A question is what is asked of its items.
type question struct {
	kind  Kind
	name  string
	items []*item
	tasks stats.Clusters // of the items
}

// set puts everything where it belongs, and notes what does not count.
func (b *builder) set() (*Set, error) {
	if len(b.order) == 0 {
		return nil, errors.New("there are no items")
	}
	s := &Set{}
	for _, i := range b.order {
		i.describe()
	}
	var strange []string
	for _, l := range b.labels {
		i := b.items[l.Item]
		if i == nil {
			strange = append(strange, l.Item)
			continue
		}
		if err := l.Value.Fits(i.Kind); err != nil {
			return nil, fmt.Errorf("label of item %s by %s: %w", l.Item, l.Rater, err)
		}
		i.labels = append(i.labels, l)
	}
	for _, a := range b.answers {
		i := b.items[a.Item]
		if i == nil {
			strange = append(strange, a.Item)
			continue
		}
		if a.Value != nil {
			if err := a.Value.Fits(i.Kind); err != nil {
				return nil, fmt.Errorf("answer about item %s by %s: %w", a.Item, a.Judge, err)
			}
		}
		i.answers = append(i.answers, a)
	}
	if len(strange) > 0 {
		s.note("labels or answers of items that are not there: %d, the first of %s; they do not count", len(strange), strange[0])
	}
	s.relate(b)
	s.settle(b.order)
	s.ask(b.order)
	s.lonely(b.order)
	return s, nil
}

func (s *Set) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// relate finds what items are versions of.
func (s *Set) relate(b *builder) {
	var lost []string
	for _, i := range b.order {
		original := b.items[i.VariantOf]
		switch {
		case i.VariantOf == "":
		case original == nil || original.Kind != i.Kind || original.Question != i.Question:
			lost = append(lost, i.ID)
		default:
			i.original = original
		}
	}
	if len(lost) > 0 {
		s.note("%d items are versions of one that is not there or is asked something else, the first of them %s; they are taken for items of their own", len(lost), lost[0])
	}
}

// settle leaves of equal duplicates one, and of contradicting ones none.
func (s *Set) settle(items []*item) {
	var same, contradicting int
	for _, i := range items {
		i.labels = once(i.labels, func(l Label) string { return l.Rater }, func(l Label) *Value { return l.Value }, &same, &contradicting)
		i.answers = once(i.answers, func(a Answer) string { return fmt.Sprint(a.Judge, "\x00", a.Repeat, a.Swapped) },
			func(a Answer) *Value { return a.Value }, &same, &contradicting)
		slices.SortStableFunc(i.answers, func(a, b Answer) int { return cmp.Compare(a.Repeat, b.Repeat) })
	}
	if same > 0 {
		s.note("duplicates that say the same again: %d; each counts once", same)
	}
	if contradicting > 0 {
		s.note("labels or answers that contradict another one of the same rater or judge on the same item: %d; none of them counts", contradicting)
	}
}

func once[T any](all []T, by func(T) string, value func(T) *Value, same, contradicting *int) (kept []T) {
	if len(all) < 2 {
		return all
	}
	groups := map[string][]T{}
	for _, one := range all {
		groups[by(one)] = append(groups[by(one)], one)
	}
	for _, one := range all {
		group, open := groups[by(one)]
		if !open {
			continue
		}
		delete(groups, by(one))
		if slices.ContainsFunc(group, func(o T) bool { return !equal(value(o), value(one)) }) {
			*contradicting += len(group)
			continue
		}
		*same += len(group) - 1
		kept = append(kept, one)
	}
	return kept
}

func equal(a, b *Value) bool { return a == nil && b == nil || a != nil && b != nil && a.Text == b.Text }

// ask sorts items by what is asked of them.
func (s *Set) ask(items []*item) {
	known := map[string]*question{}
	for _, i := range items {
		key := string(i.Kind) + "\x00" + i.Question
		if known[key] == nil {
			known[key] = &question{kind: i.Kind, name: i.Question}
			s.questions = append(s.questions, known[key])
		}
		known[key].items = append(known[key].items, i)
	}
	for _, q := range s.questions {
		q.tasks = tasksOf(q.items)
	}
}

func tasksOf(items []*item) stats.Clusters {
	names := make([]string, len(items))
	for n, i := range items {
		names[n] = i.Task
	}
	return stats.ClustersOf(names)
}

// lonely notes raters and categories of whom there is too little to say anything.
func (s *Set) lonely(items []*item) {
	raters, categories := map[string]int{}, map[string]int{}
	for _, i := range items {
		for _, l := range i.labels {
			raters[l.Rater]++
		}
		if i.Category != "" {
			categories[i.Category]++
		}
	}
	for what, counts := range map[string]map[string]int{"raters who labelled one item alone": raters, "categories with one item alone": categories} {
		var single []string
		for name, n := range counts {
			if n == 1 {
				single = append(single, name)
			}
		}
		if slices.Sort(single); len(single) > 0 {
			s.note("%s: %d, the first is %s", what, len(single), single[0])
		}
	}
	slices.Sort(s.Notes)
}

// truth is the settled answer: the one given, else the mean of the ratings, else what more
// than half of the raters say; of a pair without a majority, tie. Nil where there is none.
func (i *item) truth() *Value {
	if i.Truth != nil || len(i.labels) == 0 {
		return i.Truth
	}
	if i.Kind == Rating {
		sum := 0.0
		for _, l := range i.labels {
			sum += l.Value.Number
		}
		return Number(sum / float64(len(i.labels)))
	}
	counts := map[string]int{}
	for _, l := range i.labels {
		counts[l.Value.Text]++
	}
	for _, l := range i.labels {
		if 2*counts[l.Value.Text] > len(i.labels) {
			return l.Value
		}
	}
	if i.Kind == Pair {
		return Text(tie)
	}
	return nil
}

// first is the judge's answer that counts as its own: that of the lowest repeat, in the
// order as given before that with B first. Ok is false where it was not asked.
func (i *item) first(judge string) (a Answer, ok bool) {
	for _, one := range i.answers {
		if one.Judge == judge && (!ok || one.Repeat == a.Repeat && a.Swapped && !one.Swapped) {
			a, ok = one, true
		}
	}
	return a, ok
}
