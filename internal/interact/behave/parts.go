package behave

import (
	"context"
	"fmt"
)

// parts proves of options that name kinds, as "Orders" of messages whose senders are called
// otherwise, that they part the rows: each row is left by one option and no other, a row that
// holds the words of one by this one, the options leave the same a second time, and the neutral
// one leaves all. Rows hidden at random, or by another value, do not fall into parts.
func (f *filtering) parts(ctx context.Context, p *prover) bool {
	if len(f.ch.options) < 3 || len(f.ch.options) > 10 || !f.hasNeutral() {
		return false
	}
	var first string
	for round := range 2 {
		owner, all := map[int]string{}, ""
		for _, o := range f.ch.options {
			got := f.rows.left(p.applied(ctx, f.ch, o, nil))
			all += fmt.Sprint(got)
			if isNeutral(o.label) {
				if len(got) < len(f.rows.rows) {
					return false
				}
				continue
			}
			want, _ := f.rows.named(o.label)
			if !subset(want, got) {
				return false
			}
			for _, i := range got {
				if owner[i] != "" {
					return false
				}
				owner[i] = o.label
			}
		}
		if len(owner) < len(f.rows.rows) || round == 1 && all != first {
			return false
		}
		first = all
	}
	return p.err == nil && !p.spent
}
