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

// Of what is entered: that it stays, when a person is there again, and what is wrong with it.
const (
	stays = `(kept|keeps?|remember(s|ed)?|saved?|stored|still there|stays?|remains?|restor(es?|ed)|comes? back|everything (again|back)|there again|(still|again) (be )?(there|listed)|(is|are|be) the same|(not|never|nothing is|without) los(e|es|ing|t))`
	again = `(re-?load(ed|s|ing)?|(an?|page|on|after) refresh|refreshed|re-?open(ed|ing)?|(open (it|the page|the site)|am) again|(come|comes|am|are) back|I return|clos(e|es|ing) the (tab|page|browser|window)|(next|later) visits?|(for|until) next time|between (visits|sessions)|across sessions)`
	wrong = `(wrong|missing|blank|empty|invalid|incorrect|broken|negative|did not enter|not a( valid)? number|no \w+ (was|is) entered|cannot be \w+)`
)

// phrasings are read in each sentence. They add what its verbs and nouns do not name.
var phrasings = []phrasing{
	saying(`\b`+stays+`\b[^.;]{0,50}\b`+again+`\b|\b`+again+`\b[^.;]{0,50}\b`+stays+`\b`, vitrine.BehaviorPersist),
	saying(`\b(surviv|outliv)(e|es|ing)\b[^.;]{0,30}\b`+again+`\b|\b(still there|find [^.;,]{0,20} again)\b[^.;]{0,10}\b(tomorrow|next (day|week))\b`, vitrine.BehaviorPersist),
	saying(`刷新[^。；]{0,6}(还在|不丢|保留|恢复)|关(掉|闭)[^。；]{0,10}(还在|也在|仍在|保留|恢复)`, vitrine.BehaviorPersist),
	saying(`\b(refus(es?|ing)|(must|does|should) not accept|insists? on|rejects? (an?|any|wrong|invalid|empty|bad|malformed))\b|\b(do|must|should) not (accept|let)\b`, vitrine.BehaviorValidate),
	saying(`\b(warns?|tells?|told|says?|alerts?|notif(y|ies)|complains?|objects?)\b[^.;,]{0,30}\b(when|what|if|that|which)\b[^.;,]{0,40}\b`+wrong+`\b|\b(reports?|shows?|gives?) an? error\b|\bpasswords\b[^.;,]{0,12}\b(must|should) (agree|match)\b`, vitrine.BehaviorValidate),
	saying(`(没填|不填|未填|为空|不对|错误|无效|负数)[^。；，]{0,8}(提示|报错|警告|不应|不能|拒绝)`, vitrine.BehaviorValidate),
	saying(`\b(adds? up|sums? up|totals? up)\b|\b(a|the|running|daily|weekly|monthly|grand) (total|tally|sum)\b|\bhow many\b[^.;,]{0,25}\b(left|remain(ing)?|done|open|completed)\b|\bcounts? (my|the|each|every|how many)\b|\b(total|price|balance|amount|count)s?\b[^.;,]{0,20}\b(follows?|moves? with|changes? with|updates? with)\b`, vitrine.BehaviorAggregate),
	saying(`\b(running|ticking) (clock|timer|countdown|session)\b|\bruns a (clock|timer)\b|\bcounts (up|down)\b|\bticks (every|each|once)\b|\b(stopwatch|pomodoro)\b`, vitrine.BehaviorLive),
	saying(`\b(a|an|the) (log|strip) of\b|\bkeeps? (a|the) (list|history) of [^.;,]{0,12}\b(earlier|previous|past)\b|\bkeeps? a (log|record) of\b|\bkeeps? a list of [^.;,]{0,40}\b(it|I|they|were|was|have|has)\b|\b(earlier|previous|past) \w+ stay\b|\brecords? when\b|\bvisited before\b|\blast (clicked|used|viewed|visited)\b`, vitrine.BehaviorHistory),
	saying(`\b(dark (or|and|/) ?light|light (or|and|/) ?dark|(a|the) dark (theme|page|mode))\b|\b(switch(es|ing)?|chang(e|es|ing)|toggl(e|es|ing)) between [^.;,]{0,40}\b(modes?|themes?|languages?|units?|metric|dark|light|ml|celsius|keypads?|layouts?)\b`, vitrine.BehaviorSetting),
	saying(`\b(text )?(field|box|input|form|button)s?\b[^.;,]{0,30}\b(adds?|creates?) (a|an|another|a new|new|more|one|it)\b[^.;,]{0,20}\b(one|ones|it|row|item|entry|line|another|more)\b`, vitrine.BehaviorCreate),
	saying(`\bforms? (where|in which) (people|users?|visitors?|customers?|one|you|they|guests?)\b`, vitrine.BehaviorSubmit),
	saying(`\b(change|reword|rename|alter) (a|an|the|them|it|its|their|my|each)\b[^.;,]{0,12}\b(shifts?|wording|names?|texts?|titles?|tasks?|entr(y|ies)|items?|details?|them)\b|\b(change|reword|rename) (them|it)\b`, vitrine.BehaviorEdit),
	// What is said in the passive, of what the page does by itself, or of what a click brings.
	saying(`\b(sorted|ordered|ranked|arranged) (by|from|in (ascending|descending|alphabetical|order))\b|\bsorts? (them|it|these|by)\b`, vitrine.BehaviorOrder),
	saying(`\b(filtered|narrowed) (by|down|to)\b|\bfilterable\b|\b(browse|view|explore|shop)\b[^.;,]{0,30}\bby (category|genre|type|price|city|location|date|topic|tag|brand|cuisine|region|year|size|colou?r)\b`, vitrine.BehaviorFilter),
	saying(`\b(shows?|showing|displays?|illustrat(es?|ing)|depict(s|ing)?)\b[^.;]{0,60}\bover (time|the (years|months|decades)|(the )?(last|past) )|\bmap\b[^.;,]{0,25}\b(density|distribution)\b`, vitrine.BehaviorChart),
	saying(`\bsearchable\b`, vitrine.BehaviorSearch),
	saying(`\b(expandable|fold-?out) [a-z]`, vitrine.BehaviorPanels),
	saying(`\btotal (income|expenses?|sales|revenue|costs?|price|amount|spending)\b`, vitrine.BehaviorAggregate),
	saying(`\b(checks?|validates?) (that |the |if |whether |for )?(valid )?(e-?mails?|passwords?|inputs?|fields?|forms?)\b`, vitrine.BehaviorValidate),
	saying(`\b(saved|stored|persist(ed|s)?|kept) (in|to|on|by) (the |your |my |a )?(browser|local ?storage|device|disk)\b`, vitrine.BehaviorPersist),
	saying(`\blinks? (to|that|which|whose|go(es)?|for|between) |\bmenu links?\b|\bjump to (a|an|the|each|any)\b|\bback,? (and|or) forward\b|\bgo to [A-Z]\w+, [A-Z]`, vitrine.BehaviorNav),
	saying(`\b(download(s|ed)?|exports?|copy|copies) (it|them|a|an|the|my|as|to the clipboard)\b|\bout as (json|csv|pdf|text|an? image)\b|\bcopy to clipboard\b`, vitrine.BehaviorExport),
	saying(`\b(click(ing|s)?( on)?|tap(ping|s)?( on)?|select(ing|s)?|open(ing|s)?) (a|an|one|each|any) [^.;,]{0,30}\b(shows?|opens?|turns?|flips?|reveals?|displays?|brings? up)\b|\bopen(s|ed)? (for|to|up) (more |its |the |their )?details\b|\bshows? more about\b|\b(articles|posts|recipes|products|items) (that|which) open\b`, vitrine.BehaviorDetail),
	saying(`\b(works? out|computes?|calculates?|converts?)\b`, vitrine.BehaviorCalculate),
	saying(`\bbalances?\b[^.;]{0,40}\b(moves?|changes?|falls?|rises?|goes (up|down)|adjusts?)\b`, vitrine.BehaviorLedger),
	saying(`\bplays? (back )?(a |an |the |my |some )?(sounds?|music|audio|videos?|songs?|tracks?|clips?|tunes?)\b|\b(ambient|background|rain|nature|relaxing) (sounds?|music|audio)\b`, vitrine.BehaviorMedia),
	saying(`\bslide-?out\b|\bcontext menu\b|\bright[- ]click(ing|s)?\b[^.;,]{0,20}\bmenu\b|\b(file|folder|directory) tree\b|\bcollapsible\b`, vitrine.BehaviorPanels),
	saying(`\b(makes?|writes?|produces?|prepares?|puts together) (me )?(a|an|my) ([a-z-]+ ){0,2}(plan|itinerary|profile|report|summary|invoice|analysis|assessment)\b`, vitrine.BehaviorReport),
	saying(`\b(set|choose|change|pick) (the|a|my|their|your) ([a-z-]+ ){0,2}(length|duration|goal|speed|volume|font size)\b|\b(colou?r|visual) themes?\b`, vitrine.BehaviorSetting),
	saying(`\b(can|could|to|and|may) (like|upvote|follow|favou?rite|bookmark) (a|an|the|each|other|any|posts?|users?|photos?|videos?|recipes?|people|items?|songs?)\b`, vitrine.BehaviorJoin),
	saying(`\b(take|takes|taking) back (a|an|the|my)\b`, vitrine.BehaviorDelete),
	saying(`\bget (a|the) confirmation\b|\bconfirms? (my|the|their|your) (request|order|booking|message|payment|sign-?up)\b|\bsign-?up with (a )?confirmation\b`, vitrine.BehaviorSubmit),
	saying(`\b(move|moving|drag|with) (the )?sliders?\b|\brewrites? (my|the|a|any)\b`, vitrine.BehaviorCustomize),
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
