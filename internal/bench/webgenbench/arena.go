package webgenbench

import (
	"io/fs"

	"vitrine"
	"vitrine/internal/bench"
)

// Arena is the set of 119 tasks of WebDev Arena by which WebGen-R1 measures looks alone
// (§3.1, App. B): short requests without test cases. What is measured is as of WebGen-Bench.
type Arena struct{ Benchmark }

const arenaFile = "webdev-arena.jsonl"

// Info implements [bench.Benchmark].
func (Arena) Info() bench.Info {
	return bench.Info{
		Name: "webdev-arena", Title: "WebDev Arena", Tasks: 119,
		What:   "sites from short requests of people, judged by their looks; no test cases",
		Source: "https://huggingface.co/datasets/lmarena-ai/webdev-arena-preference-10k", Licence: "that of the data set",
		Needs:  "a browser, Node.js for projects; AAS wants a vision model (-J); the tasks are the user's to bring, since the paper does not list which 119 it took",
		Data:   []bench.Data{{Path: arenaFile, Name: arenaFile}},
		System: "the starter project's (vitrine prompt)",
	}
}

// Tasks implements [bench.Benchmark].
func (Arena) Tasks(data fs.FS) ([]vitrine.Task, error) {
	return bench.ReadTasks(data, arenaFile, func(vitrine.Task) string { return "" })
}

// Groups implements [bench.Benchmark].
func (Arena) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}}
}

// Scoring implements [bench.Sited].
func (Arena) Scoring() bench.Scoring {
	return bench.Scoring{Recipe: "looks", Interact: "none", Judge: "appearance,static", Times: "0"}
}
