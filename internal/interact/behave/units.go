package behave

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A unit is a measure: value·scale + offset in the base of its dimension.
type unit struct {
	dimension     string
	scale, offset float64
}

// units are the units that converters are made for, by the words and signs that stand for them.
// (Factors: the international yard and pound, exact by definition; BIPM, The International
// System of Units, 9th edition.)
var units = map[string]unit{
	"millimeter": {"length", 0.001, 0}, "centimeter": {"length", 0.01, 0}, "meter": {"length", 1, 0}, "kilometer": {"length", 1000, 0},
	"inch": {"length", 0.0254, 0}, "foot": {"length", 0.3048, 0}, "yard": {"length", 0.9144, 0}, "mile": {"length", 1609.344, 0},
	"micrometer": {"length", 1e-6, 0}, "nanometer": {"length", 1e-9, 0}, "decimeter": {"length", 0.1, 0}, "decameter": {"length", 10, 0}, "hectometer": {"length", 100, 0},
	"milligram": {"weight", 1e-6, 0}, "gram": {"weight", 0.001, 0}, "kilogram": {"weight", 1, 0}, "ounce": {"weight", 0.028349523125, 0}, "pound": {"weight", 0.45359237, 0}, "stone": {"weight", 6.35029318, 0},
	"celsius": {"temperature", 1, 0}, "fahrenheit": {"temperature", 5.0 / 9, -160.0 / 9}, "kelvin": {"temperature", 1, -273.15},
	"tonne": {"weight", 1000, 0}, "milliliter": {"volume", 0.001, 0}, "liter": {"volume", 1, 0},
	"second": {"time", 1, 0}, "minute": {"time", 60, 0}, "hour": {"time", 3600, 0}, "day": {"time", 86400, 0}, "week": {"time", 604800, 0},
}

var unitNames = map[string]string{
	"mm": "millimeter", "cm": "centimeter", "m": "meter", "km": "kilometer", "in": "inch", "inches": "inch", "ft": "foot", "feet": "foot", "yd": "yard", "mi": "mile",
	"mg": "milligram", "g": "gram", "kg": "kilogram", "kilo": "kilogram", "oz": "ounce", "lb": "pound", "lbs": "pound", "c": "celsius", "f": "fahrenheit", "k": "kelvin",
	"ml": "milliliter", "l": "liter", "millimetre": "millimeter", "centimetre": "centimeter", "metre": "meter", "kilometre": "kilometer", "litre": "liter", "millilitre": "milliliter",
	"毫米": "millimeter", "微米": "micrometer", "英里": "mile", "英尺": "foot", "英寸": "inch", "码": "yard", "磅": "pound", "盎司": "ounce", "毫克": "milligram",
	"摄氏": "celsius", "华氏": "fahrenheit", "开尔文": "kelvin", "开氏度": "kelvin", "升": "liter", "毫升": "milliliter", "um": "micrometer", "μm": "micrometer", "nm": "nanometer",
	"米": "meter", "千米": "kilometer", "公里": "kilometer", "厘米": "centimeter", "千克": "kilogram", "公斤": "kilogram", "克": "gram", "摄氏度": "celsius", "华氏度": "fahrenheit",
}

// unitOf reads the label of an option, such as "Kilometers (km)" or "Degrees Celsius". Every word
// must name the one unit: with others it is another measure, as of square meters, meters per
// second, fluid ounces and nautical miles.
func unitOf(label string) (unit, bool) {
	var found unit
	for _, w := range wordsOf(strings.ReplaceAll(label, "°", " ")) {
		single := strings.TrimSuffix(w, "s")
		if single == "degree" {
			continue
		}
		known := false
		for _, name := range []string{w, single, unitNames[w], unitNames[single]} {
			if u, ok := units[name]; ok {
				if found.dimension != "" && found != u {
					return unit{}, false
				}
				found, known = u, true
				break
			}
		}
		if !known {
			return unit{}, false
		}
	}
	return found, found.dimension != ""
}

// A measured is a list of units.
type measured struct {
	path   string
	labels []string
	units  []unit
}

// measures are the two lists of units of a form, from and to, and the field for the value.
func (v *view) measures(form interact.Form) (lists []measured, field string) {
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		switch {
		case !ok || off(c):
		case c.Tag == "select":
			m := measured{path: path}
			for _, o := range f.Options {
				if u, ok := unitOf(o); ok {
					m.labels, m.units = append(m.labels, o), append(m.units, u)
				}
			}
			lists = append(lists, m)
		case field == "" && (textField(c) || c.Role == "spinbutton"):
			field = path
		}
	}
	return lists, field
}

