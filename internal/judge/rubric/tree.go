package rubric

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"vitrine/internal/model/answer"
)

// Dimensions are the three parts of a tree, in order.
var Dimensions = []string{"intention", "static", "dynamic"}

// A Tree is a rubric for one task.
type Tree struct {
	Intention Node `json:"intention"`
	Static    Node `json:"static"`
	// Dynamic has exactly two children: basic interactions, then complex ones.
	Dynamic Node `json:"dynamic"`
}

// A Node is a requirement, or a group of some. Its children are null where it is a
// leaf.
type Node struct {
	Description string `json:"description"`
	Children    []Node `json:"children"`
}

// Bounds of a tree; published ones have 30 leaves and a height of 5 on average.
const (
	maxLeaves = 300
	maxHeight = 12
)

// Parse reads a tree and holds it against the form. Errors name every problem by
// its path, such as static.children[2].description.
func Parse(data []byte) (*Tree, error) {
	if err := treeShape().Check(data); err != nil {
		return nil, fmt.Errorf("rubric tree: %w", err)
	}
	var t Tree
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("rubric tree: %w", err)
	}
	return &t, t.Validate()
}

// treeShape is the form of a tree in JSON.
func treeShape() answer.Shape {
	var node answer.Shape
	node = answer.Object(
		answer.Field{Name: "description", Shape: answer.Text(1000)},
		answer.Field{Name: "children", Shape: answer.ListOf(&node, maxLeaves).OrNull()},
	)
	var fields []answer.Field
	for _, d := range Dimensions {
		fields = append(fields, answer.Field{Name: d, Shape: node})
	}
	return answer.Object(fields...)
}

// Validate holds what the form alone does not: groups are not empty, dynamic is
// basic and complex, and the tree is of a size that a judge can answer.
func (t *Tree) Validate() error {
	var problems []string
	for i, root := range t.roots() {
		walk(*root, Dimensions[i], func(path string, n Node) {
			switch {
			case strings.TrimSpace(n.Description) == "":
				problems = append(problems, path+".description: must not be empty")
			case n.Children != nil && len(n.Children) == 0:
				problems = append(problems, path+".children: is empty; want null for a leaf")
			}
		})
	}
	problems = append(problems, t.dynamicProblems()...)
	if s := t.Stats(); s.Leaves > maxLeaves || s.Height > maxHeight {
		problems = append(problems, fmt.Sprintf("the tree has %d leaves and height %d; want at most %d and %d", s.Leaves, s.Height, maxLeaves, maxHeight))
	}
	if len(problems) > 0 {
		return fmt.Errorf("rubric tree: %s", strings.Join(problems, "; "))
	}
	return nil
}

// dynamicProblems says why dynamic is not basic and complex.
func (t *Tree) dynamicProblems() []string {
	kinds := []string{"basic", "complex"}
	if n := len(t.Dynamic.Children); n != len(kinds) {
		return []string{fmt.Sprintf("dynamic.children: has %d, want exactly 2: basic and complex interactions", n)}
	}
	var problems []string
	for i, kind := range kinds {
		if !strings.Contains(strings.ToLower(t.Dynamic.Children[i].Description), kind) {
			problems = append(problems, fmt.Sprintf("dynamic.children[%d].description: must have the word %q in it", i, kind))
		}
	}
	return problems
}

func (t *Tree) roots() []*Node { return []*Node{&t.Intention, &t.Static, &t.Dynamic} }

// walk visits a node and all below it, with their paths.
func walk(n Node, path string, visit func(path string, n Node)) {
	visit(path, n)
	for i, child := range n.Children {
		walk(child, path+".children["+strconv.Itoa(i)+"]", visit)
	}
}

// JSON is the tree as it is stored and edited: indented, keys in a fixed order,
// leaves with null children. Parse reads it back unchanged.
func (t *Tree) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(t)
	return b.Bytes(), err
}

// A Leaf is a requirement that is met or not.
type Leaf struct {
	ID        string   // dimension and places from 1: static.2.1
	Dimension string   // one of Dimensions
	Path      []string // descriptions from the dimension's child down to the leaf
	Complex   bool     // of dynamic: a complex interaction
}

// Leaves lists every leaf, in the order of the tree.
func (t *Tree) Leaves() []Leaf {
	var leaves []Leaf
	for i, root := range t.roots() {
		gather(*root, Leaf{ID: Dimensions[i], Dimension: Dimensions[i]}, &leaves)
	}
	return leaves
}

// gather adds the leaves below a node, of which at is what is known so far.
func gather(n Node, at Leaf, leaves *[]Leaf) {
	if n.Children == nil {
		if len(at.Path) == 0 { // the dimension itself is the leaf
			at.Path = []string{n.Description}
		}
		*leaves = append(*leaves, at)
		return
	}
	for i, child := range n.Children {
		below := at
		below.ID = at.ID + "." + strconv.Itoa(i+1)
		below.Path = append(append([]string{}, at.Path...), child.Description)
		below.Complex = at.Complex || at.ID == "dynamic" && i == 1
		gather(child, below, leaves)
	}
}

// Stats describes a tree. Heights count levels: of the whole, the root that joins
// the three dimensions is one of them (WebDevJudge Table 9).
type Stats struct {
	Height  int            `json:"height"`
	Leaves  int            `json:"leaves"`
	Heights map[string]int `json:"heights"`    // of each dimension
	Counts  map[string]int `json:"leaf_count"` // of each dimension
}

// Stats counts.
func (t *Tree) Stats() Stats {
	s := Stats{Heights: map[string]int{}, Counts: map[string]int{}}
	for i, root := range t.roots() {
		h := height(*root)
		s.Heights[Dimensions[i]] = h
		s.Height = max(s.Height, h+1)
	}
	for _, leaf := range t.Leaves() {
		s.Counts[leaf.Dimension]++
		s.Leaves++
	}
	return s
}

func height(n Node) int {
	h := 0
	for _, child := range n.Children {
		h = max(h, height(child))
	}
	return h + 1
}
