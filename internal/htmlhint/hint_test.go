package htmlhint

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"
)

const clean = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Hello</title>
<style>p { color: red !important }</style></head>
<body><p style="margin:0">One<br>two</p><img src="a.png" alt="A"><svg viewBox="0 0 1 1"><linearGradient id="g"></linearGradient></svg>
<script>if (1 < 2) document.title = "x";</script></body>
</html>`

func failed(t *testing.T, html string) []string {
	t.Helper()
	h, err := HTML(html, nil)
	if err != nil || !h.Ran {
		t.Fatalf("%+v, %v", h, err)
	}
	rules := []string{}
	for _, m := range h.Messages {
		rules = append(rules, m.Rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

func TestEachRule(t *testing.T) {
	t.Parallel()
	if got := failed(t, clean); len(got) != 0 {
		t.Fatalf("the clean page fails %v", got)
	}
	for rule, edit := range map[string][2]string{
		"doctype-html5":            {"<!DOCTYPE html>", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">`},
		"html-lang-require":        {` lang="en"`, ""},
		"meta-charset-require":     {`<meta charset="UTF-8">`, ""},
		"meta-viewport-require":    {`<meta name="viewport" content="width=device-width, initial-scale=1">`, ""},
		"title-require":            {"<title>Hello</title>", ""},
		"alt-require":              {` alt="A"`, ""},
		"attr-value-double-quotes": {`"margin:0"`, `'margin:0'`},
		"attr-lowercase":           {"<p style", "<p STYLE"},
		"tagname-lowercase":        {"<p ", "<P "},
		"tag-pair":                 {"</p>", "</div>"},
		"id-unique":                {"<img ", `<img id="g" `},
	} {
		if got := failed(t, strings.Replace(clean, edit[0], edit[1], 1)); !slices.Contains(got, rule) {
			t.Errorf("%s: got %v", rule, got)
		}
	}
}

// What the comments of App. G.7 want and the rules of HTMLHint do not ask: a doctype where
// there is none, a language without <html>, what belongs into a head that is not there, a
// charset of UTF-8, and alt on elements that are no image.
func TestWhatTheRulesLetPass(t *testing.T) {
	t.Parallel()
	for _, html := range []string{
		"1 + 1 = 2", "<p>A fragment</p>",
		strings.Replace(clean, "<!DOCTYPE html>", "", 1),
		`<!DOCTYPE html><html lang="en"><body><p>No head</p></body></html>`,
		strings.Replace(clean, "UTF-8", "latin1", 1),
		strings.Replace(clean, "<svg ", `<video src="a.mp4"></video><svg `, 1),
	} {
		if got := failed(t, html); len(got) != 0 {
			t.Errorf("%s: got %v", html, got)
		}
	}
}

func TestMessagesSayWhere(t *testing.T) {
	t.Parallel()
	h, err := HTML(strings.Replace(clean, ` alt="A"`, "", 1), nil)
	if err != nil || len(h.Messages) != 1 {
		t.Fatalf("%+v, %v", h, err)
	}
	m := h.Messages[0]
	if m.Line != 5 || m.Col < 20 || !strings.Contains(m.Message, "alt") {
		t.Errorf("got %+v", m)
	}
}

func TestManyMessagesAreBounded(t *testing.T) {
	t.Parallel()
	h, err := HTML(clean+strings.Repeat("<img src='x'>", 1000), nil)
	if err != nil || len(h.Messages) != maxMessages || h.More != 1900 {
		t.Errorf("%d messages, %d more, %v", len(h.Messages), h.More, err)
	}
	if h, err := HTML(strings.Repeat("a", maxSource+1), nil); err != nil || h.Messages[0].Rule != "size" {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestOwnRules(t *testing.T) {
	t.Parallel()
	h, err := HTML("<P>", []string{"tagname-lowercase"})
	if err != nil || len(h.Messages) != 1 || h.Messages[0].Rule != "tagname-lowercase" {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestCheckNamesUnknownRules(t *testing.T) {
	t.Parallel()
	if err := Check(Rules); err != nil {
		t.Error(err)
	}
	if err := Check([]string{"id-unique", "id-uniqe"}); err == nil || !strings.Contains(err.Error(), `"id-uniqe"; it has alt-require`) {
		t.Errorf("got %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if h, err := HTML(clean, nil); err != nil || len(h.Messages) != 0 {
					t.Errorf("%+v, %v", h, err)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzHTML(f *testing.F) {
	f.Add(clean)
	f.Add("<")
	f.Add("<a b='\x00")
	f.Fuzz(func(t *testing.T, html string) {
		if _, err := HTML(html, nil); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	page := strings.Replace(clean, "<p ", strings.Repeat("<div><span>text</span></div>\n", 300)+"<p ", 1)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if _, err := HTML(page, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// App. G.7 to the letter demands that void elements close themselves, and knows nothing of
// language, charset and viewport.
func TestG7ToTheLetter(t *testing.T) {
	t.Parallel()
	if err := Check([]string{Literal, "attr-no-duplication"}); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string][]string{
		"<!DOCTYPE html><html><head><title>T</title></head><body><p>One</p></body></html>":                 nil,
		"<!DOCTYPE html><html><head><title>T</title></head><body><p>One<br/>two</p></body></html>":         nil,
		"<!DOCTYPE html><html><head><title>T</title></head><body><p>One<br>two</p></body></html>":          {"tag-self-close"},
		"<!DOCTYPE html><html><head><title>T</title></head><body><p ID=\"a\">One</body></html>":            {"attr-lowercase", "tag-pair"},
		"<!DOCTYPE html><html><head><title>T</title></head><body><p id=\"a\" id=\"b\">x</p></body></html>": {"attr-no-duplication"},
	} {
		h, err := HTML(source, []string{Literal, "attr-no-duplication"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range h.Messages {
			got = append(got, m.Rule)
		}
		slices.Sort(got)
		if !slices.Equal(slices.Compact(got), want) {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}

// The limit counts the processor time of its own check alone: another check runs into a four times
// longer limit meanwhile. The engine that was interrupted checks the next page.
func TestLimitCountsProcessorTime(t *testing.T) {
	t.Parallel()
	e, err := newEngine()
	if err != nil {
		t.Fatal(err)
	}
	other, err := newEngine()
	if err != nil {
		t.Fatal(err)
	}
	loops := func(e *engine) {
		_, err := e.vm.RunString("for (;;);")
		if late := new(goja.InterruptedError); !errors.As(err, &late) {
			t.Errorf("a loop without an end: %v", err)
		}
	}
	end := e.limit(50 * time.Millisecond)
	if runtime.GOOS == "linux" {
		var beside sync.WaitGroup
		beside.Go(func() {
			defer other.limit(200 * time.Millisecond)()
			loops(other)
		})
		beside.Wait()
	}
	if _, err = e.vm.RunString("1"); err != nil {
		t.Errorf("after waiting: %v", err)
	}
	loops(e)
	end()
	if h, err := e.check(clean, Rules); err != nil || len(h.Messages) > 0 {
		t.Errorf("the next page: %+v, %v", h, err)
	}
}
