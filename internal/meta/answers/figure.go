package answers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"vitrine/internal/stats"
)

// A Figure is one number about a question.
type Figure struct {
	Kind     Kind   `json:"kind"`
	Question string `json:"question,omitempty"`
	Of       string `json:"of,omitempty"` // the judge, the rater, or two of them; empty: the people together
	Category string `json:"category,omitempty"`
	Name     string `json:"figure"`
	N        int    `json:"n"`                  // items that it is of
	Tasks    int    `json:"tasks"`              // that the items of the question and category it is computed over belong to
	Unjudged int    `json:"unjudged,omitempty"` // of them, without an answer
	// Value has its 95 % interval; nil where it is not defined. Of what is not estimated,
	// such as a probability or a number of seconds, the interval is nothing but the value, and
	// so it is where all draws give the same; there is none then, and its ends are written null.
	Value *stats.Estimate `json:"value"`
}

// MarshalJSON writes the ends of an interval that has no width as null.
func (f Figure) MarshalJSON() ([]byte, error) {
	type plain Figure
	type interval struct {
		Value float64  `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
	}
	written := struct {
		plain
		Value *interval `json:"value"`
	}{plain: plain(f)}
	if e := f.Value; e != nil {
		written.Value = &interval{Value: e.Value}
		if e.Low < e.High {
			written.Value.Low, written.Value.High = &e.Low, &e.High
		}
	}
	return json.Marshal(written)
}

// Figures are figures with the notes on the data that they are of.
type Figures struct {
	Figures []Figure `json:"figures"`
	Notes   []string `json:"notes"`
}

// exactly is a number that is not estimated, nil for what is none.
func exactly(v float64) *stats.Estimate {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &stats.Estimate{Value: v, Low: v, High: v}
}

// scope is some items of a question, with their tasks.
type scope struct {
	q        *question
	of       string
	category string
	items    []*item
	tasks    stats.Clusters
	seed     uint64
	out      *[]Figure
}

func (s *scope) add(name string, value *stats.Estimate) { s.addOf(name, len(s.items), 0, value) }

func (s *scope) addOf(name string, n, unjudged int, value *stats.Estimate) {
	*s.out = append(*s.out, Figure{s.q.kind, s.q.name, s.of, s.category, name, n, s.tasks.Count(), unjudged, value})
}

// only is the scope of some of its items.
func (s scope) only(keep func(i *item) bool) *scope {
	var kept []*item
	for _, i := range s.items {
		if keep(i) {
			kept = append(kept, i)
		}
	}
	s.items, s.tasks = kept, tasksOf(kept)
	return &s
}

// each calls what is given with all items of each question.
func (s *Set) each(seed uint64, do func(*scope)) Figures {
	f := Figures{Figures: []Figure{}, Notes: append([]string{}, s.Notes...)}
	for _, q := range s.questions {
		do(&scope{q: q, items: q.items, tasks: q.tasks, seed: seed, out: &f.Figures})
	}
	return f
}

// Print writes figures as a table, and their notes below.
func Print(w io.Writer, f Figures) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "question\tof\tcategory\tfigure\titems\tunjudged\tvalue\t95 %")
	for _, f := range f.Figures {
		value, interval := "-", ""
		if f.Value != nil {
			value = fmt.Sprintf("%.3f", f.Value.Value)
			if f.Value.Low != f.Value.High {
				interval = fmt.Sprintf("[%.3f, %.3f]", f.Value.Low, f.Value.High)
			}
		}
		fmt.Fprintln(t, strings.Join([]string{
			cmp.Or(f.Question, string(f.Kind)), cmp.Or(f.Of, "people"), cmp.Or(f.Category, "all"), f.Name,
			fmt.Sprint(f.N), fmt.Sprint(f.Unjudged), value, interval,
		}, "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range f.Notes {
		if _, err := fmt.Fprintln(w, "note: "+n); err != nil {
			return err
		}
	}
	return nil
}
