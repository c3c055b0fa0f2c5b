package behave

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var calculateWords = []string{"calculate", "convert", "compute", "generate", "result", "format", "encode", "decode", "run", "check", "solve", "submit", "go", "estimate", "evaluate", "analyze", "find", "split", "计算", "转换", "估算"}

// calculate proves that what is shown is what was asked for. The instruction decides which proof
// is required: of units and currencies, that they are converted right; of a noun that everybody knows
// a formula for, or with numbers that the instruction gives, that the result is among what is
// shown; of a calculator and no more, that the four operations on random numbers are right, by
// keys, with decimals where there is one for the point, by two fields or by one that takes a sum.
// Of others, and where a form has further fields than the known formula, other values must give
// another result, the same ones the same, and none an echo: of all fields, of one while the others
// keep their values, or of buttons that make a number larger. What
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
		if known := p.formulas(); a.verdict == vitrine.VerdictFail && !p.converts() && slices.ContainsFunc(top(p.inputs(words), 5), func(h hit) bool { return len(h.place.view.extra(h.form, known)) > 0 }) {
			a = p.converter(ctx, words) // it calculates more than is known
		}
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
	hits := top(p.inputs(words), 3)
	for i, prove := range []func(context.Context, hit, []string) answer{p.functionOf, p.varied} {
		for j, h := range hits {
			if i > 0 && slices.ContainsFunc(hits[:j], func(before hit) bool { return before.place == h.place }) {
				continue // its fields were tried with those of another form of the place
			}
			a := prove(ctx, h, words)
			if a.verdict == vitrine.VerdictWorks {
				return a
			}
			if rank(a.verdict) > rank(best.verdict) {
				best = a
			}
		}
	}
	for _, prove := range []func(context.Context) answer{p.stepped, p.chosenFrom} {
		if a := prove(ctx); a.verdict == vitrine.VerdictWorks {
			return a
		}
	}
	if best.verdict == vitrine.VerdictAbsent {
		if h, ok := p.reach(ctx, p.site.places[0], words, takesNumber); ok {
			return p.functionOf(ctx, h, words)
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

// An evaluation is what was entered into a form, and what the page showed of it.
type evaluation struct {
	filling
	acts   []vitrine.Action // that entered it and sent it off
	steps  bool             // the form had further steps
	result string
}

func (p *prover) functionOfShape(ctx context.Context, h hit, words []string, shape string) answer {
	one := p.evaluate(ctx, h, words, shape, nil)
	if len(one.entries) == 0 {
		return fails("nothing can be entered")
	}
	for range maxRefused {
		if !one.refused() || !one.counts() {
			break
		}
		one = p.evaluate(ctx, h, words, shape, nil)
	}
	longer := shape
	if shape == "" {
		longer = "%s " + strings.Repeat("and more ", 8) // more words than a sentence has, or what is counted would be the same
	}
	other, again := p.evaluate(ctx, h, words, longer, nil), p.evaluate(ctx, h, words, shape, &one)
	for range maxRefused {
		if one.refused() == other.refused() || !other.counts() {
			break
		}
		other = p.evaluate(ctx, h, words, longer, nil)
	}
	return one.follows(other, again, func(same evaluation) evaluation { return p.evaluate(ctx, h, words, shape, &same) })
}

// maxRefused bounds how often other values are entered in the place of refused ones.
const maxRefused = 3

// refused reports whether a page says that values are wrong, instead of a result.
func (e evaluation) refused() bool { return refusal.MatchString(e.result) }

// counts reports whether numbers were entered.
func (e evaluation) counts() bool {
	return slices.ContainsFunc(e.entries, func(e entry) bool { return e.isNum })
}

// follows tells whether the result of an evaluation follows from what was entered, by another one, a
// repetition, and one with the same numbers written otherwise.
func (one evaluation) follows(other, again evaluation, repeat func(evaluation) evaluation) answer {
	if why := one.noFunction(other, again); why != "" {
		return fails("%s", why)
	}
	if same, ok := alsoWritten(one); ok {
		if e := repeat(same); e.result != "" && figures(e.result, same.filling, one.filling) != figures(one.result, same.filling, one.filling) {
			return fails("the same number gives another result when it is written otherwise: %s", same.entries[0].value)
		}
	}
	return works("the result follows from what is entered: the same for the same values, another for others")
}

func (one evaluation) noFunction(other, again evaluation) string {
	switch {
	case strings.Contains(one.result, "NaN") || strings.Contains(other.result, "NaN"):
		return "what is entered gives no number"
	case one.result == "" && other.result == "":
		return "what is entered gives no result"
	case mask(one.result, one.filling) == mask(other.result, other.filling), one.steps && slices.Equal(one.computed(), other.computed()):
		return "two different inputs give the same result, or an echo of them"
	case one.result != again.result:
		return "the same input gives two results"
	}
	return ""
}

// alsoWritten is an evaluation with its numbers written otherwise, 12 as 12.0. It is the negative
// control of a result that is made of the characters and not of the number.
func alsoWritten(e evaluation) (same evaluation, any bool) {
	same = e
	same.entries = slices.Clone(e.entries)
	same.acts = slices.Clone(e.acts)
	for i, e := range e.entries {
		if !e.isNum || e.control.Type != "number" || strings.Contains(e.value, ".") {
			continue
		}
		same.entries[i].value, any = e.value+".0", true
		for j, a := range same.acts {
			if a.Kind == vitrine.ActType && a.Target != nil && a.Target.CSS == e.control.Path && a.Text == e.value {
				same.acts[j].Text = e.value + ".0"
			}
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

// evaluate enters values from a fresh state, those of an earlier evaluation where it is given,
// and reads what is new on the page. A shape is what areas of text take.
func (p *prover) evaluate(ctx context.Context, h hit, words []string, shape string, earlier *evaluation) (e evaluation) {
	v := p.open(ctx, h.place)
	from := len(p.steps)
	form, there := v.form(h.form)
	if !there {
		return e
	}
	if earlier != nil {
		e = *earlier
		p.redo(ctx, e)
		e.result = p.newTexts(v, p.look(ctx), e.filling, from)
		return e
	}
	e.filling = p.fillShaped(ctx, v, form, shape)
	if len(e.entries) == 0 {
		return e
	}
	now := p.send(ctx, v, form, e.filling, words)
	now = p.furtherSteps(ctx, v, now, form, words, func(v *view, next interact.Form) filling {
		step := p.fillShaped(ctx, v, next, shape)
		e.entries = append(e.entries, step.entries...)
		e.steps = true
		return step
	})
	e.result = p.newTexts(v, now, e.filling, from)
	for _, step := range p.steps[from:] {
		e.acts = append(e.acts, step.Action)
	}
	return e
}

// fillShaped fills a form in, areas of text by a shape.
func (p *prover) fillShaped(ctx context.Context, v *view, form interact.Form, shape string) filling {
	f := p.fill(ctx, v, form)
	for i, e := range f.entries {
		if shape != "" && e.control.Tag == "textarea" {
			f.entries[i].value = fmt.Sprintf(shape, e.token)
			p.write(ctx, e.control.Path, f.entries[i].value)
		}
	}
	return f
}

// redo does again what an evaluation did.
func (p *prover) redo(ctx context.Context, e evaluation) {
	for _, a := range e.acts {
		p.do(ctx, a)
	}
}

// calculated is the page, and what is new on it, once a form was filled in and sent off.
func (p *prover) calculated(ctx context.Context, before *view, form interact.Form, f filling, words []string) (now *view, result string) {
	from := len(p.steps)
	now = p.send(ctx, before, form, f, words)
	return now, p.newTexts(before, now, f, from)
}

// newTexts are what is new on a page once a form was filled in, with the dialogs since a step.
func (p *prover) newTexts(before, now *view, f filling, since int) string {
	result := fresh(before, now, f)
	for _, step := range p.steps[since:] {
		for _, d := range step.Effect.Dialogs {
			result += "\n" + d.Text
		}
	}
	return result
}

// send presses the button that has a form calculate what was entered, and gives the page then. Where
// the page shows a result already, only one that says so is pressed: any other may enter an
// example, swap two units or copy the result.
func (p *prover) send(ctx context.Context, before *view, form interact.Form, f filling, words []string) *view {
	now := p.look(ctx)
	b := button(now, form, words)
	c, facts, _ := now.control(b)
	if b == "" || !facts.Submits && matches(c.Name, words) < 40 && figures(fresh(before, now, f), f) != "" {
		return now
	}
	p.click(ctx, b)
	return p.look(ctx)
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
