package flow

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/strictyaml"
)

//go:embed pipelines/*.yaml
var shipped embed.FS

// maxFile bounds a pipeline file in bytes.
const maxFile = 1 << 20

// A Pipeline is a file of steps.
type Pipeline struct {
	Name  string `yaml:"name" json:"name"`
	About string `yaml:"about" json:"about"`
	// Inputs are the names of the files that a user gives, with what they are. One is
	// "in", the rows that go through, unless the first step makes rows of nothing.
	Inputs map[string]string `yaml:"inputs" json:"inputs"`
	// Models are the roles that models have in it, with what each does.
	Models map[string]string `yaml:"models" json:"models,omitempty"`
	Steps  []Step            `yaml:"steps" json:"steps"`
}

// A Step is one of the kinds.
type Step struct {
	Name string `yaml:"name" json:"name"`
	// From are the steps whose rows it takes, one after the other; empty: the one before.
	From []string `yaml:"from" json:"from,omitempty"`

	Dedup         *Dedup         `yaml:"dedup" json:"dedup,omitempty"`
	Decontaminate *Decontaminate `yaml:"decontaminate" json:"decontaminate,omitempty"`
	Filter        *Filter        `yaml:"filter" json:"filter,omitempty"`
	Cluster       *Cluster       `yaml:"cluster" json:"cluster,omitempty"`
	Sample        *Sample        `yaml:"sample" json:"sample,omitempty"`
	Split         *Split         `yaml:"split" json:"split,omitempty"`
	Rewards       *Rewards       `yaml:"rewards" json:"rewards,omitempty"`
	Best          *Best          `yaml:"best" json:"best,omitempty"`
	Pairs         *Pairs         `yaml:"pairs" json:"pairs,omitempty"`
	Keywords      *Keywords      `yaml:"keywords" json:"keywords,omitempty"`
	Instructions  *Instructions  `yaml:"instructions" json:"instructions,omitempty"`
	Rewrite       *Rewrite       `yaml:"rewrite" json:"rewrite,omitempty"`
	Generate      *Generate      `yaml:"generate" json:"generate,omitempty"`
	Score         *Score         `yaml:"score" json:"score,omitempty"`
	Contrast      *Contrast      `yaml:"contrast" json:"contrast,omitempty"`
	Unique        *Unique        `yaml:"unique" json:"unique,omitempty"`
	Grade         *Grade         `yaml:"grade" json:"grade,omitempty"`
	Sides         *Sides         `yaml:"sides" json:"sides,omitempty"`
	Both          *Both          `yaml:"both" json:"both,omitempty"`
	Normalise     *Normalise     `yaml:"normalise" json:"normalise,omitempty"`
	Hints         *Hints         `yaml:"hints" json:"hints,omitempty"`
	Language      *Language      `yaml:"language" json:"language,omitempty"`
	Categorise    *Categorise    `yaml:"categorise" json:"categorise,omitempty"`
	Cases         *Cases         `yaml:"cases" json:"cases,omitempty"`
	Units         *Units         `yaml:"units" json:"units,omitempty"`
	Imports       *Imports       `yaml:"imports" json:"imports,omitempty"`
	Distil        *Distil        `yaml:"distil" json:"distil,omitempty"`
}

// A kind is what a step does.
type kind interface {
	// check says what is wrong with the settings.
	check(p *Pipeline) error
	// run reads rows and writes kept.jsonl and dropped.jsonl, or other files, into a folder.
	run(w *work) error
}

// An asker is a kind whose step asks models.
type asker interface {
	kind
	// asks are the roles of the models, by their names in the pipeline.
	asks() []string
}

// A maker is a kind whose step makes rows of others, or of nothing. The limit of a run
// holds for what it makes.
type maker interface {
	kind
	// first reports whether it takes no rows.
	first() bool
}

// kind is the one kind of a step, with its name.
func (s *Step) kind() (name string, k kind, err error) {
	v, n, names := reflect.ValueOf(s).Elem(), 0, []string{}
	for i := range v.NumField() {
		one, is := v.Field(i).Interface().(kind)
		if !is {
			continue
		}
		key := v.Type().Field(i).Tag.Get("yaml")
		names = append(names, key)
		if !v.Field(i).IsNil() {
			name, k, n = key, one, n+1
		}
	}
	if n != 1 {
		return "", nil, fmt.Errorf("it has %d kinds, and needs one of %s", n, strings.Join(names, ", "))
	}
	return name, k, nil
}

// Shipped are the names of the pipelines that ship.
func Shipped() []string {
	files, _ := shipped.ReadDir("pipelines") // embedded: it is there
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// Load reads a pipeline: one that ships, by its name, or a file.
func Load(name string) (*Pipeline, error) {
	data, err := fs.ReadFile(shipped, path.Join("pipelines", name+".yaml"))
	if err != nil {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, refuse("no such pipeline: "+name, "name a file, or one of "+strings.Join(Shipped(), ", "))
	}
	p, err := Parse(data)
	if err != nil {
		return nil, refuse(name+": "+err.Error(), "docs/data/pipelines.md has the steps and their settings")
	}
	return p, nil
}

// Parse reads and checks a pipeline file.
func Parse(data []byte) (*Pipeline, error) {
	if line, err := strictyaml.Check(data, maxFile); err != nil {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	p := &Pipeline{}
	if err := yaml.UnmarshalWithOptions(data, p, yaml.Strict()); err != nil {
		return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	if len(p.Steps) == 0 {
		return nil, errors.New("it has no steps")
	}
	return p, p.check()
}

func (p *Pipeline) check() error {
	var before, split []string
	if _, ok := p.Inputs["in"]; ok {
		before = append(before, "in")
	} else if _, k, err := p.Steps[0].kind(); err == nil && !makesOfNothing(k) {
		return errors.New(`inputs needs "in", the rows that go through`)
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		name, k, err := s.kind()
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		if s.Name == "" {
			s.Name = name
		}
		if !plainName(s.Name) || slices.Contains(before, s.Name) {
			return fmt.Errorf("step %d: the name %q is there already, or is not of letters, digits and -", i+1, s.Name)
		}
		for _, from := range s.From {
			if !slices.Contains(before, from) {
				return fmt.Errorf("step %s: no step before it is called %q", s.Name, from)
			}
		}
		if len(s.From) == 0 && len(before) > 0 {
			s.From = before[len(before)-1:]
		}
		for _, from := range s.From {
			if slices.Contains(split, from) {
				return fmt.Errorf("step %s: it takes the rows of a split, which is to be the last step", s.Name)
			}
		}
		if makesOfNothing(k) != (i == 0 && len(before) == 0) {
			return fmt.Errorf("step %s: only the first step makes rows of nothing, and then inputs has no \"in\"", s.Name)
		}
		if err := p.roles(k); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		if err := k.check(p); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		if before = append(before, s.Name); s.Split != nil {
			split = append(split, s.Name)
		}
	}
	return nil
}

func makesOfNothing(k kind) bool {
	m, is := k.(maker)
	return is && m.first()
}

// roles checks that the models which a step asks are named.
func (p *Pipeline) roles(k kind) error {
	a, is := k.(asker)
	if !is {
		return nil
	}
	for _, role := range a.asks() {
		if _, ok := p.Models[role]; !ok {
			return fmt.Errorf("models has no %q", role)
		}
	}
	return nil
}

func plainName(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
}

// refuse is a fault of what the user named.
func refuse(message, fix string) *vitrine.Fault {
	return vitrine.NewFault("data", vitrine.FaultUsage, nil, message).WithFix(fix)
}
