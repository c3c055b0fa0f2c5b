// Package own is a benchmark that a user brings: a YAML file that says what is measured,
// and a file of tasks, one JSON object a line.
package own

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
	"vitrine/internal/runs"
	"vitrine/internal/strictyaml"
)

// maxFile bounds the YAML file in bytes.
const maxFile = 64 << 10

// file is the YAML file.
type file struct {
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`
	Tasks   string `yaml:"tasks"` // in the folder of the YAML file
	System  string `yaml:"system"`
	Scoring struct {
		Recipe   string `yaml:"recipe"`
		Interact string `yaml:"interact"`
		Judge    string `yaml:"judge"`
		Times    string `yaml:"times"`
	} `yaml:"scoring"`
	Columns []column `yaml:"columns"`
}

// column is a figure: the mean of a score of the samples.
type column struct {
	Key    string   `yaml:"key"`
	Title  string   `yaml:"title"`
	From   string   `yaml:"from"` // a score of samples.jsonl, "reward" or "valid"
	Times  *float64 `yaml:"times"`
	Digits *int     `yaml:"digits"`
	Lower  bool     `yaml:"lower"`
	// Invalid is what an answer without a valid render has; 0 if it is left out.
	Invalid float64 `yaml:"invalid"`
}

// Benchmark is a user's.
type Benchmark struct {
	file file
	dir  string
}

var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Load reads the YAML file. Faults are those of usage, with the line where it is known.
func Load(name string) (Benchmark, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return Benchmark{}, wrong(name, err.Error())
	}
	b := Benchmark{dir: filepath.Dir(name)}
	if line, err := strictyaml.Check(content, maxFile); err != nil {
		return b, wrong(name, fmt.Sprintf("line %d: %v", max(line, 1), err))
	}
	if err := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict()).Decode(&b.file); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return b, wrong(name, first)
	}
	if what := b.file.lacks(); what != "" {
		return b, wrong(name, what)
	}
	return b, nil
}

func wrong(name, what string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, name+": "+what).WithFix("docs/bench-own.md shows a whole one")
}

// lacks says what is missing or cannot be.
func (f file) lacks() string {
	switch {
	case !plainName.MatchString(f.Name):
		return fmt.Sprintf("name %q: want small letters, digits and -", f.Name)
	case f.Tasks == "" || !filepath.IsLocal(f.Tasks):
		return fmt.Sprintf("tasks %q: want the name of a file beside this one", f.Tasks)
	case len(f.Columns) == 0:
		return "columns: want at least one"
	}
	seen := map[string]bool{}
	for i, c := range f.Columns {
		if c.Key == "" || c.From == "" {
			return fmt.Sprintf("column %d: want key and from", i+1)
		}
		if seen[c.Key] {
			return "two columns have the key " + c.Key
		}
		seen[c.Key] = true
	}
	return ""
}

// Data is the folder of the tasks.
func (b Benchmark) Data() string { return b.dir }

// Info implements [bench.Benchmark].
func (b Benchmark) Info() bench.Info {
	title := b.file.Title
	if title == "" {
		title = b.file.Name
	}
	return bench.Info{Name: b.file.Name, Title: title, What: "your own", Data: []bench.Data{{Path: b.file.Tasks, Name: b.file.Tasks}}}
}

// Tasks implements [bench.Benchmark].
func (b Benchmark) Tasks(data fs.FS) ([]vitrine.Task, error) {
	return bench.ReadTasks(data, b.file.Tasks, func(vitrine.Task) string { return "" })
}

// Prompt implements [bench.Benchmark].
func (b Benchmark) Prompt(t vitrine.Task) generate.Prompt {
	system := b.file.System
	if system == "" {
		system = bench.OnePage
	}
	return generate.Prompt{System: system, Text: t.Instruction}
}

// Groups implements [bench.Benchmark].
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}, "subcategory": t.Subcategories, "application": {t.ApplicationType}}
}

// Scoring implements [bench.Sited].
func (b Benchmark) Scoring() bench.Scoring {
	or := func(text, other string) string {
		if text == "" {
			return other
		}
		return text
	}
	s := b.file.Scoring
	return bench.Scoring{Recipe: or(s.Recipe, "quality"), Interact: or(s.Interact, "auto"), Judge: s.Judge, Times: or(s.Times, "0")}
}

// Columns implements [bench.Benchmark].
func (b Benchmark) Columns() (columns []bench.Column) {
	for _, c := range b.file.Columns {
		x := bench.Column{Key: c.Key, Title: c.Title, About: "mean of " + c.From, Times: 1, Digits: 2, Lower: c.Lower}
		if x.Title == "" {
			x.Title = c.Key
		}
		if c.Times != nil {
			x.Times = *c.Times
		}
		if c.Digits != nil {
			x.Digits = *c.Digits
		}
		columns = append(columns, x)
	}
	return columns
}

// Measure implements [bench.Sited]. By compat, what could not be judged is as what shows no
// site.
func (b Benchmark) Measure(dir string, _ map[string]vitrine.Task) (map[string]bench.Measured, error) {
	_, samples, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]bench.Measured{}
	for _, s := range runs.Newest(samples) {
		m := bench.OfSample(s)
		for _, c := range b.file.Columns {
			p := c.of(s)
			m.Strict[c.Key], m.Compat[c.Key] = p, p
			if p == nil {
				m.Compat[c.Key] = bench.One(c.Invalid)
			}
		}
		all[s.ID] = m
	}
	return all, nil
}

// of is the part of a sample; nil where it could not be judged or has no such score.
func (c column) of(s vitrine.Sample) *bench.Part {
	judged, shows := s.Status == vitrine.SampleScored, s.Outcome == vitrine.OutcomeRendered
	v, there := s.Scores[c.From]
	switch {
	case !judged:
		return nil
	case c.From == "valid" && shows:
		return bench.One(1)
	case c.From == "valid":
		return bench.One(0)
	case c.From == "reward" && s.Reward != nil:
		return bench.One(*s.Reward)
	case !shows:
		return bench.One(c.Invalid)
	case there:
		return bench.One(v)
	}
	return nil
}
