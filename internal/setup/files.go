package setup

import (
	"fmt"
	"os"
	"slices"

	"vitrine"
	"vitrine/internal/htmlhint"
	"vitrine/internal/inputs"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/reward"
)

// LoadRecipe loads a recipe by its name, or from its file.
func LoadRecipe(name string) (*reward.Recipe, error) {
	recipe, err := reward.Load(name, os.ReadFile)
	if err != nil {
		return nil, err
	}
	if err := htmlhint.Check(recipe.Hint); err != nil {
		return nil, usage(name+": hint: "+err.Error(), "")
	}
	return recipe, nil
}

// Recipes are the one asked for, the others that are added, and those that ship, each
// name once.
func Recipes(first string, more []string) ([]*reward.Recipe, error) {
	var all []*reward.Recipe
	for i, name := range slices.Concat([]string{first}, more, reward.Builtin()) {
		r, err := LoadRecipe(name)
		if err != nil {
			return nil, err
		}
		same := slices.IndexFunc(all, func(other *reward.Recipe) bool { return other.Name == r.Name })
		switch {
		case same < 0:
			all = append(all, r)
		case i <= len(more) && all[same].ID() != r.ID():
			return nil, usage(fmt.Sprintf("two recipes are called %q", r.Name), "give one of them another name: in the file")
		}
	}
	return all, nil
}

// ReadTasks reads a file of tasks into a map by id; nil where no file is named.
func ReadTasks(file string) (map[string]vitrine.Task, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, usage("cannot read --tasks: "+err.Error(), "")
	}
	defer f.Close()
	return inputs.ReadTasks(f)
}

// ListTasks reads a file of tasks in its order. Ids are those of one task each.
func ListTasks(file string) ([]vitrine.Task, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, usage("cannot read the tasks: "+err.Error(), "")
	}
	defer f.Close()
	tasks, err := inputs.ListTasks(f)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, t := range tasks {
		if seen[t.ID] {
			return nil, usage(fmt.Sprintf("two tasks of %s have the id %q", file, t.ID), "give each task an id of its own: answers are kept by it")
		}
		seen[t.ID] = true
	}
	if len(tasks) == 0 {
		return nil, usage(file+" holds no task", `each line is a JSON object such as {"id":"1","instruction":"A page for a tea shop"}`)
	}
	return tasks, nil
}

// ReadTree reads a rubric tree from a file.
func ReadTree(name string) (*rubric.Tree, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, usage("--rubric: "+err.Error(), "vitrine rubric --instruction TEXT -m MODEL makes one")
	}
	tree, err := rubric.Parse(data)
	if err != nil {
		return nil, usage(name+": "+err.Error(), "")
	}
	return tree, nil
}
