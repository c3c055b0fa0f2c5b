package require

import (
	"regexp"

	"vitrine"
)

var (
	// meta opens a test case and says nothing of the site: "Verify that", "Test the".
	meta     = regexp.MustCompile(`(?i)^\s*(?:verify|test|check|ensure|confirm|validate|evaluate|assess|attempt to|try to|try|make sure|examine|inspect|review|observe|simulate)\b(?:\s+(?:that|if|whether))?\s*(?:the\s+functionality\s+of\s+)?`)
	pathOf   = regexp.MustCompile(`(?i)^\s*(?:from the (?:website )?homepage,?\s*|on the website,?\s*|as an? [\w-]+(?: user)?,\s*)?(?:navigate|go|proceed|browse) (?:to|through) [^,.]*?(?:,? and (?:then )?|, then |, )`)
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
	stripped := through.ReplaceAllString(meta.ReplaceAllString(pathOf.ReplaceAllString(task, ""), ""), "")
	r := readerOf(k, true)
	for _, s := range sentences(stripped) {
		r.sentence(s, false)
	}
	r.acts = append(r.acts, chinese(task)...)
	if len(r.acts) == 0 && pathOnly.MatchString(task) {
		return []act{{does: vitrine.BehaviorNav, quote: bounded(task, 160)}}
	}
	if len(r.acts) == 0 {
		for _, s := range sentences(bounded(c.ExpectedResult, maxCaseText)) {
			r.sentence(s, false)
		}
	}
	for i := range r.acts {
		r.acts[i].clause += 1000
	}
	return r.acts[:min(len(r.acts), 40)]
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
