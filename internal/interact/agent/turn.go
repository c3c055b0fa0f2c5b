package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"vitrine"
	"vitrine/internal/model/answer"
)

// Bounds of what a model may say in one turn, in letters.
const (
	maxThought = 8000
	maxTyped   = 2000
	maxReason  = 1000
)

// order is the part of an answer that says what to do. Every key is there; what an
// action does not need is null.
type order struct {
	Thought   string  `json:"thought"`
	Action    string  `json:"action"`
	Mark      *int    `json:"mark"`
	Text      *string `json:"text"`
	Submit    *bool   `json:"submit"`
	Direction string  `json:"direction"`
}

func orderFields(actions ...string) []answer.Field {
	return []answer.Field{
		{Name: "action", Shape: answer.Choice(actions...)},
		{Name: "mark", Shape: answer.Integer(1, 9999).OrNull().About("number of a control, else null")},
		{Name: "text", Shape: answer.Text(maxTyped).OrNull().About("to type, else null")},
		{Name: "submit", Shape: answer.Bool().OrNull().About("of type: whether to press Enter afterwards, else null")},
	}
}

func thoughtField() answer.Field {
	return answer.Field{Name: "thought", Shape: answer.Text(maxThought).About("what you see and intend, briefly")}
}

// read unpacks an answer of a shape.
func read(text string, shape answer.Shape, into any) error {
	raw, err := answer.Extract(text)
	if err == nil {
		err = shape.Check(raw)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// target is the control that an order names, which has to be one of those shown.
func (o order) target(controls []vitrine.Control) (*vitrine.Target, error) {
	if o.Mark == nil {
		return nil, fmt.Errorf("mark: %s needs the number of a control", o.Action)
	}
	if !slices.ContainsFunc(controls, func(c vitrine.Control) bool { return c.Mark == *o.Mark }) {
		return nil, fmt.Errorf("mark: there is no control %d; the controls have the numbers 1 to %d", *o.Mark, len(controls))
	}
	return &vitrine.Target{Mark: *o.Mark}, nil
}

var arrows = map[string]string{"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}

// actions are what an order comes to on the page.
func (o order) actions(controls []vitrine.Control, window vitrine.Viewport) ([]vitrine.Action, error) {
	switch o.Action {
	case "click":
		t, err := o.target(controls)
		return []vitrine.Action{{Kind: vitrine.ActClick, Target: t}}, err
	case "type":
		return o.typing(controls)
	case "scroll":
		return o.scroll(controls, window)
	case "wait":
		return []vitrine.Action{{Kind: vitrine.ActWait, MS: markWait}}, nil
	case "back":
		return []vitrine.Action{{Kind: vitrine.ActBack}}, nil
	}
	return []vitrine.Action{{Kind: vitrine.ActPress, Text: arrows[o.Action]}}, nil
}

// typing types into a field; in a list of choices the session chooses.
func (o order) typing(controls []vitrine.Control) ([]vitrine.Action, error) {
	t, err := o.target(controls)
	if err != nil {
		return nil, err
	}
	if o.Text == nil {
		return nil, errors.New("text: type needs a text")
	}
	return typing(t, *o.Text, o.Submit != nil && *o.Submit), nil
}

func (o order) scroll(controls []vitrine.Control, window vitrine.Viewport) ([]vitrine.Action, error) {
	var at *vitrine.Target
	if o.Mark != nil {
		var err error
		if at, err = o.target(controls); err != nil {
			return nil, err
		}
	}
	a, err := scroll(at, o.Direction, window)
	return []vitrine.Action{a}, err
}
