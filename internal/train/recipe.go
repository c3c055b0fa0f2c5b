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
	// to be imitated, or script of a plot. Both empty: the task ladder that ships.
	Tasks   string `json:"tasks" yaml:"tasks"`
	HeldOut string `json:"heldout" yaml:"heldout"`
	// Kind is what the tasks of the ladder ask for: page, also where it is empty, or plot.
	Kind   string  `json:"kind" yaml:"kind"`
	Seed   int     `json:"seed" yaml:"seed"`
	Stages []Stage `json:"stages" yaml:"stages"`
}

// A Stage is a step of a recipe. Its method is sft (pages are imitated), grpo (rewards are
// learned from), relook (those of refine sessions are), rft (the best of several samples is imitated), dpo (it is preferred to the
// worst), reward-model (a model learns to prefer it, by which a later grpo may be rewarded) or evaluate (outputs for held-out tasks
// are written and scored).
type Stage struct {
	Name         string  `json:"name" yaml:"name"`
	Method       string  `json:"method" yaml:"method"`
	Steps        int     `json:"steps" yaml:"steps"`
	Batch        int     `json:"batch" yaml:"batch"`     // samples that are put through the model at once
	Prompts      int     `json:"prompts" yaml:"prompts"` // of grpo and relook, in a step
	Samples      int     `json:"samples" yaml:"samples"` // for each prompt or held-out task
	Limit        int     `json:"limit" yaml:"limit"`     // of evaluate, rft, dpo and reward-model: tasks; 0 for all
	MaxTokens    int     `json:"max_tokens" yaml:"max_tokens"`
	LearningRate float64 `json:"learning_rate" yaml:"learning_rate"`
	Warmup       int     `json:"warmup" yaml:"warmup"` // steps
	Temperature  float64 `json:"temperature" yaml:"temperature"`
	Beta         float64 `json:"beta" yaml:"beta"`                   // weight of the KL term; of dpo, of the reference
	Epsilon      float64 `json:"epsilon" yaml:"epsilon"`             // of the clip
	Loss         string  `json:"loss" yaml:"loss"`                   // as TRL names it: grpo, dapo, dr_grpo, bnpo
	ScaleRewards string  `json:"scale_rewards" yaml:"scale_rewards"` // group, batch or none
	Updates      int     `json:"updates" yaml:"updates"`             // of the weights on the samples of a step
	Reward       string  `json:"reward" yaml:"reward"`               // a recipe of the service; of grpo also a reward-model stage
	Overlong     string  `json:"overlong" yaml:"overlong"`           // of grpo, an output that is cut off at max_tokens: score it, or zero
	// AdvantageClip bounds advantages on either side; 0 for none.
	AdvantageClip float64 `json:"advantage_clip" yaml:"advantage_clip"`
	// Distill is of relook: the weight of the loss that teaches the critic's words (ReLook Eq. 8, γ); 0 for none.
	Distill float64 `json:"distill" yaml:"distill"`
	// Rounds, Resamples and Ask are of relook: versions of a trajectory, rejected ones of a round,
	// and what a revision needs: trigger (the model asks for it) or always.
	Rounds    int    `json:"rounds" yaml:"rounds"`
	Resamples int    `json:"resamples" yaml:"resamples"`
	Ask       string `json:"ask" yaml:"ask"`
	// Choose is of relook: tasks by whose mean reward the best checkpoint is chosen; 0 for the last.
	Choose      int    `json:"choose" yaml:"choose"`
	SaveEvery   int    `json:"save_every" yaml:"save_every"`     // steps between checkpoints
	SampleEvery int    `json:"sample_every" yaml:"sample_every"` // steps between kept samples
	ReportTo    string `json:"report_to" yaml:"report_to"`       // tensorboard, wandb or mlflow, besides the run folder
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
	for i := range r.Stages {
		if what := r.Stages[i].wrong(); what != "" {
			return nil, refuse(fmt.Sprintf("%s: stage %d: %s", name, i+1, what), "docs/training.md has every key")
		}
	}
	if twice := r.twice(); twice != "" {
		return nil, refuse(fmt.Sprintf("%s: two stages are called %s", name, twice), "give each a name of its own")
	}
	if what := r.wrongReward(); what != "" {
		return nil, refuse(name+": "+what, "name a recipe of the service, or give a grpo stage the name of a reward-model stage before it; "+modelReward+" is the last of them")
	}
	if len(r.Stages) == 0 || r.Model == "" {
		return nil, refuse(name+": a training needs a model and stages", "docs/training.md has an example")
	}
	if (r.Tasks == "") != (r.HeldOut == "") {
		return nil, refuse(name+": tasks and heldout go together", "give both, or none for the tasks that ship")
	}
	if what := r.wrongKind(); what != "" {
		return nil, refuse(name+": "+what, "leave kind out; docs/training.md has what it is of")
	}
	if r.Tasks != "" && slices.ContainsFunc(r.Stages, func(s Stage) bool { return s.Choose > 0 }) {
		return nil, refuse(name+": choose needs tasks that are neither trained on nor held out, which only the task ladder has", "leave choose out; or leave tasks and heldout out")
	}
	return r, nil
}

// wrongKind says why the tasks of the ladder cannot be of the kind that is asked for, or nothing.
func (r *Recipe) wrongKind() string {
	switch {
	case !slices.Contains([]string{"", "page", "plot"}, r.Kind):
		return fmt.Sprintf("kind: want page or plot, got %q", strictyaml.Clip(r.Kind))
	case r.Kind != "" && r.Tasks != "":
		return "kind is of the task ladder: each task of a file says its own"
	case r.Kind == "plot" && slices.ContainsFunc(r.Stages, func(s Stage) bool { return s.Method == "relook" }):
		return "kind: a session of relook is of pages, not of plots"
	}
	return ""
}

