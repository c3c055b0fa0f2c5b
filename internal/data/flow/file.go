package flow

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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
	// "in", the rows that go through.
	Inputs map[string]string `yaml:"inputs" json:"inputs"`
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
}

// A kind is what a step does.
type kind interface {
	// check says what is wrong with the settings.
	check(p *Pipeline) error
	// run reads rows and writes kept.jsonl and dropped.jsonl, or other files, into a folder.
	run(w *work) error
}

// kind is the one kind of a step, with its name.
func (s *Step) kind() (name string, k kind, err error) {
	n := 0
	for _, one := range []struct {
		name string
		kind kind
		is   bool
	}{
		{"dedup", s.Dedup, s.Dedup != nil}, {"decontaminate", s.Decontaminate, s.Decontaminate != nil},
		{"filter", s.Filter, s.Filter != nil}, {"cluster", s.Cluster, s.Cluster != nil}, {"sample", s.Sample, s.Sample != nil}, {"split", s.Split, s.Split != nil},
		{"rewards", s.Rewards, s.Rewards != nil}, {"best", s.Best, s.Best != nil}, {"pairs", s.Pairs, s.Pairs != nil},
	} {
		if one.is {
			name, k, n = one.name, one.kind, n+1
		}
	}
	if n != 1 {
		return "", nil, fmt.Errorf("it has %d kinds, and needs one of dedup, decontaminate, filter, cluster, sample, split, rewards, best, pairs", n)
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
	if _, ok := p.Inputs["in"]; !ok {
		return nil, errors.New(`inputs needs "in", the rows that go through`)
	}
	return p, p.check()
}

func (p *Pipeline) check() error {
	before := []string{"in"}
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
		if len(s.From) == 0 {
			s.From = before[len(before)-1:]
		}
		if err := k.check(p); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		before = append(before, s.Name)
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
