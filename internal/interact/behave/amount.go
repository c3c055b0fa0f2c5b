package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var (
	// amountLabel names a field that says how much is made, unless it is a bound of a number.
	amountLabel = regexp.MustCompile(`(?i)\b(number of|how many|length|count|quantity)\b|数量|长度`)
	boundLabel  = regexp.MustCompile(`(?i)\b(min(imum)?|max(imum)?|lowest|highest)\b|^\W*(from|to)\b`)
	lengthLabel = regexp.MustCompile(`(?i)\blength\b|长度`)
	// amountOption names a button that does, by what is counted.
	amountOption = regexp.MustCompile(`(?i)\b(words|options|characters|letters)\b`)
)

// ignoresAmount says that how much is generated does not follow from what says so: a number, a
// slider, or buttons such as "2 options". Empty where it does, or where nothing says it.
func (p *prover) ignoresAmount(ctx context.Context, h hit) string {
	v := h.place.view
	for i, c := range v.Controls {
		f := v.Facts[i]
		about := strings.Join([]string{c.Name, f.Placeholder, f.FieldName, identifier(c.Path)}, " ")
		if c.Role != "spinbutton" && c.Type != "range" || off(c) || c.Covered || !amountLabel.MatchString(about) || boundLabel.MatchString(about) {
			continue
		}
		low, high := 3, 12
		if n, ok := number(f.Min); ok {
			low = max(low, int(n))
		}
		if n, ok := number(f.Max); ok {
			high = min(int(n), max(high, 3*low))
		}
		if high < 2*low {
			continue
		}
		few, many := p.makes(ctx, h, func() { p.write(ctx, c.Path, fmt.Sprint(low)) }), p.makes(ctx, h, func() { p.write(ctx, c.Path, fmt.Sprint(high)) })
		if asMuch(few, many, lengthLabel.MatchString(about)) {
			return fmt.Sprintf("%q at %d and at %d makes as much", clip(c.Name), low, high)
		}
		return ""
	}
	for _, ch := range h.place.choosers() {
		few, many := option{}, option{}
		for _, o := range ch.options {
			if all := numbers(o.label); len(all) == 1 && amountOption.MatchString(o.label) {
				if few.path == "" {
					few = o
				}
				many = o
			}
		}
		if few.path == many.path || ch.kind != "buttons" {
			continue
		}
		one, other := p.makes(ctx, h, func() { p.click(ctx, few.path) }), p.makes(ctx, h, func() { p.click(ctx, many.path) })
		if asMuch(one, other, false) {
			return fmt.Sprintf("%q and %q make as much", few.label, many.label)
		}
		return ""
	}
	return ""
}

// makes generates once from a fresh state, after what says how much of it, and gives what is
// new. Of radio buttons the one that the instruction names is chosen.
func (p *prover) makes(ctx context.Context, h hit, set func()) string {
	p.prepare(ctx, h)
	set()
	before := p.look(ctx)
	return p.draw(ctx, h).newText(before, "")
}

func (p *prover) prepare(ctx context.Context, h hit) {
	v := p.open(ctx, h.place)
	asked := stems(wordsOf(p.need.Quote))
	for _, c := range v.Controls {
		switch {
		case off(c) || c.Covered:
		case c.Role == "radio" && slices.ContainsFunc(stems(wordsOf(c.Name)), func(w string) bool { return len(w) > 3 && slices.Contains(asked, w) }):
			p.click(ctx, c.Path)
		case textField(c) && c.Value == "" && c.Tag == "input":
			p.write(ctx, c.Path, p.tokens.word())
		}
	}
}

func (p *prover) draw(ctx context.Context, h hit) *view {
	p.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: at(h.control.Path)})
	p.wait(ctx, 3000)
	return p.look(ctx)
}

