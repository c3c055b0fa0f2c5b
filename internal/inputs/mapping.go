package inputs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// The fields that a row may have.
const (
	fieldOutput      = "output"
	fieldInstruction = "instruction"
	fieldID          = "id"
	fieldTask        = "task_id"
	fieldModel       = "model"
	fieldKind        = "kind"
	fieldGroup       = "group_id"
	fieldMeta        = "meta"
)

// Fields are the names on the left of --map.
var Fields = []string{fieldOutput, fieldInstruction, fieldID, fieldTask, fieldModel, fieldKind, fieldGroup}

// A Mapping says where in a row a field is: a column, or a path such as
// choices.0.message.content. An empty path says that rows do not have the field.
type Mapping map[string]string

// ParseMapping reads FIELD=PATH pairs.
func ParseMapping(pairs []string) (Mapping, error) {
	m := Mapping{}
	for _, pair := range pairs {
		field, path, ok := strings.Cut(pair, "=")
		switch {
		case !ok || !slices.Contains(Fields, field):
			return nil, refuse(fmt.Sprintf("--map: %q is not FIELD=COLUMN", pair),
				"FIELD is one of "+strings.Join(Fields, ", ")+"; such as --map output=reply.text")
		case field == fieldOutput && path == "":
			return nil, refuse("--map: output= names no column", "such as --map output=reply.text")
		}
		if before, twice := m[field]; twice && before != path {
			return nil, refuse(fmt.Sprintf("--map: %s is there twice, as %q and %q", field, before, path), "name each field once")
		}
		m[field] = path
	}
	return m, nil
}

func (m Mapping) String() string {
	var all []string
	for _, field := range slices.Sorted(maps.Keys(m)) {
		all = append(all, field+"="+m[field])
	}
	return strings.Join(all, " ")
}

// refuse is a fault about the input as a whole.
func refuse(message, fix string) *vitrine.Fault {
	return vitrine.NewFault("input", vitrine.FaultUsage, nil, message).WithFix(fix)
}

// at is the value at a path: a field of that very name, else step by step, through
// strings that hold JSON too.
func (o *object) at(path string) (json.RawMessage, bool) {
	if v, ok := o.values[path]; ok {
		return v, true
	}
	head, rest, more := strings.Cut(path, ".")
	v, ok := o.values[head]
	if !ok || !more {
		return nil, false
	}
	return step(v, rest)
}

func step(v json.RawMessage, path string) (json.RawMessage, bool) {
	v = opened(v)
	if inner, err := parseObject(v); err == nil {
		return inner.at(path)
	}
	head, rest, more := strings.Cut(path, ".")
	list, err := parseList(v)
	i, failed := strconv.Atoi(head)
	if err != nil || failed != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	if more {
		return step(list[i], rest)
	}
	return list[i], true
}
