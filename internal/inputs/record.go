package inputs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// A draft is an output whose id may still be missing or equal to another output's.
type draft struct {
	Item
	given bool              // the row has this id
	part  string            // which of a row's outputs it is; empty for the only one
	from  map[string]string // field → path
}

// idNames are the fields that may hold the id of a row, the most reliable first.
var idNames = []string{
	"id", "sample_id", "uid", "uuid", "question_id", "record_id", "recordId", "request_id", "key", "doc_id", "index", "idx",
}

// record is a row whose outputs are being read.
type record struct {
	*object
	mapping Mapping
	used    []string          // fields that were read, and are not kept in meta
	from    map[string]string // field → path
}

// maxNesting bounds the depth of nested lists in which outputs are searched.
const maxNesting = 3

// readRecord reads the outputs of a row. A row that is no output itself may have a list of
// rows, which are read in its place.
func readRecord(r row, m Mapping) ([]draft, error) { return readNested(r, m, 0) }

func readNested(r row, m Mapping, depth int) ([]draft, error) {
	o, err := parseObject(r.value)
	if err == nil {
		drafts, err := newRecord(o, m).drafts()
		if err == nil {
			return drafts, nil
		}
		if nested := o.nestedRows(0); nested != nil && !err.Endpoint && depth < maxNesting {
			if all, failed := readList(r, nested, m, depth+1); failed == nil {
				return all, nil
			}
		}
		return nil, err.in(r)
	}
	if list, failed := parseList(r.value); failed == nil && len(list) > 0 {
		if a, ok := answerOf("generations", r.value, 1); ok {
			return newRecord(&object{}, m).split(a), nil
		}
	}
	return nil, unreadable(r, err)
}

func newRecord(o *object, m Mapping) *record {
	return &record{object: o, mapping: m, from: map[string]string{}}
}

// readList reads the rows nested in a row.
func readList(r row, nested []json.RawMessage, m Mapping, depth int) ([]draft, error) {
	var all []draft
	for _, v := range nested {
		one := row{at: r.at, value: v}
		drafts, err := readNested(one, m, depth)
		if err != nil {
			return nil, err
		}
		for i := range drafts {
			if drafts[i].ID == "" {
				drafts[i].ID = madeID(one)
			}
		}
		all = append(all, drafts...)
	}
	return all, nil
}

// nestedRows is the only list of objects in an object or in an object that is its field;
// nil if there are several. An object with a prompt is a row itself, which its lists
// describe.
func (o *object) nestedRows(depth int) []json.RawMessage {
	if slices.ContainsFunc(promptNames[:asks], o.has) {
		return nil
	}
	var found []json.RawMessage
	for _, name := range o.names {
		list, err := parseList(o.values[name])
		if err != nil {
			if below, failed := parseObject(o.values[name]); failed == nil && depth == 0 {
				list = below.nestedRows(depth + 1)
			}
		}
		if len(list) == 0 {
			continue
		}
		if _, err := parseObject(list[0]); err != nil {
			continue
		}
		if _, talk := messagesOf(list); talk {
			return nil // a conversation is no list of outputs
		}
		if found != nil {
			return nil
		}
		found = list
	}
	return found
}

// drafts reads the fields of a row.
func (r *record) drafts() ([]draft, *RowError) {
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	if files != nil {
		drafts := r.split(answers{texts: []string{""}})
		drafts[0].Artifact = files
		return drafts, r.fields(&drafts[0].Output)
	}
	a, failed := r.answer()
	if failed != nil {
		return nil, failed
	}
	drafts := r.split(a)
	for i := range drafts {
		if err := r.fields(&drafts[i].Output); err != nil {
			return nil, err
		}
	}
	return drafts, nil
}

// answer finds the model's output at the path that --map gives, or else by the names of
// fields.
func (r *record) answer() (answers, *RowError) {
	if path, ok := r.mapping[fieldOutput]; ok {
		v, there := r.at(path)
		if !there {
			return answers{}, r.missing(fmt.Sprintf("%q, which --map output= names", path))
		}
		a, ok := answerOf("output", v, 0)
		if !ok {
			return a, r.wrong(path, v)
		}
		a.path = joinPath(path, a.path)
		return a, nil
	}
	a, ok := r.answerIn(0)
	if !ok || len(a.texts) == 1 && a.texts[0] == "" {
		if failure := r.failure(0); failure != "" {
			return a, &RowError{
				Endpoint: true, Found: "an error of the endpoint in place of an answer: " + short(failure), Wanted: "an output",
				Fix: "ask the endpoint again; this says nothing about the model",
			}
		}
	}
	if !ok {
		if pair, both := r.pairIn(); both {
			return pair, nil
		}
		return a, r.noOutput(a)
	}
	return a, nil
}

