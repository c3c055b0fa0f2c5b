package behave

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

var calculateWords = []string{"calculate", "convert", "compute", "generate", "result", "format", "encode", "decode", "run", "check", "solve", "submit", "go", "计算", "转换"}

// calculate proves that what is shown is what was asked for. The instruction decides which proof
// is required: of units and currencies, that they are converted right; of a noun that everybody knows
// a formula for, or with numbers that the instruction gives, that the result is among what is
// shown; of a calculator and no more, that the four operations on random numbers are right, by
// keys, with decimals where there is one for the point, by two fields or by one that takes a sum.
// Of others other values must give another result, the same ones the same, and none an echo. What
// people often have calculated must be right in any case: a bill that is split, words that are
// counted, Roman numerals.
// (Relation 29.)
func calculate(ctx context.Context, p *prover) answer {
	if p.takesKeypad() {
		for _, pl := range p.site.places {
			if pad := keypad(pl.view); pad != nil {
				return p.calculator(ctx, pl, pad)
			}
		}
	}
	words := p.labels(calculateWords)
	var a answer
	var tried string
	if required := p.proofs(); len(required) > 0 {
		a, tried = p.proved(ctx, words, required)
	} else {
		a = p.converter(ctx, words)
	}
	if a.verdict == vitrine.VerdictWorks {
		if why := p.mistakes(ctx, words, tried); why != "" {
			return fails("%s", why)
		}
	}
	return a
}

