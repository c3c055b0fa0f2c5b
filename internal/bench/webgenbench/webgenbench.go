// Package webgenbench is WebGen-Bench: 101 instructions for sites of several files, with
// 647 test cases in words (WebGen-R1 §3.1 measures by it: FSR, AAS, VRR, LDPR).
package webgenbench

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/evidence"
	"vitrine/internal/figures"
	"vitrine/internal/generate"
	"vitrine/internal/runs"
	"vitrine/internal/starter"
)

const file = "test.jsonl"

// Benchmark is WebGen-Bench.
type Benchmark struct{}

// Info implements [bench.Benchmark].
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "webgen-bench", Title: "WebGen-Bench", Tasks: 101,
		What:   "sites of several files from an instruction, 647 test cases in words",
		Source: "https://github.com/mnluzimu/WebGen-Bench", Commit: "95a9930883717c45b596c507a6940a7c96514490", Licence: "none stated",
		Needs:  "a browser, Node.js for projects; FSR and AAS as published want a vision model (-J); without one: behave and the measured grade, in columns of their own",
		Data:   []bench.Data{{Path: "data/test.jsonl", Name: file, SHA256: "e6451c1c5aed85ab01a15ab7c6be2bc737d4df28ca8b9ae15805a237878dee29"}},
		System: "the starter project's (vitrine prompt)",
	}
}

// Tasks implements [bench.Benchmark].
func (Benchmark) Tasks(data fs.FS) ([]vitrine.Task, error) {
	return bench.ReadTasks(data, file, func(t vitrine.Task) string {
		switch {
		case t.Category == "":
			return "Category"
		case len(t.TestCases) == 0:
			return "ui_instruct"
		}
		return ""
	})
}

// Prompt implements [bench.Benchmark].
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt {
	return generate.Prompt{System: starter.System(), Text: t.Instruction}
}

// Groups implements [bench.Benchmark]: Table 2 of WebGen-R1 has the categories of
// instructions, its Figure 3 the scenarios.
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"instruction": {t.Category}, "scenario": t.Subcategories, "application": {t.ApplicationType}}
}

// Scoring implements [bench.Sited].
func (Benchmark) Scoring() bench.Scoring {
	return bench.Scoring{Recipe: "quality", Interact: "behave", Judge: "appearance", Times: "0"}
}

// categories are those of the test cases, with the titles of their columns.
var categories = []string{"Functional Testing", "Data Display Testing", "Design Validation Testing"}

// Columns implements [bench.Benchmark].
func (Benchmark) Columns() []bench.Column {
	columns := []bench.Column{
		{Key: "vrr", Title: "VRR %", About: "share of answers with a valid render", Times: 100, Digits: 1, Published: "VRR"},
		{Key: "aas", Title: "AAS", About: "mean grade 0 to 5 of a vision model, over valid renders", Times: 1, Digits: 2, Published: "AAS"},
		{Key: "aas_measured", Title: "AAS measured", About: "the same of the measured judge, which is no vision model", Times: 1, Digits: 2},
		{Key: "ldpr", Title: "LDPR %", About: "share of linted projects that ESLint passes and whose dependencies resolve", Times: 100, Digits: 1, Published: "LDPR"},
	}
	for g := range grades {
		columns = append(columns, bench.Column{Key: grade(g), Title: fmt.Sprint("grade ", g), About: fmt.Sprintf("how many sites the vision model gives %d, means of several rounded", g), Times: 1, Digits: 0, Count: true})
	}
	for _, m := range []string{"agent", "verify"} {
		columns = append(columns, bench.Column{Key: "fsr_" + m, Title: "FSR by " + m + " %", About: "share of test cases that pass, a partial one is half, as the method " + m + " finds", Times: 100, Digits: 1, Published: "FSR"})
		for _, c := range categories {
			columns = append(columns, bench.Column{Key: "fsr_" + m + ":" + c, Title: c + " by " + m + " %", About: "the same of the test cases of one category", Times: 100, Digits: 1, Published: c})
		}
	}
	columns = append(columns, bench.Form...)
	return append(columns,
		bench.Column{Key: "behave", Title: "behave %", About: "share of the behaviours that the instruction asks for which work, proved without a model; no FSR", Times: 100, Digits: 1},
		bench.Column{Key: "seconds", Title: "s a site", About: "mean seconds to build, see, try and judge a site", Times: 1, Digits: 1, Lower: true},
	)
}

// grades are those of the appearance, from 0 (WebGen-R1, Figures 12 and 13).
const grades = 6

func grade(g int) string { return fmt.Sprint("grade_", g) }

// appearance sets the parts of a grade; nil is one that could not be given.
func appearance(p bench.Parts, of *float64) {
	p["aas"] = nil
	if of != nil {
		p["aas"] = bench.One(*of)
	}
	for g := range grades {
		p[grade(g)] = nil
		if of != nil {
			p[grade(g)] = bench.One(0)
			if int(math.Round(*of)) == g {
				p[grade(g)].Sum = 1
			}
		}
	}
}

