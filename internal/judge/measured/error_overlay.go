package measured

import (
	"fmt"
	"strings"

	"vitrine"
)

// Tags and ids under which development servers show their error screens.
var overlayTags = map[string]bool{"vite-error-overlay": true, "nextjs-portal": true, "webpack-dev-server-client-overlay": true}

// Sentences that only an error screen shows. They count near the top of a page
// with little else on it: a tutorial may quote them.
var overlayTexts = []string{
	"failed to compile", "unhandled runtime error", "application error: a client-side exception has occurred", "[plugin:vite",
	"minified react error", "uncaught typeerror:", "uncaught referenceerror:", "internal server error", "cannot get /", "unexpected application error",
}

// errorOverlay asks whether a page shows an error screen in place of itself.
func errorOverlay(in *input) vitrine.Finding {
	if reason := in.ev.Validity.Reason; !in.ev.Validity.Valid {
		if reason == vitrine.InvalidErrorOverlay || reason == vitrine.InvalidThrewBeforePaint {
			return scored(reading{score: 0, why: fmt.Sprintf("An error kept the site from showing: %s.", in.invalidWhy())})
		}
		return notApplicable("There is no render to look at: %s.", in.invalidWhy())
	}
	if len(in.views) == 0 {
		return notApplicable("No view of the site could be looked at.")
	}
	var r reading
	bad := 0
	for _, v := range in.views {
		if text, box, found := v.overlay(); found {
			bad++
			r.why = fmt.Sprintf("%s shows an error message: %s.", v.label(), quote(text))
			r.where = append(r.where, v.place(box, "error message"))
		}
	}
	r.score = 1 - float64(bad)/float64(len(in.views))
	if bad == 0 {
		r.why = "No page shows an error screen."
	}
	return scored(r)
}

func (f *viewFacts) overlay() (text string, box vitrine.Box, found bool) {
	for _, i := range f.all {
		e := &f.Elements[i]
		if overlayTags[e.Tag] || overlayTags[e.Attrs["id"]] {
			return e.Tag, e.Box, true
		}
	}
	if len(f.Text) > 2000 {
		return "", vitrine.Box{}, false
	}
	lower := strings.ToLower(f.Text)
	for _, t := range overlayTexts {
		if at := strings.Index(lower, t); at >= 0 && at < 200 {
			return t, f.page, true
		}
	}
	return "", vitrine.Box{}, false
}
