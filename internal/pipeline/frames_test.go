package pipeline

import (
	"strings"
	"testing"

	"vitrine"
)

// A page that times out, and one of whose frames does, are both nothing to ReLook. The
// evidence is made by hand, since a real timeout takes its time.
func TestATimeoutIsNothingToReLook(t *testing.T) {
	t.Parallel()
	fine, late := vitrine.Validity{Valid: true}, vitrine.Validity{Reason: vitrine.InvalidTimeout, Why: "the page does not answer"}
	for name, test := range map[string]struct {
		page  vitrine.Validity
		frame *vitrine.Validity
		gate  string
	}{
		"whole": {fine, nil, ""},
		"page":  {late, nil, "render.valid is 0"},
		"frame": {fine, &late, "frames.valid is 0"},
	} {
		p := pipe(t, func(s *Settings) { s.Recipe = recipe(t, "relook") })
		w := newWork(p, vitrine.Output{ID: name, Text: goodPage}, nil, t.TempDir())
		must(t, w.parse())
		w.Evidence.Validity = test.page
		w.Evidence.Views = []vitrine.View{{Route: "/", Viewport: vitrine.Desktop, Validity: test.page, Text: "Tea shop", Frames: []vitrine.Frame{{}, {TimeMS: 1000, Invalid: test.frame}}}}
		w.signals.Values["vision.visual"] = 80
		must(t, w.judge(t.Context()))
		s := w.Sample
		if invalid := s.Outcome == vitrine.OutcomeInvalidRender && strings.HasPrefix(s.Why, "timeout: "); invalid != (test.gate != "") || s.Gate != test.gate || (*s.Reward == 0) != invalid {
			t.Errorf("%s: %v by %q, %s %q", name, *s.Reward, s.Gate, s.Outcome, s.Why)
		}
	}
}

// ReLook gives nothing where one required frame is invalid, whichever it is (§2.5); for
// other recipes the site counts as it was when it was looked at.
func TestAnInvalidFrameIsNothingToReLook(t *testing.T) {
	t.Parallel()
	times := func(s *Settings) { s.Capture.TimesMS = []int{0, 1000, 2000} }
	relook := func(s *Settings) { times(s); s.Recipe = recipe(t, "relook") }
	for name, test := range map[string]struct{ script, why string }{
		"whole":             {`0`, ""},
		"moves":             {`setInterval(() => document.body.append('more '), 300)`, ""},
		"blank at +1.6 s":   {`setTimeout(() => { document.body.innerHTML = '' }, 2600)`, "blank: at 2 s: "},
		"covered at +1.6 s": {`setTimeout(() => { document.body.innerHTML += '<div style="position:fixed;inset:0;background:#fff">' }, 2600)`, "blank: at 2 s: "},
		"blank at +0.5 s":   {`setTimeout(() => { document.body.hidden = true }, 1500); setTimeout(() => { document.body.hidden = false }, 2500)`, "blank: at 1 s: "},
		"overlay at +0.5 s": {`setTimeout(() => { document.body.append(document.createElement('vite-error-overlay')) }, 1500)`, "error_overlay: at 1 s: "},
		"mounts at +0.5 s":  {`document.body.hidden = true; setTimeout(() => { document.body.hidden = false }, 1500)`, "blank: at 0 s: "},
	} {
		o := vitrine.Output{ID: name, Text: strings.Replace(goodPage, "</body>", "<script>"+test.script+"</script></body>", 1)}
		r := mustScore(t, pipe(t, relook), o, t.TempDir()).Sample
		q := mustScore(t, pipe(t, times), o, t.TempDir()).Sample
		if q.Outcome != vitrine.OutcomeRendered || *q.Reward == 0 {
			t.Errorf("%s: looks gives %v, %s %s", name, *q.Reward, q.Outcome, q.Why)
		}
		if test.why == "" {
			if r.Outcome != vitrine.OutcomeRendered || *r.Reward == 0 {
				t.Errorf("%s: relook gives %v, %s %s", name, *r.Reward, r.Outcome, r.Why)
			}
			continue
		}
		if *r.Reward != 0 || r.Gate != "frames.valid is 0" || r.Outcome != vitrine.OutcomeInvalidRender || !strings.HasPrefix(r.Why, test.why) {
			t.Errorf("%s: relook gives %v by %q, %s %q; want 0 and %q", name, *r.Reward, r.Gate, r.Outcome, r.Why, test.why)
		}
	}
}