// Absent implements [bench.Absent]: the published script counts every test case of a site
// that is not there as failed, and its appearance as 0.
func (Benchmark) Absent(t vitrine.Task) bench.Parts {
	p := bench.Parts{"vrr": bench.One(0), "behave": bench.One(0)}
	appearance(p, new(float64))
	for _, m := range []string{"agent", "verify"} {
		for _, c := range t.TestCases {
			for _, key := range []string{"fsr_" + m, "fsr_" + m + ":" + c.Category} {
				if p[key] == nil {
					p[key] = &bench.Part{}
				}
				p[key].Of++
			}
		}
	}
	return p
}

// Measure implements [bench.Sited].
func (b Benchmark) Measure(dir string, tasks map[string]vitrine.Task) (map[string]bench.Measured, error) {
	header, _, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	sites, err := figures.Sites(dir, tasks)
	if err != nil {
		return nil, err
	}
	method := bench.MethodOf(header.Interact)
	looked, linted := false, false
	for _, s := range sites {
		looked, linted = looked || s.Appearance != nil, linted || s.Lint != nil
	}
	all := map[string]bench.Measured{}
	for _, s := range sites {
		m := bench.OfSample(s.Sample)
		m.Strict, m.Compat = looks(s, looked, linted), compatLooks(s, looked)
		if err := m.NoEcho(dir, s.Sample, tasks[s.Sample.TaskID].Instruction, "aas_measured"); err != nil {
			return nil, err
		}
		switch method {
		case "agent", "verify":
			tried(s, method, m)
		case "behave":
			if err := behaved(dir, s, m); err != nil {
				return nil, err
			}
		}
		all[s.Sample.ID] = m
	}
	return all, nil
}

// looks are the parts of what is seen, by our rule: AAS is over valid renders.
func looks(s figures.Site, looked, linted bool) bench.Parts {
	p := bench.Parts{"seconds": bench.One(bench.Seconds(s.Sample))}
	if linted && s.Sample.Kind == vitrine.KindProject {
		p["ldpr"] = nil
		if s.Lint != nil {
			p["ldpr"] = bench.One(*s.Lint)
		}
	}
	p["vrr"], p["aas_measured"] = nil, nil
	if !s.Judged {
		if looked {
			appearance(p, nil)
		}
		return p
	}
	if !s.Valid {
		p["vrr"] = bench.One(0)
		delete(p, "aas_measured")
		return p
	}
	p["vrr"] = bench.One(1)
	if looked {
		appearance(p, s.Appearance)
	}
	if s.Measured != nil {
		p["aas_measured"] = bench.One(*s.Measured)
	}
	return p
}

// compatLooks are those by WebGen-Bench's script: a site without a grade counts 0, whoever
// is to blame.
func compatLooks(s figures.Site, looked bool) bench.Parts {
	p := bench.Parts{"vrr": bench.One(0), "seconds": bench.One(bench.Seconds(s.Sample))}
	if s.Judged && s.Valid {
		p["vrr"] = bench.One(1)
	}
	if looked {
		appearance(p, new(float64))
		if s.Appearance != nil && s.Valid {
			appearance(p, s.Appearance)
		}
	}
	return p
}

// tried adds the parts of the test cases that a method with a model tried.
func tried(s figures.Site, method string, m bench.Measured) {
	for _, c := range append([]string{""}, categories...) {
		key := "fsr_" + method
		if c != "" {
			key += ":" + c
		}
		t := s.Tally(c)
		if t.Judged+t.Unjudged == 0 {
			continue
		}
		m.Compat[key] = &bench.Part{Sum: t.Credit, Of: float64(t.Judged + t.Unjudged)}
		m.Strict[key] = nil
		if t.Judged > 0 {
			m.Strict[key] = &bench.Part{Sum: t.Credit, Of: float64(t.Judged)}
		}
	}
}

// behaved adds the part of behave: 0 for what shows no site, and none where the
// instruction asks for nothing that can be proved.
func behaved(dir string, s figures.Site, m bench.Measured) error {
	m.Strict["behave"], m.Compat["behave"] = nil, bench.One(0)
	if s.Judged && !s.Valid {
		m.Strict["behave"] = bench.One(0)
	}
	if s.Sample.Evidence == "" || !s.Judged || !s.Valid {
		return nil
	}
	trace, err := evidence.LoadTrace(filepath.Join(dir, filepath.FromSlash(s.Sample.Evidence)))
	if err != nil || trace == nil || trace.Function == nil {
		return err
	}
	if len(trace.Cases) == 0 {
		delete(m.Strict, "behave")
		delete(m.Compat, "behave")
		return nil
	}
	m.Strict["behave"], m.Compat["behave"] = bench.One(*trace.Function), bench.One(*trace.Function)
	return nil
}
