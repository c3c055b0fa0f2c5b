// Package papers is the table of what the four papers behind Vitrine state and how far
// Vitrine does it: one YAML file a paper, one row a formula, protocol, threshold or set
// of figures. docs/papers.md is written from it, and `vitrine papers` prints it.
//
// To add or change a row, edit the file of its paper, then
//
//	go test ./internal/papers -update
package papers

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/strictyaml"
)

//go:embed *.yaml
var files embed.FS

// order is that in which they are listed.
var order = []string{"webgen-r1", "aescoder", "relook", "webdevjudge"}

// State says how far Vitrine does what a row says.
type State string

// The states. A row that is partly there, missing or ours says in its note what differs.
const (
	Published State = "published" // as the paper has it
	Ours      State = "ours"      // otherwise, on purpose
	Decided   State = "decided"   // the paper is silent, contradicts itself or cannot be read here
	Partly    State = "partly"    // some of it
	Missing   State = "missing"   // not there
)

// states are all of them, with their meaning.
var states = []struct {
	state State
	means string
}{
	{Published, "as the paper has it; prompts are in our words"},
	{Ours, "otherwise, on purpose; the note says why"},
	{Decided, "the paper is silent, contradicts itself, or cannot be read in the copy at hand; the note says what was decided"},
	{Partly, "some of it; the note says what is not there, or not so"},
	{Missing, "not there"},
}

// A Paper is one of the four with its rows.
type Paper struct {
	ID    string
	Title string
	About string // a paragraph
	Rows  []Row
}

// A Row is one thing that a paper states.
type Row struct {
	ID      string `json:"id"`      // stable, begins with the paper
	Paper   string `json:"paper"`   // such as relook
	Section string `json:"section"` // such as §2.5, Alg. 1
	What    string `json:"what"`    // in our words, with the formula or figure
	State   State  `json:"state"`
	Code    string `json:"code"` // file or package that does it; empty where none does
	Test    string `json:"test"` // file:TestName that holds it; empty where none does
	Note    string `json:"note"` // what differs and why, or what is missing
	// Ours says what Vitrine does in its own profile where that differs from the published
	// one, which the row is about; empty where there is one way.
	Ours string `json:"vitrine,omitempty"`
}

// IDs are the names of the papers, in order.
func IDs() []string { return slices.Clone(order) }

// Load reads the table. An error is a mistake in one of the files, with its line.
func Load() ([]Paper, error) {
	papers := make([]Paper, len(order))
	for i, id := range order {
		data, err := files.ReadFile(id + ".yaml")
		if err != nil {
			return nil, err
		}
		if papers[i], err = parse(id, data); err != nil {
			return nil, err
		}
	}
	return papers, nil
}

// Select returns the rows of a paper, all where it is empty, that are in one of some
// states, in any where there are none. The error is a fault of usage.
func Select(papers []Paper, paper string, wanted []string) ([]Row, error) {
	if paper != "" && !slices.Contains(order, paper) {
		return nil, unknown("paper", paper, order)
	}
	for _, s := range wanted {
		if !slices.Contains(stateNames(), s) {
			return nil, unknown("state", s, stateNames())
		}
	}
	rows := []Row{}
	for _, p := range papers {
		for _, r := range p.Rows {
			if (paper == "" || p.ID == paper) && (len(wanted) == 0 || slices.Contains(wanted, string(r.State))) {
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

func unknown(what, name string, valid []string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, fmt.Sprintf("there is no %s %q%s", what, name, strictyaml.DidYouMean(name, valid))).
		WithFix("say one of " + strings.Join(valid, ", "))
}

// Differences returns the rows of a paper, of all where it is empty, whose two profiles
// differ. The error is a fault of usage.
func Differences(papers []Paper, paper string) ([]Row, error) {
	rows, err := Select(papers, paper, nil)
	return slices.DeleteFunc(rows, func(r Row) bool { return r.Ours == "" }), err
}

// Count says how many rows are in each state.
func Count(rows []Row) map[State]int {
	counts := map[State]int{}
	for _, r := range rows {
		counts[r.State]++
	}
	return counts
}

func stateNames() []string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s.state)
	}
	return names
}

// maxFile bounds the file of a paper, in bytes.
const maxFile = 128 << 10

// parse reads the file of a paper.
func parse(id string, data []byte) (Paper, error) {
	r := &strictyaml.Reader{File: id + ".yaml", Holds: "a paper", Max: maxFile}
	p, seen := Paper{ID: id}, map[string]bool{}
	for f := range r.Entries(r.Document(data), "title", "about", "rows") {
		switch f.Key {
		case "title":
			p.Title = r.Text(f)
		case "about":
			p.About = strings.TrimSpace(r.Text(f))
		case "rows":
			for _, item := range r.List(f) {
				row := parseRow(r, item, id)
				if seen[row.ID] {
					r.Fail(item, "id %s is there twice", row.ID)
				}
				seen[row.ID] = true
				p.Rows = append(p.Rows, row)
			}
		}
	}
	if r.Err == nil && (p.Title == "" || p.About == "" || len(p.Rows) == 0) {
		r.Fail(strictyaml.Field{}, "want title, about and rows")
	}
	return p, r.Err
}

// parseRow reads a row and holds it against its state.
func parseRow(r *strictyaml.Reader, item strictyaml.Field, paper string) Row {
	text := map[string]string{}
	for f := range r.Entries(item, "id", "section", "what", "state", "code", "test", "note", "vitrine") {
		text[f.Key] = r.Text(f)
		if f.Key == "state" {
			r.OneOf(f, stateNames()...)
		}
	}
	row := Row{text["id"], paper, text["section"], text["what"], State(text["state"]), text["code"], text["test"], text["note"], text["vitrine"]}
	for _, key := range slices.Sorted(maps.Keys(required(row.State))) {
		if text[key] == "" {
			r.Fail(item, "want %s: %s", key, required(row.State)[key])
		}
	}
	if row.Ours != "" && row.State != Published {
		r.Fail(item, "vitrine: only a row that is published has a profile of ours by its side")
	}
	if !strings.HasPrefix(row.ID, paper+"-") {
		r.Fail(item, "id %q does not begin with %s-", row.ID, paper)
	}
	return row
}

// required are the keys that a row of a state must have, with the reason.
func required(s State) map[string]string {
	keys := map[string]string{"id": "every row has one", "section": "every row has one", "what": "every row has one", "state": "every row has one"}
	if s == Published || s == Ours || s == Decided {
		keys["code"] = "a row that is " + string(s) + " names what does it"
		keys["test"] = "a row that is " + string(s) + " names the test that holds it"
	}
	if s != Published {
		keys["note"] = "a row that is " + string(s) + " says what differs, or is missing"
	}
	return keys
}
