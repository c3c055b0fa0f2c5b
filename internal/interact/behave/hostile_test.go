package behave

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"vitrine"
)

// The same page, seed and requirement give the same case, byte for byte but for times.
func TestTheSameSeedGivesTheSameTrace(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"create-good", "search-good", "game-good"} {
		html, err := os.ReadFile(pages + "/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		behavior := strings.TrimSuffix(name, "-good")
		need := entities[behavior]
		need.ID, need.Behavior, need.Weight = "r1", vitrine.Behavior(behavior), 1
		first := ""
		for range 3 {
			c := proveOn(t, html, need)
			c.WallMS = 0
			b, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(b)
			} else if string(b) != first {
				t.Errorf("%s: two runs differ:\n%s\n%s", name, first, b)
			}
		}
	}
}

// Pages that lie to scripts of their own world, or make operating them endless, end with an
// answer, and none of them wins by it.
func TestHostilePagesDoNotWork(t *testing.T) {
	t.Parallel()
	const form = `<form id=f><input id=t placeholder="New task"><button>Add task</button></form><ul id=l></ul>`
	for name, script := range map[string]string{
		"prototypes say that anything is there": `Element.prototype.querySelectorAll = () => []; Element.prototype.getBoundingClientRect = () => ({x:0,y:0,width:500,height:500}); Object.defineProperty(Element.prototype, 'innerText', { get: () => 'anything' }); Object.defineProperty(Node.prototype, 'textContent', { get: () => 'anything' });`,
		"dialogs without end":                   `f.onsubmit = (e) => { e.preventDefault(); for (let i = 0; i < 200; i++) alert('Task added'); };`,
		"it loads itself again":                 `f.onsubmit = (e) => { e.preventDefault(); location.reload(); };`,
		"its document is another at each look":  `setInterval(() => { l.innerHTML = '<li>' + Math.random() + '</li>'; }, 50); f.onsubmit = (e) => e.preventDefault();`,
		"it shows any text for a moment":        `f.onsubmit = (e) => { e.preventDefault(); const p = document.createElement('div'); p.textContent = 'Added ' + t.value; document.body.append(p); setTimeout(() => p.remove(), 100); };`,
		"it leaves when it is operated":         `onclick = () => { location.href = 'https://example.com/'; };`,
		"thousands of elements":                 `for (let i = 0; i < 3000; i++) { const b = document.createElement('button'); b.textContent = 'Add task ' + i; document.body.append(b); } f.onsubmit = (e) => e.preventDefault();`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			html := `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Tasks</title></head><body><h1>Tasks</h1>` + form + `<script>` + script + `</script></body></html>`
			c := proveOn(t, []byte(html), vitrine.Requirement{ID: "r1", Behavior: vitrine.BehaviorCreate, Entity: "task", Weight: 1})
			if c.Verdict == vitrine.VerdictWorks || c.Why == "" {
				t.Errorf("%s: %s", c.Verdict, c.Why)
			}
			t.Logf("%s: %s (%.0f ms)", c.Verdict, c.Why, c.WallMS)
		})
	}
}

// A page that works while it is looked at, and at no other time, does not work.
func TestWhatWorksAtOneTimeAloneDoesNotWork(t *testing.T) {
	t.Parallel()
	guard := func(condition string) string {
		return `for (const kind of ['click', 'keydown', 'input', 'submit']) addEventListener(kind, (e) => { if (` + condition + `) { e.stopImmediatePropagation(); e.preventDefault(); } }, true);`
	}
	for name, script := range map[string]string{
		"":                  "",
		"after a minute":    guard(`performance.now() > 60000`),
		"on no Thursday":    guard(`new Date().getUTCDay() !== 4`),
		"on another day":    guard(`new Date().toISOString().slice(0, 10) !== '2026-01-01'`),
		"twenty seconds on": `let begun = 0; addEventListener('click', () => { begun ||= setTimeout(() => { localStorage.clear(); location.reload(); }, 20000); }, true);`,
		"ends":              `setTimeout(() => { document.body.remove(); }, 50000);`,
	} {
		for _, behavior := range []string{"create", "search", "delete", "submit"} {
			if name == "twenty seconds on" && behavior != "create" {
				continue // nothing stays after these
			}
			html, err := os.ReadFile(pages + "/" + behavior + "-good.html")
			if err != nil {
				t.Fatal(err)
			}
			need := entities[behavior]
			need.ID, need.Behavior, need.Weight = "r1", vitrine.Behavior(behavior), 1
			page := strings.Replace(string(html), "<body>", "<body><script>"+script+"</script>", 1)
			if c := proveOn(t, []byte(page), need); c.Verdict != vitrine.VerdictWorks {
				t.Errorf("%s, %q, not repeated: %s, %s", behavior, name, c.Verdict, c.Why)
			}
			c := proveBy(t, &Prover{}, []byte(page), need)
			if works := c.Verdict == vitrine.VerdictWorks; works != (name == "") || c.Central == works {
				t.Errorf("%s, %q: %s, %s", behavior, name, c.Verdict, c.Why)
			}
		}
	}
}
