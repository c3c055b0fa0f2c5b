package train

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine/internal/stats"
	"vitrine/internal/strictyaml"
)

//go:embed sweeps/*.yaml
var sweeps embed.FS

// A Sweep is one recipe with several settings, each a training of its own.
type Sweep struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Paper string `json:"paper,omitempty"` // where its rows are published, and with what figures
	Rows  []Row  `json:"rows"`
}

// A Row is a training of a sweep: the recipe with what the row changes.
type Row struct {
	Name   string  `json:"name"`
	About  string  `json:"about"`
	Recipe *Recipe `json:"recipe"`
}

// A sweepFile is what a file says: the recipe that is changed, and the rows.
type sweepFile struct {
	About  string    `yaml:"about"`
	Paper  string    `yaml:"paper"`
	Recipe string    `yaml:"recipe"`
	Rows   []rowFile `yaml:"rows"`
}

// A rowFile changes stages of the recipe by their name, leaves others out, and gives the
// rest as it is.
type rowFile struct {
	Name    string                    `yaml:"name"`
	About   string                    `yaml:"about"`
	Stages  map[string]map[string]any `yaml:"stages"`
	Without []string                  `yaml:"without"`
}

// BuiltinSweeps are the sweeps that ship, by name.
func BuiltinSweeps() (all []Sweep) {
	files, _ := fs.Glob(sweeps, "sweeps/*.yaml") // embedded: they are there
	for _, file := range files {
		data, _ := sweeps.ReadFile(file)
		s, err := parseSweep(strings.TrimSuffix(strings.TrimPrefix(file, "sweeps/"), ".yaml"), data)
		if err != nil {
			panic(err) // a test reads them all
		}
		all = append(all, *s)
	}
	return all
}

// LoadSweep reads a sweep that ships or a file, and checks every row. An error is a usage
// fault.
func LoadSweep(nameOrFile string) (*Sweep, error) {
	for _, s := range BuiltinSweeps() {
		if s.Name == nameOrFile {
			return &s, nil
		}
	}
	data, err := os.ReadFile(nameOrFile)
	if err != nil {
		return nil, refuse(err.Error(), "give a sweep that vitrine train ls lists, or a file that can be read")
	}
	return parseSweep(nameOrFile, data)
}

func parseSweep(name string, data []byte) (*Sweep, error) {
	if line, err := strictyaml.Check(data, maxRecipe); err != nil {
		return nil, refuse(fmt.Sprintf("%s:%d: %v", name, max(line, 1), err), "mend the file")
	}
	var file sweepFile
	if err := yaml.UnmarshalWithOptions(data, &file, yaml.Strict()); err != nil {
		return nil, refuse(fmt.Sprintf("%s: %s", name, yaml.FormatError(err, false, false)), "docs/training.md has every key")
	}
	if file.Recipe == "" || len(file.Rows) == 0 {
		return nil, refuse(name+": a sweep needs a recipe and rows", "docs/training.md has an example")
	}
	base, err := Load(file.Recipe)
	if err != nil {
		return nil, err
	}
	sweep := &Sweep{Name: name, About: file.About, Paper: file.Paper}
	seen := map[string]bool{}
	for i, row := range file.Rows {
		if !stageNames.MatchString(row.Name) || seen[row.Name] {
			return nil, refuse(fmt.Sprintf("%s: row %d: want a name of its own in small letters, digits and hyphens, got %q", name, i+1, strictyaml.Clip(row.Name)), "mend the file")
		}
		seen[row.Name] = true
		recipe, err := row.apply(base)
		if err != nil {
			return nil, refuse(fmt.Sprintf("%s: row %s: %v", name, row.Name, err), "docs/training.md has every key")
		}
		sweep.Rows = append(sweep.Rows, Row{row.Name, row.About, recipe})
	}
	return sweep, nil
}

// apply is the recipe with what the row changes, checked as a recipe is.
func (row rowFile) apply(base *Recipe) (*Recipe, error) {
	changed := *base
	changed.Name, changed.Stages = base.Name+"/"+row.Name, nil
	known := map[string]bool{}
	for _, s := range base.Stages {
		known[s.Name] = true
		if slices.Contains(row.Without, s.Name) {
			continue
		}
		if settings, ok := row.Stages[s.Name]; ok {
			data, err := yaml.Marshal(settings)
			if err != nil {
				return nil, err
			}
			type plain Stage // over what the stage has, not over the defaults
			p := plain(s)
			if err := yaml.UnmarshalWithOptions(data, &p, yaml.Strict()); err != nil {
				return nil, fmt.Errorf("stage %s: %s", s.Name, yaml.FormatError(err, false, false))
			}
			s = Stage(p)
		}
		if what := s.wrong(); what != "" {
			return nil, fmt.Errorf("stage %s: %s", s.Name, what)
		}
		changed.Stages = append(changed.Stages, s)
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(row.Stages)), row.Without) {
		if !known[name] {
			return nil, fmt.Errorf("the recipe %s has no stage %q", base.Name, strictyaml.Clip(name))
		}
		if _, ok := row.Stages[name]; ok && slices.Contains(row.Without, name) {
			return nil, fmt.Errorf("stage %s is both changed and left out", name)
		}
	}
	if len(changed.Stages) == 0 {
		return nil, errors.New("nothing is left of the recipe")
	}
	if twice := changed.twice(); twice != "" {
		return nil, fmt.Errorf("two stages are called %s", twice)
	}
	if what := changed.wrongReward(); what != "" {
		return nil, errors.New(what)
	}
	return &changed, nil
}

