package page

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"vitrine"
	"vitrine/internal/browser"
)

const (
	maxMessages    = 200  // per view
	floodMessages  = 2000 // more would keep the browser busy with telling us
	maxMessageText = 2000
)

// A Console is the console probe: what the page printed and what it threw.
type Console struct {
	viewport string

	mu       sync.Mutex // guards what follows
	route    string
	since    time.Time
	messages []vitrine.ConsoleMessage
	seen     int
	quiet    func() // stops the page from telling more
	stopped  bool
}

func (c *Console) start(ctx context.Context, p *browser.Page) {
	c.quiet = func() { _, _ = cdp.Call(ctx, p, runtime.Disable, cdp.Empty{}) }
	p.On(runtime.ConsoleAPICalled.Method, func(raw jsonv2.Value) {
		var e runtime.EventConsoleAPICalled
		if jsonv2.Unmarshal(raw, &e) == nil {
			c.add(vitrine.ConsoleMessage{Level: level(string(e.Type)), Text: printed(e.Args)}, e.Timestamp, e.StackTrace)
		}
	})
	p.On(runtime.ExceptionThrown.Method, func(raw jsonv2.Value) {
		var e runtime.EventExceptionThrown
		if jsonv2.Unmarshal(raw, &e) == nil && e.ExceptionDetails != nil {
			d := e.ExceptionDetails
			c.add(vitrine.ConsoleMessage{Level: "exception", Text: ownStack(browser.ExceptionText(d)), URL: d.URL, Line: int(d.LineNumber) + 1}, e.Timestamp, d.StackTrace)
		}
	})
}

// Messages are what the page printed and threw so far, in order of time.
func (c *Console) Messages() []vitrine.ConsoleMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.messages)
}

// Stop ends the log, so that what is still on its way cannot change it.
func (c *Console) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

// renew forgets what was said.
func (c *Console) renew(route string, start time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages, c.seen, c.route, c.since = nil, 0, route, start
}

func (c *Console) add(m vitrine.ConsoleMessage, at runtime.Timestamp, stack *runtime.StackTrace) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return
	}
	if c.seen++; c.seen == floodMessages {
		go c.quiet()
	}
	if len(c.messages) >= maxMessages {
		return
	}
	if m.URL == clockName { // what the page called there failed
		m.URL, m.Line = "", 0
	}
	if m.URL == "" && stack != nil {
		if i := slices.IndexFunc(stack.CallFrames, func(f *runtime.CallFrame) bool { return f.URL != clockName }); i >= 0 {
			m.URL, m.Line = stack.CallFrames[i].URL, int(stack.CallFrames[i].LineNumber)+1
		}
	}
	m.URL = strings.TrimPrefix(m.URL, Origin)
	m.Text = Bounded(m.Text, maxMessageText)
	m.Route, m.Viewport = c.route, c.viewport
	m.AtMS = at.Float64() - float64(c.since.UnixMicro())/1000
	c.messages = append(c.messages, m)
	// What is printed and what is thrown come as two streams.
	slices.SortStableFunc(c.messages, func(a, b vitrine.ConsoleMessage) int { return cmp.Compare(a.AtMS, b.AtMS) })
}

// Threw returns the first exception, if there was one.
func (c *Console) Threw() (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.messages {
		if m.Level == "exception" {
			first, _, _ := strings.Cut(m.Text, "\n")
			return first, true
		}
	}
	return "", false
}

// MarkBeforePaint says of every message so far that nothing was mounted yet.
func (c *Console) MarkBeforePaint() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.messages {
		c.messages[i].BeforePaint = true
	}
}

// ownStack leaves out of a stack what is our clock's and not the page's: the clock calls
// the page, and the page calls what the clock stands before, such as fetch.
func ownStack(text string) string {
	var kept []string
	clock := false
	for line := range strings.Lines(text) {
		if strings.Contains(line, clockName) {
			clock = true
		} else if !clock || strings.Contains(line, "://") { // what calls the clock itself has no address
			kept = append(kept, line)
		}
	}
	return strings.TrimRight(strings.Join(kept, ""), "\n")
}

func level(kind string) string {
	switch kind {
	case "error", "assert":
		return "error"
	case "warning":
		return "warning"
	case "info":
		return "info"
	}
	return "log"
}

// printed joins the arguments of a console call as a console shows them.
func printed(args []*runtime.RemoteObject) string {
	parts := make([]string, 0, len(args))
	for _, a := range args {
		var s string
		switch {
		case a.Type == runtime.RemoteObjectTypeString && jsonv2.Unmarshal(a.Value, &s) == nil:
			parts = append(parts, s)
		case a.Description != "":
			parts = append(parts, a.Description)
		default:
			parts = append(parts, string(a.Value))
		}
	}
	return strings.Join(parts, " ")
}

// Bounded cuts a text off after n bytes, at a whole letter, and marks that it did.
func Bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
