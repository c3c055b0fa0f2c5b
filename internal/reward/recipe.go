package reward

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/strictyaml"
)

//go:embed recipes/*.yaml
var recipes embed.FS

// The ways of building a site that a recipe may ask for.
const (
	BuildStrict  = "strict"  // a production build: one missing import fails it
	BuildLenient = "lenient" // as a development server: only the broken module fails
)

// The ways of putting parts together.
const (
	CombineSum     = "sum"     // each part times its weight, added
	CombineProduct = "product" // all parts multiplied
)

// A Recipe turns signals into one number. Use [Load] or [Parse] to get one; its
// fields are checked there and only read afterwards.
type Recipe struct {
	Name        string          `json:"name"`
	Source      string          `json:"-"` // where the formula comes from
	Description string          `json:"-"`
	Build       string          `json:"build"`             // BuildStrict (default) or BuildLenient
	Profile     vitrine.Profile `json:"profile,omitempty"` // of models that judge or exercise; empty is vitrine
	Hint        HintRules       `json:"hint,omitempty"`
	Combine     string          `json:"combine"` // CombineSum or CombineProduct
	Gates       []Gate          `json:"gates,omitempty"`
	Parts       map[string]Part `json:"parts"`
}

// HintRules are the names of the HTMLHint rules behind the signal hint.pass. Nil
// leaves them as in AesCoder App. G.7.
type HintRules []string

// A Gate overrules parts, or the whole value, when one signal meets a condition.
// Exactly one of Is, Below and Above is set.
type Gate struct {
	When  string   `json:"when"` // signal
	Is    *float64 `json:"is,omitempty"`
	Below *float64 `json:"below,omitempty"`
	Above *float64 `json:"above,omitempty"`
	// Fallback is the number to read where the signal is not known; nil leaves
	// such a sample unjudged.
	Fallback *float64 `json:"fallback,omitempty"`
	// Reward is the whole value; nil leaves it to the parts. Set fixes parts. With
	// a Reward, parts that are not in Set are 0: they explain and do not count.
	Reward *float64           `json:"reward,omitempty"`
	Set    map[string]float64 `json:"set,omitempty"`
	// Stop says that nothing which is found out later can change the value.
	Stop bool `json:"stop,omitempty"`
}

// String is the condition in words, such as "hint.pass is 0".
func (g Gate) String() string {
	switch {
	case g.Is != nil:
		return fmt.Sprintf("%s is %v", g.When, *g.Is)
	case g.Below != nil:
		return fmt.Sprintf("%s below %v", g.When, *g.Below)
	default:
		return fmt.Sprintf("%s above %v", g.When, *g.Above)
	}
}

// A Part is one term or factor of a reward. It is read from the signal From, or
// is the number Constant.
type Part struct {
	From     string    `json:"from,omitempty"`
	Constant *float64  `json:"constant,omitempty"`
	Fallback *Fallback `json:"fallback,omitempty"`
	// Map brings the signal to the part's scale: points [signal, part] with rising
	// first numbers, straight lines between them, flat beyond the ends. Without
	// one the part is the signal.
	Map    [][2]float64 `json:"map,omitempty"`
	Weight float64      `json:"weight,omitempty"` // of a sum
}

// A Fallback stands in for a signal that is not known: another signal, or a
// number on the scale of the signal.
type Fallback struct {
	Signal string  `json:"signal,omitempty"` // empty: Number counts
	Number float64 `json:"number"`
}

func (f Fallback) String() string {
	if f.Signal != "" {
		return f.Signal
	}
	return fmt.Sprint(f.Number)
}

// Builtin returns the names of the recipes that ship, sorted.
func Builtin() []string {
	files, _ := recipes.ReadDir("recipes") // embedded: it is there
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".yaml")
	}
	return names
}

// Load returns a recipe that ships, by its name, or else the recipe in a YAML
// file, which it gets with read. The error is a [*vitrine.Fault] with code
// [vitrine.FaultUsage].
func Load(nameOrPath string, read func(string) ([]byte, error)) (*Recipe, error) {
	if slices.Contains(Builtin(), nameOrPath) {
		data, err := recipes.ReadFile("recipes/" + nameOrPath + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("read recipe: %w", err)
		}
		return Parse(nameOrPath, data)
	}
	data, err := read(nameOrPath)
	if err != nil {
		return nil, vitrine.NewFault("reward", vitrine.FaultUsage, err, fmt.Sprintf(
			"no recipe %q: it is neither one that ships (%s) nor a file%s",
			nameOrPath, strings.Join(Builtin(), ", "), strictyaml.DidYouMean(nameOrPath, Builtin()))).
			WithFix("Name a recipe that ships, or give the path of a YAML file.")
	}
	return Parse(nameOrPath, data)
}

// ID is the recipe's name and the start of the hash of everything that can
// change a value: "webgen-r1@3f9c1a20". Comments, order of keys, source and
// description do not count.
func (r *Recipe) ID() string {
	content, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("marshal recipe %s: %v", r.Name, err)) // only finite numbers and text get past Parse
	}
	sum := sha256.Sum256(content)
	return r.Name + "@" + hex.EncodeToString(sum[:4])
}

// PartNames returns the names of all parts, sorted: the keys of every reward.
func (r *Recipe) PartNames() []string {
	return slices.Sorted(maps.Keys(r.Parts))
}

// Needs says whether a gate, a part or a fallback asks for a signal that starts
// with prefix, such as "interact." or "output.tokens".
func (r *Recipe) Needs(prefix string) bool {
	for _, g := range r.Gates {
		if strings.HasPrefix(g.When, prefix) {
			return true
		}
	}
	for _, p := range r.Parts {
		if p.From != "" && strings.HasPrefix(p.From, prefix) {
			return true
		}
		if p.Fallback != nil && p.Fallback.Signal != "" && strings.HasPrefix(p.Fallback.Signal, prefix) {
			return true
		}
	}
	return false
}
