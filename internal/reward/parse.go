package reward

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"vitrine"
	"vitrine/internal/strictyaml"
)

var (
	recipeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	partName   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`) // a key of the output
)

// Parse reads a recipe from YAML. Name is what messages call the file, and the
// recipe itself if it does not say its name. The error is a [*vitrine.Fault]
// with code [vitrine.FaultUsage] that names file, line and field and lists what
// is valid there.
func Parse(name string, data []byte) (*Recipe, error) {
	d := &decoder{strictyaml.Reader{File: name, Holds: "at least parts", Max: maxFile}}
	r := d.recipe(d.Document(data))
	if d.Err != nil {
		return nil, vitrine.NewFault("reward", vitrine.FaultUsage, nil, d.Err.Error()).
			WithFix("Mend the recipe, or start again from one that ships: " + strings.Join(Builtin(), ", ") + ".")
	}
	return r, nil
}

func (d *decoder) recipe(root field) *Recipe {
	base := d.File[strings.LastIndexAny(d.File, `/\`)+1:]
	name := field{Node: root.Node, Line: root.Line}
	r := &Recipe{Name: strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml"), Build: BuildStrict, Combine: CombineSum}
	var parts, gates field
	for f := range d.Entries(root, "name", "source", "description", "profile", "build", "hint", "combine", "gates", "parts") {
		switch f.Key {
		case "name":
			r.Name, name = d.Text(f), f
		case "source":
			r.Source = d.Text(f)
		case "description":
			r.Description = d.Text(f)
		case "build":
			r.Build = d.OneOf(f, BuildStrict, BuildLenient)
		case "profile":
			r.Profile = vitrine.Profile(d.OneOf(f, string(vitrine.ProfileVitrine), string(vitrine.ProfilePublished)))
		case "hint":
			r.Hint = d.hint(f)
		case "combine":
			r.Combine = d.OneOf(f, CombineSum, CombineProduct)
		case "gates":
			gates = f
		case "parts":
			parts = f
		}
	}
	if !recipeName.MatchString(r.Name) {
		d.Fail(name, "%q is no name for a recipe: want lower-case letters, digits and . _ -", r.Name)
	}
	r.Parts = d.parts(parts, r.Combine)
	if gates.Node != nil {
		for _, item := range d.List(gates) {
			r.Gates = append(r.Gates, d.gate(item, r))
		}
	}
	return r
}

func (d *decoder) hint(f field) HintRules {
	var rules HintRules
	for _, item := range d.List(f) {
		rules = append(rules, d.Text(item))
	}
	if len(rules) == 0 {
		d.Fail(f, "want a list of HTMLHint rules such as [doctype-html5, id-unique]")
	}
	return rules
}

func (d *decoder) parts(f field, combine string) map[string]Part {
	if f.Node == nil {
		d.Fail(f, "parts is missing: a recipe needs at least one part")
		return nil
	}
	parts := map[string]Part{}
	for k := range d.Entries(f) {
		if !partName.MatchString(k.Key) {
			d.Fail(k, "want a name of lower-case letters, digits and _, first a letter")
		}
		parts[k.Key] = d.part(k, combine)
	}
	if len(parts) == 0 {
		d.Fail(f, "a recipe needs at least one part")
	}
	return parts
}

func (d *decoder) part(f field, combine string) Part {
	var p Part
	weighted := false
	for k := range d.Entries(f, "from", "constant", "fallback", "map", "weight") {
		switch k.Key {
		case "from":
			p.From = d.signal(k)
		case "constant":
			p.Constant = d.number(k)
		case "fallback":
			p.Fallback = d.fallback(k)
		case "map":
			p.Map = d.points(k)
		case "weight":
			p.Weight, weighted = *d.number(k), true
		}
	}
	switch {
	case (p.From == "") == (p.Constant == nil):
		d.Fail(f, "want exactly one of from (a signal) and constant (a number)")
	case p.Constant != nil && (p.Fallback != nil || p.Map != nil):
		d.Fail(f, "a constant takes no fallback and no map")
	case p.Fallback != nil && p.Fallback.Signal == "":
		d.onScale(f, p.From, p.Fallback.Number)
	}
	switch {
	case combine == CombineSum && !weighted:
		d.Fail(f, "weight is missing: a sum weighs each part")
	case combine == CombineProduct && weighted:
		d.Fail(f, "a product has no weights: leave weight out, or use combine: sum")
	}
	return p
}

func (d *decoder) gate(f field, r *Recipe) Gate {
	var g Gate
	conditions := 0
	for k := range d.Entries(f, "when", "is", "below", "above", "fallback", "reward", "set", "stop") {
		switch k.Key {
		case "when":
			g.When = d.signal(k)
		case "is":
			g.Is, conditions = d.number(k), conditions+1
		case "below":
			g.Below, conditions = d.number(k), conditions+1
		case "above":
			g.Above, conditions = d.number(k), conditions+1
		case "fallback":
			g.Fallback = d.number(k)
		case "reward":
			g.Reward = d.number(k)
		case "set":
			g.Set = d.set(k, r.PartNames())
		case "stop":
			g.Stop = d.truth(k)
		}
	}
	if g.Fallback != nil {
		d.onScale(f, g.When, *g.Fallback)
	}
	switch late := r.openAfter(g); {
	case g.When == "":
		d.Fail(f, "when is missing: name a signal: %s", strings.Join(signalNames(), ", "))
	case conditions != 1:
		d.Fail(f, "want exactly one of is, below and above, with a number")
	case g.Reward == nil && len(g.Set) == 0:
		d.Fail(f, "want reward (the whole value), set (parts and their values), or both")
	case late != "":
		d.Fail(f, "stop: part %s is found out later than %s: set it too, give a reward, or leave stop out", late, g.When)
	}
	return g
}

// onScale refuses a number that a signal can never have in its place.
func (d *decoder) onScale(f field, signal string, v float64) {
	if s, ok := lookup(signal); ok && inRange(signal, v) != nil {
		d.Fail(f, "fallback: want 0 to %v, the range of %s, got %v", s.hi, signal, v)
	}
}

// set reads the values that a gate gives to parts.
func (d *decoder) set(f field, parts []string) map[string]float64 {
	set := map[string]float64{}
	for k := range d.Entries(f, parts...) {
		set[k.Key] = *d.number(k)
	}
	return set
}

// openAfter names a part that cannot be known when a stop gate without a reward
// fires: such a gate would leave every sample it stops unjudged.
func (r *Recipe) openAfter(g Gate) string {
	if !g.Stop || g.Reward != nil {
		return ""
	}
	when, _ := lookup(g.When)
	for _, name := range slices.Sorted(maps.Keys(r.Parts)) {
		from, _ := lookup(r.Parts[name].From)
		if _, set := g.Set[name]; !set && from.stage > when.stage {
			return name
		}
	}
	return ""
}

func (d *decoder) signal(f field) string {
	name := d.Text(f)
	if _, ok := lookup(name); !ok {
		d.Fail(f, "unknown signal %q%s; signals: %s", name, strictyaml.DidYouMean(name, signalNames()), strings.Join(signalNames(), ", "))
	}
	return name
}

func (d *decoder) fallback(f field) *Fallback {
	if v, ok := number(f); ok {
		return &Fallback{Number: v}
	}
	if _, ok := f.Node.(*ast.StringNode); !ok {
		d.Fail(f, "want a signal or a finite number, got %s", f.Kind())
	}
	return &Fallback{Signal: d.signal(f)}
}

func (d *decoder) points(f field) [][2]float64 {
	items := d.List(f)
	if len(items) < 2 {
		d.Fail(f, "want at least two points such as [[0, -1], [100, 1]]")
	}
	points := make([][2]float64, len(items))
	for i, item := range items {
		pair := d.List(item)
		if len(pair) != 2 {
			d.Fail(item, "want a point [signal, part], got %d numbers", len(pair))
			return nil
		}
		points[i] = [2]float64{*d.number(pair[0]), *d.number(pair[1])}
		if i > 0 && points[i][0] <= points[i-1][0] {
			d.Fail(item, "want points with rising first numbers, got %v after %v", points[i][0], points[i-1][0])
		}
	}
	return points
}
