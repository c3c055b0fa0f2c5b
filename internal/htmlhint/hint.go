// Package htmlhint runs HTMLHint on the source of a page, before any browser: the
// execution check of AesCoder §4.1. The npm bundle runs in an embedded JavaScript
// engine, so there is no Node to start and nothing to install.
package htmlhint

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"

	"vitrine"
)

//go:embed third_party/htmlhint.min.js
var library string

// Version of the embedded HTMLHint.
const Version = "htmlhint@1.9.2"

// Rules are the rules of AesCoder App. G.7 under the names HTMLHint has for them
// today. Two lines of the published list are read by what their comments mean
// rather than by their letter: tag-self-close "allows" void elements to close
// themselves, while HTMLHint's rule of that name demands it and would fail any
// page with a plain <br>; csslint is not a rule of HTMLHint and checks nothing.
var Rules = []string{
	"alt-require", "attr-lowercase", "attr-value-double-quotes", "doctype-html5", "html-lang-require", "id-unique",
	"meta-charset-require", "meta-viewport-require", "tag-pair", "tagname-lowercase", "title-require",
}

// Literal is the name, in the place of a rule, for App. G.7 to the letter: those of its
// rules that HTMLHint knows by the names there. It ignores lang-require,
// meta-charset-utf-8, meta-viewport and csslint, which it does not know, and of
// tag-self-close, which is given a list of elements, that it is on at all.
const Literal = "g7-literal"

var literal = []string{
	"alt-require", "attr-lowercase", "attr-value-double-quotes", "doctype-html5", "id-unique",
	"tag-pair", "tag-self-close", "tagname-lowercase", "title-require",
}

// expanded are rules with those of App. G.7 in the place of [Literal].
func expanded(rules []string) []string {
	if i := slices.Index(rules, Literal); i >= 0 {
		return slices.Concat(rules[:i], literal, rules[i+1:])
	}
	return rules
}

const (
	maxMessages = 100
	maxSource   = 4 << 20          // bytes of HTML; a longer page is not checked
	timeLimit   = 10 * time.Second // of the processor, where that can be read
)

// engines holds idle JavaScript engines, since one is not safe for concurrent
// use and takes some milliseconds to make.
var engines = sync.Pool{}

// an engine has HTMLHint loaded and verify bound to it.
type engine struct {
	vm     *goja.Runtime
	verify goja.Callable
}

// glue binds verify. Some rules make the same regular expression again for every
// tag, which this engine compiles each time at a cost of a tenth of a
// millisecond; they are kept instead. No rule uses two of one pattern at a time.
// The two rules on lower case first search a list of a hundred SVG names for every
// tag; they are asked only where there is an upper-case letter at all.
const glue = `
var known = Object.keys(HTMLHint.HTMLHint.rules).sort();
const RealRegExp = RegExp, kept = new Map();
RegExp = function (pattern, flags = '') {
	if (typeof pattern !== 'string') return new RealRegExp(pattern, flags);
	const key = flags + '/' + pattern;
	let made = kept.get(key);
	if (!made) {
		if (kept.size > 500) kept.clear();
		kept.set(key, made = new RealRegExp(pattern, flags));
	}
	made.lastIndex = 0;
	return made;
};
RegExp.prototype = RealRegExp.prototype;
const upper = (s) => s !== s.toLowerCase();
const worth = { 'tagname-lowercase': (e) => upper(e.tagName), 'attr-lowercase': (e) => e.attrs.some((a) => upper(a.name)) };
for (const id of Object.keys(worth)) {
	const rule = HTMLHint.HTMLHint.rules[id], init = rule.init;
	rule.init = (parser, reporter, options) => init.call(rule, {
		__proto__: parser,
		addListener: (types, listen) => parser.addListener(types, (e) => { if (worth[id](e)) listen(e); }),
	}, reporter, options);
}
(function (html, rules) {
	const set = {};
	for (const r of rules) set[r] = true;
	return HTMLHint.HTMLHint.verify(html, set).map(m => [m.rule.id, m.message, m.line, m.col]);
})`

