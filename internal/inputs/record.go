package inputs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// A draft is an output whose id may be missing or there already.
type draft struct {
	Item
	given bool              // the row has this id
	part  string            // which of a row's outputs it is; empty for the only one
	from  map[string]string // field → path
}

// idNames are the fields that name a row, the surest first.
var idNames = []string{
	"id", "sample_id", "uid", "uuid", "question_id", "record_id", "recordId", "request_id", "key", "doc_id", "index", "idx",
}

// record is a row on its way to drafts.
type record struct {
	*object
	mapping Mapping
	used    []string // fields that need not be kept
	from    map[string]string
}

// maxInner bounds how many lists may lie around an output.
const maxInner = 3

// readRecord makes outputs of a row. A row that is no output itself, but holds one list
// of them, gives all of these.
func readRecord(r row, m Mapping) ([]draft, error) { return readNested(r, m, 0) }

func readNested(r row, m Mapping, depth int) ([]draft, error) {
	o, err := parseObject(r.value)
	if err == nil {
		drafts, err := newRecord(o, m).drafts()
		if err == nil {
			return drafts, nil
		}
		if inner := o.inner(0); inner != nil && !err.Endpoint && depth < maxInner {
			if many, failed := readList(r, inner, m, depth+1); failed == nil {
				return many, nil
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

// readList reads the rows that are inside of one.
func readList(r row, inner []json.RawMessage, m Mapping, depth int) ([]draft, error) {
	var all []draft
	for _, v := range inner {
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

// inner is the one list of objects that an object holds, also one level down. An object
// that says what was asked is a row itself, and its lists are about it.
func (o *object) inner(depth int) []json.RawMessage {
	if slices.ContainsFunc(promptNames[:asks], o.has) {
		return nil
	}
	var found []json.RawMessage
	for _, name := range o.names {
		list, err := parseList(o.values[name])
		if err != nil {
			if below, failed := parseObject(o.values[name]); failed == nil && depth == 0 {
				list = below.inner(depth + 1)
			}
		}
		if len(list) == 0 {
			continue
		}
		if _, err := parseObject(list[0]); err != nil {
			continue
		}
		if _, talk := messagesOf(list); talk {
			return nil // what people said is no output
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

// answer finds what the model wrote, where --map says it is or by the names of fields.
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

// split makes a draft of each answer.
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

// maxID bounds an id in bytes: all ids of an input are held. What is longer is no name.
const maxID = 1024

// id is the row's own name, empty if it has none. A row of a batch has the custom_id
// that its sender gave it.
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

// fields fills in what is known besides the text; what has no place of its own is kept
// in meta.
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
	r.plain(fieldTask, &o.TaskID)
	r.plain(fieldModel, &o.Model)
	r.plain(fieldGroup, &o.GroupID)
	r.plain(fieldKind, (*string)(&o.Kind))
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

// plain reads a field that is one word. One of another type stays in meta.
func (r *record) plain(field string, to *string) {
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
