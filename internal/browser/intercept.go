package browser

import (
	"context"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// A Request is what a page asks for.
type Request struct {
	URL    string
	Method string
	Type   string // Document, Script, Stylesheet, Image, Font, Fetch, XHR, …
}

// A Response answers a request from memory. The zero value blocks it.
type Response struct {
	Status      int
	ContentType string
	Body        []byte
	// Keep lets the browser use it for later documents of the page, which then may not
	// ask for it again.
	Keep bool
}

// Traffic counts the requests of a page.
type Traffic struct {
	open  atomic.Int64 // asked for and not yet answered
	total atomic.Int64
}

// Open is how many requests wait for an answer.
func (t *Traffic) Open() int64 { return t.open.Load() }

// Total is how many requests were made.
func (t *Traffic) Total() int64 { return t.total.Load() }

// Serve answers every request of the page with handle, which must be safe for
// concurrent use. Nothing reaches a network.
func (p *Page) Serve(ctx context.Context, handle func(Request) Response) (*Traffic, error) {
	t := &Traffic{}
	p.On("Fetch.requestPaused", func(raw jsonv2.Value) {
		var e fetch.EventRequestPaused
		if jsonv2.Unmarshal(raw, &e) != nil {
			return
		}
		t.open.Add(1)
		t.total.Add(1)
		go func() {
			defer t.open.Add(-1)
			r := handle(Request{URL: e.Request.URL + e.Request.URLFragment, Method: e.Request.Method, Type: string(e.ResourceType)})
			p.answer(ctx, e.RequestID, r)
		}()
	})
	all := []*fetch.RequestPattern{{URLPattern: "*"}}
	return t, do(ctx, p, fetch.Enable, fetch.EnableParams{Patterns: all})
}

func (p *Page) answer(ctx context.Context, id fetch.RequestID, r Response) {
	if r.Status == 0 {
		_ = do(ctx, p, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonBlockedByClient})
		return
	}
	caching := "no-store"
	if r.Keep {
		caching = "max-age=31536000, immutable"
	}
	_, _ = cdp.Call(ctx, p, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: id, ResponseCode: int64(r.Status), Body: r.Body,
		ResponseHeaders: []*fetch.HeaderEntry{
			{Name: "Content-Type", Value: r.ContentType},
			{Name: "Cache-Control", Value: caching},
			{Name: "Access-Control-Allow-Origin", Value: "*"},
		},
	})
}
