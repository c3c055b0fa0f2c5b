// Package opendesign is OpenDesign, AesCoder's benchmark: 840 prompts for one page in five
// categories, judged for alignment, aesthetics and structure on a screenshot, and for how
// many of three interactions work (AesCoder §6).
package opendesign

import (
	"io/fs"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
	"vitrine/internal/runs"
)

const file = "all_prompt.jsonl"

// Benchmark is OpenDesign.
type Benchmark struct{}

// Info implements [bench.Benchmark].
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "opendesign", Title: "OpenDesign", Tasks: 840,
		What:   "pages from a prompt, in five categories, judged for looks and for working controls",
		Source: "https://github.com/bangx7/code_aesthetics", Commit: "99bf3457398440d8be82d1c5e58fc57834223972", Licence: "none stated",
		Needs:  "a browser; the scores as published want a vision model (-J) and --interact agent; without one: the measured judge and explore, in columns of their own",
		Data:   []bench.Data{{Path: "OpenDesign/benchmark_data/all_prompt.jsonl", Name: file, SHA256: "cb8f487ea6e398b30932586b0af05b2236c2a276807a928011bcd5d8edcf3942"}},
		System: "one self-contained page",
	}
}

// Tasks implements [bench.Benchmark].
func (Benchmark) Tasks(data fs.FS) ([]vitrine.Task, error) {
	return bench.ReadTasks(data, file, func(t vitrine.Task) string {
		if t.Category == "" {
			return "category"
		}
		return ""
	})
}

// Prompt implements [bench.Benchmark].
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt {
	return generate.Prompt{System: bench.OnePage, Text: t.Instruction}
}

// Groups implements [bench.Benchmark].
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}}
}

// Scoring implements [bench.Sited].
func (Benchmark) Scoring() bench.Scoring {
	return bench.Scoring{Recipe: "looks", Interact: "explore", Judge: "static", Times: "0"}
}

// scores are the columns of looks: of a model, and of the measured judge.
var scores = []struct{ key, title, published string }{
	{"alignment", "Align", "Align"}, {"appearance", "Aes", "Aes"}, {"structure", "Struct", "Struct"}, {"total", "Total", "Total"},
}

// visionNames are the names of a model's scores where they differ.
var visionNames = map[string]string{"appearance": "aesthetics"}

// Columns implements [bench.Benchmark].
func (Benchmark) Columns() (columns []bench.Column) {
	for _, s := range scores {
		columns = append(columns, bench.Column{Key: s.key, Title: s.title, About: "mean of a vision model's score", Times: 1, Digits: 2, Published: s.published})
	}
	columns = append(columns, bench.Column{Key: "interact_agent", Title: "InterAes", About: "mean of how many of three interactions work, as an agent finds", Times: 1, Digits: 2, Published: "InterAes"})
	for _, s := range scores {
		if s.key != "appearance" { // the measured grade of that name is of another scale
			columns = append(columns, bench.Column{Key: s.key + "_measured", Title: s.title + " measured", About: "the same of the measured judge, which is no vision model", Times: 1, Digits: 2})
		}
	}
	return append(columns,
		bench.Column{Key: "interact_explore", Title: "interactions by explore", About: "mean of how many of three controls work, tried without a model", Times: 1, Digits: 2},
		bench.Column{Key: "valid", Title: "valid %", About: "share of answers with a valid render", Times: 100, Digits: 1},
	)
}

// Measure implements [bench.Sited]. What shows no site has 0 in every column: the published
// means are over all prompts. By our rule an echo of the prompt has 0 measured.
func (Benchmark) Measure(dir string, tasks map[string]vitrine.Task) (map[string]bench.Measured, error) {
	header, samples, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	samples = runs.Newest(samples)
	looked := false
	for _, s := range samples {
		_, yes := s.Scores["vision.total"]
		looked = looked || yes
	}
	method := bench.MethodOf(header.Interact)
	all := map[string]bench.Measured{}
	for _, s := range samples {
		m := bench.OfSample(s)
		m.Strict = parts(s, looked, method)
		m.Compat = asPublished(m.Strict)
		if err := m.NoEcho(dir, s, tasks[s.TaskID].Instruction, "alignment_measured", "structure_measured", "total_measured"); err != nil {
			return nil, err
		}
		all[s.ID] = m
	}
	return all, nil
}

// asPublished are the parts by which the published scripts (bangx7/code_aesthetics,
// show_result.py and show_result_agent_score.py) take their means: an answer without a total,
// or with a total of 0, is in none of the static ones but that of the structure, which has
// those of 0; an agent that failed found nothing that works.
func asPublished(strict bench.Parts) bench.Parts {
	parts := bench.Parts{}
	total := strict["total"]
	for key, p := range strict {
		switch {
		case strings.HasPrefix(key, "interact_"):
			if p == nil {
				p = bench.One(0)
			}
		case p == nil, (key == "alignment" || key == "appearance" || key == "total") && (total == nil || total.Sum == 0):
			continue
		}
		parts[key] = p
	}
	return parts
}

func parts(s vitrine.Sample, looked bool, method string) bench.Parts {
	p := bench.Parts{}
	judged := s.Status == vitrine.SampleScored
	put := func(key, score string) {
		v, there := s.Scores[score]
		switch {
		case judged && s.Outcome != vitrine.OutcomeRendered:
			p[key] = bench.One(0)
		case there && judged:
			p[key] = bench.One(v)
		default:
			p[key] = nil
		}
	}
	for _, c := range scores {
		name := c.key
		if other, ok := visionNames[name]; ok {
			name = other
		}
		if looked {
			put(c.key, "vision."+name)
		}
		if c.key != "appearance" {
			put(c.key+"_measured", c.key)
		}
	}
	if method == "agent" || method == "explore" {
		put("interact_"+method, "interact.score")
	}
	p["valid"] = nil
	if judged {
		p["valid"] = bench.One(0)
		if s.Outcome == vitrine.OutcomeRendered {
			p["valid"] = bench.One(1)
		}
	}
	return p
}