func (p *prover) converter(ctx context.Context, words []string) answer {
	best := absent("no field whose value could be calculated with")
	for _, h := range top(p.inputs(words), 3) {
		a := p.functionOf(ctx, h, words)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

// inputs are the forms of the site with a field that takes text or a number.
func (p *prover) inputs(words []string) []hit {
	all := p.forms(words)
	for _, pl := range p.site.places {
		for _, form := range pl.view.survey.Forms {
			known := slices.ContainsFunc(all, func(h hit) bool { return h.form.Path == form.Path && h.place == pl })
			if !known && len(form.Fields) > 0 {
				all = append(all, hit{place: pl, form: form, score: 1})
			}
		}
	}
	return all
}

// shapes are formats of text that tools take; %s is a random word.
var shapes = []string{"", "<b title=\"7\">%s & co</b>", `{"name": "%s", "list": [1, 2, 3]}`, "name,count\n%s,3\nother,5", "# %s\n\n- one\n- two"}

func (p *prover) functionOf(ctx context.Context, h hit, words []string) answer {
	var best answer
	for i, shape := range shapes {
		a := p.functionOfShape(ctx, h, words, shape)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if i == 0 {
			best = a
		}
		if !slices.ContainsFunc(h.form.Fields, func(path string) bool { c, _, ok := h.place.view.control(path); return ok && c.Tag == "textarea" }) {
			break
		}
	}
	p.figures = true // fields of text may take numbers alone
	defer func() { p.figures = false }()
	if a := p.functionOfShape(ctx, h, words, ""); a.verdict == vitrine.VerdictWorks {
		return a
	}
	return best
}

func (p *prover) functionOfShape(ctx context.Context, h hit, words []string, shape string) answer {
	one, first, ok := p.evaluate(ctx, h, words, shape, nil)
	if !ok {
		return fails("nothing can be entered")
	}
	longer := shape
	if shape == "" {
		longer = "%s " + strings.Repeat("and more ", 8) // more words than a sentence has, or what is counted would be the same
	}
	other, second, _ := p.evaluate(ctx, h, words, longer, nil)
	_, again, _ := p.evaluate(ctx, h, words, shape, &one)
	switch {
	case strings.Contains(first, "NaN") || strings.Contains(second, "NaN"):
		return fails("what is entered gives no number")
	case first == "" && second == "":
		return fails("what is entered gives no result")
	case mask(first, one) == mask(second, other):
		return fails("two different inputs give the same result, or an echo of them")
	case first != again:
		return fails("the same input gives two results")
	}
	if same, ok := alsoWritten(one); ok {
		if _, result, ok := p.evaluate(ctx, h, words, shape, &same); ok && result != "" && figures(result, same, one) != figures(first, same, one) {
			return fails("the same number gives another result when it is written otherwise: %s", same.entries[0].value)
		}
	}
	return works("the result follows from what is entered: the same for the same values, another for others")
}

// alsoWritten is a filling with its numbers written otherwise, 12 as 12.0. It is the negative
// control of a result that is made of the characters and not of the number.
func alsoWritten(f filling) (same filling, any bool) {
	same = f
	same.entries = slices.Clone(f.entries)
	for i, e := range f.entries {
		if e.isNum && e.control.Type == "number" && !strings.Contains(e.value, ".") {
			same.entries[i].value, any = e.value+".0", true
		}
	}
	return same, any
}

// figures are the numbers and words of a result without what was entered.
func figures(result string, entered ...filling) string {
	for _, f := range entered {
		result = mask(result, f)
	}
	return strings.Join(wordsOf(result), " ")
}

// evaluate enters values from a fresh state, those of an earlier filling where it is given,
// and reads what is new on the page. A shape is what areas of text take.
func (p *prover) evaluate(ctx context.Context, h hit, words []string, shape string, earlier *filling) (f filling, result string, ok bool) {
	v := p.open(ctx, h.place)
	from := len(p.steps)
	form, there := v.form(h.form)
	if !there {
		return f, "", false
	}
	if earlier == nil {
		f = p.fill(ctx, v, form)
	} else {
		f = *earlier
		for _, e := range f.entries {
			if e.control.Tag == "select" {
				p.choose(ctx, e.control.Path, e.value)
			} else {
				p.write(ctx, e.control.Path, e.value)
			}
		}
	}
	if len(f.entries) == 0 {
		return f, "", false
	}
	for i, e := range f.entries {
		if shape != "" && e.control.Tag == "textarea" && earlier == nil {
			f.entries[i].value = fmt.Sprintf(shape, e.token)
			p.write(ctx, e.control.Path, f.entries[i].value)
		}
	}
	now := p.look(ctx)
	if b := button(now, form, words); b != "" {
		p.click(ctx, b)
		now = p.look(ctx)
	}
	result = fresh(v, now, f)
	for _, step := range p.steps[from:] {
		for _, d := range step.Effect.Dialogs {
			result += "\n" + d.Text
		}
	}
	return f, result, true
}

// fresh are the lines and values of a page that it did not have before, and that were not
// typed in.
func fresh(before, now *view, f filling) string {
	known := map[string]int{}
	for _, l := range before.survey.Lines {
		known[l]++
	}
	var all []string
	for _, l := range now.survey.Lines {
		if known[l]--; known[l] < 0 {
			all = append(all, l)
		}
	}
	for _, c := range now.Controls {
		typed := slices.ContainsFunc(f.entries, func(e entry) bool { return e.control.Path == c.Path && flat(e.value) == flat(c.Value) })
		if old, _, ok := before.control(c.Path); !typed && c.Value != "" && (!ok || old.Value != c.Value) {
			all = append(all, c.Value)
		}
	}
	for i, c := range now.survey.Canvases {
		if i >= len(before.survey.Canvases) || before.survey.Canvases[i].Sum != c.Sum {
			all = append(all, c.Sum)
		}
	}
	return strings.Join(all, "\n")
}

// flat is a text in one line, as the values of controls are read.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// mask takes what was entered out of a result, so that an echo leaves nothing that differs.
func mask(result string, f filling) string {
	for _, e := range f.entries {
		if e.value == "" {
			continue
		}
		result = strings.ReplaceAll(strings.ReplaceAll(result, e.value, "…"), flat(e.value), "…")
		if n, err := strconv.ParseFloat(e.value, 64); err == nil {
			result = strings.ReplaceAll(result, fmt.Sprintf("%.2f", n), "…")
		}
	}
	return result
}
