package require

import (
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// A gathering merges acts into requirements.
type gathering struct {
	kind  kind
	known bool
	list  []*vitrine.Requirement
	main  []bool    // of each: the clause that says what to build asks for it
	force []float64 // of each: what its clauses weigh, before cues
}

func newGathering(k kind, known bool) *gathering { return &gathering{kind: k, known: known} }

func (g *gathering) reader(steps bool) *reader { return readerOf(g.kind, steps) }

func readerOf(k kind, steps bool) *reader {
	is := func(b vitrine.Behavior) bool { return len(k.does) > 0 && k.does[0] == b }
	return &reader{steps: steps, game: is(vitrine.BehaviorGame), scene: is(vitrine.BehaviorScene), quiz: is(vitrine.BehaviorQuiz), chart: is(vitrine.BehaviorChart)}
}

// single are behaviours that a site has once, whatever they act on.
func single(b vitrine.Behavior) bool {
	switch b {
	case vitrine.BehaviorNav, vitrine.BehaviorGame, vitrine.BehaviorSearch, vitrine.BehaviorFilter, vitrine.BehaviorOrder, vitrine.BehaviorChat, vitrine.BehaviorCart,
		vitrine.BehaviorPersist, vitrine.BehaviorQuiz, vitrine.BehaviorValidate, vitrine.BehaviorMedia, vitrine.BehaviorScene, vitrine.BehaviorCalculate,
		vitrine.BehaviorCompare, vitrine.BehaviorDrag, vitrine.BehaviorDraw, vitrine.BehaviorLogin, vitrine.BehaviorCustomize, vitrine.BehaviorChart, vitrine.BehaviorSetting, vitrine.BehaviorExport, vitrine.BehaviorAggregate, vitrine.BehaviorLedger, vitrine.BehaviorPanels:
		return true
	}
	return false
}

// take merges acts into the requirements, with where they come from.
func (g *gathering) take(acts []act, cue string) {
	objects := map[[2]int]int{} // how many objects the verb of a clause has, for each behaviour
	for _, a := range acts {
		objects[[2]int{a.clause, a.rank}]++
	}
	for _, a := range acts {
		force := 1 / float64(max(1, objects[[2]int{a.clause, a.rank}]))
		switch a.rank {
		case 1:
			force *= 0.75
		}
		if a.rank == 2 { // who manages may delete, but was not told so
			g.merge(a, "kind", suggested)
			continue
		}
		if a.does == vitrine.BehaviorCreate && tracks(a.verb) && makesOther(acts) {
			continue
		}
		if a.main {
			force *= 1.5
		}
		if a.does == vitrine.BehaviorLogin && a.verb == "" && roles.MatchString(a.quote) {
			force = suggested
		}
		if strings.HasPrefix(cue, "case") && a.does != acts[0].does && !g.has(a.does) {
			continue // a test case adds what it is for, not what it mentions
		}
		g.merge(a, cue, force)
	}
}

// suggested is what weighs a behaviour that the words only suggest.
const suggested = 0.4

// roles are words by which a text says that there are several kinds of users, which asks for
// a way to be one or the other, and not for accounts.
var roles = regexp.MustCompile(`(?i)\b(administrators?|roles?|role-based|permissions?|access control)\b`)

// makesOther reports whether acts make something by another verb than tracking, which
// says less of what is made.
func makesOther(acts []act) bool {
	return slices.ContainsFunc(acts, func(a act) bool { return a.does == vitrine.BehaviorCreate && !tracks(a.verb) })
}

func tracks(verb string) bool { return verb == "track" || verb == "keep" }

// merge adds an act to the requirement that it belongs to, or makes one.
func (g *gathering) merge(a act, cue string, force float64) *vitrine.Requirement {
	for i, q := range g.list {
		if q.Behavior != a.does || a.does == vitrine.BehaviorLimit && q.Quote != a.quote || !single(a.does) && !alike(q.Entity, a.entity) && !sameForm(q, a) && !g.only(q, a, cue) {
			continue
		}
		if q.Entity == "" {
			q.Entity = a.entity
		}
		if q.Verb == "" || q.Verb == "manage" && a.verb != "" { // which says least
			q.Verb = a.verb
		}
		if strings.HasPrefix(q.Quote, "(") && cue == "instruction" {
			q.Quote = a.quote
		}
		q.Fields = union(q.Fields, a.fields, 12)
		if a.verb != "" && !slices.Contains(q.Values, a.verb) && a.does == vitrine.BehaviorGame && a.verb != q.Verb && len(q.Values) < 12 {
			q.Values = append(q.Values, a.verb)
		}
		if !slices.Contains(q.Cues, cue) {
			q.Cues = append(q.Cues, cue)
		}
		g.force[i], g.main[i] = max(g.force[i], force), g.main[i] || a.main
		return q
	}
	q := &vitrine.Requirement{Behavior: a.does, Verb: a.verb, Entity: a.entity, Fields: a.fields, Quote: a.quote, Cues: []string{cue}}
	g.list, g.force, g.main = append(g.list, q), append(g.force, force), append(g.main, a.main)
	return q
}

// only reports whether a test case must mean a requirement of the instruction, since it
// is the only one of its behaviour. What is made or deleted is told apart by its name.
func (g *gathering) only(q *vitrine.Requirement, a act, cue string) bool {
	if !strings.HasPrefix(cue, "case") || a.does == vitrine.BehaviorCreate || a.does == vitrine.BehaviorDelete {
		return false
	}
	n := 0
	for _, o := range g.list {
		if o.Behavior == a.does {
			n++
		}
	}
	return n == 1 && !strings.HasPrefix(q.Cues[0], "case")
}

// has reports whether a requirement of the behaviour is there already.
func (g *gathering) has(b vitrine.Behavior) bool {
	return slices.ContainsFunc(g.list, func(q *vitrine.Requirement) bool { return q.Behavior == b })
}

// sameForm reports whether two requirements to submit are one form: the verbs of filling,
// of booking and of writing to somebody are three.
func sameForm(q *vitrine.Requirement, a act) bool {
	return a.does == vitrine.BehaviorSubmit && formOf(q.Verb) == formOf(a.verb)
}

func formOf(verb string) string {
	switch verb {
	case "book", "reserve", "rent", "lease", "hire", "schedule":
		return "book"
	case "contact", "send", "subscribe", "donate":
		return verb
	}
	return ""
}

func union(a, b []string, most int) []string {
	for _, s := range b {
		if len(a) < most && !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
