package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// What an instruction may call wrong.
var (
	belowZero = regexp.MustCompile(`(?i)\b(negatives?|(below|under|less than) zero|minus)\b|负数`)
	doubled   = regexp.MustCompile(`(?i)\b(twice|duplicates?|the same [^.;]{0,20}(again|name)|already (there|exists?|in)|dos veces|repetir|repetid[oa]s?|duplicad[oa]s?)\b|重复`)
	lettered  = regexp.MustCompile(`(?i)\b(made of|with|contain\w*|of) letters\b|\bonly (digits|numbers)\b`)
	choosing  = regexp.MustCompile(`(?i)\bwithout (an?y? )?(\w+ )?(answer|choice|option|kind|selection|choosing|\w+ chosen)|\bmust (choose|select|answer)\b|\b(all|everything|nothing) [^.;]{0,20}(off|chosen|selected|ticked)\b`)
	inRange   = regexp.MustCompile(`(?i)\b(?:from|between) (\d+) (?:to|and) (\d+)\b`)
)

var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// The most that an instruction allows. "Greater than" says so only where that is refused, and
// the length of a text or the size of a file is no number that is typed.
var (
	aNumber  = `(\d[\d,]*(?:\.\d+)?|` + strings.Join(numberWords, "|") + `)\b`
	atMost   = regexp.MustCompile(`(?i)\b(?:at most|up to|maximum|max|no more than|exceed\w*)\b\.?[^\w.;]+(?:[a-z]+[^\w.;,]+){0,2}?` + aNumber)
	tooMuch  = regexp.MustCompile(`(?i)\b(?:more|greater|higher) than ` + aNumber + `[^.;,]{0,40}\b(?:refused|turned down|not accepted|rejected)\b`)
	atLeast  = regexp.MustCompile(`(?i)\b(?:not|no|must|has to|have to|only|or|otherwise|else|unless)\b.* than\b|\b(?:or|otherwise|else|unless)\b`)
	measures = regexp.MustCompile(`(?i)^[\s-]*([kmg]b|bytes|characters?|chars|letters?|digits?|words?|lines?|decimals?|steps?|files?|images?|photos?)\b`)
)

// most is the most that an instruction allows, where it says so.
func most(quote string) (float64, bool) {
	for _, cue := range []*regexp.Regexp{atMost, tooMuch} {
		m := cue.FindStringSubmatchIndex(quote)
		if m == nil || measures.MatchString(quote[m[3]:]) || cue == tooMuch && atLeast.MatchString(quote[:m[1]]) {
			continue
		}
		word := strings.ToLower(quote[m[2]:m[3]])
		if i := slices.Index(numberWords, word); i >= 0 {
			return float64(i), true
		}
		return number(word)
	}
	return 0, false
}

// refusesNamed proves validation of what the instruction itself says is wrong; absent where it
// names nothing that could be tried.
func (p *prover) refusesNamed(ctx context.Context, words []string) answer {
	quote := p.need.Quote
	none := absent("nothing that is wrong is named")
	switch {
	case belowZero.MatchString(quote):
		return p.refusesNumbers(ctx, words, "", fmt.Sprint(-p.tokens.number(3, 9)))
	case lettered.MatchString(quote):
		return p.refusesNumbers(ctx, words, "", strings.ToLower(p.tokens.word()))
	case doubled.MatchString(quote):
		return bestOf(p.forms(words), 2, none, func(h hit) answer { return p.refusesTwice(ctx, h, words) })
	case choosing.MatchString(quote):
		return p.needsChoice(ctx, words)
	}
	if m := inRange.FindStringSubmatch(quote); m != nil {
		low, _ := number(m[1])
		high, _ := number(m[2])
		return p.refusesNumbers(ctx, words, fmt.Sprint(int(low+high)/2), fmt.Sprint(low-1), fmt.Sprint(high+float64(p.tokens.number(1, 9))))
	}
	if high, ok := most(quote); ok {
		return p.refusesNumbers(ctx, words, fmt.Sprint(max(1, high-1)), fmt.Sprint(high+float64(p.tokens.number(2, 30))))
	}
	return none
}

