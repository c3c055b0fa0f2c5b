package answers

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Asking says what a judge is to be asked.
type Asking struct {
	Kinds    []Kind
	Question string // empty: all
	Repeats  int    // how often each; 0 is once
	Swapped  bool   // about pairs in both orders
	Inputs   bool   // about ratings in both orders of their inputs
	Tasks    int    // about so many tasks, drawn by the seed; 0 is all
	Seed     uint64
}

// A Question is an item as a judge is asked about it.
type Question struct {
	Item    Item
	Repeat  int // from 1
	Swapped bool
}

// Items are those that a judge can be asked about, in the order of the file; without is how
// many of the kinds and the question show nothing.
func (s *Set) Items(a Asking) (items []Item, without int) {
	for _, q := range s.questions {
		if !slices.Contains(a.Kinds, q.kind) || a.Question != "" && a.Question != q.name {
			continue
		}
		for _, i := range q.items {
			if len(i.Shown) == 0 {
				without++
				continue
			}
			items = append(items, i.Item)
		}
	}
	return a.draw(items), without
}

// draw keeps the items of as many tasks as are asked for.
func (a Asking) draw(items []Item) []Item {
	var tasks []string
	for _, i := range items {
		if !slices.Contains(tasks, i.Task) {
			tasks = append(tasks, i.Task)
		}
	}
	if a.Tasks == 0 || a.Tasks >= len(tasks) {
		return items
	}
	random := rand.New(rand.NewPCG(a.Seed, 21))
	random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	kept := tasks[:a.Tasks]
	return slices.DeleteFunc(items, func(i Item) bool { return !slices.Contains(kept, i.Task) })
}

// asked tells questions about an item apart.
type asked struct {
	item    string
	repeat  int
	swapped bool
}

// Unasked are the questions about items that the judge of this name has not answered. One that
// it was asked and could not answer is none of them.
func (s *Set) Unasked(judge string, items []Item, a Asking) (open []Question) {
	answered := map[asked]bool{}
	for _, q := range s.questions {
		for _, i := range q.items {
			for _, one := range i.answers {
				if one.Judge == judge {
					answered[asked{i.ID, one.Repeat, one.Swapped}] = true
				}
			}
		}
	}
	for _, i := range items {
		orders := []bool{false}
		if i.Kind == Pair && a.Swapped || i.Kind == Rating && a.Inputs {
			orders = append(orders, true)
		}
		for repeat := range max(1, a.Repeats) {
			for _, swapped := range orders {
				if !answered[asked{i.ID, repeat + 1, swapped}] {
					open = append(open, Question{i, repeat + 1, swapped})
				}
			}
		}
	}
	return open
}

// Knows says whether there are answers of a judge.
func (s *Set) Knows(judge string) bool { return s.Has(judge) == nil }

// codeLengths are how long what is shown is, in bytes of code, where all of it is code.
func (i Item) codeLengths() (lengths []float64) {
	for _, t := range i.Shown {
		if t.Code == "" {
			return nil
		}
		lengths = append(lengths, float64(len(t.Code)))
	}
	return lengths
}

// describe fills in what can be read off what is shown.
func (i *Item) describe() {
	i.Task = cmp.Or(i.Task, i.ID)
	if i.Lengths == nil {
		i.Lengths = i.codeLengths()
	}
}

// Judges are those that answer any question, sorted.
func (s *Set) Judges() (names []string) {
	for _, q := range s.questions {
		names = append(names, (&scope{items: q.items}).judges(nil)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Item is the item of an id, nil where there is none.
func (s *Set) Item(id string) *Item {
	for _, q := range s.questions {
		for _, i := range q.items {
			if i.ID == id {
				return &i.Item
			}
		}
	}
	return nil
}
