// Package train runs trainings of a model on the rewards of Vitrine: it reads and checks a
// recipe, keeps a run folder and starts the trainer, a Python package on TRL (train/).
package train

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/strictyaml"
)

//go:embed recipes/*.yaml
var recipes embed.FS

// maxRecipe bounds a recipe file in bytes.
const maxRecipe = 64 << 10

// A Recipe says how a model is trained: from what, on which tasks, in which stages.
type Recipe struct {
	Name  string `json:"name" yaml:"-"`
	About string `json:"about" yaml:"about"`
	// Paper is what the paper that the recipe follows has in place of what was scaled down.
	Paper string `json:"paper,omitempty" yaml:"paper"`
	Model string `json:"model" yaml:"model"` // a folder, a name on the Hugging Face hub, or smollm2-135m-instruct
	// Tasks and HeldOut are JSONL files: task_id, archetype, instruction, and page where it is
	// to be imitated. Both empty: the task ladder that ships.
	Tasks   string  `json:"tasks" yaml:"tasks"`
	HeldOut string  `json:"heldout" yaml:"heldout"`
	Seed    int     `json:"seed" yaml:"seed"`
	Stages  []Stage `json:"stages" yaml:"stages"`
}

// A Stage is a step of a recipe. Its method is sft (pages are imitated), grpo (rewards are
// learned from) or evaluate (outputs for held-out tasks are written and scored).
type Stage struct {
	Name         string  `json:"name" yaml:"name"`
	Method       string  `json:"method" yaml:"method"`
	Steps        int     `json:"steps" yaml:"steps"`
	Batch        int     `json:"batch" yaml:"batch"`     // samples that are put through the model at once
	Prompts      int     `json:"prompts" yaml:"prompts"` // of grpo, in a step
	Samples      int     `json:"samples" yaml:"samples"` // for each prompt or held-out task
	Limit        int     `json:"limit" yaml:"limit"`     // of evaluate: held-out tasks; 0 for all
	MaxTokens    int     `json:"max_tokens" yaml:"max_tokens"`
	LearningRate float64 `json:"learning_rate" yaml:"learning_rate"`
	Warmup       int     `json:"warmup" yaml:"warmup"` // steps
	Temperature  float64 `json:"temperature" yaml:"temperature"`
	Beta         float64 `json:"beta" yaml:"beta"`                   // weight of the KL term
	Epsilon      float64 `json:"epsilon" yaml:"epsilon"`             // of the clip
	Loss         string  `json:"loss" yaml:"loss"`                   // as TRL names it: grpo, dapo, dr_grpo, bnpo
	ScaleRewards string  `json:"scale_rewards" yaml:"scale_rewards"` // group, batch or none
	Updates      int     `json:"updates" yaml:"updates"`             // of the weights on the samples of a step
	Reward       string  `json:"reward" yaml:"reward"`               // a recipe of the service
	SaveEvery    int     `json:"save_every" yaml:"save_every"`       // steps between checkpoints
	SampleEvery  int     `json:"sample_every" yaml:"sample_every"`   // steps between kept samples
	ReportTo     string  `json:"report_to" yaml:"report_to"`         // tensorboard, wandb or mlflow, besides the run folder
}

// Builtin are the recipes that ship, by name.
func Builtin() (all []Recipe) {
	files, _ := fs.Glob(recipes, "recipes/*.yaml") // embedded: they are there
	for _, file := range files {
		data, _ := recipes.ReadFile(file)
		r, err := parse(strings.TrimSuffix(strings.TrimPrefix(file, "recipes/"), ".yaml"), data)
		if err != nil {
			panic(err) // a test reads them all
		}
		all = append(all, *r)
	}
	return all
}

