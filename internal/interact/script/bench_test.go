package script

import (
	"testing"
	"time"

	"vitrine"
)

const counter = `<!doctype html><html lang="en"><title>Notes</title><style>li { padding: 4px }</style><h1>Notes</h1>
<label>Note <input id="note"></label> <label>Kind <select id="kind"><option>Work</option><option>Home</option></select></label>
<button id="add">Add</button> <button id="clear">Clear</button> <p id="n">0 notes</p><ul id="all"></ul>
<script>
const show = () => { document.getElementById('n').textContent = all.children.length + ' notes'; };
add.onclick = () => { const li = document.createElement('li'); li.textContent = kind.value + ': ' + note.value; all.append(li); note.value = ''; show(); };
clear.onclick = () => { all.replaceChildren(); show(); };
</script></html>`

const tenSteps = `
task: Write two notes and clear them
steps:
  - type: {into: {label: Note}, text: Buy tea}
  - select: {in: {label: Kind}, option: Home}
  - click: {role: button, name: Add}
  - expect: {text: "Home: Buy tea"}
  - type: {into: {label: Note}, text: Write report}
  - click: {role: button, name: Add}
  - expect: {text: 2 notes}
  - expect: {count: {of: {css: "#all li"}, is: 2}}
  - click: {role: button, name: Clear}
  - expect: {text: 0 notes}
`

// sleeps are what WebVoyager's agent, which others build on, sleeps for an action
// (MinorJerry/WebVoyager, run.py): also after a click on a button, and with each
// typing, which ends with Enter.
func sleeps(s Script) time.Duration {
	const load, click, button, typing, scroll = 5, 3, 10, 13, 3 // seconds
	sum := load
	for _, step := range s.Steps {
		switch {
		case step.Do == nil:
		case step.Do.Kind == vitrine.ActType:
			sum += typing
		case step.Do.Kind == vitrine.ActScroll:
			sum += scroll
		case step.Do.Target != nil && step.Do.Target.Role == "button":
			sum += click + button
		default:
			sum += click
		}
	}
	return time.Duration(sum) * time.Second
}

// BenchmarkReplay runs a script of ten steps from a fresh state. Beside it stand the
// seconds that the published agent sleeps in the same actions, without its model, and
// how many times longer that is.
func BenchmarkReplay(b *testing.B) {
	scripts, err := Parse("bench.yaml", []byte(tenSteps))
	if err != nil {
		b.Fatal(err)
	}
	d := on(chrome(b, 1), counter)
	run := func() {
		if c, err := Run(b.Context(), d, scripts[0], nil); err != nil || c.Verdict != vitrine.VerdictPass {
			b.Fatal(c.Verdict, c.Why, err)
		}
	}
	run() // starts the browser
	for b.Loop() {
		run()
	}
	each := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(sleeps(scripts[0]).Seconds(), "agent-sleep-s")
	b.ReportMetric(sleeps(scripts[0]).Seconds()/each.Seconds(), "times-faster")
}
