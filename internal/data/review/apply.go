package review

import (
	"context"
	"os"
	"path/filepath"

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
	Split   int    `json:"split"` // kept, because as many reviewers are for it as against it
	Out     string `json:"out"`
}

// Apply writes the rows of a data set without those that more than half of the reviewers
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
	names := []string{filepath.Join(out, dedup.DroppedFile), filepath.Join(out, dedup.ReviewFile)}
	for _, file := range f.left {
		names = append(names, filepath.Join(out, filepath.Base(file)))
	}
	files, err := table.Create(names...)
	if err != nil {
		return nil, err
	}
	defer files.Discard()
	done := &Applied{Out: out}
	for n, file := range f.left {
		if err := each(ctx, []string{file}, func(r inputs.Record) error { return done.row(r, votes, files.Writers, n) }); err != nil {
			return nil, err
		}
	}
	return done, files.Commit()
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

// count counts votes by question and row.
func count(dir string) (map[string]*Refused, error) {
	votes := map[string]*Refused{}
	for _, name := range Raters(dir) {
		s, err := OpenStore(dir, name)
		if err != nil {
			return nil, err
		}
		for id, l := range s.labels {
			item := s.items[id]
			reason := map[string]string{Duplicate: "a duplicate, by review", Good: "not good, by review"}[item.Question]
			if item.Kind != answers.Unit || reason == "" {
				continue
			}
			key := item.Question + "\x00" + item.Task
			if votes[key] == nil {
				votes[key] = &Refused{ID: item.Task, Reason: reason}
			}
			if yes := l.Value.Text == "true"; yes == (item.Question == Good) {
				votes[key].Yes++
			} else {
				votes[key].No++
			}
		}
	}
	return votes, nil
}
