package behave

import (
	"context"
	"strings"

	"vitrine"
)

// aggregateTicks proves, of entries that are made for this, that a figure follows from what is ticked off: it
// moves one way when one is ticked and further when a second one is, back by as much when that is taken back,
// and by no click where nothing is.
func (p *prover) aggregateTicks(ctx context.Context, best answer) answer {
	made, _ := p.seed(ctx, 2)
	if made == nil {
		return best
	}
	acts := p.statusActs(made, statusWords)
	if len(acts) == 0 || acts[0].whole() {
		return best
	}
	one := acts[0]
	two := acts[len(acts)-1]
	if one.control.Path == two.control.Path {
		return best
	}
	read := []map[string]float64{quantities(made)}
	p.aside(ctx)
	read = append(read, quantities(p.look(ctx)))
	for _, act := range []rowAct{one, two, two} {
		if p.click(ctx, act.control.Path).Failed != "" {
			return best
		}
		read = append(read, quantities(p.look(ctx)))
	}
	for _, key := range sortedKeys(read[0]) {
		var q [5]float64
		for i := range q {
			n, ok := read[i][key]
			if !ok {
				q[2] = q[1] // it is gone, and no figure
				break
			}
			q[i] = n
		}
		if q[0] == q[1] && q[2] != q[1] && (q[3]-q[2])*(q[2]-q[1]) > 0 && q[4] == q[2] {
			return works("a figure follows what is ticked, and what is taken back: %s", clip(strings.ReplaceAll(key, "|", " ")))
		}
	}
	if best.verdict == vitrine.VerdictAbsent {
		return fails("no figure follows what is ticked")
	}
	return best
}
