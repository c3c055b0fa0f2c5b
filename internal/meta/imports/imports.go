// Package imports reads published sets of people's and judges' answers, as their authors
// keep them, into the form of package answers. Nothing of a set is fetched: the user has a
// copy of it.
package imports

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/meta/answers"
	"vitrine/internal/strictyaml"
)

// A source is a published set.
type source struct {
	about string
	read  func(dir string) ([]answers.Line, error)
}

var sources = map[string]source{
	"interaction2code":   {"a copy of WebPAI/Interaction2Code: usability, failures and wins of generated interactions, by people", interaction2Code},
	"rate-my-web-design": {"a copy of lifia-unlp/rate-my-web-design-reppack: three grades of 84 designs by people, GPT-4o and NIMA", rateMyWebDesign},
	"llm-usability":      {"a copy of nolanplatt/LLMUsabilityEvaluations: ten heuristics of 30 sites, three times by GPT-4o", usability},
	"mercilesscat":       {"a copy of MercilessCat/OpenDesign-HTML-Evaluator: three grades of 1,000 pages by a model", mercilessCat},
	"webdevjudge":        {"a copy of lcy2723/WebDevJudge: the settled preferences of 654 pairs, and where its data/prepare.py was run their pages", webDevJudge},
	"webdevjudge-unit":   {"a copy of lcy2723/WebDevJudge with webdevjudge_unit/data/webdevjudge_unit.jsonl: 502 tasks on pages, feasible or not", webDevJudgeUnit},
	"calista":            {"a copy of calista-ai/website-aesthetics-datasets: grades of 398 screenshots' looks and choices between 100, by people; for measuring only", calista},
	"praisonaibench":     {"a copy of MervinPraison/PraisonAIBench: grades of 65 pages by a browser and by a model", praisonAIBench},
	"webtestpilot":       {"a copy of code-philia/WebTestPilot: tests of four applications with and without bugs by agents", webTestPilot},
	"redteam":            {"a folder of vitrine redteam --mutants --out: rewards of pages, equivalents and broken pages", mutants},
	"run":                {"a run folder of vitrine score: rewards as answers of its recipe and judges", run},
	"comparisons":        {"a file that vitrine compare --pairs wrote: verdicts in each order, with labels", comparisons},
	"feasibility":        {"JSON lines of your own with a label and feasible, true or false, null where a judge could not say", feasibilities},
	"csv":                {"a CSV file of your own, with item, value, and rater or judge", table},
}

// Names are the names of the sets that can be read.
func Names() []string { return slices.Sorted(maps.Keys(sources)) }

// About says what a set is.
func About(name string) string { return sources[name].about }

// Read reads a set. The path is the folder of its repository, or of csv a file. Faults are
// those of commands.
func Read(name, path string) ([]answers.Line, error) {
	s, known := sources[name]
	if !known {
		return nil, fault(nil, fmt.Sprintf("there is no set %q", name)+strictyaml.DidYouMean(name, Names()), "use "+strings.Join(Names(), ", "))
	}
	lines, err := s.read(path)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("it is empty, or holds nothing of that set")
	}
	if err != nil {
		return nil, fault(err, path+" cannot be read as "+name, "give "+s.about)
	}
	return lines, nil
}

func fault(why error, message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, why, message).WithFix(fix)
}

// readJSON reads a file of a set.
func readJSON(path string, into any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// glob lists files of a set, of which there must be some.
func glob(dir string, pattern ...string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(append([]string{dir}, pattern...)...))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no %s", filepath.Join(pattern...))
	}
	slices.Sort(files)
	return files, err
}

func itemLine(i answers.Item) answers.Line     { return answers.Line{Item: &i} }
func labelLine(l answers.Label) answers.Line   { return answers.Line{Label: &l} }
func answerLine(a answers.Answer) answers.Line { return answers.Line{Answer: &a} }
