// Package review asks people about a data set, in a page that this machine alone serves:
// whether a borderline record is a duplicate, whether a row is good for training, and which
// of two sites is better. What they say is kept in the form of internal/meta/answers, one
// file a reviewer, after each answer.
//
//	review.go   what is asked, and of which rows
//	pairs.go    pairs of sites
//	store.go    what a reviewer has said
//	server.go   the page
//	apply.go    rows without those that reviewers refused
package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/data/dedup"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/pictures"
	"vitrine/internal/digest"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
	"vitrine/internal/meta/answers"
)

// The questions about rows, which are answered by true or false.
const (
	Duplicate = "duplicate" // is it the same as another?
	Good      = "good"      // is it good for training?
)

// An Item is one question with what is shown.
type Item struct {
	answers.Item
	Instruction string // above both sides; empty where the sides are instructions
	Sides       []Side // one or two; of a pair A and B
	Why         string // it is asked, in a few words
}

// A Side is what is looked at.
type Side struct {
	Text     string
	Pictures []string // files
}

// Settings say what is asked.
type Settings struct {
	Path    string   // folder of a run, of dedup or decontaminate, or a file of rows
	Sample  int      // rows that are shown for their quality
	Seed    uint64   // of the sample and the order
	Against []string // files of benchmarks, for the texts of their tasks
	Runs    []string // run folders of vitrine score, for pictures by id
}

// Items are what is asked about a data set: first what dedup left to a person, then the rows
// of which another step was unsure, then a sample of the rows that are left.
func Items(ctx context.Context, s Settings) ([]Item, error) {
	f, err := open(s.Path)
	if err != nil {
		return nil, err
	}
	found, err := pictures.Open(s.Path, s.Runs)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	items, err := f.duplicates(ctx, s, found)
	if err != nil {
		return nil, err
	}
	doubtful, err := f.doubtful(ctx, found)
	if err != nil {
		return nil, err
	}
	items = append(items, doubtful...)
	sample, err := f.sample(ctx, s, found)
	if err != nil {
		return nil, err
	}
	for _, item := range sample {
		if !slices.ContainsFunc(doubtful, func(d Item) bool { return d.ID == item.ID }) {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return nil, refuse("there is nothing to ask: no row is for review", "give --sample N for the quality of rows that were kept")
	}
	return items, nil
}

// A folder is where the rows of a data set lie.
type folder struct {
	review []string // review.jsonl of each step
	rows   []string // what each of these steps kept
	unsure []string // unsure.jsonl of each step
	left   []string // results
}

func open(path string) (folder, error) {
	var f folder
	info, err := os.Stat(path)
	if err != nil {
		return f, refuse("cannot read "+path, "name a folder that vitrine data run, dedup or decontaminate wrote, or a file of rows")
	}
	if !info.IsDir() {
		return folder{left: []string{path}}, nil
	}
	dirs := []string{path}
	if sum, err := flow.Open(path); err == nil {
		dirs = nil
		for _, r := range sum.Steps {
			dirs = append(dirs, sum.StepFolder(path, r.Name))
		}
		for _, r := range sum.Results {
			f.left = append(f.left, filepath.Join(path, r.Name))
		}
	} else if _, err := os.Stat(filepath.Join(path, dedup.KeptFile)); err == nil {
		f.left = []string{filepath.Join(path, dedup.KeptFile)}
	} else {
		return f, flow.NotFinished(path)
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, flow.UnsureFile)); err == nil {
			f.unsure = append(f.unsure, filepath.Join(dir, flow.UnsureFile))
		}
		if _, err := os.Stat(filepath.Join(dir, dedup.ReviewFile)); err == nil {
			f.review, f.rows = append(f.review, filepath.Join(dir, dedup.ReviewFile)), append(f.rows, filepath.Join(dir, dedup.KeptFile))
		}
	}
	return f, nil
}

// duplicates are the records that dedup and decontaminate left to a person. Of these, one
// that a later step dropped is asked about nevertheless.
func (f folder) duplicates(ctx context.Context, s Settings, found *pictures.Pictures) ([]Item, error) {
	var all []dedup.Verdict
	for _, name := range f.review {
		verdicts, err := readVerdicts(name)
		if err != nil {
			return nil, err
		}
		all = append(all, verdicts...)
	}
	ours, theirs := map[string]Side{}, map[string]map[string]Side{} // by benchmark, since several may have tasks of the same id
	for _, v := range all {
		ours[v.ID] = Side{}
		if v.Benchmark == "" {
			ours[v.DuplicateOf] = Side{}
		} else {
			if theirs[v.Benchmark] == nil {
				theirs[v.Benchmark] = map[string]Side{}
			}
			theirs[v.Benchmark][v.DuplicateOf] = Side{Text: "(a task of " + v.Benchmark + "; --against shows it)"}
		}
	}
	err := fill(ctx, f.rows, ours, found)
	for _, file := range s.Against {
		err = errors.Join(err, fill(ctx, []string{file}, theirs[filepath.Base(file)], found))
	}
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, v := range all {
		other := ours[v.DuplicateOf]
		if v.Benchmark != "" {
			other = theirs[v.Benchmark][v.DuplicateOf]
		}
		items = append(items, Item{
			Item:  answers.Item{ID: Duplicate + ":" + v.ID + "|" + v.DuplicateOf, Kind: answers.Unit, Question: Duplicate, Task: v.ID},
			Sides: []Side{ours[v.ID], other}, Why: "Alike by " + v.Reason + ", " + percent(v.Similarity),
		})
	}
	return items, nil
}

