package vlm

import (
	"context"

	"vitrine"
	"vitrine/internal/model/dialog"
)

// Compare asks every member about a pair. The verdict is the one that more than half
// of those who answered give, else a tie; scores are means.
func (p *Panel) Compare(ctx context.Context, a, b Subject) (vitrine.Comparison, error) {
	protocol, err := p.check(p.pairs())
	if err != nil {
		return vitrine.Comparison{Cost: vitrine.Free()}, err
	}
	answers := make([]vitrine.Comparison, len(p.Members))
	faults := p.each(func(i int, one *Judge) (err error) {
		answers[i], err = one.Compare(ctx, a, b)
		return err
	})
	r := vitrine.Comparison{Protocol: protocol.name, Panel: &vitrine.Panel{Quorum: p.quorum()}}
	var heard []vitrine.Comparison
	var names []string
	for i, c := range answers {
		r.Calls = append(r.Calls, c.Calls...)
		m := vitrine.Member{Judge: p.memberName(i, c.Judge), Repeat: p.Members[i].Repeat, Verdict: c.Verdict}
		if faults[i] != nil {
			m.Error = vitrine.AsFault("judge", faults[i])
		} else {
			heard = append(heard, c)
		}
		r.Panel.Members = append(r.Panel.Members, m)
		names = append(names, m.Judge)
	}
	r.Judge, r.Cost = panelName(names), dialog.Cost(r.Calls)
	if err := p.stopped(faults, len(heard)); err != nil {
		return r, err
	}
	mergePairs(&r, heard)
	return r, nil
}

// pairs reports whether the members are shown both sites together.
func (p *Panel) pairs() bool { return len(p.Members) == 0 || p.Members[0].pairs() }

func mergePairs(r *vitrine.Comparison, heard []vitrine.Comparison) {
	var as, bs []map[string]float64
	r.Far = true
	for _, c := range heard {
		as, bs = append(as, c.A), append(bs, c.B)
		r.Orders = append(r.Orders, c.Orders...)
		r.Far = r.Far && c.Far
	}
	sa, sb := spreads(as), spreads(bs)
	r.A, r.B = means(sa), means(sb)
	r.Panel.Spread = map[string]vitrine.Spread{}
	for key, s := range sa {
		r.Panel.Spread["a."+key] = s
	}
	for key, s := range sb {
		r.Panel.Spread["b."+key] = s
	}
	r.Verdict = majority(heard)
	r.Far = r.Far && r.Verdict != vitrine.VerdictTie
	r.Panel.Agreement = pairwise(len(heard), func(i, k int) float64 {
		if heard[i].Verdict == heard[k].Verdict {
			return 1
		}
		return 0
	})
	r.Position, r.Findings, r.LeftOut = heard[0].Position, heard[0].Findings, heard[0].LeftOut
}

// majority is the verdict of more than half, else a tie.
func majority(heard []vitrine.Comparison) vitrine.Verdict {
	votes := map[vitrine.Verdict]int{}
	for _, c := range heard {
		votes[c.Verdict]++
	}
	for v, n := range votes {
		if 2*n > len(heard) {
			return v
		}
	}
	return vitrine.VerdictTie
}
