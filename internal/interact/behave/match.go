package behave

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine"
	"vitrine/internal/interact"
)

// A hit is a control, or a form, that may be the one that is meant.
type hit struct {
	place   *place
	control vitrine.Control
	facts   interact.Facts
	form    interact.Form
	score   float64
}

// symbols are labels that are no words.
var symbols = map[string]string{
	"+": "add", "＋": "add", "➕": "add", "×": "delete", "✕": "delete", "✖": "delete", "❌": "delete", "🗑": "delete", "x": "delete", "✎": "edit", "✏": "edit", "🖊": "edit", "🔍": "search", "🔎": "search", "☰": "menu", "≡": "menu", "♥": "like", "♡": "like", "❤": "like", "🤍": "like", "🔖": "bookmark", "👍": "like", "★": "star", "☆": "star",
	"🌙": "dark", "☾": "dark", "☀": "light", "⚙": "settings", "▶": "play", "⏸": "pause", "⏭": "next", "⏮": "previous", "→": "next", "›": "next", "❯": "next", "»": "next", "←": "previous", "‹": "previous", "❮": "previous", "«": "previous", "🛒": "cart", "💬": "chat", "↑": "send", "➤": "send", "⬇": "download", "⬆": "upload", "↻": "refresh", "🔄": "refresh", "↺": "undo", "✓": "complete", "✔": "complete", "✅": "complete", "−": "minus", "-": "minus",
}

// labelOf is the words of a label; symbols stand for the words that they are read as.
func labelOf(name string) []string {
	words := wordsOf(name)
	for s, w := range symbols {
		if len(s) > 1 && strings.Contains(name, s) && !slices.Contains(words, w) || strings.ToLower(name) == s {
			words = append(words, w)
		}
	}
	if len(words) > 1 {
		slices.Sort(words[len(wordsOf(name)):]) // the order of a map is not one
	}
	return words
}

// stem takes the commonest endings off a word, so that "Adding", "adds" and "add" are one.
func stem(w string) string {
	for _, end := range []string{"ings", "ing", "ies", "es", "ed", "s"} {
		if strings.HasSuffix(w, end) && len(w) > len(end)+2 {
			w = strings.TrimSuffix(w, end)
			if end == "ies" {
				w += "y"
			}
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

func stems(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = stem(w)
	}
	return out
}

// matches ranks a label against wanted labels, likeliest first: 0 is no match. Words are
// compared whole; a label that is the wanted one ranks above one that only contains it.
func matches(label string, wanted []string) float64 {
	have, best := stems(labelOf(label)), 0.0
	if len(have) == 0 {
		return 0
	}
	for i, want := range wanted {
		ask := stems(wordsOf(want))
		if len(ask) == 0 {
			if want == label && want != "" {
				ask = have
			} else {
				continue
			}
		}
		rank := 1 / (1 + 0.04*float64(i))
		at := index(have, ask)
		if at < 0 && hanOnly.MatchString(want) { // Chinese has no spaces between words
			if i := strings.Index(label, want); i >= 0 {
				rest := 2 * float64(min(utf8.RuneCountInString(label)-utf8.RuneCountInString(want), 12))
				best = max(best, (map[bool]float64{true: 85, false: 70}[i == 0]-rest)*rank)
			}
			continue
		}
		switch {
		case at < 0:
			continue
		case len(have) == len(ask):
			best = max(best, 100*rank)
		case at == 0:
			best = max(best, (85-2*float64(min(len(have)-len(ask), 12)))*rank)
		default:
			best = max(best, (70-2*float64(min(len(have)-len(ask), 12)))*rank)
		}
	}
	return best
}

var hanOnly = regexp.MustCompile(`^\p{Han}{2,}$`)

// index finds a sequence of words in another.
func index(have, ask []string) int {
	for i := 0; i+len(ask) <= len(have); i++ {
		if slices.Equal(have[i:i+len(ask)], ask) {
			return i
		}
	}
	return -1
}

// find ranks the controls of the site by their labels. Keep says which kinds are meant;
// nil takes all that can be clicked.
func (p *prover) find(wanted []string, keep func(vitrine.Control, interact.Facts) bool) []hit {
	var all []hit
	known := map[string]bool{}
	for _, pl := range p.site.places {
		for i, c := range pl.view.Controls {
			f := pl.view.Facts[i]
			if off(c) || keep != nil && !keep(c, f) || keep == nil && !clickable(c) {
				continue
			}
			score := max(matches(c.Name, wanted), 0.6*matches(f.Placeholder, wanted), 0.5*matches(f.Context, wanted), 0.4*matches(identifier(c.Path), wanted))
			key := fmt.Sprint(c.Role, "|", c.Name, "|", c.Path, "|", pl.route, pl.gate) // what a role may do is another thing
			if score == 0 || known[key] {
				continue
			}
			known[key] = true
			all = append(all, hit{place: pl, control: c, facts: f, score: score - 2*float64(p.site.depth(pl))})
		}
	}
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return all
}

// identifier is the last id of a path as words: "#add-task > svg" gives "add task".
func identifier(path string) string {
	i := strings.LastIndex(path, "#")
	if i < 0 {
		return ""
	}
	id, _, _ := strings.Cut(path[i+1:], " ")
	var b strings.Builder
	for j, r := range id {
		if j > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("-", " ", "_", " ").Replace(b.String())
}

func off(c vitrine.Control) bool {
	return slices.Contains(c.States, "disabled") || slices.Contains(c.States, "readonly")
}

func clickable(c vitrine.Control) bool {
	switch c.Role {
	case "button", "link", "tab", "menuitem", "clickable", "switch", "checkbox", "radio", "option":
		return true
	}
	return false
}

// textField reports whether a person types into it.
func textField(c vitrine.Control) bool {
	switch c.Role {
	case "textbox", "searchbox":
		return true
	case "combobox":
		return c.Tag != "select"
	}
	return c.Tag == "textarea"
}