func readVerdicts(name string) (all []dedup.Verdict, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, disk.Fault(err)
	}
	defer f.Close()
	for dec := json.NewDecoder(f); ; {
		var v dedup.Verdict
		switch err := dec.Decode(&v); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, refuse(name+" is damaged", "run the step again: remove its folder, then run the same command")
		}
		all = append(all, v)
	}
}

// fill reads what is shown of rows by their ids.
func fill(ctx context.Context, files []string, sides map[string]Side, found *pictures.Pictures) error {
	return each(ctx, files, func(r inputs.Record) error {
		if _, ok := sides[r.ID]; ok {
			sides[r.ID] = sideOf(r, cmp.Or(r.Instruction, r.Text), found)
		}
		return nil
	})
}

func sideOf(r inputs.Record, text string, found *pictures.Pictures) Side {
	side := Side{Text: text}
	if p, ok := found.Of(r); ok {
		side.Pictures = []string{p.File}
	}
	return side
}

// doubtful are the rows that are left of which a step was unsure, such as of their topic.
func (f folder) doubtful(ctx context.Context, found *pictures.Pictures) (items []Item, err error) {
	why := map[string]string{}
	take := func(r inputs.Record) error {
		var line struct {
			ID, Reason, Topic string
			Taken             []string
		}
		if err := json.Unmarshal(r.Row, &line); err != nil {
			return fmt.Errorf("%s: %w", r.Position, err)
		}
		why[line.ID] = strings.TrimSuffix(strings.Join(append([]string{line.Reason, line.Topic}, line.Taken...), " · "), " · ")
		return nil
	}
	for _, name := range f.unsure { // one after the other: together the ids of the second would be others
		if err := each(ctx, []string{name}, take); err != nil {
			return nil, err
		}
	}
	if len(why) == 0 {
		return nil, nil
	}
	err = each(ctx, f.left, func(r inputs.Record) error {
		if reason, is := why[r.ID]; is {
			items = append(items, good(r, reason, found))
		}
		return nil
	})
	return items, err
}

// good asks whether a row is good for training.
func good(r inputs.Record, why string, found *pictures.Pictures) Item {
	item := Item{Item: answers.Item{ID: Good + ":" + r.ID, Kind: answers.Unit, Question: Good, Task: r.ID}, Why: why}
	if item.Sides = []Side{sideOf(r, r.Text, found)}; r.Text != "" || len(item.Sides[0].Pictures) > 0 {
		item.Instruction = r.Instruction
	} else {
		item.Sides[0].Text = cmp.Or(r.Instruction, string(r.Row))
	}
	return item
}

// sample is some of the rows that are left, the same ones for every reviewer.
func (f folder) sample(ctx context.Context, s Settings, found *pictures.Pictures) ([]Item, error) {
	type drawn struct {
		key string
		Item
	}
	var chosen []drawn
	if s.Sample < 1 {
		return nil, nil
	}
	err := each(ctx, f.left, func(r inputs.Record) error {
		key := digest.Of(s.Seed, r.ID)
		at, _ := slices.BinarySearchFunc(chosen, key, func(d drawn, key string) int { return cmp.Compare(d.key, key) })
		if at == s.Sample {
			return nil
		}
		chosen = slices.Insert(chosen, at, drawn{key, good(r, "A row that was kept", found)})
		chosen = chosen[:min(len(chosen), s.Sample)]
		return nil
	})
	items := make([]Item, len(chosen))
	for i, d := range chosen {
		items[i] = d.Item
	}
	return items, err
}

// each reads rows; those that cannot be used are passed over.
func each(ctx context.Context, files []string, take func(inputs.Record) error) error {
	if len(files) == 0 {
		return nil
	}
	records, err := inputs.OpenRecords(files, inputs.Settings{})
	if err != nil {
		return err
	}
	defer records.Close()
	for r, err := range records.All() {
		var bad *inputs.RowError
		if errors.As(err, &bad) {
			continue
		}
		if err = errors.Join(err, ctx.Err()); err == nil {
			err = take(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func refuse(message, fix string) *vitrine.Fault {
	return vitrine.NewFault("data", vitrine.FaultUsage, nil, message).WithFix(fix)
}
