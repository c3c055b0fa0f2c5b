package require

import (
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// central are behaviours that a site can be for.
func central(b vitrine.Behavior) bool {
	switch b {
	case vitrine.BehaviorNav, vitrine.BehaviorValidate, vitrine.BehaviorLimit, vitrine.BehaviorPersist, vitrine.BehaviorLogin, vitrine.BehaviorSetting, vitrine.BehaviorDelete, vitrine.BehaviorList:
		return false
	}
	return true
}

// finish weighs, names and orders the requirements.
func (g *gathering) finish() []vitrine.Requirement {
	best, of := -1, 0.0
	for i, q := range g.list {
		q.Words = wordsOf(q.Behavior, q.Verb, q.Entity)
		if q.Behavior == vitrine.BehaviorGame {
			q.Words = union(slices.Clone(q.Values), q.Words, 40)
		}
		q.Weight = round(g.force[i] * (1 + 0.25*float64(min(2, len(q.Cues)-1))))
		score := q.Weight
		if slices.Contains(q.Cues, "kind") && len(g.kind.does) > 0 && g.kind.does[0] == q.Behavior {
			score += 1
		}
		if central(q.Behavior) && g.twice(i) && score > of {
			best, of = i, score
		}
		q.ID = fmt.Sprintf("r%d", i+1)
	}
	if best >= 0 {
		g.list[best].Central = true
	}
	g.repeats()
	g.chain()
	result := []vitrine.Requirement{}
	for _, q := range g.list {
		result = append(result, *q)
	}
	return result
}

// repeats bounds what the further requirements of one behaviour weigh together: half of the
// heaviest of them, or what brings all to the weight of one. One relation proves them all, on
// controls that can hardly be told apart, so a page should not stand or fall by it, nor a
// text ask for more by naming more objects.
func (g *gathering) repeats() {
	heaviest, sum := map[vitrine.Behavior]*vitrine.Requirement{}, map[vitrine.Behavior]float64{}
	for _, q := range g.list {
		sum[q.Behavior] += q.Weight
		if h := heaviest[q.Behavior]; h == nil || q.Weight > h.Weight {
			heaviest[q.Behavior] = q
		}
	}
	for _, q := range g.list {
		h := heaviest[q.Behavior]
		if rest := sum[q.Behavior] - h.Weight; q != h && rest > 0 {
			q.Weight = round(q.Weight * min(1, max(h.Weight/2, 1-h.Weight)/rest))
		}
	}
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

// twice reports whether two independent places say that the site is for a requirement:
// the noun for the site and a clause or test case, or the clause that says what to build
// and a test case.
func (g *gathering) twice(i int) bool {
	q := g.list[i]
	kind := slices.Contains(q.Cues, "kind") && slices.Contains(g.kind.does, q.Behavior)
	clause := slices.Contains(q.Cues, "instruction")
	tested := slices.ContainsFunc(q.Cues, func(c string) bool { return strings.HasPrefix(c, "case") })
	return kind && (clause || tested) || g.main[i] && clause && tested
}

// befores are what must have been done before a behaviour can be seen.
var befores = map[vitrine.Behavior][]vitrine.Behavior{
	vitrine.BehaviorHistory: {vitrine.BehaviorSubmit, vitrine.BehaviorCart, vitrine.BehaviorStatus, vitrine.BehaviorLedger, vitrine.BehaviorCreate, vitrine.BehaviorGame, vitrine.BehaviorCustomize},
	vitrine.BehaviorReply:   {vitrine.BehaviorCreate},
	vitrine.BehaviorLookup:  {vitrine.BehaviorCreate, vitrine.BehaviorCart},
	vitrine.BehaviorPersist: {vitrine.BehaviorCreate},
}

// chain says what each requirement presupposes: the act with the same thing, else the
// first act of its kind.
func (g *gathering) chain() {
	for _, q := range g.list {
		for _, b := range befores[q.Behavior] {
			if id := g.firstOf(b, q.Entity); id != "" {
				q.After = []string{id}
				break
			}
		}
	}
}

func (g *gathering) firstOf(b vitrine.Behavior, entity string) (id string) {
	for _, q := range g.list {
		if q.Behavior != b {
			continue
		}
		if q.Entity != "" && entity != "" && alike(q.Entity, entity) {
			return q.ID
		}
		if id == "" {
			id = q.ID
		}
	}
	return id
}
