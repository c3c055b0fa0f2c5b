// Package redteamrun carries out a red team on a pipeline: it reads the honest pages, has
// every page scored as any output is, and keeps what was found in a folder.
package redteamrun

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/markup"
	"vitrine/internal/parse"
	"vitrine/internal/redteam"
)

// Own are prompts of the pages that ship with Vitrine, with their tasks by id.
func Own() ([]redteam.Prompt, map[string]vitrine.Task, error) {
	tasks, err := inputs.ReadTasks(bytes.NewReader(redteam.OwnTasks()))
	if err != nil {
		return nil, nil, err
	}
	var prompts []redteam.Prompt
	pages := redteam.OwnPages()
	for _, id := range slices.Sorted(maps.Keys(pages)) {
		prompts = append(prompts, redteam.Prompt{Task: tasks[id], Honest: []vitrine.Output{page(id, tasks[id], pages[id])}})
	}
	return prompts, tasks, nil
}

func page(id string, t vitrine.Task, text string) vitrine.Output {
	return vitrine.Output{ID: id, TaskID: t.ID, Instruction: t.Instruction, Text: text, Kind: vitrine.KindPage}
}

// Read reads honest pages and puts them under their tasks, in the order of the tasks' ids.
// A page is of the task that it names, else of the one whose id is the name of its folder,
// or the name of its file or its beginning. What is no page of one file is left out, and
// said.
func Read(in *inputs.Input, tasks map[string]vitrine.Task, say func(format string, args ...any)) ([]redteam.Prompt, error) {
	byTask := map[string]*redteam.Prompt{}
	left, untold := 0, 0
	for item, err := range in.Items() {
		var row *inputs.RowError
		if errors.As(err, &row) {
			left++
			continue
		}
		if err != nil {
			return nil, err
		}
		text, ok := onlyPage(item)
		if !ok {
			left++
			continue
		}
		t, known := taskOf(item, tasks)
		if !known {
			untold++
			t = vitrine.Task{ID: item.ID, Instruction: cmp.Or(item.Instruction, titled(text))}
		}
		if byTask[t.ID] == nil {
			byTask[t.ID] = &redteam.Prompt{Task: t}
		}
		byTask[t.ID].Honest = append(byTask[t.ID].Honest, page(item.ID, t, text))
	}
	if left > 0 {
		say("left out, since they are no pages of one file: %d", left)
	}
	if untold > 0 {
		say("pages without a task, for which their instruction or their title stands in: %d", untold)
	}
	var prompts []redteam.Prompt
	for _, id := range slices.Sorted(maps.Keys(byTask)) {
		prompts = append(prompts, *byTask[id])
	}
	return prompts, nil
}

// onlyPage is the page that an output holds, if it holds nothing else.
func onlyPage(item inputs.Item) (string, bool) {
	a := item.Artifact
	if a == nil {
		a = parse.Output(item.Output)
	}
	if a.Kind != vitrine.KindPage || len(a.Files) != 1 {
		return "", false
	}
	return a.Files[0].Content, true
}

// taskOf finds the task of an output.
func taskOf(item inputs.Item, tasks map[string]vitrine.Task) (vitrine.Task, bool) {
	if t, ok := tasks[item.TaskID]; ok {
		return t, true
	}
	name := cmp.Or(item.From, item.ID)
	base := strings.TrimSuffix(path.Base(filepath.ToSlash(name)), path.Ext(name))
	if t, ok := tasks[path.Base(path.Dir(filepath.ToSlash(name)))]; ok {
		return t, true
	}
	found := ""
	for id := range tasks {
		begins := strings.HasPrefix(base, id) && (len(base) == len(id) || strings.ContainsRune("-_~.", rune(base[len(id)])))
		if begins && len(id) > len(found) {
			found = id
		}
	}
	t, ok := tasks[found]
	return t, ok
}

// titled is an instruction made of what a page calls itself.
func titled(text string) string {
	for tag := range markup.Tags(text) {
		if tag.Data == "title" {
			name, _, _ := strings.Cut(text[tag.End:], "<")
			if name = strings.TrimSpace(html.UnescapeString(name)); name != "" {
				return fmt.Sprintf("Make a page: %s.", name)
			}
		}
	}
	return "Make a page."
}
