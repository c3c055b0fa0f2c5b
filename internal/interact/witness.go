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

//go:embed scripts/witness.js
var witnessScript string

// tellName is the binding by which scripts/witness.js tells.
const tellName = "__vitrineTell"

// told is one thing that the witness told.
type told struct {
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
	maxTold  = 3000
	maxLines = 3000
)

// A witness gathers what pages tell, in order.
type witness struct {
	base string

	mu     sync.Mutex
	all    []told
	lines  int // of the console, among all
	synced int
	wake   chan struct{}
	asked  int
	deaf   bool // the browser tells us nothing any more: the page flooded it
}

func (w *witness) listen(ctx context.Context, p *browser.Page) error {
	w.wake = make(chan struct{}, 1)
	p.On(runtime.BindingCalled.Method, func(raw jsonv2.Value) {
		var e runtime.EventBindingCalled
		var t told
		if jsonv2.Unmarshal(raw, &e) == nil && e.Name == tellName && json.Unmarshal([]byte(e.Payload), &t) == nil {
			w.add(t)
		}
	})
	_, err := cdp.Call(ctx, p, runtime.AddBinding, runtime.AddBindingParams{Name: tellName})
	return err
}

// renew forgets what was told.
func (w *witness) renew() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all, w.lines = nil, 0
}

func (w *witness) add(t told) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t.Sync > 0 {
		w.synced = max(w.synced, t.Sync)
		select {
		case w.wake <- struct{}{}:
		default:
		}
		return
	}
	isLine := t.Console != ""
	if isLine && w.lines >= maxLines || !isLine && len(w.all)-w.lines >= maxTold {
		return
	}
	if isLine {
		w.lines++
	}
	w.all = append(w.all, t)
}

// hear waits until everything that the page has told so far has arrived.
func (w *witness) hear(ctx context.Context, p *page.Page) error {
	if w.deaf {
		return nil
	}
	w.asked++
	if err := p.Ask(ctx, fmt.Sprintf("__vitrineWitness.sync(%d)", w.asked), nil); err != nil {
		return err
	}
	timer := time.NewTimer(3 * time.Second)
	defer timer.Stop()
	for !w.has(w.asked) {
		select {
		case <-w.wake:
		case <-timer.C:
			w.deaf = true
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *witness) has(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.synced >= n
}

// count is how much has been told.
func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.all)
}

// since lists what was told after the first n.
func (w *witness) since(n int) []told {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]told(nil), w.all[min(n, len(w.all)):]...)
}