// asMuch reports whether a result for more is surely no more than one for less. Lines that are
// in both but for their numbers, such as a sum, are about it; one word is measured only where a
// length was set, as a number or a name is one however many are drawn as pictures.
func asMuch(few, many string, length bool) bool {
	if refusal.MatchString(many) || limits.MatchString(many) {
		return false
	}
	few, many = unlike(few, many), unlike(many, few)
	less, more := strings.Fields(few), strings.Fields(many)
	switch {
	case len(less) > 1 && len(more) > 1:
		return len(more) <= len(less) && 4*len(many) <= 5*len(few) && !(length && len(longest(more)) > len(longest(less)))
	case len(less) == 1 && len(more) == 1:
		return length && len(few) == len(many)
	}
	return false
}

// unlike leaves the lines of a text but for those of several words and a number that another one
// says with the same or another number.
func unlike(text, other string) string {
	lines := strings.Split(masked(other, nil), "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return strings.Contains(line, " ") && hasWords.MatchString(line) && numeral.MatchString(line) && slices.Contains(lines, masked(line, nil))
	}), "\n")
}

// A charKind is a kind of characters that a box of a generator of passwords allows, by its label
// and by what belongs to it.
type charKind struct{ label, belongs *regexp.Regexp }

var charKinds = []charKind{
	{regexp.MustCompile(`(?i)\b(symbols?|special|punctuation)\b|符号`), regexp.MustCompile(`[^\p{L}\p{N}\s]`)},
	{regexp.MustCompile(`(?i)\b(numbers?|digits?)\b|数字`), regexp.MustCompile(`\d`)},
	{regexp.MustCompile(`(?i)\bupper ?case\b|大写`), regexp.MustCompile(`[A-Z]`)},
	{regexp.MustCompile(`(?i)\blower ?case\b|小写`), regexp.MustCompile(`[a-z]`)},
}

// ignoresKinds says that what is generated has characters of a kind that is not ticked; empty
// where it has none, or where no boxes allow kinds.
func (p *prover) ignoresKinds(ctx context.Context, h hit) string {
	boxes := 0
	for _, c := range h.place.view.Controls {
		if c.Role == "checkbox" && !off(c) && slices.ContainsFunc(charKinds, func(k charKind) bool { return k.label.MatchString(c.Name) }) {
			boxes++
		}
	}
	for _, c := range h.place.view.Controls {
		for _, k := range charKinds {
			if boxes < 2 || c.Role != "checkbox" || off(c) || !slices.Contains(c.States, "checked") || !k.label.MatchString(c.Name) {
				continue
			}
			p.prepare(ctx, h)
			one, two := p.draw(ctx, h), p.draw(ctx, h)
			p.click(ctx, c.Path)
			if made := p.draw(ctx, h).drawnLike(one, two); k.belongs.MatchString(made) {
				return fmt.Sprintf("without %q %q is generated", clip(c.Name), clip(made))
			}
			break
		}
	}
	return ""
}

// drawnLike is what stands where two draws differ: in a field, or else in the only such line.
// Words about it, such as "Strong", stand elsewhere. Empty where that place is not certain.
func (v *view) drawnLike(one, two *view) string {
	whole := func(text string) bool { return len(text) > 5 && !strings.Contains(text, " ") }
	for _, c := range v.Controls {
		a, _, _ := one.control(c.Path)
		b, _, _ := two.control(c.Path)
		if a.Value != b.Value && c.Value != b.Value && whole(a.Value) && whole(b.Value) && whole(c.Value) {
			return c.Value
		}
	}
	upTo := func(line string) string { label, _, _ := strings.Cut(line, ":"); return label }
	lines, made := v.survey.Lines, ""
	if len(lines) != len(one.survey.Lines) || len(lines) != len(two.survey.Lines) {
		return ""
	}
	for i, line := range lines {
		a, b := one.survey.Lines[i], two.survey.Lines[i]
		if a == b || line == b || !whole(a) || !whole(b) || !whole(line) || strings.Contains(a, ":") && upTo(a) == upTo(b) {
			continue
		}
		if made != "" {
			return ""
		}
		made = line
	}
	return made
}
