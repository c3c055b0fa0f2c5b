package vlm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"vitrine"
	"vitrine/internal/model/dialog"
)

// A Panel asks several judges the same, or one judge several times. All must follow
// the same protocol.
type Panel struct {
	Asker   dialog.Asker
	Members []Settings
	// Quorum is how many must answer; default: more than half. With fewer there is no
	// result.
	Quorum int
}

// Repeats is one judge asked n times, without using earlier answers.
func Repeats(s Settings, n int) []Settings {
	members := make([]Settings, n)
	for i := range members {
		members[i] = s
		members[i].Repeat = s.Repeat + i
	}
	return members
}

func (p *Panel) quorum() int {
	if p.Quorum > 0 {
		return p.Quorum
	}
	return len(p.Members)/2 + 1
}

// check names what cannot be a panel.
func (p *Panel) check(pair bool) (*protocol, error) {
	if len(p.Members) == 0 || p.quorum() > len(p.Members) {
		return nil, usage(fmt.Sprintf("a panel of %d cannot have a quorum of %d", len(p.Members), p.quorum()), "")
	}
	first, err := find(p.Members[0].Protocol, pair)
	if err != nil {
		return nil, err
	}
	for _, m := range p.Members[1:] {
		if other, err := find(m.Protocol, pair); err != nil || other != first || m.pairs() != p.Members[0].pairs() {
			return nil, usage("the members of a panel follow different protocols, or see the sites in different positions", "Give them the same ones.")
		}
	}
	return first, nil
}

// Judge asks every member about one site. Scores are means over those who answered;
// a member that could not judge is listed with its fault and counts for nothing.
func (p *Panel) Judge(ctx context.Context, s Subject) (vitrine.Judgement, error) {
	protocol, err := p.check(false)
	if err != nil {
		return vitrine.Judgement{Cost: vitrine.Free()}, err
	}
	answers := make([]vitrine.Judgement, len(p.Members))
	faults := p.each(func(i int, one *Judge) (err error) {
		answers[i], err = one.Judge(ctx, s)
		return err
	})
	r := vitrine.Judgement{Protocol: protocol.name, Findings: []vitrine.Finding{}, Panel: &vitrine.Panel{Quorum: p.quorum()}}
	var heard []vitrine.Judgement
	var names []string
	for i, a := range answers {
		r.Calls = append(r.Calls, a.Calls...)
		m := vitrine.Member{Judge: p.memberName(i, a.Judge), Repeat: p.Members[i].Repeat, Scores: a.Scores}
		if faults[i] != nil {
			m.Error = vitrine.AsFault("judge", faults[i])
		} else {
			heard = append(heard, a)
		}
		r.Panel.Members = append(r.Panel.Members, m)
		names = append(names, m.Judge)
	}
	r.Judge, r.Cost = panelName(names), dialog.Cost(r.Calls)
	if err := p.stopped(faults, len(heard)); err != nil {
		return r, err
	}
	merge(&r, heard, protocol, p.Members[0], s)
	return r, nil
}

// merge makes one judgement of those that were given.
func merge(r *vitrine.Judgement, heard []vitrine.Judgement, protocol *protocol, settings Settings, s Subject) {
	var all []map[string]float64
	for _, j := range heard {
		all = append(all, j.Scores)
	}
	r.Panel.Spread = spreads(all)
	r.Scores = means(r.Panel.Spread)
	q := &question{Settings: settings, protocol: protocol, sites: []Subject{s}}
	r.Panel.Agreement = closeness(all, protocol.main, q)
	r.Feedback = nearest(heard, protocol.main, r.Scores[protocol.main]).Feedback
	r.Findings = mergeFindings(heard)
	r.LeftOut = heard[0].LeftOut
}

// each runs every member at once; endpoints bound how many calls are under way.
func (p *Panel) each(do func(i int, one *Judge) error) []error {
	faults := make([]error, len(p.Members))
	var wait sync.WaitGroup
	for i := range p.Members {
		wait.Go(func() { faults[i] = do(i, &Judge{Asker: p.Asker, Settings: p.Members[i]}) })
	}
	wait.Wait()
	return faults
}

