package redteam

import (
	"embed"
	"path"
	"strings"
)

//go:embed honest/*.html honest/tasks.jsonl
var corpus embed.FS

// OwnTasks is the file of tasks of [OwnPages].
func OwnTasks() []byte { return embedded("tasks.jsonl") }

// OwnPages are small honest pages of our own, by the id of their task, for where no pages
// of models are at hand. Each has one page.
func OwnPages() map[string]string {
	files, err := corpus.ReadDir("honest")
	if err != nil {
		panic(err) // it is built in
	}
	pages := map[string]string{}
	for _, f := range files {
		if id, ok := strings.CutSuffix(f.Name(), ".html"); ok {
			pages[id] = string(embedded(f.Name()))
		}
	}
	return pages
}

func embedded(name string) []byte {
	b, err := corpus.ReadFile(path.Join("honest", name))
	if err != nil {
		panic(err) // it is built in
	}
	return b
}