// Load reads a recipe that ships or a file. An error is a usage fault.
func Load(nameOrFile string) (*Recipe, error) {
	var names []string
	for _, r := range Builtin() {
		if r.Name == nameOrFile {
			return &r, nil
		}
		names = append(names, r.Name)
	}
	data, err := os.ReadFile(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(nameOrFile, "/.") {
		return nil, refuse(fmt.Sprintf("no training is called %q%s", nameOrFile, strictyaml.DidYouMean(nameOrFile, names)), "vitrine train ls lists those that ship; a file of one's own works, too")
	}
	if err != nil {
		return nil, refuse(err.Error(), "give the name of a training, or a file that can be read")
	}
	return parse(nameOrFile, data)
}

// parse reads a recipe and fills in what it leaves out.
func parse(name string, data []byte) (*Recipe, error) {
	if line, err := strictyaml.Check(data, maxRecipe); err != nil {
		return nil, refuse(fmt.Sprintf("%s:%d: %v", name, max(line, 1), err), "mend the file")
	}
	r := &Recipe{Name: name, Seed: 1}
	if err := yaml.UnmarshalWithOptions(data, r, yaml.Strict()); err != nil {
		return nil, refuse(fmt.Sprintf("%s: %s", name, yaml.FormatError(err, false, false)), "docs/training.md has every key")
	}
	seen := map[string]bool{}
	for i := range r.Stages {
		s := &r.Stages[i]
		s.fill()
		if what := s.wrong(); what != "" {
			return nil, refuse(fmt.Sprintf("%s: stage %d: %s", name, i+1, what), "docs/training.md has every key")
		}
		if seen[s.Name] {
			return nil, refuse(fmt.Sprintf("%s: two stages are called %s", name, s.Name), "give each a name of its own")
		}
		seen[s.Name] = true
	}
	if len(r.Stages) == 0 || r.Model == "" {
		return nil, refuse(name+": a training needs a model and stages", "docs/training.md has an example")
	}
	if (r.Tasks == "") != (r.HeldOut == "") {
		return nil, refuse(name+": tasks and heldout go together", "give both, or none for the tasks that ship")
	}
	return r, nil
}

func (s *Stage) fill() {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&s.Batch, 4)
	set(&s.Updates, 1)
	set(&s.SaveEvery, 10)
	set(&s.SampleEvery, 10)
	set(&s.MaxTokens, 512)
	if s.Temperature == 0 {
		s.Temperature = 1
	}
	if s.Epsilon == 0 {
		s.Epsilon = 0.2
	}
	for v, to := range map[*string]string{&s.Loss: "grpo", &s.ScaleRewards: "group", &s.Reward: "quality"} {
		if *v == "" {
			*v = to
		}
	}
}

// stageNames are what the files of a stage may be called.
var stageNames = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// wrong says what a stage lacks, or nothing.
func (s *Stage) wrong() string {
	trains := s.Method == "sft" || s.Method == "grpo"
	switch {
	case !stageNames.MatchString(s.Name):
		return fmt.Sprintf("name: want small letters, digits and hyphens, got %q", strictyaml.Clip(s.Name))
	case !trains && s.Method != "evaluate":
		return fmt.Sprintf("method: want sft, grpo or evaluate, got %q", strictyaml.Clip(s.Method))
	case trains && (s.Steps < 1 || s.LearningRate <= 0):
		return "steps and learning_rate must be above 0"
	case s.Method == "grpo" && (s.Prompts < 1 || s.Samples < 2):
		return "grpo needs prompts of 1 or more and samples of 2 or more: an advantage is within a group"
	case s.Method == "grpo" && s.Prompts*s.Samples%min(s.Batch, s.Prompts*s.Samples) != 0:
		return fmt.Sprintf("batch: %d samples a step are not divided by %d", s.Prompts*s.Samples, s.Batch)
	case s.Method == "evaluate" && s.Samples < 1:
		return "evaluate needs samples of 1 or more"
	case !slices.Contains([]string{"", "tensorboard", "wandb", "mlflow"}, s.ReportTo):
		return "report_to: want tensorboard, wandb or mlflow"
	case !slices.Contains([]string{"group", "batch", "none"}, s.ScaleRewards):
		return "scale_rewards: want group, batch or none"
	case s.Batch < 1 || s.MaxTokens < 1 || s.Temperature < 0 || s.Beta < 0 || s.Epsilon <= 0 || s.Updates < 1 || s.SaveEvery < 1 || s.SampleEvery < 1 || s.Warmup < 0 || s.Limit < 0:
		return "a number is below what it may be"
	}
	return ""
}

func refuse(what, fix string) error {
	return vitrine.NewFault("train", vitrine.FaultUsage, nil, what).WithFix(fix)
}
