package metarun

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/meta/answers"
	"vitrine/internal/strictyaml"
)

// maxStudy bounds study.yaml in bytes.
const maxStudy = 64 << 10

// A Study is a folder with study.yaml, which says what is asked of whom about which data, and
// which figures come of it. Answers that were recorded lie in it, so that another person runs
// it again without a call.
type Study struct {
	Dir    string   `yaml:"-"`
	Title  string   `yaml:"title"`
	Source string   `yaml:"source"` // paper and section
	About  string   `yaml:"about"`
	Data   []string `yaml:"data"` // files of the form, relative to the folder; of answers that are kept, too
	Judges []Juror  `yaml:"judges"`
	// Measures are those of vitrine meta by name; Figures are shown, all if there are none.
	Measures  []string `yaml:"measures"`
	Figures   []string `yaml:"figures"`
	Repeats   int      `yaml:"repeats"`   // 0 is once
	Orders    string   `yaml:"orders"`    // both or given, of pairs; empty: both
	Published []Figure `yaml:"published"` // what the paper has
	Expect    []Figure `yaml:"expect"`    // what must come of the data
}

// A Juror is a judge of a study: one of the data by its name, or one to be asked.
type Juror struct {
	As      string `yaml:"as"`   // how the table calls it
	Name    string `yaml:"name"` // in the data; * is every other judge there
	Judge   string `yaml:"judge"`
	Observe string `yaml:"observe"`
	Alone   bool   `yaml:"alone"`
	// Temperature is that of the answers, as on the command line; Model is the one that is
	// asked unless the command names one.
	Temperature string `yaml:"temperature"`
	Model       string `yaml:"model"`
}

// A Figure is a number of a judge.
type Figure struct {
	Of       string  `yaml:"of" json:"of,omitempty"` // empty: people together
	Question string  `yaml:"question" json:"question,omitempty"`
	Category string  `yaml:"category" json:"category,omitempty"`
	Figure   string  `yaml:"figure" json:"figure"`
	Value    float64 `yaml:"value" json:"value"`
	Within   float64 `yaml:"within" json:"within,omitempty"` // 0: 1e-9
}

// raters is the measure of people alone, which needs no judge.
const raters = "raters"

// name is what tells a figure from the others of a study.
func (f Figure) name() string {
	where := slices.DeleteFunc([]string{f.Question, f.Category, cmp.Or(f.Of, "people")}, func(s string) bool { return s == "" })
	return strings.Join(where, ", ") + ": " + f.Figure
}

// A Published figure is one of a paper, with ours of the same name and how much more that is;
// nil where there is none.
type Published struct {
	Figure
	Ours       *float64 `json:"ours"`
	Difference *float64 `json:"difference"`
}

// measures are what a study can compute.
var measures = map[string]func(s *answers.Set, judges []string, seed uint64) answers.Figures{
	"pairs":   of(answers.Pair),
	"units":   of(answers.Unit, answers.Class),
	"ratings": of(answers.Rating),
	"swap":    answers.Swaps,
	"repeat":  answers.Repeats,
	"between": answers.Between,
	"rank":    answers.Rank,
	raters:    func(s *answers.Set, _ []string, seed uint64) answers.Figures { return answers.Raters(s, seed) },
	"attack": func(s *answers.Set, judges []string, seed uint64) answers.Figures {
		return answers.Attacks(s, judges, 0, seed)
	},
	"equivalence": func(s *answers.Set, judges []string, seed uint64) answers.Figures {
		return answers.Equivalence(s, judges, 0, seed)
	},
	"pairbench": func(s *answers.Set, judges []string, seed uint64) answers.Figures {
		return answers.PairBench(s, judges, 0, seed)
	},
}

func of(kinds ...answers.Kind) func(*answers.Set, []string, uint64) answers.Figures {
	return func(s *answers.Set, judges []string, seed uint64) answers.Figures {
		return answers.Judges(s, kinds, judges, seed)
	}
}

func measureNames() []string {
	var names []string
	for name := range measures {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ReadStudy reads and checks study.yaml of a folder. Faults are those of commands.
func ReadStudy(dir string) (*Study, error) {
	const fix = "a study is a folder with study.yaml, see docs/studies.md"
	path := filepath.Join(dir, "study.yaml")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usage(err, "cannot read "+path, fix)
	}
	if line, err := strictyaml.Check(b, maxStudy); err != nil {
		return nil, usage(err, fmt.Sprintf("%s:%d cannot be used", path, line), fix)
	}
	s := &Study{Dir: dir}
	if err := yaml.UnmarshalWithOptions(b, s, yaml.Strict()); err != nil {
		return nil, usage(errors.New(strings.TrimSpace(err.Error())), path+" cannot be used", fix)
	}
	if err := s.check(); err != nil {
		return nil, usage(err, path+" cannot be used", fix)
	}
	return s, nil
}

func usage(why error, message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, why, message).WithFix(fix)
}

