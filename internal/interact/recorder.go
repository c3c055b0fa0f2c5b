package interact

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/page"
)

//go:embed scripts/recorder.js
var recorderScript string

// bindingName is the binding by which scripts/recorder.js reports.
const bindingName = "__vitrineRecord"

// record is one thing that a page did, as scripts/recorder.js reports it.
type record struct {
	Load    string          `json:"load"` // a new document, by its address
	Goes    *destination    `json:"goes"`
	Dialog  *vitrine.Dialog `json:"dialog"`
	Asked   string          `json:"asked"`
	Popup   string          `json:"popup"`
	Threw   string          `json:"threw"`
	Console string          `json:"console"`
	Sync    int             `json:"sync"`
}

// destination is where a page wants to go.
type destination struct {
	URL  string `json:"url"`
	Same bool   `json:"same"` // within the document
}

// Bounds of what is kept of one state of a session: lines of the console have a room of
// their own, so that a talkative page does not lose its dialogs.
const (
	maxRecords = 3000
	maxLines   = 3000
)

// A recorder keeps what pages did, in order.
type recorder struct {
	mu      sync.Mutex
	all     []record
	lines   int // of the console, among all
	synced  int
	wake    chan struct{}
	asked   int
	flooded bool // the browser sends nothing any more: the page flooded it
}

func (r *recorder) listen(ctx context.Context, p *browser.Page) error {
	r.wake = make(chan struct{}, 1)
	p.On(runtime.BindingCalled.Method, func(raw jsonv2.Value) {
		var e runtime.EventBindingCalled
		var got record
		if jsonv2.Unmarshal(raw, &e) == nil && e.Name == bindingName && json.Unmarshal([]byte(e.Payload), &got) == nil {
			r.add(got)
		}
	})
	_, err := cdp.Call(ctx, p, runtime.AddBinding, runtime.AddBindingParams{Name: bindingName})
	return err
}

// reset forgets all records.
func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all, r.lines = nil, 0
}

func (r *recorder) add(e record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Sync > 0 {
		r.synced = max(r.synced, e.Sync)
		select {
		case r.wake <- struct{}{}:
		default:
		}
		return
	}
	isLine := e.Console != ""
	if isLine && r.lines >= maxLines || !isLine && len(r.all)-r.lines >= maxRecords {
		return
	}
	if isLine {
		r.lines++
	}
	r.all = append(r.all, e)
}

// sync evaluates what is asked and waits until everything that the page did so far has arrived.
func (r *recorder) sync(ctx context.Context, p *page.Page, asked string, out any) error {
	if err := p.Ask(ctx, page.Async(r.asks()+asked), out); err != nil {
		return err
	}
	return r.arrive(ctx)
}

// asks begins an async expression: the page first sends everything that it recorded, and then a
// number that [recorder.arrive] waits for.
func (r *recorder) asks() string {
	if r.flooded {
		return ""
	}
	r.asked++
	return fmt.Sprintf("await __vitrineRecorder.sync(%d), ", r.asked)
}

// arrive waits for the last report that was asked for.
func (r *recorder) arrive(ctx context.Context) error {
	if r.flooded {
		return nil
	}
	timer := time.NewTimer(3 * time.Second)
	defer timer.Stop()
	for !r.has(r.asked) {
		select {
		case <-r.wake:
		case <-timer.C:
			r.flooded = true
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (r *recorder) has(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.synced >= n
}

// count is how many records there are.
func (r *recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

// since lists the records after the first n.
func (r *recorder) since(n int) []record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]record(nil), r.all[min(n, len(r.all)):]...)
}