// keepsWithin proves it of fields that say the most they take.
func (p *prover) keepsWithin(ctx context.Context, words []string) answer {
	best := absent("no field has a limit")
	for _, h := range top(p.inputs(words), 3) {
		for _, path := range h.form.Fields {
			c, f, _ := h.place.view.control(path)
			high, ok := number(f.Max)
			if !ok || c.Role != "spinbutton" || off(c) {
				continue
			}
			a := p.refusesNumber(ctx, h, words, path, "", fmt.Sprint(high+float64(p.tokens.number(3, 90))))
			if a.verdict == vitrine.VerdictWorks {
				return a
			}
			best = a
			break
		}
	}
	return best
}

// refusesNumbers proves that wrong values of a number are refused. Right is a value that must be taken;
// empty for any.
func (p *prover) refusesNumbers(ctx context.Context, words []string, right string, wrong ...string) answer {
	return p.onNumbers(words, func(h hit, path string) answer {
		a := works("")
		for _, value := range wrong {
			if a = p.refusesNumber(ctx, h, words, path, right, value); a.verdict != vitrine.VerdictWorks {
				break
			}
		}
		return a
	})
}

// onNumbers tries fields that take numbers until one works, three at most: those that the instruction names, or else
// others.
func (p *prover) onNumbers(words []string, try func(h hit, path string) answer) answer {
	best := absent("no field takes a number")
	tried := 0
	for _, named := range []bool{true, false} {
		for _, h := range p.inputs(words) {
			for _, path := range h.form.Fields {
				c, f, ok := h.place.view.control(path)
				about := strings.Join([]string{c.Name, f.FieldName, f.Placeholder, identifier(path)}, " ")
				numeric := c.Role == "spinbutton" || textField(c) && (f.InputMode != "" || numericLabel.MatchString(about) || phoneLabel.MatchString(about) || c.Type == "tel")
				if !ok || off(c) || !numeric || named != p.names(about) || tried >= 3 {
					continue
				}
				tried++
				a := try(h, path)
				if a.verdict == vitrine.VerdictWorks {
					return a
				}
				if rank(a.verdict) >= rank(best.verdict) {
					best = a
				}
			}
		}
		if best.verdict != vitrine.VerdictAbsent {
			break
		}
	}
	return best
}

// limits are words by which a page says what it takes.
var limits = regexp.MustCompile(`(?i)\b(between|at least|at most|greater|less|larger|smaller|maximum|minimum|positive|negative|only|no more|above|below|exists?|already|duplicate|ya est[áa]|existe|debe|no puede|select|choose|pick)\b|超过|至少|已存在`)

// refusesNumber proves that one wrong value is refused and a right one is not: the field keeps
// the right one only, or the page says words of refusal that it does not say to the right one, or
// its browser does not send it off. A field that keeps neither tells nothing.
func (p *prover) refusesNumber(ctx context.Context, h hit, words []string, path, taken, wrong string) answer {
	send := func(value string) (r reaction, kept bool, ok bool) {
		v := p.open(ctx, h.place)
		form, there := v.form(h.form)
		if !there {
			return r, false, false
		}
		for _, e := range p.fill(ctx, v, form).entries {
			if value == "" && e.control.Path == path {
				value = e.value
			}
		}
		if value != "" {
			p.write(ctx, path, value)
			p.press(ctx, path, "Tab")
		}
		typed := p.look(ctx)
		c, _, _ := typed.control(path)
		r = p.reacts(ctx, v, func() vitrine.Step { return p.submit(ctx, typed, form, words) })
		r.said = append(r.said, typed.fresh(v)...)
		r.invalid = r.invalid && form.Native && !r.step.Effect.Loaded
		was, isNumber := number(value)
		is, stays := number(c.Value)
		return r, value != "" && (c.Value == value || isNumber && stays && is == was), true // "23" may become "23.00"
	}
	right, keeps, ok := send(taken)
	if !ok {
		return absent("the form is not there")
	}
	if refused := slices.ContainsFunc(right.said, refusal.MatchString); refused && right.invalid {
		return fails("right data are not taken")
	}
	got, kept, _ := send(wrong)
	if keeps && !kept {
		return works("%q is not kept in its field", wrong)
	}
	for _, text := range got.without([]string{wrong}, right) {
		if refusal.MatchString(text) || limits.MatchString(text) {
			return works("%q is refused: %q", wrong, clip(text))
		}
	}
	if got.invalid && !right.invalid {
		return works("%q is refused by the form", wrong)
	}
	if !kept {
		return absent("the field keeps no value as it is typed")
	}
	return fails("%q is taken", wrong)
}