// A conversion is a unit of one list and another one of the same dimension in the other list.
type conversion struct{ from, to int }

// conversions pair each unit of a list with the first other one of its dimension in another
// list, one of each dimension before the second of any.
func conversions(from, to measured) (all []conversion) {
	turn, turns := map[string]int{}, []int{}
	for i, u := range from.units {
		j := slices.IndexFunc(to.units, func(other unit) bool { return other.dimension == u.dimension && other != u })
		if j < 0 {
			continue
		}
		at, _ := slices.BinarySearch(turns, turn[u.dimension]+1)
		all = slices.Insert(all, at, conversion{i, j})
		turns = slices.Insert(turns, at, turn[u.dimension])
		turn[u.dimension]++
	}
	return all
}

// maxConversions bounds how many pairs of units are tried.
const maxConversions = 8

// misconverts converts numbers between the units of a form with two lists of them, and says
// what is wrong by more than rounding; empty where nothing is, or the form converts no units
// that are known here. One with more fields than an amount and its result has the units of several
// amounts, as of a distance and a pace.
func (p *prover) misconverts(ctx context.Context, h hit, words []string) string {
	fields := 0
	for _, path := range h.form.Fields {
		if c, _, ok := h.place.view.control(path); ok && (textField(c) || c.Role == "spinbutton") {
			fields++
		}
	}
	if fields > 2 {
		return ""
	}
	_, why := p.conversionsOf(ctx, h, words)
	return why
}

// conversionsOf is how many conversions were tried in a form with two lists of units, and what is
// wrong with one of them.
func (p *prover) conversionsOf(ctx context.Context, h hit, words []string) (tried int, why string) {
	v := p.open(ctx, h.place)
	form, _ := v.form(h.form)
	lists, _ := v.measures(form)
	kinds := slices.DeleteFunc(slices.Clone(lists), func(m measured) bool { return len(m.units) > 0 })
	if len(kinds) != 1 || len(lists) != 3 {
		return p.conversionsIn(ctx, v, form, words, maxConversions)
	}
	_, f, _ := v.control(kinds[0].path) // of lists whose units depend on what is measured
	for _, kind := range top(f.Options, 4) {
		p.choose(ctx, kinds[0].path, kind)
		n, why := p.conversionsIn(ctx, p.look(ctx), form, words, maxConversions/2)
		if tried += n; why != "" {
			return tried, why
		}
	}
	return tried, ""
}

func (p *prover) conversionsIn(ctx context.Context, v *view, form interact.Form, words []string, most int) (tried int, why string) {
	lists, field := v.measures(form)
	lists = slices.DeleteFunc(lists, func(m measured) bool { return len(m.units) == 0 })
	if len(lists) != 2 || field == "" {
		return 0, ""
	}
	from, to := lists[0], lists[1]
	for _, c := range top(conversions(from, to), most) {
		u, into := from.units[c.from], to.units[c.to]
		n := p.tokens.number(12, 97)
		p.choose(ctx, from.path, from.labels[c.from])
		p.choose(ctx, to.path, to.labels[c.to])
		p.write(ctx, field, fmt.Sprint(n))
		now, want := p.look(ctx), u.in(into, float64(n))
		right := now.tells(want, field) // before a button is pressed, which may swap the units
		if b := button(now, form, words); b != "" && !right {
			step := p.click(ctx, b)
			right = p.look(ctx).tells(want, field) || slices.ContainsFunc(step.Effect.Dialogs, func(d vitrine.Dialog) bool { return holdsNumber(d.Text, want) })
		}
		if p.err == nil && !p.spent && !right {
			return tried, fmt.Sprintf("%d %s are not %.4g %s", n, from.labels[c.from], want, to.labels[c.to])
		}
		tried++
	}
	return tried, ""
}

// in is a value of a unit in another one of its dimension.
func (u unit) in(other unit, n float64) float64 {
	return (n*u.scale + u.offset - other.offset) / other.scale
}

// tells reports whether a number stands on the page, as exactly as it may be rounded, or in a
// field other than one.
func (v *view) tells(want float64, but string) bool {
	return slices.ContainsFunc(v.survey.Lines, func(line string) bool { return holdsNumber(line, want) }) ||
		slices.ContainsFunc(v.Controls, func(c vitrine.Control) bool { return c.Path != but && holdsNumber(c.Value, want) })
}

func holdsNumber(text string, want float64) bool {
	return slices.ContainsFunc(shownIn(text), func(s shown) bool {
		return math.Abs(s.value-want) <= max(0.0051, 0.005*math.Abs(want)) || s.value == math.Round(want) && s.value != 0
	})
}
