package interact

import (
	"context"
	"testing"

	"vitrine"
)

// tasks is a page of the usual size.
const tasks = `<header><h1>Tasks</h1><nav><a href="#a">A</a> <a href="#b">B</a></nav></header>
	<form id="f"><label>New task <input id="new"></label><button>Add</button></form><label><input type="checkbox" id="c"> Done</label>
	<select id="s"><option>One</option><option>Two</option></select><ul id="list"></ul>
	<script>f.onsubmit = (e) => { e.preventDefault(); const li = document.createElement('li'); li.textContent = document.getElementById('new').value; list.append(li) }</script>`

func BenchmarkReset(b *testing.B) {
	run(b, driver(b, body(tasks)), func(ctx context.Context, s *Session) {
		for b.Loop() {
			if err := s.Reset(ctx, "/"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkTenActions is a script of ten steps, from a fresh state.
func BenchmarkTenActions(b *testing.B) {
	add := vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Role: "button", Name: "Add"}}
	write := vitrine.Action{Kind: vitrine.ActType, Target: &vitrine.Target{Label: "New task"}, Text: "Buy milk"}
	all := []vitrine.Action{
		write, add, write, add, {Kind: vitrine.ActCheck, Target: &vitrine.Target{Label: "Done"}}, {Kind: vitrine.ActSelect, Target: &vitrine.Target{CSS: "#s"}, Text: "Two"},
		{Kind: vitrine.ActClick, Target: &vitrine.Target{Text: "B"}}, {Kind: vitrine.ActPress, Text: "Tab"}, {Kind: vitrine.ActScroll, DY: 300}, write,
	}
	run(b, driver(b, body(tasks)), func(ctx context.Context, s *Session) {
		for b.Loop() {
			if err := s.Reset(ctx, "/"); err != nil {
				b.Fatal(err)
			}
			for _, a := range all {
				if step := do(b, ctx, s, a); step.Failed != "" {
					b.Fatal(step.Failed)
				}
			}
		}
	})
}
