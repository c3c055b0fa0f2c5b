package behave

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// submitLabels are usual labels of buttons that send a form off.
var submitLabels = []string{"add", "submit", "save", "create", "send", "post", "publish", "confirm", "ok", "done", "register", "sign up", "book", "reserve", "place order", "apply", "update", "continue", "next", "go", "subscribe", "share", "record", "log", "提交", "添加", "保存", "确定", "发送"}

// submit sends a form off by its likeliest button, or by Enter where it has none.
func (p *prover) submit(ctx context.Context, v *view, form interact.Form, words []string) vitrine.Step {
	if path := button(v, form, words); path != "" {
		return p.click(ctx, path)
	}
	return p.enter(ctx, v, form)
}

// enter presses Enter in the last field of a form that takes text.
func (p *prover) enter(ctx context.Context, v *view, form interact.Form) vitrine.Step {
	last := ""
	for _, path := range form.Fields {
		if c, _, ok := v.control(path); ok && textField(c) && c.Tag != "textarea" {
			last = path
		}
	}
	return p.press(ctx, last, "Enter")
}

var refuses = regexp.MustCompile(`(?i)^[\s←‹«<]*(cancel|close|reset|clear|back|previous|delete|remove|×|✕|取消|关闭)`)

// button is the button of a form that sends it off.
func button(v *view, form interact.Form, words []string) string {
	best, path := 0.0, ""
	for _, b := range form.Buttons {
		c, f, ok := v.control(b)
		if !ok || off(c) || refuses.MatchString(c.Name) {
			continue
		}
		score := 1 + matches(c.Name, words) + 0.7*matches(c.Name, submitLabels)
		switch {
		case v.addsField(form, c.Name):
			score = 0.5
		case f.Submits:
			score += 60
		}
		if score > best {
			best, path = score, b
		}
	}
	if best < 40 { // no label says so
		path = cmp.Or(v.apart(words, form), path)
	}
	return path
}

// addsField reports whether a button adds a field to a form, as "Add option" below the fields "Option 1" and
// "Option 2" does.
func (v *view) addsField(form interact.Form, label string) bool {
	words := stems(wordsOf(label))
	if len(words) < 2 || matches(label, []string{"add", "another", "new", "more"}) == 0 {
		return false
	}
	alike := 0
	for _, path := range form.Fields {
		if c, f, ok := v.control(path); ok && slices.Contains(stems(wordsOf(c.Name+" "+f.Placeholder)), words[len(words)-1]) && numeral.MatchString(c.Name+" "+f.Placeholder) {
			alike++
		}
	}
	return alike > 1
}