func (s *Study) check() error {
	switch {
	case s.Title == "" || len(s.Data) == 0 || len(s.Measures) == 0 || len(s.Judges) == 0 && !slices.Equal(s.Measures, []string{raters}):
		return errors.New("want title, data, measures and, unless all that is measured is raters, judges")
	case s.Orders != "" && s.Orders != "both" && s.Orders != "given":
		return fmt.Errorf("orders is %q; want both or given", s.Orders)
	}
	for _, m := range s.Measures {
		if measures[m] == nil {
			return fmt.Errorf("there is no measure %q; want some of %s", m, strings.Join(measureNames(), ", "))
		}
	}
	for n, j := range s.Judges {
		if j.As == "" || (j.Name == "") == (j.Judge == "") {
			return fmt.Errorf("judge %d: want as, and either name, of the data, or judge, which is asked", n+1)
		}
	}
	return nil
}

// Files are those of the data, and that of the answers where it is there.
func (s *Study) Files() (data []string, answers string) {
	for _, file := range s.Data {
		data = append(data, filepath.Join(s.Dir, file))
	}
	return data, filepath.Join(s.Dir, "answers.jsonl")
}

// Results are the figures of a study. The names of judges are those of its table.
type Results struct {
	Title     string           `json:"title"`
	Source    string           `json:"source,omitempty"`
	Figures   []answers.Figure `json:"figures"`
	Published []Published      `json:"published,omitempty"`
	NotAsked  []string         `json:"not_asked"` // judges without answers
	Failed    []string         `json:"failed"`    // what is not as expected
	Notes     []string         `json:"notes"`
}

// Measure computes the figures of the judges, of which names has those in the data by those
// of the table; a judge without a name has not answered.
func (s *Study) Measure(set *answers.Set, names map[string]string, seed uint64) Results {
	r := Results{Title: s.Title, Source: s.Source, Figures: []answers.Figure{}, NotAsked: []string{}, Failed: []string{}, Notes: []string{}}
	var judges []string
	shown := map[string]string{}
	for _, j := range s.Judges {
		if j.Name == "*" {
			judges = append(judges, set.Judges()...)
			continue
		}
		name := names[j.As]
		if name == "" || !set.Knows(name) {
			r.NotAsked = append(r.NotAsked, j.As)
			continue
		}
		judges, shown[name] = append(judges, name), j.As
	}
	slices.Sort(judges)
	judges = slices.Compact(judges)
	for _, m := range s.Measures {
		if len(judges) > 0 || m == raters { // no judges would be all of them
			f := measures[m](set, judges, seed)
			for _, note := range f.Notes { // those on the data are of each measure
				if !slices.Contains(r.Notes, note) {
					r.Notes = append(r.Notes, note)
				}
			}
			for _, one := range f.Figures {
				if len(s.Figures) == 0 || slices.Contains(s.Figures, one.Name) {
					one.Of = renamed(one.Of, shown)
					r.Figures = append(r.Figures, one)
				}
			}
		}
	}
	for _, p := range s.Published {
		one := Published{Figure: p}
		if at := r.find(p); at >= 0 && r.Figures[at].Value != nil {
			ours := r.Figures[at].Value.Value
			more := ours - p.Value
			one.Ours, one.Difference = &ours, &more
		}
		r.Published = append(r.Published, one)
	}
	r.hold(s.Expect)
	return r
}

// renamed is a judge, or two of them, by the names of the table.
func renamed(of string, shown map[string]string) string {
	if as, ok := shown[of]; ok {
		return as
	}
	for a, asA := range shown {
		for b, asB := range shown {
			if of == a+" and "+b {
				return asA + " and " + asB
			}
		}
	}
	return of
}

// find is where the figure of a name is among the results, -1 where it is not.
func (r *Results) find(e Figure) int {
	return slices.IndexFunc(r.Figures, func(f answers.Figure) bool {
		return f.Of == e.Of && f.Name == e.Figure && f.Category == e.Category && (e.Question == "" || f.Question == e.Question)
	})
}

// hold says which figures are not as they must be.
func (r *Results) hold(expect []Figure) {
	for _, e := range expect {
		at := r.find(e)
		within := e.Within
		if within == 0 {
			within = 1e-9
		}
		switch {
		case at < 0:
			r.Failed = append(r.Failed, fmt.Sprintf("%s: there is no such figure", e.name()))
		case r.Figures[at].Value == nil:
			r.Failed = append(r.Failed, fmt.Sprintf("%s is not defined, want %v", e.name(), e.Value))
		case !(math.Abs(r.Figures[at].Value.Value-e.Value) <= within):
			r.Failed = append(r.Failed, fmt.Sprintf("%s is %v, want %v within %v", e.name(), r.Figures[at].Value.Value, e.Value, within))
		}
	}
}
