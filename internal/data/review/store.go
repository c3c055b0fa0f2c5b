package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/disk"
	"vitrine/internal/meta/answers"
)

// Folder is where the reviewers' files of a data set lie: reviews in a folder, and beside a
// file a folder of its name.
func Folder(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "reviews")
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".reviews"
}

// Files are the reviewers' files in a folder.
func Files(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")) // the pattern is right
	return files
}

// A Store is what one reviewer said. It is not safe for concurrent use.
type Store struct {
	file   string
	items  map[string]answers.Item
	labels map[string]answers.Label
	order  []string // of the answers
}

// OpenStore reads what a reviewer has said, nothing where that is the first time. The name
// is that of the file.
func OpenStore(dir, reviewer string) (*Store, error) {
	if reviewer == "" || len(reviewer) > 40 || strings.Trim(reviewer, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return nil, refuse("a reviewer's name is of letters, digits, - and _", "give --reviewer ann")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	s := &Store{file: filepath.Join(dir, reviewer+".jsonl"), items: map[string]answers.Item{}, labels: map[string]answers.Label{}}
	b, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, disk.Fault(err)
	}
	for line := range bytes.Lines(b) {
		var l answers.Line
		if err := json.Unmarshal(line, &l); err != nil || l.Answer != nil || l.Label != nil && l.Label.Value == nil {
			return nil, refuse(s.file+" is no reviewer's file", "mend or remove it; it holds items and labels, a JSON object a line")
		}
		if l.Item != nil {
			s.items[l.Item.ID] = *l.Item
		}
		if l.Label != nil {
			s.keep(*l.Label)
		}
	}
	for id := range s.labels {
		if _, there := s.items[id]; !there {
			return nil, refuse(s.file+" is no reviewer's file: it has a label of "+id+" without the item", "mend or remove it")
		}
	}
	return s, nil
}

func (s *Store) keep(l answers.Label) {
	if _, there := s.labels[l.Item]; !there {
		s.order = append(s.order, l.Item)
	}
	s.labels[l.Item] = l
}

// Said is what the reviewer said of an item; nil if nothing yet.
func (s *Store) Said(item string) *answers.Value { return s.labels[item].Value }

// Say keeps an answer, in place of an earlier one, and writes the file, whole or not at
// all.
func (s *Store) Say(item answers.Item, l answers.Label) error {
	l.Item = item.ID
	l.Rater = strings.TrimSuffix(filepath.Base(s.file), ".jsonl")
	s.items[item.ID] = item
	s.keep(l)
	var lines []answers.Line
	for _, id := range s.order {
		i, l := s.items[id], s.labels[id]
		lines = append(lines, answers.Line{Item: &i}, answers.Line{Label: &l})
	}
	var b bytes.Buffer
	if err := answers.Write(&b, lines); err != nil {
		return err
	}
	return disk.Fault(disk.WriteFile(s.file, b.Bytes(), 0o644))
}

// Count is how many of the items the reviewer has answered.
func (s *Store) Count(items []Item) (n int) {
	for _, i := range items {
		if s.Said(i.ID) != nil {
			n++
		}
	}
	return n
}

// next is the place of the first item from a place on that has no answer, going round; -1
// if all have one.
func (s *Store) next(items []Item, from int) int {
	for k := range items {
		if i := (from + k) % len(items); s.Said(items[i].ID) == nil {
			return i
		}
	}
	return -1
}

// Raters are the names of the reviewers of a folder.
func Raters(dir string) (names []string) {
	for _, f := range Files(dir) {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
	}
	slices.Sort(names)
	return names
}
