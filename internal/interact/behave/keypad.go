package behave

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// keys are the names of the keys of a calculator, besides the digits.
var keys = map[string][]string{
	"+": {"+", "＋", "➕", "plus", "add"}, "-": {"-", "−", "–", "➖", "minus", "subtract"}, "×": {"×", "*", "x", "multiply", "✕", "✖"}, "÷": {"÷", "/", "➗", "divide"},
	".": {".", "point", "decimal", "dot", "·"}, "=": {"=", "equals", "enter"},
}

// keypad maps digits and signs to the paths of their buttons; nil without one.
func keypad(v *view) map[string]string {
	pad := map[string]string{}
	for _, c := range v.Controls {
		if !clickable(c) || off(c) {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(c.Name))
		if len(name) == 1 && name[0] >= '0' && name[0] <= '9' && pad[name] == "" {
			pad[name] = c.Path
		}
		for sign, names := range keys {
			if pad[sign] == "" && slices.Contains(names, name) {
				pad[sign] = c.Path
			}
		}
	}
	for _, need := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "="} {
		if pad[need] == "" {
			return nil
		}
	}
	return pad
}

// A sum is one operation on two numbers, with what it must give.
type sum struct {
	a, sign, b string
	want       float64
}

// sums are one operation for each sign of a keypad, and one on numbers with a point where it
// has a key for that. Quotients are whole and differences positive, which every calculator
// shows alike.
func (p *prover) sums(pad map[string]string) (all []sum) {
	add := func(a float64, sign string, b, want float64) {
		text := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
		if pad[sign] != "" {
			all = append(all, sum{text(a), sign, text(b), want})
		}
	}
	number := func(low, high int) float64 { return float64(p.tokens.number(low, high)) }
	a, b := number(23, 97), number(13, 89)
	add(a, "+", b, a+b)
	a, b = number(23, 97), number(13, 89)
	add(a, "×", b, a*b)
	a, b = number(123, 197), number(13, 89)
	add(a, "-", b, a-b)
	a, b = number(13, 29), number(3, 9)
	add(a*b, "÷", b, a)
	if pad["."] != "" {
		a, b = number(11, 89)+0.5, number(11, 89)+0.25
		add(a, "+", b, a+b)
	}
	return all
}

func (p *prover) calculator(ctx context.Context, pl *place, pad map[string]string) answer {
	for _, s := range p.sums(pad) {
		p.open(ctx, pl)
		for _, k := range s.a + s.sign + s.b {
			p.click(ctx, pad[string(k)])
		}
		if before := p.look(ctx); displays(before, s.want) {
			return fails("%g is shown before = is pressed", s.want)
		}
		p.click(ctx, pad["="])
		if after := p.look(ctx); !displays(after, s.want) {
			return fails("%s %s %s does not give %g", s.a, s.sign, s.b, s.want)
		}
	}
	return works("what it calculates with random numbers is right")
}

// displays reports whether a number stands on the page, or in a field, by itself.
func displays(v *view, want float64) bool {
	is := func(text string) bool {
		return slices.ContainsFunc(numbers(text), func(n float64) bool { return math.Abs(n-want) < 1e-6 })
	}
	return slices.ContainsFunc(v.survey.Lines, is) || slices.ContainsFunc(v.Controls, func(c vitrine.Control) bool { return is(c.Value) })
}

// misevaluates says that a field does not take a sum as it is written, such as 12+34.
func (p *prover) misevaluates(ctx context.Context, h hit, words []string) string {
	for _, s := range top(p.sums(map[string]string{"+": "+", "×": "×"}), 2) {
		v := p.open(ctx, h.place)
		form, _ := v.form(h.form)
		i := slices.IndexFunc(form.Fields, func(path string) bool { c, _, _ := v.control(path); return textField(c) && !off(c) })
		if i < 0 {
			return "no field takes a sum"
		}
		p.write(ctx, form.Fields[i], s.a+strings.ReplaceAll(s.sign, "×", "*")+s.b)
		if b := button(v, form, append([]string{"=", "equals", "evaluate"}, words...)); b != "" {
			p.click(ctx, b)
		} else {
			p.press(ctx, form.Fields[i], "Enter")
		}
		if !displays(p.look(ctx), s.want) {
			return fmt.Sprintf("%s %s %s does not give %g", s.a, s.sign, s.b, s.want)
		}
	}
	return ""
}
