package vlm

import (
	"fmt"
	"strings"

	"vitrine"
)

// in is the protocol in a profile.
func (p *protocol) in(profile vitrine.Profile) *protocol {
	if profile != vitrine.ProfilePublished || p.published == nil {
		return p
	}
	c := *p
	c.version, c.isPublished = "published-"+c.version, true
	p.published(&c)
	return &c
}

// allCode is more tokens of code than sites have; of one that has more, what is left out
// is named. No model takes so many.
const allCode = 1_000_000

// webDevJudge is how its paper shows a site and asks: the initial screenshot alone, the
// whole code (§4.2), and the temperature of App. B.1.
func webDevJudge(p *protocol) {
	p.pictures, p.codeTokens, p.webDevJudge = firstPicture, allCode, true
}

// breakpointPictures are the first frames of the routes at every viewport, "/" first
// (WebGen-R1 §2.3).
func breakpointPictures(ev *vitrine.Evidence) []picture {
	var found []picture
	routes := map[string]bool{}
	for i := range ev.Views {
		v := &ev.Views[i]
		if routes[v.Route] = true; len(routes) > maxRoutes {
			break
		}
		if v.Validity.Valid && len(v.Frames) > 0 {
			found = append(found, picture{v, v.Frames[0]})
		}
	}
	return found
}

// maxLog bounds the log of a site that is shown, in bytes.
const maxLog = 16000

// log is Γ of WebGen-R1 Eq. 2 and 3: what failed in the build, and what the pages wrote, in
// order. Steps that went well are left out: what they write depends on what is cached and
// on how fast the machine is.
func (s *Subject) log() string {
	var b strings.Builder
	for _, step := range s.Evidence.Site.Steps {
		if step.ExitCode == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %s, exit code %d\n%s\n", step.Name, step.Command, step.ExitCode, strings.TrimSpace(step.Log))
	}
	for _, m := range s.Evidence.Console {
		fmt.Fprintf(&b, "%s %s %s: %s\n", m.Route, m.Viewport, m.Level, m.Text)
	}
	text := strings.TrimSpace(b.String())
	if text == "" {
		return "nothing was logged"
	}
	return text[:runeCut(text, maxLog)]
}
