package capture

import (
	"context"
	"errors"
	"slices"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/page"
)

// A pass visits all routes of a site at one viewport, one after the other on the
// same page, so that what the browser compiled for one serves the next. Between
// them the page is made as if it were new. A route that hangs or crashes the page
// costs a new one.
type pass struct {
	capturer *Capturer
	site     *vitrine.Site // read to the end of the last page's events, which may be after the pass
	evidence *vitrine.Evidence
	dir      string
	viewport vitrine.Viewport
	first    bool // it finds the routes that pages link to, and runs axe-core
	routes   *routeList
	visited  *routeList     // for the next pass
	crashed  bool           // a renderer died: whatever killed it, it gets a second chance
	spent    *time.Duration // of siteTimeout, by all passes
}

func (p *pass) run(ctx context.Context) error {
	p.visited = &routeList{}
	for len(p.routes.queue) > 0 && !p.stopIfOutOfTime() {
		err := p.capturer.Browser.Run(ctx, p.viewport, p.onPage)
		if errors.Is(err, browser.ErrKillsBrowser) {
			p.recordKill(err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stopIfOutOfTime reports whether the site has used up its time; if so, it gives every route
// that is left a timeout view and empties the queue.
func (p *pass) stopIfOutOfTime() bool {
	if *p.spent < siteTimeout {
		return false
	}
	for _, route := range p.routes.queue {
		v := newView(route, p.viewport)
		v.Validity = vitrine.Validity{Reason: vitrine.InvalidTimeout, Why: "the other views of the site took all of its " + siteTimeout.String()}
		p.evidence.Views = append(p.evidence.Views, v)
	}
	p.routes.queue = nil
	return true
}

// recordKill adds the invalid view of the first route in the queue, which no browser survives,
// and takes it off the queue.
func (p *pass) recordKill(err error) {
	validity := vitrine.Validity{Reason: vitrine.InvalidCrashed, Why: "the page crashed two browsers, the second with no other page open"}
	switch {
	case errors.Is(err, browser.ErrPageCrashed):
		validity.Why = "the page crashed a browser, and its renderer with no other page open"
	case errors.Is(err, browser.ErrDeadline):
		validity = vitrine.Validity{Reason: vitrine.InvalidTimeout, Why: "the page kept two browsers from answering, the second with no other page open"}
	}
	v := newView(p.routes.queue[0], p.viewport)
	v.Validity = validity
	p.evidence.Views = append(p.evidence.Views, v)
	p.routes.queue = p.routes.queue[1:]
	if !p.evidence.Views[0].Validity.Valid {
		p.routes.queue = nil
	}
}

// onPage visits routes until none is left or the page is of no more use. When the
// browser dies under a route, that route is the first to be visited again.
func (p *pass) onPage(ctx context.Context, tab *browser.Page) error {
	p.evidence.Browser = tab.BrowserVersion()
	for fresh := true; len(p.routes.queue) > 0 && !p.stopIfOutOfTime(); fresh = false {
		if !fresh {
			if err := tab.Reset(ctx, page.Origin); err != nil {
				return nil // a page that broke its document: the next route gets another
			}
		}
		hung, err := p.visit(ctx, tab, p.routes.queue[0])
		if err != nil || hung {
			return err
		}
	}
	return nil
}

func (p *pass) visit(ctx context.Context, tab *browser.Page, route string) (hung bool, err error) {
	allowed := tab.Allow(viewTimeout)
	defer func() { *p.spent += allowed.Spent() }()
	ctx, cancel := allowed.Context(ctx)
	defer cancel()
	ev := p.evidence
	v := &visit{
		page:     page.New(tab, route, page.Settings{Site: p.site, Viewport: p.viewport, Mirror: p.capturer.Mirror}),
		settings: ev.Settings, dir: p.dir, axe: p.first,
	}
	view, err := v.run(ctx)
	if err != nil {
		return false, err
	}
	if view.Validity.Reason == vitrine.InvalidCrashed && !p.crashed {
		p.crashed = true
		return false, browser.ErrPageCrashed
	}
	p.routes.queue = p.routes.queue[1:]
	ev.Views = append(ev.Views, view)
	ev.Console = append(ev.Console, v.page.Console.Messages()...)
	ev.Requests = append(ev.Requests, v.page.Network.Recorded()...)
	if p.first {
		p.routes.found(v.linked)
	}
	if hung = hangsOrCrashes(view); !hung { // each further window would cost its whole deadline
		p.visited.queue = append(p.visited.queue, route)
	}
	if !ev.Views[0].Validity.Valid {
		p.routes.queue = nil
	}
	return hung, nil
}

// sortByRoute sorts the evidence, which was gathered viewport by viewport, by route.
func sortByRoute(ev *vitrine.Evidence) {
	rank := map[string]int{}
	for _, v := range ev.Views {
		if _, known := rank[v.Route]; !known {
			rank[v.Route] = len(rank)
		}
	}
	slices.SortStableFunc(ev.Views, func(a, b vitrine.View) int { return rank[a.Route] - rank[b.Route] })
	slices.SortStableFunc(ev.Console, func(a, b vitrine.ConsoleMessage) int { return rank[a.Route] - rank[b.Route] })
	slices.SortStableFunc(ev.Requests, func(a, b vitrine.Request) int { return rank[a.Route] - rank[b.Route] })
}