// split makes one draft for each answer.
func (r *record) split(a answers) []draft {
	for root := range strings.SplitSeq(a.path, " and ") {
		root, _, _ = strings.Cut(root, ".")
		r.used = append(r.used, root)
	}
	r.from[fieldOutput] = a.path
	id := r.id()
	drafts := make([]draft, len(a.texts))
	for i, text := range a.texts {
		d := draft{Item: Item{Output: vitrine.Output{ID: id, Text: text, Model: a.model, Instruction: a.prompt}}, given: id != "", from: r.from}
		switch {
		case a.parts != nil:
			d.part = a.parts[i]
			d.Model = firstText("", r.object, "model_"+d.part)
		case len(a.texts) > 1:
			d.part = strconv.Itoa(i + 1)
		case a.tokens != "" && strings.Contains(a.path, "."):
			d.Meta = map[string]json.RawMessage{"output_tokens": json.RawMessage(a.tokens)}
		}
		drafts[i] = d
	}
	return drafts
}

// maxID bounds an id in bytes, since all ids of an input are kept in memory. Longer values
// are not taken as ids.
const maxID = 1024

// id is the id that the row has, empty if it has none. In a row of a batch API it is
// custom_id, which the sender chose.
func (r *record) id() string {
	names := idNames
	if path, ok := r.mapping[fieldID]; ok {
		names = []string{path}
	} else if r.has("custom_id") {
		names = []string{"custom_id"}
	}
	for _, name := range names {
		v, there := r.at(name)
		if s, ok := scalar(v); there && ok && s != "" && len(s) <= maxID {
			r.from[fieldID], r.used = name, append(r.used, name)
			return s
		}
	}
	return ""
}

// fields sets the fields of an output other than its text. Fields of the row that an output
// does not have go into meta.
func (r *record) fields(o *vitrine.Output) *RowError {
	if text, path := r.prompt(); text != "" {
		o.Instruction, r.from[fieldInstruction] = text, path
		r.used = append(r.used, path)
	} else if o.Instruction != "" {
		r.from[fieldInstruction] = "the turns before it"
	}
	if isNull(r.values[fieldInstruction]) {
		r.used = append(r.used, fieldInstruction)
	}
	r.scalarField(fieldTask, &o.TaskID)
	r.scalarField(fieldModel, &o.Model)
	r.scalarField(fieldGroup, &o.GroupID)
	r.scalarField(fieldKind, (*string)(&o.Kind))
	if o.Model == "" {
		o.Model = firstText("", r.object, "model_name", "model_id", "generator")
	}
	if o.Kind != vitrine.KindUnknown && !slices.Contains(vitrine.Kinds, o.Kind) {
		found := fmt.Sprintf("kind %q", short(string(o.Kind)))
		return unusable(Position{}, found, "page, project, component, svg or plot", "--map kind= takes no notice of it")
	}
	r.keep(o)
	return nil
}

func (r *record) prompt() (text, path string) {
	path, mapped := r.mapping[fieldInstruction]
	if !mapped {
		root, _, _ := strings.Cut(r.from[fieldOutput], ".")
		return r.promptIn(root, 0)
	}
	v, _ := r.at(path)
	text, below := promptOf(v, 0)
	return text, joinPath(path, below)
}

// scalarField reads a field that is a string, number or boolean. A list or object is left
// for meta.
func (r *record) scalarField(field string, to *string) {
	path, mapped := r.mapping[field]
	if !mapped {
		path = field
	}
	if path == "" {
		return
	}
	v, there := r.at(path)
	if s, ok := scalar(v); there && ok {
		*to = s
		r.used = append(r.used, path)
		if mapped {
			r.from[field] = path
		}
	} else if isNull(v) {
		r.used = append(r.used, path)
	}
}

// keep puts the fields that were not used into meta.
func (r *record) keep(o *vitrine.Output) {
	meta := map[string]json.RawMessage{}
	for name, v := range o.Meta {
		meta[name] = v
	}
	if own, err := parseObject(r.values[fieldMeta]); err == nil {
		for name, v := range own.values {
			meta[name] = v
		}
		r.used = append(r.used, fieldMeta)
	} else if isNull(r.values[fieldMeta]) {
		r.used = append(r.used, fieldMeta)
	}
	for _, name := range r.names {
		if _, there := meta[name]; !there && !slices.Contains(r.used, name) {
			meta[name] = r.values[name]
		}
	}
	if len(meta) > 0 {
		o.Meta = meta
	}
}
