package behave

import (
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// labels are the labels that the requirement names, then the usual ones.
func (p *prover) labels(usual []string) []string {
	all := slices.Clone(p.need.Words)
	for _, w := range usual {
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// thing is the entity of the requirement, for messages.
func (p *prover) thing(other string) string {
	if p.need.Entity != "" {
		return p.need.Entity
	}
	return other
}

// names reports whether the words that ask for the requirement have one of a label, of three letters or more.
func (p *prover) names(label string) bool {
	asked := stems(wordsOf(p.need.Quote))
	return slices.ContainsFunc(stems(wordsOf(label)), func(w string) bool { return len(w) > 2 && slices.Contains(asked, w) })
}

// alsoAsked is the first other requirement of a behaviour that the instruction has, if it has one.
func (p *prover) alsoAsked(b vitrine.Behavior) (need vitrine.Requirement, ok bool) {
	i := slices.IndexFunc(p.others, func(n vitrine.Requirement) bool { return n.Behavior == b })
	if i < 0 {
		return need, false
	}
	return p.others[i], true
}

// elsewhere are the places other than one, at most six, those with lists first. The start
// is one of them.
func (p *prover) elsewhere(than *place) []*place {
	var all []*place
	for _, pl := range p.site.places {
		if pl != than && (len(pl.way) > 0 || pl == p.site.places[0]) {
			all = append(all, pl)
		}
	}
	slices.SortStableFunc(all, func(a, b *place) int { return len(b.view.lists()) - len(a.view.lists()) })
	return top(all, 6)
}

func top[T any](all []T, n int) []T { return all[:min(len(all), n)] }

// form finds a form again: by its path, or by its fields.
func (v *view) form(known interact.Form) (interact.Form, bool) {
	for _, f := range v.survey.Forms {
		if f.Path == known.Path {
			return f, true
		}
	}
	for _, f := range v.survey.Forms {
		if slices.Equal(f.Fields, known.Fields) {
			return f, true
		}
	}
	return interact.Form{}, false
}

// shownAny is where the first of some tokens stands that is shown as text, one in a row
// before others.
func (v *view) shownAny(tokens []string) (interact.Found, bool) {
	var first *interact.Found
	for _, t := range tokens {
		if at, ok := v.shows(t); ok {
			if at.Row != "" {
				return at, true
			}
			if first == nil {
				first = &at
			}
		}
	}
	if first == nil {
		return interact.Found{}, false
	}
	return *first, true
}
