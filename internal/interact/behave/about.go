package behave

import (
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// plainWords say nothing of what a requirement is about.
var plainWords = stems([]string{
	"a", "all", "an", "and", "any", "app", "by", "can", "data", "each", "every", "for", "from", "in", "into", "it",
	"more", "new", "of", "on", "online", "or", "other", "out", "own", "page", "personal", "platform", "short", "site",
	"system", "that", "the", "their", "them", "these", "those", "to", "up", "use", "view", "website", "with", "your", "send", "manage", "record", "add",
})

// things are the stems of what a requirement acts on, without its verb.
func things(verb, entity, quote string) []string {
	return slices.DeleteFunc(stems(wordsOf(entity+" "+quote)), func(w string) bool {
		return slices.Contains(plainWords, w) || w == stem(verb)
	})
}

// plainEntries are words for whatever is entered.
var plainEntries = []string{"", "value", "entry", "input", "data", "field", "everything", "setting", "change"}

// foreign reports whether a text names the subject of other requirements of the site and not
// that of this one: the form that adds a user is not the one that sends a message.
func (p *prover) foreign(text string) bool {
	if p.need.Behavior == vitrine.BehaviorPersist && p.need.Verb != "" && slices.Contains(plainEntries, p.need.Entity) {
		return false // whatever is entered is to be kept
	}
	own, said := things(p.need.Verb, p.need.Entity, p.need.Quote), stems(wordsOf(text))
	if len(own) == 0 || slices.ContainsFunc(said, func(w string) bool { return slices.Contains(own, w) }) {
		return false
	}
	for _, o := range p.others {
		same := slices.ContainsFunc(things(o.Verb, o.Entity, ""), func(w string) bool { return slices.Contains(own, w) })
		if o.ID == p.need.ID || o.Verb == "" || same {
			continue
		}
		about := things(o.Verb, o.Entity, o.Quote)
		if slices.ContainsFunc(said, func(w string) bool { return slices.Contains(about, w) }) {
			return true
		}
	}
	return false
}

// ofOthers reports whether rows are, by the part of the site where they stand or by their
// element, what other requirements are about.
func (p *prover) ofOthers(pl *place, g interact.Group) bool {
	var ids []string
	for _, part := range strings.Split(g.Path, "#")[1:] {
		ids = append(ids, identifier("#"+part))
	}
	return p.foreign(pl.via.Name + " " + strings.Join(ids, " "))
}