// stopped says why there is no result: a member met something other than an
// unusable answer (a budget that is used up, an interruption, a bug of ours), or too
// few answered.
func (p *Panel) stopped(faults []error, heard int) error {
	for _, err := range faults {
		if err != nil && !onlyOne(err) {
			return err
		}
	}
	if heard >= p.quorum() {
		return nil
	}
	return vitrine.NewFault("judge", vitrine.FaultJudge, errors.Join(faults...),
		fmt.Sprintf("%d of %d members of the panel answered, and %d have to", heard, len(p.Members), p.quorum()))
}

// onlyOne reports whether a fault is of one member's answer or endpoint, so that the
// others may still speak for it.
func onlyOne(err error) bool {
	switch vitrine.AsFault("judge", err).Code {
	case vitrine.FaultJudge, vitrine.FaultModelError, vitrine.FaultModelRequest, vitrine.FaultNoVision, vitrine.FaultRateLimited:
		return true
	}
	return false
}

func (p *Panel) memberName(i int, name string) string {
	if name == "" {
		return p.Members[i].Protocol + " " + p.Members[i].Model
	}
	return name
}

// panelName names the members, equal ones once.
func panelName(names []string) string {
	var parts []string
	for i, name := range names {
		if slices.Index(names, name) != i {
			continue
		}
		n := 0
		for _, other := range names {
			if other == name {
				n++
			}
		}
		if n > 1 {
			name = fmt.Sprintf("%s ×%d", name, n)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " + ")
}

// spreads describe each score over those who gave it.
func spreads(all []map[string]float64) map[string]vitrine.Spread {
	values := map[string][]float64{}
	for _, scores := range all {
		for key, v := range scores {
			values[key] = append(values[key], v)
		}
	}
	out := map[string]vitrine.Spread{}
	for key, vs := range values {
		out[key] = spread(vs)
	}
	return out
}

// spread is of at least one value.
func spread(vs []float64) vitrine.Spread {
	s := vitrine.Spread{N: len(vs), Min: slices.Min(vs), Max: slices.Max(vs)}
	for _, v := range vs {
		s.Mean += v / float64(len(vs))
	}
	if len(vs) > 1 {
		sum := 0.0
		for _, v := range vs {
			sum += (v - s.Mean) * (v - s.Mean)
		}
		s.SD = math.Sqrt(sum / float64(len(vs)-1))
	}
	return s
}

func means(spreads map[string]vitrine.Spread) map[string]float64 {
	out := map[string]float64{}
	for key, s := range spreads {
		out[key] = s.Mean
	}
	return out
}

// closeness is 1 less the mean distance of two members as a share of the scale.
func closeness(all []map[string]float64, main string, q *question) *float64 {
	low, high := q.scale(q)
	return pairwise(len(all), func(i, k int) float64 {
		return 1 - math.Abs(all[i][main]-all[k][main])/(high-low)
	})
}

// pairwise is the mean over pairs of members, nil where there is no pair.
func pairwise(n int, agree func(i, k int) float64) *float64 {
	sum, pairs := 0.0, 0.0
	for i := range n {
		for k := range i {
			sum += agree(i, k)
			pairs++
		}
	}
	if pairs == 0 {
		return nil
	}
	mean := sum / pairs
	return &mean
}

// nearest is the judgement whose main score is nearest to the mean: its words speak
// for the panel.
func nearest(heard []vitrine.Judgement, main string, mean float64) vitrine.Judgement {
	return slices.MinFunc(heard, func(a, b vitrine.Judgement) int {
		da, db := math.Abs(a.Scores[main]-mean), math.Abs(b.Scores[main]-mean)
		switch {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
}

// mergeFindings gives each check the mean of its scores, in the order and with the
// words of the first who has it.
func mergeFindings(heard []vitrine.Judgement) []vitrine.Finding {
	out := []vitrine.Finding{}
	scores := map[string][]float64{}
	for _, j := range heard {
		for _, f := range j.Findings {
			if !slices.ContainsFunc(out, func(o vitrine.Finding) bool { return o.Check == f.Check }) {
				out = append(out, f)
			}
			if f.Score != nil {
				scores[f.Check] = append(scores[f.Check], *f.Score)
			}
		}
	}
	for i := range out {
		if vs := scores[out[i].Check]; len(vs) > 0 {
			mean := spread(vs).Mean
			out[i].Score = &mean
		}
	}
	return out
}
