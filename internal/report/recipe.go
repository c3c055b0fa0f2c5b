package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A recipe is what a report shows of the recipe that run.json keeps. The report
// reads the file, not the program that wrote it: what it does not know it leaves
// out.
type recipe struct {
	Name    string          `json:"name"`
	Build   string          `json:"build"`
	Combine string          `json:"combine"`
	Gates   []gate          `json:"gates"`
	Parts   map[string]part `json:"parts"`
}

type gate struct {
	When   string             `json:"when"`
	Is     *float64           `json:"is"`
	Below  *float64           `json:"below"`
	Above  *float64           `json:"above"`
	Reward *float64           `json:"reward"`
	Set    map[string]float64 `json:"set"`
}

type part struct {
	From     string       `json:"from"`
	Constant *float64     `json:"constant"`
	Fallback *stand       `json:"fallback"`
	Map      [][2]float64 `json:"map"`
	Weight   float64      `json:"weight"`
}

// A stand stands in for a signal: another signal, or a number.
type stand struct {
	Signal string  `json:"signal"`
	Number float64 `json:"number"`
}

func (s stand) String() string {
	if s.Signal != "" {
		return s.Signal
	}
	return number(s.Number)
}

// readRecipe returns the zero recipe, which has no parts, if spec is not a valid one.
func readRecipe(spec json.RawMessage) recipe {
	var r recipe
	if json.Unmarshal(spec, &r) != nil {
		return recipe{}
	}
	return r
}

func (r recipe) product() bool { return r.Combine == "product" }

func (r recipe) partNames() []string { return slices.Sorted(maps.Keys(r.Parts)) }

// Formula is the arithmetic in one line, such as "code × 0.1 + func_vis".
func (r recipe) Formula() string {
	var terms []string
	for _, name := range r.partNames() {
		if p := r.Parts[name]; !r.product() && p.Weight != 1 {
			name += " × " + number(p.Weight)
		}
		terms = append(terms, name)
	}
	if r.product() {
		return strings.Join(terms, " × ")
	}
	return strings.Join(terms, " + ")
}

// Reads says where a part comes from.
func (p part) Reads() string {
	if p.Constant != nil {
		return "constant " + number(*p.Constant)
	}
	return p.From
}

// Scaled says how a part is scaled, "" if it is taken as it is.
func (p part) Scaled() string {
	points := make([]string, len(p.Map))
	for i, b := range p.Map {
		points[i] = number(b[0]) + " → " + number(b[1])
	}
	return strings.Join(points, ", ")
}

// Condition is when the gate holds, in the words that a reward names it by.
func (g gate) Condition() string {
	switch {
	case g.Is != nil:
		return fmt.Sprintf("%s is %v", g.When, *g.Is)
	case g.Below != nil:
		return fmt.Sprintf("%s below %v", g.When, *g.Below)
	case g.Above != nil:
		return fmt.Sprintf("%s above %v", g.When, *g.Above)
	}
	return g.When
}

// Effect is what the gate does.
func (g gate) Effect() string {
	if g.Reward != nil {
		return "the reward is " + number(*g.Reward)
	}
	var sets []string
	for _, name := range slices.Sorted(maps.Keys(g.Set)) {
		sets = append(sets, name+" is "+number(g.Set[name]))
	}
	return strings.Join(sets, ", ")
}
