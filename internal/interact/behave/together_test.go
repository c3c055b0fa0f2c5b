package behave

import (
	"strings"
	"testing"

	"vitrine"
)

// Some proofs go by what else the instruction asks for: a title that is edited where it stands must be kept where
// entries are to be, and bookings are kept by what is left of the places.
func TestProofsByWhatElseIsAskedFor(t *testing.T) {
	const titles = `<!DOCTYPE html><title>Tasks</title><h1>Tasks</h1><form id="f"><input id="n" aria-label="New task"><button>Add</button></form><ul id="list"></ul>
<script>let all = JSON.parse(localStorage.getItem('tasks') || '[]');
const save = () => localStorage.setItem('tasks', JSON.stringify(all));
const draw = () => { list.innerHTML = ''; all.forEach((task, i) => {
  const li = document.createElement('li'), b = document.createElement('div'); b.contentEditable = 'true'; b.textContent = task; b.title = 'Click to edit';
  b.onkeydown = (e) => { if (e.key === 'Enter') { e.preventDefault(); b.blur(); } };
  b.onblur = () => { if (b.textContent.trim()) { STORE } };
  li.append(b, 'open'); list.append(li); }); };
f.onsubmit = (e) => { e.preventDefault(); if (n.value) { all.push(n.value); n.value = ''; save(); draw(); } };
draw();</script>`
	const places = `<!DOCTYPE html><title>Evenings</title><h1>Evenings</h1><p id="left"></p>
<form id="f"><label>Name <input id="who"></label><label>E-mail <input id="mail" type="email"></label><button>Book</button></form><p id="said" role="status"></p>
<script>let used = +localStorage.getItem('used') || 0;
const draw = () => { left.textContent = (12 - used) + ' of 12 places left'; };
f.onsubmit = (e) => { e.preventDefault(); if (!who.value || !mail.value.includes('@')) { said.textContent = 'Please enter name and e-mail.'; return; }
  used++; STORE said.textContent = 'Booked for ' + who.value + '.'; f.reset(); draw(); };
draw();</script>`
	edit := vitrine.Requirement{ID: "r1", Behavior: vitrine.BehaviorEdit, Weight: 1, Entity: "task"}
	persist := vitrine.Requirement{ID: "r2", Behavior: vitrine.BehaviorPersist, Weight: 1, Quote: "survive a refresh"}
	submit := vitrine.Requirement{ID: "r1", Behavior: vitrine.BehaviorSubmit, Weight: 1, Entity: "place", Verb: "book"}
	for name, c := range map[string]struct {
		html  string
		needs []vitrine.Requirement
		at    int
		works bool
	}{
		"a title that is saved":     {strings.Replace(titles, "STORE", "all[i] = b.textContent; save();", 1), []vitrine.Requirement{edit, persist}, 0, true},
		"a title that is not saved": {strings.Replace(titles, "STORE", "", 1), []vitrine.Requirement{edit, persist}, 0, false},
		"a booking that is kept":    {strings.Replace(places, "STORE", "localStorage.setItem('used', used);", 1), []vitrine.Requirement{submit, persist}, 1, true},
		"a booking that is lost":    {strings.Replace(places, "STORE", "", 1), []vitrine.Requirement{submit, persist}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := proveAll(t, &Prover{SkipRepeat: true}, []byte(c.html), c.needs...)[c.at]
			if (got.Verdict == vitrine.VerdictWorks) != c.works {
				t.Errorf("%s: %s", got.Verdict, got.Why)
			}
		})
	}
}
