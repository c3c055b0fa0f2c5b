// Package measured judges a site by measuring its evidence: no model, no
// browser, no file is read. The same evidence always gives the same judgement.
//
// A panel of small checks looks at the evidence; each answers with a score in
// [0,1] and one sentence that a person can hold against the screenshot, or says
// that the site gives no occasion for it. The findings are rolled up into the
// published scales: appearance 0–5 (WebGen-R1, prompt G.2) and alignment 40,
// aesthetics 30, structure 30 (AesCoder, prompt G.2). Apart from them stands content, 0 to 1:
// the factor that filler leaves of a page.
//
// Adding a check is one file, one good page, one bad page and one line in the
// panel.
package measured

import "vitrine"

// Version is part of the judge's name: it changes whenever a score can change.
const Version = "8"

// Name is the name@version of the judge, as a calibration names it.
const Name = "measured@" + Version

// Judge says what can be measured about a site. Evidence of an invalid render
// gets 0 on every scale; evidence that nothing can be measured on gets no scores
// at all.
func Judge(ev *vitrine.Evidence) vitrine.Judgement {
	j := vitrine.Judgement{Judge: Name, Cost: vitrine.Free()}
	in := newInput(ev)
	for _, c := range panel {
		f := in.judge(c)
		f.Check = c.id
		j.Findings = append(j.Findings, f)
	}
	j.Scores, j.Unknown = in.rollUp(j.Findings)
	return j
}

// Checks returns the id of every check in panel order.
func Checks() []string {
	ids := make([]string, len(panel))
	for i, c := range panel {
		ids[i] = c.id
	}
	return ids
}

// Looks returns the id of every check that ratings of looks can weigh: all but those of
// content, of which pictures that people rated say nothing.
func Looks() (ids []string) {
	for _, c := range panel {
		if c.dimension != content {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// judge runs one check. An invalid render leaves nothing to measure but the
// failure itself, a plot only its pixels.
func (in *input) judge(c check) vitrine.Finding {
	if !in.ev.Validity.Valid && !c.onInvalid {
		return notApplicable("There is no render to look at: %s.", in.invalidWhy())
	}
	if in.ev.Site.Kind == vitrine.KindPlot && in.ev.Validity.Valid && !c.pictures {
		return notApplicable("A plot is a picture: there is no page to look at this on.")
	}
	return c.judge(in)
}

func (in *input) invalidWhy() string {
	switch v := in.ev.Validity; {
	case v.Why != "":
		return sentence(v.Why)
	case v.Reason != "":
		return string(v.Reason)
	}
	return "nothing was captured"
}
