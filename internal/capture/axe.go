package capture

import (
	"context"
	_ "embed"
	"errors"

	"vitrine"
	"vitrine/internal/browser"
)

//go:embed third_party/axe.min.js
var axeLibrary string

// axeRun leaves out color contrast, which the measured judge computes from
// pixels, and asks for no more than is reported.
const (
	axeRun     = `;axe.run(document, {iframes: false, ` + axeOptions + axeReport
	axeOptions = `resultTypes: ['violations'], elementRef: false, preload: false,
	runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], rules: {'color-contrast': {enabled: false}},
}`
	axeReport = `).then(r => ({
	passes: r.passes.length,
	violations: r.violations.map(v => ({
		id: v.id, impact: v.impact || 'minor', help: v.help, count: v.nodes.length,
		nodes: v.nodes.slice(0, 5).map(n => n.target.flat().join(' ')),
	})),
}))`
)

// axeAnswer is what is kept of a run.
type axeAnswer struct {
	Passes     int                 `json:"passes"`
	Violations []vitrine.AxeResult `json:"violations"`
}

// loadAxe begins to load axe-core into the isolated world, which takes longer than
// running it. Only what the page's answers do not depend on runs meanwhile.
func (v *visit) loadAxe(ctx context.Context) {
	if !v.axe {
		return
	}
	v.axeLoaded = make(chan struct{})
	go func() {
		defer close(v.axeLoaded)
		_ = v.page.Tab.EvalIsolated(ctx, axeLibrary+";0", nil) // probeAxe finds out
	}()
}

// probeAxe runs axe-core where no script of the page can reach it. A page that
// axe cannot read has AxeRan false.
func (v *visit) probeAxe(ctx context.Context, view *vitrine.View) error {
	var answer axeAnswer
	<-v.axeLoaded
	run := func() error { return v.page.Tab.EvalIsolated(ctx, axeRun, &answer) }
	if len(v.documents) > 1 {
		run = func() error { return v.axeInFrames(ctx, &answer) }
	}
	err := run()
	var thrown *browser.EvalError
	if errors.As(err, &thrown) { // the page went elsewhere meanwhile
		err = v.page.Tab.EvalIsolated(ctx, axeLibrary+axeRun, &answer)
	}
	if errors.As(err, &thrown) {
		return nil
	}
	if err != nil {
		return err
	}
	view.AxeRan, view.Axe, view.AxePasses = true, answer.Violations, answer.Passes
	return nil
}
