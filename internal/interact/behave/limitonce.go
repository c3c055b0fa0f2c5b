package behave

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// enteredOnce proves it of what must not be entered twice: with the same of what the instruction names, or the same in
// all fields.
func (p *prover) enteredOnce(ctx context.Context, words []string) answer {
	defer func() { p.fixed = nil }()
	return bestOf(p.limitForms(words), 2, absent("no form takes an entry"), func(h hit) answer {
		p.fixed = nil
		one, ok := p.tryAct(ctx, p.open(ctx, h.place), h, words, omission{})
		if !ok || !one.taken {
			return absent("the form takes nothing")
		}
		same := p.identity(one.sent.filling)
		if len(same) == 0 {
			return p.refusesTwice(ctx, h, words)
		}
		p.fixed = same
		v := p.visitForm(ctx, h)
		form, _ := v.form(h.form)
		what := strings.Join(slices.Sorted(maps.Values(same)), ", ")
		if gone := p.withdrawn(v, form); gone == "" {
			switch twice, ok := p.tryAct(ctx, v, h, words, unrepeated); {
			case !ok:
				return fails("the form is not there after an entry")
			case twice.taken && (one.sent.filling.holds(same) || twoInOne.MatchString(p.need.Quote)):
				return fails("%q is taken a second time", what)
			case twice.taken:
				return p.refusesTwice(ctx, h, words)
			case twice.refused == "":
				return fails("nothing says that %q is there already", what)
			}
		}
		p.fixed = nil
		for range 3 { // what is chosen may be taken, too
			if other, ok := p.tryAct(ctx, p.visitForm(ctx, h), h, words, unrepeated); ok && other.taken {
				p.fixed = same // not only the second entry is refused
				v = p.visitForm(ctx, h)
				if form, _ := v.form(h.form); p.withdrawn(v, form) == "" {
					if third, ok := p.tryAct(ctx, v, h, words, unrepeated); ok && third.taken {
						return fails("%q is taken again after another one", what)
					}
				}
				return works("%q is not taken a second time, another one is", what)
			}
		}
		return fails("another entry is not taken after %q, either", what)
	})
}

// identity are the entries that must not come a second time: those in fields that the instruction names, or, where it
// names two of something in one other thing ("two shifts on the same day"), all but this something.
func (p *prover) identity(f filling) map[string]string {
	m := twoInOne.FindStringSubmatch(p.need.Quote)
	if m == nil {
		return p.namedEntries(f, "")
	}
	same, what := map[string]string{}, stem(strings.ToLower(m[1]))
	for _, e := range f.entries {
		if e.value != "" && !slices.Contains(stems(wordsOf(e.control.Name)), what) {
			same[keyOfField(e.control, e.facts)] = e.value
		}
	}
	return same
}

// twoInOne is a limit of one thing in another: "two shifts on the same day".
var twoInOne = regexp.MustCompile(`(?i)\btwo ([a-z]+) (?:on|at|in|for|per) (?:the same|one) [a-z]+`)

// holds reports whether some of the texts that were entered are among entries: who a person is, or what a thing is called.
func (f filling) holds(entries map[string]string) bool {
	return slices.ContainsFunc(f.entries, func(e entry) bool { return e.token != "" && entries[keyOfField(e.control, e.facts)] != "" })
}
