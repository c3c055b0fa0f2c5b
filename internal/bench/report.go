package bench

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"os"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/report"
)

//go:embed report.html
var reportText string

var reportPage = template.Must(template.New("report").Funcs(template.FuncMap{"style": report.Style}).Parse(reportText))

// ReportFile is the report in the folder of a run.
const ReportFile = "report.html"

// maxShown bounds how much of an answer the report shows, maxWhy how much of why it counts as it
// does, and maxPage how much of all answers, in bytes.
const (
	maxShown = 6 << 10
	maxWhy   = 2 << 10
	maxPage  = 8 << 20
)

// A shownResult is what came of one answer, as the report shows it.
type shownResult struct {
	Result
	Class   string   // of its colour
	Figures []string // by strict, those that there are
	Answers []shownAnswer
}

// A shownAnswer is a text of a model: of a task that is done in steps there are several.
type shownAnswer struct {
	Step, Text string
	Cut        bool // the text is longer
}

// WriteReport writes the report of a run: its tables, what came of each task at a glance, and
// each answer with why it counts as it does. What models wrote is escaped; the page loads
// nothing and runs no script. Sites have the pipeline's report besides, which it links to.
func (r *Run) WriteReport(strict, compat Table) error {
	_, results, err := Read(r.Dir)
	if err != nil {
		return err
	}
	answers, err := r.texts()
	if err != nil {
		return err
	}
	_, stepped := os.Stat(r.file(stepsFile))
	_, sited := os.Stat(r.file(samplesDir + "/" + ReportFile))
	tables := []shownTable{showTable(strict), showTable(compat)}
	if alike := slices.EqualFunc(tables[0].Rows, tables[1].Rows, slices.Equal[[]string]); alike {
		tables[0].Rule, tables = "strict and compat", tables[:1]
	}
	var page bytes.Buffer
	err = reportPage.Execute(&page, map[string]any{
		"Header": r.Header, "Tables": tables, "Results": show(r.Header.Columns, results, answers, stepped == nil), "Sited": sited == nil,
	})
	if err != nil {
		return err
	}
	return disk.Fault(disk.WriteFile(r.file(ReportFile), page.Bytes(), 0o644))
}

// A shownTable is a table as texts.
type shownTable struct {
	Rule            Rule
	Titles          []string
	Abouts          []Column
	Rows, Published [][]string
	Notes           []string
}

func showTable(t Table) shownTable {
	titles, rows, published := t.grid()
	return shownTable{t.Rule, titles, t.Columns, rows, published, t.Notes}
}

// texts are the answers of a run.
func (r *Run) texts() (all []vitrine.Output, err error) {
	for _, name := range []string{outputsFile, AnswersFile} {
		err := lines(r.file(name), func(line []byte) error {
			var o vitrine.Output
			if json.Unmarshal(line, &o) == nil { // a line that is no output is counted elsewhere
				all = append(all, o)
			}
			return nil
		})
		if err == nil || !os.IsNotExist(err) {
			return all, disk.Fault(err)
		}
	}
	return all, nil // the benchmark's own solutions are in no file
}

// show gives each result its answers: of a task that is done in steps, those to all steps of its model.
func show(columns []Column, results []Result, answers []vitrine.Output, stepped bool) (all []shownResult) {
	key := func(model, id string) string { return model + "\x00" + id }
	of := map[string][]shownAnswer{}
	total := 0
	for _, o := range answers {
		a := shownAnswer{Text: bounded(o.Text, maxShown)}
		if total += len(a.Text); total > maxPage {
			a.Text = ""
		}
		a.Cut = len(a.Text) < len(o.Text)
		id := o.ID
		if stepped {
			task, step, _ := strings.Cut(o.TaskID, "/")
			id, a.Step = task, step
		}
		of[key(o.Model, id)] = append(of[key(o.Model, id)], a)
	}
	for _, x := range results {
		id := x.ID
		if stepped {
			id = x.TaskID
		}
		s := shownResult{Result: x, Class: x.class(columns), Answers: of[key(x.Model, id)]}
		s.Why = bounded(x.Why, maxWhy)
		for _, c := range columns {
			p, there := x.Strict[c.Key]
			if !there {
				continue
			}
			var value *float64
			if p != nil && p.Of > 0 {
				v := p.Sum / p.Of
				value = &v
			}
			s.Figures = append(s.Figures, c.Title+" "+c.show(value))
		}
		all = append(all, s)
	}
	return all
}

func bounded(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// class is the colour of a result: by the first column that says how much of it is right, else
// by whether it shows a site.
func (x Result) class(columns []Column) string {
	if x.Error != nil || x.Outcome == Missing || x.Outcome == SetAside || x.Outcome == "unjudged" {
		return "none"
	}
	for _, c := range columns {
		p := x.Strict[c.Key]
		if !c.Share && c.Times != 100 || p == nil || p.Of == 0 || c.Lower {
			continue
		}
		switch v := p.Sum / p.Of; {
		case v >= 1:
			return "good"
		case v > 0:
			return "fair"
		}
		return "poor"
	}
	if x.Outcome == string(vitrine.OutcomeRendered) {
		return "good"
	}
	return "poor"
}
