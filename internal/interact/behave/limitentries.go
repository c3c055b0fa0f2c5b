package behave

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// mostEntries bounds how often an act is repeated.
const mostEntries = 20

// entriesBounded proves it of entries that are made by a form, of one kind: what is chosen, and the day, stay the same.
func (p *prover) entriesBounded(ctx context.Context, words []string) answer {
	high, of, known := limitIn(p.need.Quote)
	if high > mostEntries {
		return absent("%v are too many to be entered", high)
	}
	if !known {
		high = mostEntries
	}
	defer func() { p.fixed = nil }()
	return bestOf(p.limitForms(words), 3, absent("no form takes an entry"), func(h hit) answer {
		p.fixed = p.namedOptions(h)
		maps.Copy(p.fixed, smallNumbers(h))
		v, taken := p.open(ctx, h.place), 0
		first := false // the first entry is the only one in its list
		refused := ""
		for range int(high) + 5 {
			if form, there := v.form(h.form); there && taken > 0 && p.withdrawn(v, form) != "" {
				gone := p.withdrawn(v, form)
				return p.otherKind(ctx, h, words, works("after %d, %q is not offered any more", taken, clip(gone)))
			}
			a, ok := p.tryAct(ctx, v, h, words, unrepeated)
			switch {
			case !ok && taken == 0:
				return absent("the form takes nothing")
			case !ok && known && float64(taken) < high:
				return fails("after %d of %v the form is gone", taken, high)
			case !ok:
				return works("after %d, no other one can be entered", taken)
			case a.taken:
				if taken++; known && float64(taken) > high {
					return fails("%d are taken, one after another", taken)
				}
				first = first || taken == 1 && p.alone(ctx, a.sent.filling.words())
				maps.Copy(p.fixed, p.kindOf(a.sent.filling, of))
			case a.refused == "" && refused != "" && a.sent.last.after.has(refused): // what it said the time before still stands there
			case a.refused == "" && taken > 0:
				return fails("after %d, another one is not taken, and nothing says so", taken)
			case a.refused == "":
				return absent("nothing is taken by the form")
			case otherCause.MatchString(a.refused) || known && float64(taken) < high && refusedBy([]string{a.refused}) == "":
				refused = a.refused
			case taken == 0:
				return absent("the form takes nothing: %q", a.refused)
			case known && first && float64(taken) < high:
				return fails("%d are taken, and no more, where there are to be %v", taken, high)
			case known && saysOver(a.refused, high):
				return fails("after %d, there are more than %v: %q", taken, high, a.refused)
			default:
				return p.otherKind(ctx, h, words, works("after %d, another one is refused: %q", taken, a.refused))
			}
			v = p.visitForm(ctx, h)
		}
		if taken == 0 {
			return absent("the form takes nothing: %q", refused)
		}
		return fails("%d are taken one after another, and none is refused", taken)
	})
}

// alone reports whether what was entered stands in the only row of its list.
func (p *prover) alone(ctx context.Context, toks []string) bool {
	v := p.look(ctx, toks...)
	at, shown := v.shownAny(toks)
	g, _ := v.group(at.List)
	return shown && g.Total == 1
}

// otherKind is an answer once an entry of another kind was taken, where the instruction names what the limit is of
// ("a table"): else all is refused after some entries.
func (p *prover) otherKind(ctx context.Context, h hit, words []string, a answer) answer {
	varies := slices.ContainsFunc(slices.Collect(maps.Keys(p.fixed)), func(key string) bool {
		path, _, _ := strings.Cut(key, "|")
		c, _, ok := h.place.view.control(path)
		return ok && (c.Tag == "select" || textField(c)) && p.names(c.Name)
	})
	if !varies {
		return a
	}
	p.fixed = smallNumbers(h)
	for range 4 {
		if other, ok := p.tryAct(ctx, p.visitForm(ctx, h), h, words, unrepeated); ok && other.taken {
			return a
		}
	}
	return fails("%s; and so is one of any other kind", a.why)
}

// smallNumbers are the least that fields of a form take that count something: what is entered must not be too much by
// itself.
func smallNumbers(h hit) map[string]string {
	small := map[string]string{}
	for _, path := range h.form.Fields {
		c, f, ok := h.place.view.control(path)
		usual := false
		for _, b := range usualBounds {
			usual = usual || b.named.MatchString(c.Name)
		}
		if ok && c.Role == "spinbutton" && !off(c) && !usual {
			small[keyOfField(c, f)] = fmt.Sprint(max(1, numberOr(f.Min, 1)))
		}
	}
	return small
}

// saysOver reports whether a refusal says that there are more than a limit already.
func saysOver(refused string, high float64) bool {
	for _, m := range alreadyThere.FindAllStringSubmatch(refused, -1) {
		if n, ok := number(m[1] + m[2]); ok && n > high {
			return true
		}
	}
	return false
}

// alreadyThere is how a refusal says how many there are: "has 10 h already".
var alreadyThere = regexp.MustCompile(`(?i)\b(?:have|has|had|are|is) (\d[\d,.]*)\b[^.;]{0,20}\balready\b|\balready (?:have|has|had|at)?\s?(\d[\d,.]*)\b`)

// otherCause are refusals for something else than how many there are.
var otherCause = regexp.MustCompile(`(?i)\b(at (that|this|the same) time|overlaps?|clash\w*|conflicts?|(end|start|begin|finish)s? (after|before|at)|(must|has to) be (after|before|later|earlier)|same|already (belongs?|taken|booked|checked|there|exists|in|on|used|assigned|listed|parked|entered|[a-z]+s (on|at|in|to))|(is|are) (taken|(on|in) the list)|(is|still) empty|required|missing|at least)\b|^\W*please (enter|choose|fill|select|pick|give|type|provide)\b`)
