package measured

import (
	"unicode"

	"vitrine"
)

// noContent is why a check of the text has nothing to read.
const noContent = "The evidence does not say what the page's text is: it is of an older capture, or there is no text."

// noScript is why a check of what the page made of itself has nothing to go by.
const noScript = "The page lacks a script from outside that was not fetched, and does not work without it."

// functionWords hold sentences together; a list of terms has none.
var functionWords = wordSet(`a an the this that these those and or but nor so if then than of to in into on onto at by for from with without within about over under between
through during after before above below up down out off is are was were be been being am do does did done has have had having can could should would will shall may might must
not no it its they them their theirs he him his she her hers we us our ours you your yours i me my mine who whom whose which what when where why how all any each every both some
such only more most other as because while until there here let lets`)

// tokens are the lower-case words of a text without marks of punctuation. In scripts that are
// written without spaces each letter is one.
func tokens(s string) []string {
	var out []string
	for _, w := range words(s) {
		if w == stop {
			continue
		}
		from := 0
		for i, r := range w {
			if !unspaced(r) {
				continue
			}
			if i > from {
				out = append(out, w[from:i])
			}
			out = append(out, string(r))
			from = i + len(string(r))
		}
		if from < len(w) {
			out = append(out, w[from:])
		}
	}
	return out
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// functionShare is the share of function words among tokens.
func functionShare(ts []string) float64 {
	n := 0
	for _, t := range ts {
		n += oneIf(functionWords[t])
	}
	return share(n, len(ts))
}

// share is part of whole, 0 of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// listed: a block is a row, an item or an option, or part of one, or a program.
func listed(b *vitrine.Block) bool {
	return b.Row > 0 || b.Role == "option" || b.Role == "item" || b.Role == "cell" || b.Role == "code"
}

// blocks are what a view says, nil if that is not known.
func (f *viewFacts) blocks() []vitrine.Block {
	if f.Content == nil {
		return nil
	}
	return f.Content.Blocks
}

// contents are the blocks of each route, as the first viewport that shows it has
// them.
func (in *input) contents() []*vitrine.Content {
	return contentsOf(in.views, func(f *viewFacts) *vitrine.View { return f.View })
}

func contentsOf[V any](views []V, view func(V) *vitrine.View) (all []*vitrine.Content) {
	seen := map[string]bool{}
	for _, of := range views {
		v := view(of)
		if v.Content != nil && !seen[v.Route] {
			seen[v.Route] = true
			all = append(all, v.Content)
		}
	}
	return all
}

// wordsOf counts the words of blocks.
func wordsOf(bs []vitrine.Block) (n int) {
	for i := range bs {
		n += len(tokens(bs[i].Text))
	}
	return n
}

// lacksScript: the page asks for a script from outside that was not fetched, and either a
// script of its own failed or nothing on it listens. What it says and does is then not its
// doing.
func (in *input) lacksScript() bool {
	asked := false
	for _, q := range in.ev.Requests {
		asked = asked || q.Type == "Script" && q.Result == "blocked"
	}
	if !asked {
		return false
	}
	for _, m := range in.ev.Console {
		if m.Level == "exception" {
			return true
		}
	}
	for _, c := range in.contents() {
		if c.Listens {
			return false
		}
	}
	return true
}
