package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/reward"
)

// signals collects what the stages find out, for the recipe.
type signals struct{ reward.Signals }

func newSignals() signals {
	return signals{reward.Signals{
		Values: map[string]float64{},
		Missing: map[string]string{
			"vision.appearance": "no vision model is configured (--judge measured)",
			"vision.total":      "no vision model is configured (--judge measured)",
			"vision.visual":     "no vision model is configured (--judge measured)",
			"vision.plot":       "no vision model is configured (--judge measured)",
			"vision.code":       "no model is configured (--judge measured)",
			"interact.score":    "the site was not exercised (--interact none)",
			"interact.function": "no required behaviour was proved (--interact behave)",
			"interact.fsr":      "no test cases were tried (--interact agent or verify, with test cases)",
		},
	}}
}

func (s signals) flag(name string, yes bool) {
	s.Values[name] = 0
	if yes {
		s.Values[name] = 1
	}
}

// parsed notes what the text of the output says.
func (s signals) parsed(a *vitrine.Artifact) {
	s.Values["format.cot"] = float64(a.CoT.Score)
	s.Values["format.code"] = float64(a.Code.Score)
	s.Values["format.code_strict"] = float64(a.CodeStrict.Score)
	s.flag("html.present", len(a.Files) > 0)
}

// askedBy notes which scores no model gives that is asked by some protocols.
func (s signals) askedBy(protocols []string) {
	for _, v := range visionSignals {
		if !slices.Contains(protocols, v.protocol) {
			s.Missing[v.signal] = fmt.Sprintf("a model was asked by %s, and %s gives it (--judge)", strings.Join(protocols, ", "), v.protocol)
		}
	}
}

// judged notes what the measured judge says of the evidence.
func (s signals) judged(ev *vitrine.Evidence, j *vitrine.Judgement) {
	s.flag("render.valid", ev.Validity.Valid)
	_, bad := invalidFrame(ev)
	s.flag("frames.valid", ev.Validity.Valid && !bad)
	for name, score := range j.Scores {
		s.Values["measured."+name] = score
	}
	if ev.Site.Kind == vitrine.KindPlot && ev.Validity.Valid {
		for _, scale := range []string{"appearance", "alignment", "structure", "total"} {
			s.Missing["measured."+scale] = "a plot is graded by a model alone (--recipe plot -m MODEL)"
		}
	}
	for _, f := range j.Findings {
		if f.Status == vitrine.StatusScored {
			s.Values["check."+f.Check] = *f.Score
		} else {
			s.Missing["check."+f.Check] = f.Why
		}
	}
}

// hinted notes whether the source passes HTMLHint.
func (s signals) hinted(h vitrine.Hint) {
	if h.Ran {
		s.flag("hint.pass", len(h.Messages) == 0)
	} else {
		s.Missing["hint.pass"] = "HTMLHint reads pages; this output has no HTML source of its own"
	}
}

// invalidFrame finds the first frame of the site's first view that shows no site, and
// says at which time and why.
func invalidFrame(ev *vitrine.Evidence) (why string, found bool) {
	if len(ev.Views) == 0 {
		return "", false
	}
	for _, f := range ev.Views[0].Frames {
		if f.Invalid != nil {
			return fmt.Sprintf("%s: at %g s: %s", f.Invalid.Reason, float64(f.TimeMS)/1000, f.Invalid.Why), true
		}
	}
	return "", false
}