// twice is a name that two stages have, or nothing.
func (r *Recipe) twice() string {
	seen := map[string]bool{}
	for _, s := range r.Stages {
		if seen[s.Name] {
			return s.Name
		}
		seen[s.Name] = true
	}
	return ""
}

// UnmarshalYAML reads a stage over what it has where a file leaves it out.
func (s *Stage) UnmarshalYAML(read func(any) error) error {
	type plain Stage
	p := plain{Batch: 4, Updates: 1, SaveEvery: 10, SampleEvery: 10, MaxTokens: 512, Temperature: 1, Epsilon: 0.2, Loss: "grpo", ScaleRewards: "group", Reward: "quality", Overlong: "score", Rounds: 3, Resamples: 10, Ask: "trigger"}
	if err := read(&p); err != nil {
		return err
	}
	*s = Stage(p)
	if s.Method == "dpo" && s.Beta == 0 {
		s.Beta = 0.1
	}
	return nil
}

// stageNames are what the files of a stage may be called.
var stageNames = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// methods are those of stages.
var methods = []string{"sft", "grpo", "relook", "rft", "dpo", "reward-model", "evaluate"}

// losses are TRL's names of the objectives that internal/grpo has, too.
var losses = []string{"grpo", "bnpo", "dr_grpo", "dapo"}

// wrong says what a stage lacks, or nothing.
func (s *Stage) wrong() string {
	if what := s.outOfBounds(); what != "" {
		return what
	}
	trains := s.Method != "evaluate"
	groups := s.Method == "grpo" || s.Method == "relook"
	switch {
	case !stageNames.MatchString(s.Name):
		return fmt.Sprintf("name: want small letters, digits and hyphens, got %q", strictyaml.Clip(s.Name))
	case !slices.Contains(methods, s.Method):
		return fmt.Sprintf("method: want one of %s, got %q", strings.Join(methods, ", "), strictyaml.Clip(s.Method))
	case trains && (s.Steps < 1 || s.LearningRate <= 0):
		return "steps and learning_rate must be above 0"
	case groups && (s.Prompts < 1 || s.Samples < 2):
		return s.Method + " needs prompts of 1 or more and samples of 2 or more: an advantage is within a group"
	case groups && s.Prompts*s.Samples%min(s.Batch, s.Prompts*s.Samples) != 0:
		return fmt.Sprintf("batch: %d samples a step are not divided by %d", s.Prompts*s.Samples, s.Batch)
	case slices.Contains([]string{"rft", "dpo", "reward-model"}, s.Method) && s.Samples < 2:
		return s.Method + " needs samples of 2 or more: the best of them is learned from"
	case s.Method == "evaluate" && s.Samples < 1:
		return "evaluate needs samples of 1 or more"
	case !slices.Contains([]string{"", "tensorboard", "wandb", "mlflow"}, s.ReportTo):
		return "report_to: want tensorboard, wandb or mlflow"
	case !slices.Contains([]string{"group", "batch", "none"}, s.ScaleRewards):
		return "scale_rewards: want group, batch or none"
	case s.Overlong != "score" && s.Overlong != "zero":
		return "overlong: want score or zero"
	case s.Method == "relook" && s.Overlong == "zero":
		return "overlong: zero is of grpo alone: a session rewards a trajectory as a whole"
	case s.Ask != "trigger" && s.Ask != "always":
		return "ask: want trigger or always"
	case s.Choose > 0 && s.Method != "relook":
		return "choose is of relook alone"
	case s.Distill > 0 && s.Method != "relook":
		return "distill is of relook alone: nowhere else is there a critic"
	case !slices.Contains(losses, s.Loss):
		return fmt.Sprintf("loss: want one of %s, got %q", strings.Join(losses, ", "), strictyaml.Clip(s.Loss))
	}
	return ""
}

// outOfBounds names a number that is below or above what it may be. Reals are compared so that
// NaN is out of bounds.
func (s *Stage) outOfBounds() string {
	for _, n := range []struct {
		name         string
		v, low, high int
	}{
		{"steps", s.Steps, 0, 1e6}, {"batch", s.Batch, 1, 1e4}, {"prompts", s.Prompts, 0, 1e4}, {"samples", s.Samples, 0, 1e4}, {"limit", s.Limit, 0, 1e6},
		{"max_tokens", s.MaxTokens, 1, 1e6}, {"warmup", s.Warmup, 0, 1e6}, {"updates", s.Updates, 1, 1e3}, {"rounds", s.Rounds, 1, 100}, {"resamples", s.Resamples, 0, 1000}, {"choose", s.Choose, 0, 1e6}, {"save_every", s.SaveEvery, 1, 1e6}, {"sample_every", s.SampleEvery, 1, 1e6},
	} {
		if n.v < n.low || n.v > n.high {
			return fmt.Sprintf("%s: want %d to %d, got %d", n.name, n.low, n.high, n.v)
		}
	}
	for _, n := range []struct {
		name         string
		v, low, high float64
	}{{"learning_rate", s.LearningRate, 0, 1}, {"temperature", s.Temperature, 1e-3, 10}, {"beta", s.Beta, 0, 10}, {"epsilon", s.Epsilon, 1e-6, 10}, {"advantage_clip", s.AdvantageClip, 0, 100}, {"distill", s.Distill, 0, 10}} {
		if !(n.v >= n.low && n.v <= n.high) {
			return fmt.Sprintf("%s: want %v to %v, got %v", n.name, n.low, n.high, n.v)
		}
	}
	return ""
}

func refuse(what, fix string) error {
	return vitrine.NewFault("train", vitrine.FaultUsage, nil, what).WithFix(fix)
}
