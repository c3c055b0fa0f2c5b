package imports

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"vitrine"
	"vitrine/internal/meta/answers"
	"vitrine/internal/runs"
)

// run reads the rewards of a run folder, as the answers of its recipe and judges.
func run(dir string) (lines []answers.Line, err error) {
	header, samples, err := runs.Read(dir)
	if err != nil {
		return nil, err
	}
	judge := header.Recipe + ", " + cmp.Or(header.Judge, "no judge")
	if header.Interact != "" {
		judge += ", " + header.Interact
	}
	for _, s := range runs.Newest(samples) {
		seconds := (s.TimingMS.Judge + s.TimingMS.Interact) / 1000
		a := answers.Answer{Item: s.ID + "#reward", Judge: judge, Seconds: &seconds, USD: s.Cost.USD}
		if s.Reward != nil {
			a.Value = answers.Number(*s.Reward)
		}
		if s.Error != nil {
			a.Error = s.Error.Message
		}
		i := answers.Item{ID: a.Item, Kind: answers.Rating, Question: "reward", Task: s.TaskID, Model: s.Model}
		if s.Evidence != "" {
			i.Shown = []answers.Thing{{Evidence: absolute(filepath.Join(dir, filepath.FromSlash(s.Evidence)))}}
		}
		lines = append(lines, itemLine(i), answerLine(a))
	}
	return lines, nil
}

// Open reads files of the form, and folders of vitrine score and vitrine redteam --mutants, as
// one. Faults are those of commands.
func Open(paths ...string) (*answers.Set, error) { return answers.OpenWith(made, paths...) }

// made reads a folder that Vitrine made.
func made(dir string) ([]answers.Line, error) {
	for file, set := range map[string]string{"run.json": "run", "rewards.jsonl": "redteam"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return Read(set, dir)
		}
	}
	return nil, fault(nil, dir+" is a folder, and none of vitrine score or vitrine redteam --mutants", "name such a folder or a file of the form, see docs/meta-data.md; vitrine meta import reads published sets")
}

// absolute is a path that holds from any folder; as it is where there is no working folder.
func absolute(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}

// comparisons reads what vitrine compare --pairs writes: pairs with their labels, and what
// the judge says in each order.
func comparisons(path string) (lines []answers.Line, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	type compared struct {
		ID         string             `json:"id"`
		Category   string             `json:"category"`
		Label      vitrine.Verdict    `json:"label"`
		Comparison vitrine.Comparison `json:"comparison"`
		Error      *vitrine.Fault     `json:"error"`
	}
	var rows []compared
	judge := ""
	in := bufio.NewScanner(bytes.NewReader(b))
	in.Buffer(nil, len(b)+1)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var row compared
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("pair %d: %w", len(rows)+1, err)
		}
		if c := row.Comparison; judge == "" && c.Judge != "" {
			judge = c.Judge + ", " + c.Protocol
		}
		rows = append(rows, row)
	}
	for n, row := range rows {
		i := answers.Item{ID: cmp.Or(row.ID, strconv.Itoa(n+1)), Kind: answers.Pair, Question: "better site", Category: row.Category}
		if row.Label != "" {
			i.Truth = answers.Text(string(row.Label))
		}
		lines = append(lines, itemLine(i))
		own := answers.Answer{Item: i.ID, Judge: cmp.Or(judge, "unknown"), USD: row.Comparison.Cost.USD}
		if row.Error != nil {
			own.Error = row.Error.Message
		}
		orders := row.Comparison.Orders
		if len(orders) == 0 || row.Comparison.Panel != nil {
			orders = []vitrine.Order{{Verdict: row.Comparison.Verdict}}
		}
		for _, o := range orders {
			a := own
			if a.Swapped = o.Swapped; o.Verdict != "" {
				a.Value = answers.Text(string(o.Verdict))
			}
			lines = append(lines, answerLine(a))
			own.USD = nil // the cost is of both orders together
		}
	}
	return lines, nil
}

// feasibilities reads tasks with people's label, whether they can be carried out, and what a
// judge says; null where it could not say.
func feasibilities(path string) (lines []answers.Line, err error) {
	err = eachRow(path, func(row []byte) error {
		var r struct {
			ID       string `json:"id"`
			Category string `json:"category"`
			Label    *bool  `json:"label"`
			Feasible *bool  `json:"feasible"`
			Judge    string `json:"judge"`
		}
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		if r.Label == nil {
			return errors.New("the label is missing; want true or false")
		}
		i := answers.Item{ID: cmp.Or(r.ID, strconv.Itoa(len(lines)/2+1)), Kind: answers.Unit, Question: "feasible", Category: r.Category, Truth: answers.Bool(*r.Label)}
		a := answers.Answer{Item: i.ID, Judge: cmp.Or(r.Judge, "judge")}
		if r.Feasible != nil {
			a.Value = answers.Bool(*r.Feasible)
		}
		lines = append(lines, itemLine(i), answerLine(a))
		return nil
	})
	return lines, err
}