func newEngine() (*engine, error) {
	vm := goja.New()
	program, err := compiled()
	if err != nil {
		return nil, err
	}
	if _, err := vm.RunProgram(program); err != nil {
		return nil, fmt.Errorf("load HTMLHint: %w", err)
	}
	v, err := vm.RunString(glue)
	if err != nil {
		return nil, fmt.Errorf("load HTMLHint: %w", err)
	}
	verify, _ := goja.AssertFunction(v)
	return &engine{vm, verify}, nil
}

var compiled = sync.OnceValues(func() (*goja.Program, error) {
	return goja.Compile("htmlhint.min.js", library, false)
})

// HTML checks the source of a page against the rules, of which one may be [Literal]; nil
// means Rules. A page passes if there is no message.
func HTML(source string, rules []string) (vitrine.Hint, error) {
	if rules == nil {
		rules = Rules
	}
	if len(source) > maxSource {
		return vitrine.Hint{Ran: true, Messages: []vitrine.HintMessage{{
			Rule: "size", Message: fmt.Sprintf("the page is longer than %d MB and was not checked further", maxSource>>20), Line: 1, Col: 1,
		}}}, nil
	}
	e, ok := engines.Get().(*engine)
	if !ok {
		var err error
		if e, err = newEngine(); err != nil {
			return vitrine.Hint{}, err
		}
	}
	hint, err := e.check(source, expanded(rules))
	if err == nil {
		engines.Put(e) // an engine that failed is thrown away
	}
	return hint, err
}

// Check returns an error that names the rules HTMLHint does not have.
func Check(rules []string) error {
	e, err := newEngine()
	if err != nil {
		return err
	}
	var known []string
	if err := e.vm.ExportTo(e.vm.Get("known"), &known); err != nil {
		return fmt.Errorf("HTMLHint: %w", err)
	}
	for _, r := range expanded(rules) {
		if !slices.Contains(known, r) {
			return fmt.Errorf("HTMLHint has no rule %q; it has %s", r, strings.Join(known, ", "))
		}
	}
	return nil
}

func (e *engine) check(source string, rules []string) (vitrine.Hint, error) {
	defer e.limit(timeLimit)()
	answer, err := e.verify(goja.Undefined(), e.vm.ToValue(source), e.vm.ToValue(rules))
	var late *goja.InterruptedError
	if errors.As(err, &late) {
		return vitrine.Hint{Ran: true, Messages: []vitrine.HintMessage{{
			Rule: "time", Message: fmt.Sprintf("the page could not be checked within %s", timeLimit), Line: 1, Col: 1,
		}}}, err
	}
	if err != nil {
		return vitrine.Hint{}, fmt.Errorf("HTMLHint: %w", err)
	}
	var rows [][4]any
	if err := e.vm.ExportTo(answer, &rows); err != nil {
		return vitrine.Hint{}, fmt.Errorf("HTMLHint: %w", err)
	}
	hint := vitrine.Hint{Ran: true, More: max(0, len(rows)-maxMessages)}
	for _, row := range rows[:min(len(rows), maxMessages)] {
		hint.Messages = append(hint.Messages, vitrine.HintMessage{
			Rule: fmt.Sprint(row[0]), Message: fmt.Sprint(row[1]), Line: number(row[2]), Col: number(row[3]),
		})
	}
	return hint, nil
}

// limit interrupts the engine when the calling goroutine has used that much processor
// time; the function that it returns ends the limit.
func (e *engine) limit(most time.Duration) func() {
	runtime.LockOSThread()
	used, done := threadClock(), make(chan struct{})
	begin := used()
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			left := most - (used() - begin)
			if left <= 0 {
				e.vm.Interrupt("time limit")
				return
			}
			select {
			case <-done:
				return
			case <-time.After(max(left, time.Millisecond)):
			}
		}
	})
	return func() {
		close(done)
		watch.Wait() // an interrupt that came late would end the next page of this engine
		e.vm.ClearInterrupt()
		runtime.UnlockOSThread()
	}
}

func number(v any) int {
	n, _ := v.(int64)
	return int(n)
}
