package agent

import (
	"fmt"
	"slices"

	"vitrine"
	"vitrine/internal/digest"
)

// A guard ends runs that lead nowhere: one that does the same in the same state
// again and again, and one whose actions change nothing.
type guard struct {
	off         bool
	again, idle int
	tried       map[string]int // by state and action
	idled       int            // actions in a row
}

// after looks at a turn that was carried out. The reason is empty where the run
// goes on; warning is said to the model then, or nothing.
func (g *guard) after(t *turn) (end vitrine.EndReason, warning string) {
	if g.off {
		return "", ""
	}
	if g.tried == nil {
		g.tried = map[string]int{}
	}
	key := digest.Of(t.seen.state, t.move.actions)
	g.tried[key]++
	g.idled++
	if t.effective() {
		g.idled = 0
	}
	switch {
	case g.tried[key] >= g.again:
		return vitrine.EndLoop, ""
	case g.idled >= g.idle:
		return vitrine.EndNoAction, ""
	case g.tried[key] > 1:
		return "", "You did exactly this before, on the same page in the same state. Do something else, or conclude."
	case g.idled > 1:
		return "", fmt.Sprintf("Your last %d actions changed nothing. Try something else, or conclude.", g.idled)
	}
	return "", ""
}

// effective reports whether an action of the turn did anything to be noticed.
func (t *turn) effective() bool {
	return slices.ContainsFunc(t.steps, func(s vitrine.Step) bool { return !idle(&s) })
}
