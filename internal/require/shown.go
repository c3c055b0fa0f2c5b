package require

import (
	"regexp"
	"slices"

	"vitrine"
)

var (
	// changing are words of instructions whose charts and figures follow what somebody does, or the time.
	changing = regexp.MustCompile(`(?i)\b(interactive\w*|interact|interacts|dynamic\w*|explor\w*|filter\w*|select\w*|choos\w*|hover\w*|click\w*|zoom\w*|drill\w*|updat\w*|live|real[- ]?time|refresh\w*|upload\w*|import(s|ed|ing)?|inputs?|enter(s|ed|ing)?|adjust\w*|sliders?|toggl\w*|compar\w*|customi[sz]\w*|switch\w*|simulat\w*|predict\w*|calculat\w*|computes?|search\w*|monitor\w*|track\w*|analy[sz]\w*|generat\w*|(users?|visitors?|people|i|they) (can|could|should|to|may)|let me|drag\w*|edit\w*|manag\w*|count(s|ing)? (the|all|each|every))\b`)
	// reportPage is a page that is a report, and not one that makes some.
	reportPage = regexp.MustCompile(`(?i)\breport (web)?page\b`)
	// displays are behaviours that change nothing that is counted or drawn.
	displays = of(vitrine.BehaviorNav, vitrine.BehaviorList, vitrine.BehaviorDetail, vitrine.BehaviorChart, vitrine.BehaviorReport, vitrine.BehaviorAggregate)
)

// onlyShown marks charts that only have to be shown, as those of "a report page with a line
// chart of cyclists per day and three key figures": nothing in the instruction would change them. Reports
// and figures of such a page are its content, and nothing to operate.
func (g *gathering) onlyShown(text string) {
	if !g.has(vitrine.BehaviorChart) && !reportPage.MatchString(text) || changing.MatchString(text) || slices.ContainsFunc(g.list, func(q *vitrine.Requirement) bool { return !displays[q.Behavior] }) {
		return
	}
	kept := gathering{kind: g.kind, known: g.known}
	for i, q := range g.list {
		if figures := q.Behavior == vitrine.BehaviorReport || q.Behavior == vitrine.BehaviorAggregate; figures && (q.Verb == "" || shownVerbs[q.Verb]) {
			continue
		}
		q.Shown = q.Behavior == vitrine.BehaviorChart
		kept.list, kept.force, kept.main = append(kept.list, q), append(kept.force, g.force[i]), append(kept.main, g.main[i])
	}
	*g = kept
}
