package require

import (
	"regexp"

	"vitrine"
)

// A phrasing is a way of saying what a site does without a verb and object of it: "is still
// there after a reload".
type phrasing struct {
	says *regexp.Regexp
	does vitrine.Behavior
}

func saying(pattern string, does vitrine.Behavior) phrasing {
	return phrasing{regexp.MustCompile(`(?i)` + pattern), does}
}

// phrasings are read in each sentence. They add what its verbs and nouns do not name.
var phrasings = []phrasing{
	saying(`\b(kept|keeps?|remember(s|ed)?|saved?|stored|still there|stays?|restor(es?|ed)|comes? back|everything again|there again)\b[^.;]{0,50}\b(re-?load(ed|s|ing)?|page refresh|refreshed|re-?open(ed|ing)?|come back|closing the|next visit|between (visits|sessions)|across sessions)\b`, vitrine.BehaviorPersist),
	saying(`\bsurviv(es?|ing)\b[^.;]{0,30}\b(re-?loads?|refresh(es)?)\b`, vitrine.BehaviorPersist),
	saying(`\b(refus(es?|ing)|(must|does|should) not accept|insists? on|rejects? (an?|any|wrong|invalid|empty|bad|malformed))\b`, vitrine.BehaviorValidate),
	saying(`\b(warns?|tells?|told|says?|alerts?|notif(y|ies))\b[^.;,]{0,30}\b(when|what|if|that|which)\b[^.;,]{0,40}\b(wrong|missing|blank|empty|invalid|incorrect|did not enter)\b`, vitrine.BehaviorValidate),
	saying(`\b(adds? up|sums? up|totals? up)\b|\b(a|the|running|daily|weekly|monthly|grand) (total|tally|sum)\b|\bhow many\b[^.;,]{0,25}\b(left|remain(ing)?|done|open|completed)\b|\bcounts? (my|the|each|every|how many)\b|\b(total|price|balance|amount|count)s?\b[^.;,]{0,20}\b(follows?|moves? with|changes? with|updates? with)\b`, vitrine.BehaviorAggregate),
	saying(`\b(running|ticking) (clock|timer|countdown|session)\b|\bruns a (clock|timer)\b|\bcounts (up|down)\b|\bticks (every|each|once)\b`, vitrine.BehaviorLive),
	saying(`\b(a|an|the) (log|strip) of\b|\bkeeps? a (log|record) of\b|\bkeeps? a list of [^.;,]{0,40}\b(it|I|they|were|was|have|has)\b|\b(earlier|previous|past) \w+ stay\b|\brecords? when\b|\bvisited before\b|\blast (clicked|used|viewed|visited)\b`, vitrine.BehaviorHistory),
	saying(`\b(dark (or|and|/) ?light|light (or|and|/) ?dark|(a|the) dark (theme|page|mode))\b|\b(switch(es|ing)?|chang(e|es|ing)|toggl(e|es|ing)) between [^.;,]{0,40}\b(modes?|themes?|languages?|units?|metric|dark|light|ml|celsius|keypads?|layouts?)\b`, vitrine.BehaviorSetting),
	saying(`\b(text )?(field|box|input|form|button)s?\b[^.;,]{0,30}\b(adds?|creates?) (a|an|another|a new|new|more|one|it)\b[^.;,]{0,20}\b(one|ones|it|row|item|entry|line|another|more)\b`, vitrine.BehaviorCreate),
	saying(`\bforms? (where|in which) (people|users?|visitors?|customers?|one|you|they|guests?)\b`, vitrine.BehaviorSubmit),
	saying(`\b(change|reword|rename|alter) (a|an|the|them|it|its|their|my|each)\b[^.;,]{0,12}\b(shifts?|wording|names?|texts?|titles?|tasks?|entr(y|ies)|items?|details?|them)\b|\b(change|reword|rename) (them|it)\b`, vitrine.BehaviorEdit),
}

// phrased are the behaviours that phrasings name and acts do not, each once.
func phrased(list []sentence, acts []act) (more []act) {
	named := map[vitrine.Behavior]bool{}
	for _, a := range acts {
		named[a.does] = true
	}
	for i, s := range list {
		for _, p := range phrasings {
			if at := p.says.FindStringIndex(s.text); at != nil && !named[p.does] {
				named[p.does] = true
				more = append(more, act{does: p.does, quote: bounded(s.text[at[0]:at[1]], 160), clause: 20000 + i})
			}
		}
	}
	return more
}
