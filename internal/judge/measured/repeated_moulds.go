package measured

import (
	"fmt"
	"strings"
	"unicode"
)

// Bounds of the share of words that stand in moulds, and what makes one.
const (
	mouldWords  = 4 // words of a text that can be one of a mould
	mouldCopies = 4
)

// repeatedMoulds finds texts that are one text with another word put in: "Manage your orders
// with ease", "Manage your menus with ease". Rows of tables and items of lists count where
// they have five words or more, since rows of short values are alike by nature.
var repeatedMoulds = eachView("There is too little text to compare.", (*viewFacts).repeatedMoulds)

func (f *viewFacts) repeatedMoulds() (reading, bool) {
	var texts [][]string
	all := 0
	for _, b := range f.blocks() {
		if b.Role == "code" || b.Role == "option" || b.Role == "drawing" {
			continue
		}
		ts := tokens(b.Text)
		all += len(ts)
		if lettered(ts) >= mouldWords+oneIf(listed(&b)) {
			texts = append(texts, ts)
		}
	}
	if all < 20 {
		return reading{}, false
	}
	copies, inMoulds, example := moulds(texts)
	part := share(inMoulds, all)
	r := reading{score: 1, why: "No text is another one with a word exchanged."}
	if copies > 0 {
		r.score = ramp(part, 0.5, 0.15)
		r.why = fmt.Sprintf("%s one of a few texts with a word exchanged, such as %s; they have %s of the words.", outOf(copies, len(texts), "text", "is", "are"), quote(example), percent(part))
	}
	return r, true
}

// moulds counts the texts that are copies of others but for one word, and their words. A
// word that is exchanged may occur several times.
func moulds(texts [][]string) (copies, inMoulds int, example string) {
	size := map[string]int{}
	keys := make([][]string, len(texts))
	for i, ts := range texts {
		keys[i] = mouldKeys(ts)
		for _, k := range keys[i] {
			size[k]++
		}
	}
	most := 0
	for i, ts := range texts {
		best := 0
		for _, k := range keys[i] {
			best = max(best, size[k])
		}
		if best < mouldCopies {
			continue
		}
		copies++
		inMoulds += len(ts)
		if best > most {
			most, example = best, strings.Join(ts, " ")
		}
	}
	return copies, inMoulds, example
}

// mouldKeys are a text with each of its different words left out in turn. Long texts are
// told by their first words.
func mouldKeys(ts []string) []string {
	const longest = 24
	ts = ts[:min(len(ts), longest)]
	seen := map[string]bool{}
	var keys []string
	for _, w := range ts {
		if seen[w] {
			continue
		}
		seen[w] = true
		var b strings.Builder
		for _, t := range ts {
			if t == w {
				t = "*"
			}
			b.WriteString(t)
			b.WriteByte(' ')
		}
		keys = append(keys, b.String())
	}
	return keys
}

// lettered counts the words that are no numbers.
func lettered(ts []string) (n int) {
	for _, t := range ts {
		n += oneIf(strings.ContainsFunc(t, unicode.IsLetter))
	}
	return n
}
