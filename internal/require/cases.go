package require

import (
	"regexp"

	"vitrine"
)

var (
	// meta opens a test case and says nothing of the site: "Verify that", "Test the".
	meta = regexp.MustCompile(`(?i)^\s*(?:verify|test|check|ensure|confirm|validate|evaluate|assess|attempt to|try to|try|make sure|examine|inspect|review|observe|simulate)\b(?:\s+(?:that|if|whether))?\s*(?:the\s+functionality\s+of\s+)?`)
	// pathOf is how one comes to the place of the test: "Navigate to the X section and".
	pathOf   = regexp.MustCompile(`(?i)^\s*(?:(?:navigate|go|proceed|return|scroll|move) (?:to|through) |(?:access|visit|open|enter|click on|click) )[^,.]*?(?:,? and (?:then )?(?:attempt to )?|, then |, )`)
	placeOf  = regexp.MustCompile(`(?i)^\s*(?:from the (?:website )?homepage,?\s*|on the website,?\s*|as an? [\w-]+(?: user)?,\s*|after [^,]{5,60},\s*)`)
	faulty   = regexp.MustCompile(`(?i)\b(?:incomplete|incorrect(?:ly)?|invalid|missing|malformed|empty|validat\w*|without filling)\b`)
	refused  = regexp.MustCompile(`(?i)error message|validation|warning|prevent`)
	recorded = regexp.MustCompile(`(?i)\b(?:sent (?:e-?mails?|messages?|items)|histor(?:y|ies)|records)\b`)
	oneOf    = regexp.MustCompile(`(?i)\b(?:first|second|specific|individual|particular|one of|open an?)\b`)
	allOf    = regexp.MustCompile(`(?i)\b(?:list of|displays? all|all available|are listed|listings?)\b`)
	menus    = regexp.MustCompile(`(?i)navigation|menu|nav bar|navbar|all sections|links?\b|main sections`)
	toPlace  = regexp.MustCompile(`(?i)^\s*(?:access|visit|open|click)\b`)
	pathOnly = regexp.MustCompile(`(?i)\b(?:navigat\w+|menu item|nav bar|links? correctly|each (?:link|button|click|page|menu)|all buttons|smooth(?:ly)? navigat)`)
	through  = regexp.MustCompile(`(?i)^(?:access|open|use|using|interact with|utilize|perform) (?:the )?`)
)

// readCase are the acts that a test case asks for: those of its task, else those of what
// it expects.
func readCase(c vitrine.TestCase, k kind) []act {
	if _, ok := colourCase(c); ok {
		return nil
	}
	task := bounded(c.Task, maxCaseText)
	r := readerOf(k, true)
	if faulty.MatchString(task) && refused.MatchString(c.ExpectedResult) {
		r.acts = append(r.acts, act{does: vitrine.BehaviorValidate, quote: bounded(task, 160)})
	}
	for _, s := range sentences(strippedOf(task)) {
		r.sentence(s, false)
	}
	r.acts = append(r.acts, chinese(task)...)
	if len(r.acts) == 0 && pathOnly.MatchString(task) {
		return []act{{does: vitrine.BehaviorNav, quote: bounded(task, 160)}}
	}
	if b := fallback(task); len(r.acts) == 0 && b != "" {
		return []act{{does: b, quote: bounded(task, 160)}}
	}
	if len(r.acts) == 0 {
		for _, s := range sentences(bounded(c.ExpectedResult, maxCaseText)) {
			r.sentence(s, false)
		}
	}
	if len(r.acts) > 1 && r.acts[0].does == vitrine.BehaviorNav && !menus.MatchString(task) {
		r.acts = append(r.acts[1:], r.acts[0])
	}
	return r.acts[:min(len(r.acts), 40)]
}

// strippedOf is the task of a test case from its act on: without who acts, the way to the
// place where a verb follows, and words of testing.
func strippedOf(task string) string {
	task = placeOf.ReplaceAllString(task, "")
	if rest := pathOf.ReplaceAllString(task, ""); rest != task {
		rest = meta.ReplaceAllString(rest, "")
		if toks, _ := opened(item{toks: tokens(bounded(rest, 200))}); len(toks) > 0 && known(toks[0].low) {
			task = rest
		}
	}
	return through.ReplaceAllString(meta.ReplaceAllString(task, ""), "")
}

// fallback is what a test case without any verb of the table asks for: one item of
// several, all of them, or the place itself.
func fallback(task string) vitrine.Behavior {
	switch {
	case recorded.MatchString(task):
		return vitrine.BehaviorHistory
	case oneOf.MatchString(task):
		return vitrine.BehaviorDetail
	case allOf.MatchString(task):
		return vitrine.BehaviorList
	case toPlace.MatchString(task):
		return vitrine.BehaviorNav
	}
	return ""
}

// colourCase are the colours that a test case asks for, if that is all.
func colourCase(c vitrine.TestCase) (demands []vitrine.ColorDemand, ok bool) {
	for _, text := range []string{c.Task, c.ExpectedResult} {
		for _, s := range sentences(bounded(text, maxCaseText)) {
			demands = append(demands, demandsOf(s)...)
		}
		if len(demands) > 0 {
			return demands, true
		}
	}
	return nil, false
}
