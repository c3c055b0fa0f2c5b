package server

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"vitrine"
)

// An ID names something of the client's. Data sets number their rows, so numbers
// are taken, too.
type ID string

// Schema is a text or a number.
func (ID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: "string", MaxLength: new(maxID), Nullable: true}, {Type: "integer"}}}
}

const maxID = 512 // bytes

// UnmarshalJSON takes a text, a number or null.
func (id *ID) UnmarshalJSON(b []byte) error {
	var text string
	var number json.Number
	switch {
	case string(b) == "null":
		return nil
	case json.Unmarshal(b, &text) == nil:
		*id = ID(text)
	case json.Unmarshal(b, &number) == nil:
		*id = ID(number)
	default:
		return fmt.Errorf("an id is a text or a number")
	}
	return nil
}

// An Item is one output to be scored: a text, the files of a site, or the session
// in which it was written.
type Item struct {
	ID          ID                         `json:"id,omitempty" doc:"names the item in the answer; its place in the list if it is left out"`
	Output      *string                    `json:"output,omitempty" nullable:"true" doc:"what the model wrote, as it wrote it"`
	Files       map[string]string          `json:"files,omitempty" nullable:"true" doc:"in place of output: the files of a site, by path"`
	Instruction string                     `json:"instruction,omitempty" nullable:"true" doc:"what the model was asked"`
	TaskID      ID                         `json:"task_id,omitempty" doc:"a task of /v1/tasks, in place of an instruction"`
	Model       string                     `json:"model,omitempty" nullable:"true"`
	Kind        vitrine.Kind               `json:"kind,omitempty" nullable:"true" enum:",page,project,component,svg,plot" doc:"what the text holds; left out: find out"`
	GroupID     ID                         `json:"group_id,omitempty" doc:"outputs of one prompt have the same"`
	SessionID   string                     `json:"session_id,omitempty" nullable:"true" doc:"in place of output: the reward of this session's end"`
	Meta        map[string]json.RawMessage `json:"meta,omitempty" nullable:"true" doc:"given back as it is, with every field that is not known"`

	_ struct{} `json:"-" additionalProperties:"true"`
}

// itemFields are the known ones, for UnmarshalJSON.
var itemFields = []string{"id", "output", "files", "instruction", "task_id", "model", "kind", "group_id", "session_id", "meta"}

// UnmarshalJSON keeps fields that are not known in Meta.
func (i *Item) UnmarshalJSON(b []byte) error {
	type plain Item
	if err := json.Unmarshal(b, (*plain)(i)); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	for name, raw := range all {
		if slices.Contains(itemFields, name) {
			continue
		}
		if i.Meta == nil {
			i.Meta = map[string]json.RawMessage{}
		}
		if _, there := i.Meta[name]; !there {
			i.Meta[name] = raw
		}
	}
	return nil
}

// check reports an item that cannot be scored whatever the server does.
func (i *Item) check(at int) error {
	switch {
	case i.SessionID != "":
		return nil
	case i.Output == nil && i.Files == nil:
		return invalid(fmt.Sprintf("items[%d] has neither output nor files nor session_id", at), `give what the model wrote as "output"`)
	case i.Output != nil && i.Files != nil:
		return invalid(fmt.Sprintf("items[%d] has both output and files", at), "give one of them")
	}
	for name := range i.Files {
		if why := vitrine.CheckPath(name); why != "" {
			return invalid(fmt.Sprintf("items[%d].files: %.100q is no path of a site (%s)", at, name, why),
				"use paths such as src/App.tsx, without a leading slash and .., and leave out .git and node_modules")
		}
	}
	return nil
}

// text is what the model wrote, one way or the other.
func (i *Item) text() string {
	if i.Output != nil {
		return *i.Output
	}
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(i.Files)) {
		all = append(append(append(append(all, name...), '\n'), i.Files[name]...), '\n')
	}
	return string(all)
}

// key is the hash of everything that the answer is a function of. The names of an
// item are not: equal outputs are judged once. Of a task that is known everything is,
// such as its rubric.
func (i *Item) key(recipe, provenance string, task vitrine.Task) string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(struct { // a hash takes everything
		Provenance, Recipe, TaskID, Instruction string
		Task                                    vitrine.Task
		Kind                                    vitrine.Kind
		Output                                  *string
		Files                                   map[string]string
		Tokens                                  map[string]json.RawMessage
	}{provenance, recipe, string(i.TaskID), i.Instruction, task, i.Kind, i.Output, i.Files, i.tokens()})
	return hex.EncodeToString(sum.Sum(nil))
}

// tokens is what meta says of the length of the output, which recipes may read.
func (i *Item) tokens() map[string]json.RawMessage {
	said := map[string]json.RawMessage{}
	for _, name := range []string{"output_tokens", "completion_tokens", "tokens"} {
		if raw, there := i.Meta[name]; there {
			said[name] = raw
		}
	}
	return said
}
