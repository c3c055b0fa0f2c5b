package behave

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// enteredOnce proves it of what must not be entered twice: with the same of what the instruction names, or the same in
// all fields.
func (p *prover) enteredOnce(ctx context.Context, words []string) answer {
	defer func() { p.fixed = nil }()
	return bestOf(likely(p.forms(words)), 2, absent("no form takes an entry"), func(h hit) answer {
		p.fixed = nil
		one, ok := p.tryAct(ctx, p.open(ctx, h.place), h, words, omission{})
		if !ok || !one.taken {
			return absent("the form takes nothing")
		}
		same := p.namedEntries(one.sent.filling, "")
		if len(same) == 0 {
			return p.refusesTwice(ctx, h, words)
		}
		p.fixed = same
		v := p.visitForm(ctx, h)
		form, _ := v.form(h.form)
		what := strings.Join(slices.Sorted(maps.Values(same)), ", ")
		if gone := p.withdrawn(v, form); gone == "" {
			switch twice, ok := p.tryAct(ctx, v, h, words, omission{field: "none"}); {
			case !ok:
				return fails("the form is not there after an entry")
			case twice.taken && one.sent.filling.holds(same):
				return fails("%q is taken a second time", what)
			case twice.taken:
				return p.refusesTwice(ctx, h, words)
			case twice.refused == "" && len(twice.sent.last.said) == 0:
				return fails("nothing says that %q is there already", what)
			}
		}
		p.fixed = nil
		for range 3 { // what is chosen may be taken, too
			if other, ok := p.tryAct(ctx, p.visitForm(ctx, h), h, words, omission{field: "none"}); ok && other.taken {
				return works("%q is not taken a second time, another one is", what)
			}
		}
		return fails("another entry is not taken after %q, either", what)
	})
}

// holds reports whether some of the texts that were entered are among entries: who a person is, or what a thing is called.
func (f filling) holds(entries map[string]string) bool {
	return slices.ContainsFunc(f.entries, func(e entry) bool { return e.token != "" && entries[keyOfField(e.control, e.facts)] != "" })
}
