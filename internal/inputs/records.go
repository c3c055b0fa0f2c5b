package inputs

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine"
)

// A Record is one row of a data set: a task, an output, or any object with an id.
type Record struct {
	Position
	ID string
	// Instruction is what a model was or is to be asked; empty if the row has none.
	Instruction string
	// Text is what a model wrote, the first of several outputs, and Artifact the files of a
	// site; empty and nil where the row is a task alone.
	Text     string
	Artifact *vitrine.Artifact
	// Row is the object as it stands in the file, with an id put first where it had none
	// or one that was there before.
	Row json.RawMessage
	// Repaired says that the row had bytes that are no UTF-8, which are U+FFFD now.
	Repaired bool
}

// Records are the rows of several inputs, one after the other, each with an id of its
// own. It is not safe for concurrent use. Close it.
type Records struct{ inputs []*Input }

// OpenRecords opens files, folders or, as "-", standard input. They are not surveyed.
func OpenRecords(names []string, s Settings) (*Records, error) {
	s.Limits = s.Limits.withDefaults()
	all := &Records{}
	for _, name := range names {
		root, err := open(name, s)
		if err != nil {
			return nil, errors.Join(err, all.Close())
		}
		all.inputs = append(all.inputs, &Input{settings: s, root: root})
	}
	return all, nil
}

// Close gives back the files that are held.
func (all *Records) Close() error {
	var err error
	for _, in := range all.inputs {
		err = errors.Join(err, in.Close())
	}
	return err
}

// All gives each row as it is, whether or not it has an output, from the first on at
// every call and with the same ids. Several outputs to one prompt are one record; rows
// nested in a row are one each. A *RowError is about one row, after which there may be
// more; any other error is the last.
func (all *Records) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		names := newNames(map[string]bool{})
		for _, in := range all.inputs {
			if !in.each(names, yield) {
				return
			}
		}
	}
}

// each gives the records of one input; false where no more are wanted.
func (in *Input) each(names *names, yield func(Record, error) bool) bool {
	for r, err := range in.root.rows() {
		var records []Record
		if err == nil {
			records, err = in.records(r, names)
		}
		if err != nil {
			if !yield(Record{}, err) || !isRowError(err) {
				return false
			}
			continue
		}
		for _, rec := range records {
			if rec.Repaired = !utf8.Valid(rec.Row); rec.Repaired {
				rec.Row = bytes.ToValidUTF8(rec.Row, []byte("\ufffd"))
			}
			if !yield(rec, nil) {
				return false
			}
		}
	}
	return true
}

func (in *Input) records(r row, names *names) ([]Record, error) {
	drafts, failed := in.read(r)
	if failed != nil {
		return in.plainRecord(r, names, failed)
	}
	if oneRow(drafts) {
		drafts = drafts[:1]
		drafts[0].part = ""
	}
	given := make([]string, len(drafts))
	for i, d := range drafts {
		given[i] = d.ID
	}
	names.row(r, drafts)
	records := make([]Record, len(drafts))
	for i, d := range drafts {
		records[i] = Record{Position: r.at, ID: d.ID, Instruction: d.Instruction, Text: d.Text, Artifact: d.Artifact}
		if o, err := parseObject(r.value); err == nil && len(drafts) == 1 {
			records[i].Row = o.named(r.value, d.ID, d.ID == given[i])
			continue
		}
		var err error
		if records[i].Row, err = json.Marshal(written(d)); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// oneRow reports whether drafts are the outputs to one prompt, such as chosen and
// rejected.
func oneRow(drafts []draft) bool {
	return !slices.ContainsFunc(drafts, func(d draft) bool { return d.part == "" || d.ID != drafts[0].ID })
}

// written is an output in the form that this package reads.
func written(d draft) any {
	if d.Artifact == nil {
		return d.Output
	}
	return struct {
		ID          string         `json:"id"`
		Instruction string         `json:"instruction,omitempty"`
		Files       []vitrine.File `json:"files"`
	}{d.ID, d.Instruction, d.Artifact.Files}
}

// plainRecord is a row without an output: it needs to be an object.
func (in *Input) plainRecord(r row, names *names, failed error) ([]Record, error) {
	o, err := parseObject(r.value)
	if err != nil || len(o.names) == 0 {
		return nil, failed
	}
	rec := newRecord(o, in.settings.Map)
	id := rec.id()
	own := []draft{{Item: Item{Output: vitrine.Output{ID: id}}, given: id != ""}}
	names.row(r, own)
	text, _ := rec.prompt()
	return []Record{{Position: r.at, ID: own[0].ID, Instruction: strings.TrimSpace(text), Row: o.named(r.value, own[0].ID, own[0].ID == id)}}, nil
}

// named is an object with an id of its own. Where it has one it is as it stands in the
// file, but for line breaks.
func (o *object) named(raw []byte, id string, same bool) json.RawMessage {
	if v, ok := scalar(o.values[fieldID]); same && ok && v == id {
		return oneLine(raw)
	}
	key, err := json.Marshal(id)
	if err != nil {
		return oneLine(raw)
	}
	out := append([]byte(`{"id":`), key...)
	for _, name := range o.names {
		if name == fieldID {
			continue
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			continue
		}
		out = append(append(append(append(out, ','), quoted...), ':'), oneLine(o.values[name])...)
	}
	return append(out, '}')
}

// oneLine takes the line breaks out of JSON, which has none within its strings.
func oneLine(raw []byte) json.RawMessage {
	return slices.DeleteFunc(slices.Clone(raw), func(b byte) bool { return b == '\n' || b == '\r' })
}
