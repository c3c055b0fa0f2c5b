package interact

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
)

const listOfNotes = `<style>.on{outline:2px solid}</style><form id="f"><input id="t" placeholder="Note"><select id="s"><option>low<option>high</select><button>Add</button></form><ul id="l"></ul><p id="c"></p><script>
	const notes = [];
	const draw = () => { l.innerHTML = notes.map((n, i) => '<li><button data-i="' + i + '">Delete</button> ' + n + '</li>').join(''); };
	f.addEventListener('submit', (e) => { e.preventDefault(); if (t.value) notes.push(t.value + ' ' + s.value); t.value = ''; draw(); });
	l.addEventListener('click', (e) => { if (e.target.dataset.i) { notes.splice(+e.target.dataset.i, 1); draw(); } });
	setInterval(() => { c.textContent = new Date().toISOString() + Math.random(); }, 400);
	addEventListener('keydown', (e) => { if (e.key === 'z') document.body.classList.add('on'); });
</script>`

// Random events give the same digest of the same page, and of one that is written otherwise,
// and another one of a page that does something else.
func TestRandomEventsTellPagesApart(t *testing.T) {
	t.Parallel()
	trace := func(html string) (all string) {
		run(t, driver(t, body(html)), func(ctx context.Context, s *Session) {
			for i := range uint32(8) {
				digest, err := s.Random(ctx, 100+i, 40)
				if err != nil {
					t.Fatal(err)
				}
				all += digest + " "
			}
		})
		return all
	}
	first := trace(listOfNotes)
	for old, other := range map[string]struct {
		now  string
		same bool
	}{
		"const notes = []":  {"const notes = []", true},
		"const draw":        {"const /* again */ draw ", true},
		"splice(+e":         {"slice(+e", false},
		"+ ' ' + s.value":   {"", false},
		"=== 'z'":           {"=== 'y'", false}, // shows in the picture alone
		"if (t.value)":      {"if (true)", false},
		"e.target.dataset.": {"e.target.dataset?.", true},
	} {
		page := strings.ReplaceAll(listOfNotes, old, other.now)
		if got := trace(page) == first; got != other.same {
			t.Errorf("%q in the place of %q: the same is %t", other.now, old, got)
		}
	}
}

// What leaves the document, or ends it, is the doing of the page.
func TestRandomEventsOnHostilePages(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"leaves":       `<a href="/else.html">Go</a><button onclick="location.href='https://example.com/'">Leave</button>`,
		"dialogs":      `<button onclick="for (let i = 0; i < 50; i++) alert(i)">Say</button>`,
		"empties":      `<button onclick="document.documentElement.innerHTML = ''">Empty</button>`,
		"throws":       `<button onclick="throw new Error('no')">Throw</button><input oninput="null.x">`,
		"lies":         `<script>Element.prototype.click = HTMLElement.prototype.click = () => { throw 1 }; EventTarget.prototype.dispatchEvent = () => false; Object.defineProperty(HTMLElement.prototype, 'innerText', { get: () => 'x' })</script><button>A</button>`,
		"opens":        `<button onclick="window.open('/other.html')">Open</button>`,
		"moves itself": `<button id="b" onclick="b.remove(); document.body.append(b)">Move</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := driver(t, body(html)).Run(t.Context(), "/", func(ctx context.Context, s *Session) error {
				for i := range uint32(3) {
					if got, err := s.Random(ctx, i, 40); err != nil || got == "" {
						return cmp.Or(err, errors.New("there is no digest"))
					}
				}
				return nil
			})
			if err != nil || !v.Valid {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}