// refusesTwice proves that the same entry is not taken a second time, and that the page says so in
// words that it says neither to the first entry nor to another one, which it takes beside that.
func (p *prover) refusesTwice(ctx context.Context, h hit, words []string) answer {
	enter := func(v *view) (f filling, after *view, said reaction, why string) {
		began := len(p.steps)
		f, after, why = p.enterAt(ctx, v, h, words)
		for _, step := range p.steps[began:] {
			said.note(v, step)
		}
		return f, after, said, why
	}
	one, after, first, why := enter(p.open(ctx, h.place))
	if why != "" {
		return fails("%s", why)
	}
	token := one.tokens()[0]
	before := after.rowsWith(token)
	v := p.visit(ctx, h.place, token)
	form, ok := v.form(h.form)
	if !ok {
		return fails("the form is not there")
	}
	for _, e := range one.entries {
		if e.control.Tag == "select" {
			p.choose(ctx, e.control.Path, e.value)
		} else {
			p.write(ctx, e.control.Path, e.value)
		}
	}
	r := p.reacts(ctx, v, func() vitrine.Step { return p.submit(ctx, p.look(ctx), form, words) })
	if n := p.look(ctx, token).withoutPreviews(one.previews).rowsWith(token); n > before {
		return fails("%q is taken a second time", token)
	}
	v = p.visit(ctx, h.place)
	if form, ok = v.form(h.form); !ok || slices.ContainsFunc(form.Fields, func(path string) bool { c, _, _ := v.control(path); return c.Covered }) {
		p.uncover(ctx, v) // a dialog that says so
		v = p.visit(ctx, h.place)
	}
	other, _, last, why := enter(v)
	_, beside := p.look(ctx, token).shows(token)
	switch {
	case why != "":
		return fails("another entry is not taken after %q: %s", token, why)
	case !beside:
		return fails("%q is gone once another is entered", token)
	case len(r.without(slices.Concat(one.tokens(), other.tokens()), first, last)) == 0 && !r.invalid:
		return fails("nothing says that %q is there already", token)
	}
	return works("%q is not taken a second time, another one is", token)
}

// refusesMalformed proves it of what takes JSON: a document is taken, and the same cut off is
// refused by words.
func (p *prover) refusesMalformed(ctx context.Context, words []string) answer {
	best := absent("nothing takes JSON")
	words = slices.Concat(words, calculateWords)
	for _, pl := range top(p.site.places, 4) {
		for _, form := range pl.view.survey.Forms {
			i := slices.IndexFunc(form.Fields, func(path string) bool { c, _, _ := pl.view.control(path); return c.Tag == "textarea" && !off(c) })
			if i < 0 || !strings.Contains(strings.ToLower(pl.view.Text+p.need.Quote), "json") {
				continue
			}
			send := func(text string) reaction {
				v := p.open(ctx, pl)
				p.write(ctx, form.Fields[i], text)
				r := p.reacts(ctx, v, func() vitrine.Step { return p.submit(ctx, p.look(ctx), form, words) })
				r.said = append(r.said, r.after.fresh(v)...)
				return r
			}
			right := fmt.Sprintf(document, p.figure())
			good, bad := send(right), send(right[:len(right)-1])
			if slices.ContainsFunc(good.said, refusal.MatchString) {
				return fails("JSON that is right is refused")
			}
			said := slices.DeleteFunc(bad.without(nil, good), func(t string) bool { return !refusal.MatchString(t) && !malformed.MatchString(t) })
			if len(said) > 0 {
				return works("JSON that is cut off is refused: %q", clip(said[0]))
			}
			best = fails("JSON that is cut off is refused by no words")
		}
	}
	return best
}

var malformed = regexp.MustCompile(`(?i)\b(unexpected|expected|parse|syntax|unterminated|malformed)\b|解析`)
