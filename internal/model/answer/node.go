package answer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A node is a JSON value that still knows the order of its keys and those that are
// there twice.
type node struct {
	kind    string // object, array, string, number, boolean, null
	members []member
	items   []node
	text    string
	number  json.Number
}

type member struct {
	name  string
	value node
}

// is reports whether the value can be of a kind: a number is asked for whether it
// is whole later, where it can be quoted.
func (n node) is(kind string) bool {
	return n.kind == kind || kind == "integer" && n.kind == "number"
}

func (n node) describe() string {
	switch n.kind {
	case "string":
		return fmt.Sprintf("the string %q", clip(n.text))
	case "null":
		return "null"
	}
	return article(n.kind)
}

// readNode reads one value that is known to be well-formed and not too deep.
func readNode(d *json.Decoder) (node, error) {
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return readObject(d)
		}
		return readArray(d)
	case string:
		return node{kind: "string", text: t}, nil
	case json.Number:
		return node{kind: "number", number: t}, nil
	case bool:
		return node{kind: "boolean"}, nil
	}
	return node{kind: "null"}, nil
}

func readObject(d *json.Decoder) (node, error) {
	n := node{kind: "object"}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return n, err
		}
		name, ok := key.(string)
		if !ok {
			return n, errors.New("a key is no string")
		}
		value, err := readNode(d)
		if err != nil {
			return n, err
		}
		n.members = append(n.members, member{name, value})
	}
	_, err := d.Token()
	return n, err
}

func readArray(d *json.Decoder) (node, error) {
	n := node{kind: "array"}
	for d.More() {
		item, err := readNode(d)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
	}
	_, err := d.Token()
	return n, err
}
