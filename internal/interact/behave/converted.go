package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// spelledUnit is a word, or a sign of degrees.
var spelledUnit = regexp.MustCompile(`°\s?[CFK]\b|℃|℉|\p{L}+`)

// compoundUnit is a unit that is made of others, or another one of their name.
var compoundUnit = regexp.MustCompile(`(?i)\b\w*watt[- ]?hours?\b|\b(square|cubic|fluid|fl|nautical|light|troy|newton|foot)[- ]\w+|\b\w+ ?/ ?\w+\b|\b\w+ per (square )?\w+|\b\w+[²³]`)

// unitsIn are the units that a text names by their words, or by signs that are no other word.
func unitsIn(text string) (all []unit) {
	for _, w := range spelledUnit.FindAllString(compoundUnit.ReplaceAllString(text, " "), -1) {
		w = strings.NewReplacer("℃", "celsius", "℉", "fahrenheit", "°", "", " ", "").Replace(w)
		if len(w) == 1 && !strings.Contains(text, "°") || slices.Contains([]string{"in", "m", "c", "f", "k", "g", "l"}, w) && len(wordsOf(text)) > 3 {
			continue
		}
		if u, ok := unitOf(w); ok && !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return all
}

// otherMeasures have units that are not in the table.
var otherMeasures = regexp.MustCompile(`(?i)\b(area|speed|velocity|pressure|energy|power|force|angle|data|storage|frequency|currency)s?\b|面积|速度|压力|能量`)

// unconverted says that a form converts no units: of two that it offers, numbers must come out
// right. Of units that are not in the table two must be offered, by two lists, two fields or several
// results at once.
func (p *prover) unconverted(ctx context.Context, h hit, words []string) string {
	tried, why := p.conversionsOf(ctx, h, words)
	if tried > 0 || why != "" {
		return why
	}
	v, form := p.settled(ctx, h)
	lists, follows := 0, false
	for _, path := range form.Fields {
		if c, f, ok := v.control(path); ok && c.Tag == "select" && len(f.Options) > 1 {
			lists++
		}
	}
	why = "nothing can be entered"
	for _, path := range form.Fields {
		c, _, ok := v.control(path)
		if !ok || off(c) || c.Covered || !textField(c) && c.Role != "spinbutton" {
			continue
		}
		var wrong bool
		if why, wrong = p.unequal(ctx, h, words, path); why == "" || wrong {
			return why
		}
		now := p.look(ctx)
		follows = follows || slices.ContainsFunc(form.Fields, func(other string) bool {
			was, _, _ := v.control(other)
			is, _, _ := now.control(other)
			return other != path && was.Tag != "select" && is.Value != was.Value && is.Value != "0"
		}) || lists > 0 && len(shownIn(strings.Join(now.fresh(v), "\n"))) > 1
	}
	if (lists > 1 || follows) && otherMeasures.MatchString(p.request()) && p.functionOf(ctx, h, words).verdict == vitrine.VerdictWorks {
		return ""
	}
	return why
}

// A pair is a unit and another one into which it is converted.
type pair struct{ from, to unit }

// unequal enters two numbers into one field, and says that no two units which the page names
// make one of them the other number that it shows. It is wrong for sure where a field with the
// name of a unit shows another number.
func (p *prover) unequal(ctx context.Context, h hit, words []string, path string) (why string, wrong bool) {
	var held []pair
	for try := range 2 {
		n := p.tokens.number(13, 97)
		before, now, text := p.converted(ctx, h, words, path, fmt.Sprint(n))
		c, f, _ := before.control(path)
		from, named := now.unitsNamed(before.survey.Title + ". " + p.request())
		if own := unitsIn(about(c, f)); len(own) == 1 {
			from = own
			if why := now.miswritten(before, path, own[0], n); why != "" {
				return why, true
			}
		}
		var holds []pair
		for _, u := range from {
			for _, w := range named {
				right := func(s shown) bool { return s.is(u.in(w, float64(n))) }
				if w.dimension == u.dimension && w != u && slices.ContainsFunc(shownIn(text), right) && (try == 0 || slices.Contains(held, pair{u, w})) {
					holds = append(holds, pair{u, w})
				}
			}
		}
		if held = holds; len(held) == 0 {
			return fmt.Sprintf("no number that it shows is %d of a unit which the page names in another unit", n), false
		}
	}
	return "", false
}

// converted enters a number into one field, with zeros into the others where it alone gives no
// number, as feet may want inches.
func (p *prover) converted(ctx context.Context, h hit, words []string, path, value string) (before, now *view, text string) {
	for _, zeros := range []bool{false, true} {
		var form interact.Form
		before, form = p.settled(ctx, h)
		for _, other := range form.Fields {
			if c, _, _ := before.control(other); zeros && other != path && c.Value == "" && !off(c) && (textField(c) || c.Role == "spinbutton") {
				p.write(ctx, other, "0")
			}
		}
		p.write(ctx, path, value)
		c, f, _ := before.control(path)
		now, text = p.results(ctx, before, form, filling{entries: []entry{{control: c, facts: f, value: value}}}, words)
		if len(shownIn(text)) > 0 {
			break
		}
	}
	return before, now, text
}

// unitsNamed are the units that a page, or another text, names, and of these the ones that are chosen
// in its lists; all of them where none is.
func (v *view) unitsNamed(other string) (chosen, named []unit) {
	named = unitsIn(strings.Join(append(slices.Clone(v.survey.Lines), other), " \n "))
	for i, c := range v.Controls {
		switch {
		case c.Tag == "select":
			for _, o := range v.Facts[i].Options {
				if u, ok := unitOf(o); ok {
					named = append(named, u)
				}
			}
			chosen = append(chosen, unitsIn(c.Value)...)
		case slices.Contains(c.States, "checked"):
			chosen = append(chosen, unitsIn(c.Name)...)
		default:
			named = append(named, unitsIn(about(c, v.Facts[i]))...)
		}
	}
	named = append(named, chosen...)
	if len(chosen) == 0 {
		chosen = named
	}
	return chosen, named
}

// miswritten says which field with the name of a unit shows another number than the one that was
// entered into the field at a path.
func (v *view) miswritten(before *view, path string, from unit, n int) string {
	entered, _, _ := before.control(path)
	for i, c := range v.Controls {
		old, _, _ := before.control(c.Path)
		to := unitsIn(about(c, v.Facts[i]))
		if c.Path == path || c.Tag == "select" || c.Value == old.Value || len(to) != 1 || to[0].dimension != from.dimension {
			continue
		}
		want := from.in(to[0], float64(n))
		if got := shownIn(c.Value); len(got) == 1 && math.Abs(got[0].value-want) > max(0.0051, got[0].step, 0.01*math.Abs(want)) {
			return fmt.Sprintf("%d in %q are not %g in %q", n, entered.Name, got[0].value, c.Name)
		}
	}
	return ""
}
