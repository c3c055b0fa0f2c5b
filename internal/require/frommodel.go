package require

import (
	"slices"
	"strings"

	"vitrine"
)

// FromModel brings what a model found an instruction to ask for into the form of [Read], of
// which rules is the answer; by names the model. Ids, labels, weights and order are made alike.
// What rules find besides behaviours stays, and so does what every site must do without being
// told so. Of several that the model calls central one is, and only where rules read it as
// well: two independent cues.
func FromModel(by string, found []vitrine.Requirement, rules vitrine.Requirements) vitrine.Requirements {
	g := newGathering(kind{}, false)
	labels := map[*vitrine.Requirement][]string{}
	sure := map[*vitrine.Requirement]bool{}
	for _, q := range found {
		if g.names(q) {
			continue
		}
		cues, shown := []string{}, false
		if i := slices.IndexFunc(rules.Behaviors, func(r vitrine.Requirement) bool { return same(r, q) }); i >= 0 {
			cues, shown = slices.Clone(rules.Behaviors[i].Cues), rules.Behaviors[i].Shown
		}
		force := 1.0
		if q.Central {
			force = 1.5
		}
		n := g.merge(act{does: q.Behavior, entity: q.Entity, fields: q.Fields, quote: q.Quote}, "model", force)
		n.Shown = shown
		n.Cues, labels[n], sure[n] = append(cues, "model"), q.Words, q.Central && len(cues) > 0
	}
	for _, r := range rules.Behaviors {
		if slices.Equal(r.Cues, []string{"default"}) && !slices.ContainsFunc(g.list, func(q *vitrine.Requirement) bool { return q.Behavior == r.Behavior }) {
			g.merge(act{does: r.Behavior, quote: r.Quote}, "default", suggested)
		}
	}
	of := slices.Clone(g.list)
	rules.By, rules.Behaviors = by, g.finish()
	one := slices.IndexFunc(of, func(q *vitrine.Requirement) bool { return sure[q] && central(q.Behavior) })
	for i := range rules.Behaviors {
		rules.Behaviors[i].Central = i == one
		rules.Behaviors[i].Words = union(lower(labels[of[i]]), rules.Behaviors[i].Words, 40)
	}
	return rules
}

// names reports whether a requirement is there already.
func (g *gathering) names(q vitrine.Requirement) bool {
	return slices.ContainsFunc(g.list, func(o *vitrine.Requirement) bool { return same(*o, q) })
}

// same reports whether two requirements are of one behaviour and thing.
func same(a, b vitrine.Requirement) bool {
	return a.Behavior == b.Behavior && (single(a.Behavior) || alike(a.Entity, b.Entity) || a.Entity == "" || b.Entity == "")
}

func lower(texts []string) (all []string) {
	for _, t := range texts {
		all = append(all, strings.ToLower(strings.TrimSpace(t)))
	}
	return all
}
