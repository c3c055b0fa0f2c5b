// Package answers holds what people and judges say of the same things, in one form for all
// data sets, and the figures over it: how far people agree with each other, and how far
// each judge agrees with them, with itself and with other judges.
package answers

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// A Kind says what is asked of an item.
type Kind string

// The kinds, with what an answer is.
const (
	Pair   Kind = "pair"   // which of two: A, B or tie
	Unit   Kind = "unit"   // whether something holds: true or false
	Rating Kind = "rating" // how much: a number
	Class  Kind = "class"  // which of several categories without an order: a text
)

// Words say what an answer of the kind is, for whoever does not know its name.
func (k Kind) Words() string {
	return map[Kind]string{Pair: "which of two is better", Unit: "yes or no", Rating: "a grade", Class: "a category"}[k]
}

// tie is the answer to a pair of which neither is better.
const tie = "tie"

// An Item is one question about one thing. Of a thing with several questions, such as a page
// with two grades, there are several items with one task.
type Item struct {
	ID       string `json:"id"`
	Kind     Kind   `json:"kind"`
	Question string `json:"question,omitempty"` // what is asked, such as usability
	// Task is what several items belong to, such as a page or an instruction: intervals
	// draw whole tasks. Without one the item is a task of its own.
	Task     string `json:"task,omitempty"`
	Category string `json:"category,omitempty"`
	Model    string `json:"model,omitempty"` // that made the thing
	Split    string `json:"split,omitempty"` // fit or test
	// Lengths are those of the thing, or of A and B, in any unit, such as characters.
	Lengths []float64 `json:"lengths,omitempty"`
	Truth   *Value    `json:"truth,omitempty"` // the settled answer, if it is not that of the labels
	// VariantOf is the item of the same question of which this is another version, of the
	// kind that Variant names, such as paraphrase or relabelled. What is asked has the same
	// answer, unless the version is Broken: then the answer must be another, or lower.
	VariantOf string `json:"variant_of,omitempty"`
	Variant   string `json:"variant,omitempty"`
	Broken    bool   `json:"broken,omitempty"`
	Template  string `json:"template,omitempty"` // in whose words the question is put
	// Attacked says that the version was made to be liked better without being better: A or B,
	// the side of a pair that was, or "it" of anything else.
	Attacked string `json:"attacked,omitempty"`
	// What is asked about: the instruction of the site, of a unit what is to be possible on
	// it, and the site, or A and B. A judge that is to be asked needs them.
	Instruction string `json:"instruction,omitempty"`
	Asks        string `json:"asks,omitempty"`
	// Rubric is a rubric tree, or the file of one as a text.
	Rubric json.RawMessage `json:"rubric,omitempty"`
	Shown  []Thing         `json:"shown,omitempty"`
}

// A Thing is a site as a judge can be shown it, in one way or several. Paths are relative to
// the file that names them, and made absolute on reading.
type Thing struct {
	Evidence string `json:"evidence,omitempty"` // folder that vitrine render or score made
	Page     string `json:"page,omitempty"`     // anything that vitrine render takes
	Code     string `json:"code,omitempty"`     // a page of one file, itself
	Picture  string `json:"picture,omitempty"`  // file
	// Trajectory is a text file of what somebody did on the site and what came of it. Without
	// one it is the trace of the evidence.
	Trajectory string `json:"trajectory,omitempty"`
}

// A Label is what a person says of an item.
type Label struct {
	Item    string   `json:"item"`
	Rater   string   `json:"rater"`
	Value   *Value   `json:"value"`
	Seconds *float64 `json:"seconds,omitempty"`
	First   string   `json:"first,omitempty"` // of a pair, which stood first or left: A or B
}

// An Answer is what a judge says of an item. It is without a value where the judge could
// not say, and then Error is the reason.
type Answer struct {
	Item   string `json:"item"`
	Judge  string `json:"judge"`
	Value  *Value `json:"value"`
	Error  string `json:"error,omitempty"`
	Repeat int    `json:"repeat,omitempty"` // of answers to the same question, from 1
	// Swapped says that B was shown first; the value is still of the item's A and B. Of a
	// rating of two inputs, such as an instruction and a picture, it is the other order.
	Swapped    bool     `json:"swapped,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"` // in [0,1]
	Seconds    *float64 `json:"seconds,omitempty"`
	USD        *float64 `json:"usd,omitempty"`
}

// A Value is an answer: a text, true or false, or a number.
type Value struct {
	Text   string
	Number float64 // of a number; NaN of anything else
}

// Text is a value that is a text.
func Text(s string) *Value { return &Value{s, math.NaN()} }

// Number is a value that is a number.
func Number(v float64) *Value { return &Value{strconv.FormatFloat(v, 'g', -1, 64), v} }

// Bool is a value that is true or false.
func Bool(b bool) *Value { return Text(strconv.FormatBool(b)) }

// UnmarshalJSON reads a text, true or false, or a number.
func (v *Value) UnmarshalJSON(b []byte) error {
	var read any
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	switch read := read.(type) {
	case string:
		*v = *Text(read)
	case bool:
		*v = *Bool(read)
	case float64:
		*v = *Number(read)
	default:
		return fmt.Errorf("a value is %s; want a text, a number, true, false or null", b)
	}
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (v Value) MarshalJSON() ([]byte, error) {
	if !math.IsNaN(v.Number) || v.Text == "true" || v.Text == "false" {
		return []byte(v.Text), nil
	}
	return json.Marshal(v.Text)
}

// Fits says what is wrong with a value for a kind, if anything.
func (v Value) Fits(k Kind) error {
	switch {
	case k == Pair && v.Text != "A" && v.Text != "B" && v.Text != tie:
		return fmt.Errorf("%q is no answer about a pair; want A, B or tie", v.Text)
	case k == Unit && v.Text != "true" && v.Text != "false":
		return fmt.Errorf("%q is no answer about a unit; want true or false", v.Text)
	case k == Rating && math.IsNaN(v.Number):
		return fmt.Errorf("%q is no rating; want a number", v.Text)
	case k == Class && v.Text == "":
		return fmt.Errorf("the category is empty")
	}
	return nil
}

// A Line is one line of the form: one of the three.
type Line struct {
	Item   *Item   `json:"item,omitempty"`
	Label  *Label  `json:"label,omitempty"`
	Answer *Answer `json:"answer,omitempty"`
}
