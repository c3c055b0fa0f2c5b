package flow_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/data/flow"
	"vitrine/internal/model/modeltest"
)

// one runs one step of a pipeline without models on rows.
func one(t *testing.T, steps, in string) (*flow.Summary, []map[string]any, string) {
	t.Helper()
	dir := t.TempDir()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: rows}\nsteps: [" + steps + "]"))
	if err != nil {
		t.Fatal(err)
	}
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", in)}}, Say: t.Logf}
	sum := run(t, s)
	return sum, rows(t, filepath.Join(s.Out, "kept.jsonl")), filepath.Join(s.Out, "steps", sum.Steps[1].Name+"-"+sum.Steps[1].Key)
}

func lines(values ...map[string]any) string {
	var b strings.Builder
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func TestDescriptionsAreWrittenAlike(t *testing.T) {
	for text, want := range map[string]string{
		"  A  shop\tfor\u00a0lamps ": "A shop for lamps",
		"\u201cA shop\u201d":         "A shop",
		`"A" and "B"`:                `"A" and "B"`,
		"It\u2019s a cafe\u0301\r\n\r\n\r\nwith\u200b tea": "It's a caf\u00e9\n\nwith tea",
		"plain": "plain",
	} {
		sum, kept, _ := one(t, "{normalise: {}}", lines(map[string]any{"id": "a", "instruction": text, "license": "MIT"}))
		if len(kept) != 1 || kept[0]["instruction"] != want || kept[0]["license"] != "MIT" {
			t.Errorf("%q: %v, want %q", text, kept, want)
		}
		if changed := sum.Steps[1].Figures["changed"]; (changed == 1) != (text != want) {
			t.Errorf("%q: %v changed", text, changed)
		}
	}
	if sum, _, _ := one(t, "{normalise: {}}", `{"id":"a","instruction":" \u200b "}`+"\n"+`{"id":"b","instruction":"x"}`); sum.Steps[1].Reasons["no instruction"] != 1 {
		t.Errorf("%+v", sum.Steps[1])
	}
}

func TestHintsAreTakenOutAndShownToAPerson(t *testing.T) {
	for text, want := range map[string]string{
		"A shop. Hint: use localStorage.":                              "A shop.",
		"Hint 2 - flexbox\nA page for a school.":                       "A page for a school.",
		"A shop with a cart. Your page will be graded by a judge. Go.": "A shop with a cart. Go.",
		"A shop. Hidden tests check the cart!":                         "A shop.",
		"A shop like this:\n```html\n<p>answer</p>\n```\nwith a cart.": "A shop like this:\n\nwith a cart.",
		"A site with travel tips: places and prices.":                  "A site with travel tips: places and prices.",
		"The judge looks at the site first. A solution for lawyers.":   "A solution for lawyers.",
		"A court where the judge sees cases.":                          "A court where the judge sees cases.",
		"Please use React. No secret word.":                            "Please use React.",
		"A page on which teachers test pupils.":                        "A page on which teachers test pupils.",
	} {
		sum, kept, dir := one(t, "{hints: {also: ['secret']}}", lines(map[string]any{"id": "a", "instruction": text}))
		if len(kept) != 1 || kept[0]["instruction"] != want {
			t.Errorf("%q: %v, want %q", text, kept, want)
			continue
		}
		found, _ := filepath.Glob(filepath.Join(dir, "unsure.jsonl"))
		if changed := text != want; (len(found) == 1) != changed || changed && len(rows(t, found[0])) != 1 || (sum.Steps[1].Review == 1) != changed {
			t.Errorf("%q: for review %v", text, found)
		}
	}
	sum, kept, dir := one(t, "{hints: {}}", lines(map[string]any{"id": "a", "instruction": "Build a dashboard of unit tests for a team."}))
	if unsure := rows(t, filepath.Join(dir, "unsure.jsonl")); len(kept) != 1 || kept[0]["instruction"] != "Build a dashboard of unit tests for a team." || sum.Steps[1].Review != 1 || unsure[0]["reason"] != "nothing but hints, left as it is" {
		t.Errorf("%v, %v: want a task of which nothing would be left whole, for a person to look at", kept, unsure)
	}
}

func TestTheInputOfAnAlpacaRowIsReadOnce(t *testing.T) {
	_, kept, _ := one(t, "{hints: {}}, {normalise: {}}, {name: again, hints: {also: [lamps]}}, {name: last, normalise: {}}", lines(
		map[string]any{"id": "a", "instruction": "Build  a shop.", "input": "It sells lamps.\nHint: use a grid. It has a cart."}))
	if _, there := kept[0]["input"]; there || kept[0]["instruction"] != "Build a shop.\n\nIt has a cart." {
		t.Errorf("%v", kept)
	}
}

func TestFiltersAndTheBestTakeFiniteNumbersAlone(t *testing.T) {
	for step, want := range map[string]int{"{filter: {field: reward, min: 0}}": 2, "{best: {}}": 1} {
		sum, kept, _ := one(t, step, `{"id":"a","task_id":"t","reward":"NaN"}
{"id":"b","task_id":"t","reward":"Inf"}
{"id":"c","task_id":"t","reward":1}
{"id":"d","task_id":"t","reward":2}
`)
		if len(kept) != want || kept[len(kept)-1]["id"] != "d" || sum.Steps[1].Reasons["reward is no number"] != 2 {
			t.Errorf("%s: %v, %+v", step, kept, sum.Steps[1])
		}
	}
}

func TestLanguagesThatAreNotWantedGo(t *testing.T) {
	sum, kept, _ := one(t, "{language: {keep: [en]}}", lines(
		map[string]any{"id": "en", "instruction": "Please build a website where people can look up books by their title and lend them to one another."},
		map[string]any{"id": "de", "instruction": "Bitte baue eine Website, auf der Menschen B\u00fccher nach ihrem Titel suchen und einander ausleihen k\u00f6nnen."},
		map[string]any{"id": "zh", "instruction": "\u8bf7\u5b9e\u73b0\u4e00\u4e2a\u56fe\u4e66\u501f\u9605\u7f51\u7ad9\uff0c\u7528\u6237\u53ef\u4ee5\u641c\u7d22\u548c\u501f\u9605\u56fe\u4e66"},
		map[string]any{"id": "short", "instruction": "Snake"}))
	if len(kept) != 2 || kept[0]["id"] != "en" || kept[1]["id"] != "short" || sum.Steps[1].Reasons["language de"] != 1 || sum.Steps[1].Reasons["language zh"] != 1 || sum.Steps[1].Figures["language unsure"] != 1 {
		t.Errorf("%v, %+v", kept, sum.Steps[1])
	}
}

func TestPlotsImportWhatIsAllowed(t *testing.T) {
	plot := func(program string) map[string]any {
		return map[string]any{"instruction": "A plot", "output": "```python\n" + program + "\n```"}
	}
	sum, kept, _ := one(t, "{imports: {only: [matplotlib, numpy]}}", lines(
		plot("import matplotlib.pyplot as plt, numpy as np  # both\nfrom os.path import join\nplt.plot(np.arange(3))\nplt.show()"),
		plot("import matplotlib.pyplot as plt\ndef f():\n    from sklearn import datasets\nplt.show()"),
		plot("import numpy, requests; import matplotlib\n"),
		plot("import numpy as np; import torch"),
		plot("try: import \\\n    torch\nexcept ImportError: pass"),
		plot("import \uff54orch"),
		plot("\"\"\"A plot.\nimport torch is not needed\n\"\"\"\nimport numpy  # import torch\ns = '''\nfrom torch import x'''"),
		map[string]any{"instruction": "A plot", "output": "```html\n<!DOCTYPE html><p>A page</p>\n```"},
		map[string]any{"instruction": "A plot", "output": ""}))
	want := map[string]int{"imports sklearn": 1, "imports requests": 1, "imports torch": 2, "imports a name that is not of plain letters": 1, "no program": 2}
	for reason, n := range want {
		if sum.Steps[1].Reasons[reason] != n {
			t.Errorf("%+v, want %v", sum.Steps[1].Reasons, want)
		}
	}
	if len(kept) != 2 {
		t.Errorf("%v", kept)
	}
}

func TestCritiquesOfRefineRunsBecomePromptsAndCompletions(t *testing.T) {
	dir := t.TempDir()
	talk := []map[string]string{{"role": "user", "content": "Build a shop"}, {"role": "assistant", "content": "<p>shop</p>"}}
	first := write(t, dir, "a.jsonl", lines(map[string]any{"id": "refine", "task_id": "", "turn": 1, "context": talk, "target": "<mlm_feedback>More room.</mlm_feedback>"}, map[string]any{"id": "x", "target": "no context"}))
	second := write(t, dir, "b.jsonl", lines(map[string]any{"id": "refine", "turn": 1, "context": talk, "target": "<mlm_feedback>Less red.</mlm_feedback>"}, map[string]any{"id": "refine", "turn": 2, "context": talk, "target": "<mlm_feedback>More room.</mlm_feedback>"}))
	p, err := flow.Load("self-distil")
	if err != nil {
		t.Fatal(err)
	}
	s := flow.Settings{Pipeline: p, Out: filepath.Join(dir, "out"), Limit: 20, Inputs: map[string][]string{"in": {first, second}}, Say: t.Logf}
	sum := run(t, s)
	if r := step(t, sum, "distil"); r.Kept != 3 || r.Reasons["no critique of a refine run"] != 1 {
		t.Errorf("%+v", r)
	}
	kept := rows(t, filepath.Join(s.Out, "kept.jsonl"))
	if len(kept) != 2 || kept[0]["id"] == kept[1]["id"] || kept[0]["prompt"].([]any)[1].(map[string]any)["content"] != "<p>shop</p>" || kept[1]["completion"].([]any)[0].(map[string]any)["content"] != "<mlm_feedback>Less red.</mlm_feedback>" {
		t.Errorf("%v", kept)
	}
}

func TestPlotsAreWrittenAndFiltered(t *testing.T) {
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		library := "matplotlib.pyplot"
		if _, named, found := strings.Cut(q.Text, "a plot that imports "); found {
			library = strings.Fields(named)[0]
		}
		text := "```python\nimport " + library + " as plt\nplt.show()\n```"
		if strings.Contains(q.Text, "broken") {
			text = "```python\nbroken(\n```"
		}
		return modeltest.Answer{Text: text}
	})
	dir := t.TempDir()
	s := asked(t, server, "aescode-plots", filepath.Join(dir, "out"))
	s.Limit, s.Sites = 20, &look{t: t}
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", `{"id":"a","instruction":"good"}
{"id":"b","instruction":"a plot that imports bokeh"}
{"id":"c","instruction":"broken"}
{"id":"d","instruction":"a plot that imports mpl_toolkits.mplot3d"}
{"id":"e","instruction":"a plot that imports seaborn"}
{"id":"f","instruction":"a plot that imports plotly.express"}
{"id":"g","instruction":"a plot that imports numpy"}
{"id":"h","instruction":"a plot that imports pandas"}
{"id":"i","instruction":"a plot that imports math"}
{"id":"j","instruction":"a plot that imports scipy"}
`)}
	sum := run(t, s)
	if imports := step(t, sum, "imports"); imports.Why() != "imports bokeh 1, imports scipy 1" || step(t, sum, "draws").Dropped != 1 || sum.Results[0].Rows != 7 {
		t.Errorf("%+v", sum.Steps)
	}
	if row := rows(t, filepath.Join(s.Out, "kept.jsonl"))[0]; row["kind"] != "plot" || row["id"] != "a-author" {
		t.Errorf("%v", row)
	}
}
