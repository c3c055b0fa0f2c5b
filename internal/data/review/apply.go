package review

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/data/dedup"
	"vitrine/internal/data/table"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
	"vitrine/internal/meta/answers"
)

// A Refused row is a line of dropped.jsonl and review.jsonl.
type Refused struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Yes    int    `json:"yes"` // reviewers for keeping it
	No     int    `json:"no"`
}

// An Applied review says what became of the rows.
type Applied struct {
	Read    int    `json:"read"`
	Kept    int    `json:"kept"`
	Dropped int    `json:"dropped"`
	Split   int    `json:"split"`  // kept, because as many reviewers are for it as against it
	Absent  int    `json:"absent"` // that reviewers answered about, and that are not there
	Out     string `json:"out"`
}

// Apply writes the rows of a data set, as JSON lines, without those that more than half of the reviewers
// who answered took for duplicates or for no good. What they are split on stays, and is in
// review.jsonl.
func Apply(ctx context.Context, path, out string) (*Applied, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	votes, err := count(Folder(path))
	if err != nil {
		return nil, err
	}
	if len(votes) == 0 {
		return nil, refuse("nobody has answered yet", "answer by vitrine data review "+path+" --reviewer NAME")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	names, err := f.outputs(out)
	if err != nil {
		return nil, err
	}
	files, err := table.Create(names...)
	if err != nil {
		return nil, err
	}
	defer files.Discard()
	done, absent := &Applied{Out: out}, map[string]bool{}
	for _, v := range votes {
		absent[v.ID] = true
	}
	for n, file := range f.left {
		err := each(ctx, []string{file}, func(r inputs.Record) error {
			delete(absent, r.ID)
			return done.row(r, votes, files.Writers, n)
		})
		if err != nil {
			return nil, err
		}
	}
	done.Absent = len(absent)
	return done, files.Commit()
}

// outputs are the files that are written: what was dropped, what reviewers are split on,
// and one of JSON lines for each file of rows. None lies where rows are read.
func (f folder) outputs(out string) ([]string, error) {
	names := []string{filepath.Join(out, dedup.DroppedFile), filepath.Join(out, dedup.ReviewFile)}
	to, err := os.Stat(out)
	if err != nil {
		return nil, disk.Fault(err)
	}
	for _, file := range f.left {
		if from, err := os.Stat(filepath.Dir(file)); err == nil && os.SameFile(from, to) {
			return nil, refuse("the rows would be written where they are read: "+out, "name another folder with --apply")
		}
		base := strings.TrimSuffix(filepath.Base(file), ".gz")
		name := filepath.Join(out, strings.TrimSuffix(base, filepath.Ext(base))+".jsonl")
		if slices.Contains(names, name) {
			return nil, refuse(filepath.Base(file)+" has the name of a file of the review", "rename it")
		}
		names = append(names, name)
	}
	return names, nil
}

// row puts a row where it belongs: refused by the first question of which more say so.
func (a *Applied) row(r inputs.Record, votes map[string]*Refused, to []*table.Writer, n int) error {
	a.Read++
	var split *Refused
	for _, question := range []string{Duplicate, Good} {
		v := votes[question+"\x00"+r.ID]
		switch {
		case v != nil && v.No > v.Yes:
			a.Dropped++
			return to[0].Write(v)
		case v != nil && v.No == v.Yes:
			split = v
		}
	}
	if a.Kept++; split != nil {
		a.Split++
		if err := to[1].Write(split); err != nil {
			return err
		}
	}
	return to[n+2].Line(r.Row)
}

// count counts reviewers by question and row. Who takes a row for a duplicate of any other
// is one against it, whatever they said of further ones.
func count(dir string) (map[string]*Refused, error) {
	votes := map[string]*Refused{}
	for _, name := range Raters(dir) {
		s, err := OpenStore(dir, name)
		if err != nil {
			return nil, err
		}
		against := map[string]bool{}
		for id, l := range s.labels {
			item := s.items[id]
			reason := map[string]string{Duplicate: "a duplicate, by review", Good: "not good, by review"}[item.Question]
			if item.Kind != answers.Unit || reason == "" {
				continue
			}
			key := item.Question + "\x00" + item.Task
			against[key] = against[key] || (l.Value.Text == "true") != (item.Question == Good)
			if votes[key] == nil {
				votes[key] = &Refused{ID: item.Task, Reason: reason}
			}
		}
		for key, no := range against {
			if no {
				votes[key].No++
			} else {
				votes[key].Yes++
			}
		}
	}
	return votes, nil
}