// unchanged refuses run folders below dir that were begun with another recipe than their row
// has now: what they hold would be shown as what the row came to.
func (sweep *Sweep) unchanged(dir string) error {
	for _, row := range sweep.Rows {
		at := filepath.Join(dir, row.Name)
		kept, err := read(at)
		if err != nil {
			continue // none, or one that whoever needs it says cannot be read
		}
		if what := row.Recipe.differs(kept.Recipe); what != "" {
			return refuse(fmt.Sprintf("row %s: %s was begun with another recipe: %s", row.Name, at, what), "give the row another name or the sweep another folder by --out, or move that folder away")
		}
	}
	return nil
}

// differs says in what a recipe is not the one that a run folder keeps, or nothing. Texts do
// not count.
func (r *Recipe) differs(kept *Recipe) string {
	for _, v := range []struct{ name, now, then string }{{"model", r.Model, kept.Model}, {"tasks", r.Tasks, kept.Tasks}, {"heldout", r.HeldOut, kept.HeldOut}, {"kind", r.Kind, kept.Kind}} {
		if path, err := filepath.Abs(v.now); v.now != v.then && (err != nil || v.now == "" || path != v.then) { // a run folder keeps whole paths
			return fmt.Sprintf("%s is %q now and was %q", v.name, v.now, v.then)
		}
	}
	if r.Seed != kept.Seed {
		return fmt.Sprintf("seed is %d now and was %d", r.Seed, kept.Seed)
	}
	for i, s := range r.Stages {
		if i >= len(kept.Stages) || s != kept.Stages[i] {
			return "stage " + s.Name + " is not as it was"
		}
	}
	if len(kept.Stages) > len(r.Stages) {
		return "stage " + kept.Stages[len(r.Stages)].Name + " is left out now"
	}
	return ""
}

// RunSweep carries out rows one after another, each in a folder of its own below dir: those
// that are done are left alone, those that were begun go on. only names the rows; empty: all.
func RunSweep(ctx context.Context, sweep *Sweep, only []string, settings Settings, dir string) error {
	for _, name := range only {
		if !slices.ContainsFunc(sweep.Rows, func(r Row) bool { return r.Name == name }) {
			return refuse(fmt.Sprintf("the sweep has no row %q", name), "vitrine train sweep "+sweep.Name+" --check lists them")
		}
	}
	if err := sweep.unchanged(dir); err != nil {
		return err
	}
	for _, row := range sweep.Rows {
		if len(only) > 0 && !slices.Contains(only, row.Name) {
			continue
		}
		s := settings
		s.Dir = filepath.Join(dir, row.Name)
		if kept, err := read(s.Dir); err == nil {
			if (&watcher{dir: s.Dir, recipe: kept.Recipe}).done() {
				continue
			}
			if err := Resume(ctx, s); err != nil {
				return fmt.Errorf("row %s: %w", row.Name, err)
			}
		} else if err := Start(ctx, row.Recipe, s); err != nil {
			return fmt.Errorf("row %s: %w", row.Name, err)
		}
	}
	return nil
}

// A Standing is what a row of a sweep came to: the held-out outputs of its last evaluation.
type Standing struct {
	Row      string          `json:"row"`
	About    string          `json:"about"`
	Steps    int             `json:"steps"` // that were done
	Done     bool            `json:"done"`
	N        int             `json:"n"` // held-out outputs
	Unjudged int             `json:"unjudged"`
	Reward   *stats.Estimate `json:"reward"`
	Function *stats.Estimate `json:"function"`
	Rendered *stats.Estimate `json:"rendered"`
	Gain     *stats.Estimate `json:"gain"` // in reward over the row's first evaluation
	Alarms   int             `json:"alarms"`
}

// Standings are the rows of a sweep with what has been done of them below dir. Those of a row that was
// begun with another recipe are refused.
func Standings(sweep *Sweep, dir string) ([]Standing, error) {
	if err := sweep.unchanged(dir); err != nil {
		return nil, err
	}
	all := []Standing{}
	for _, row := range sweep.Rows {
		at := filepath.Join(dir, row.Name)
		standing := Standing{Row: row.Name, About: cmp.Or(row.About, row.Recipe.About)}
		if _, err := os.Stat(filepath.Join(at, settingsFile)); err == nil {
			report, err := Show(at)
			if err != nil {
				return nil, err
			}
			standing.Steps, standing.Alarms = len(report.Steps), len(report.Alarms)
			standing.Done = (&watcher{dir: at, recipe: report.Recipe}).done()
			if n := len(report.Tests); n > 0 {
				last := report.Tests[n-1]
				standing.N, standing.Unjudged, standing.Reward, standing.Function, standing.Rendered = last.N, last.Unjudged, last.Reward, last.Function, last.Rendered
			}
			for _, g := range report.Gain {
				if g.What == "reward" && g.Of == "all" {
					standing.Gain = g.Mean
				}
			}
		}
		all = append(all, standing)
	}
	return all, nil
}
