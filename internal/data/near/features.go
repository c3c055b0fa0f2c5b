package near

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// Trigrams are the character 3-grams of a text: in lower case, with white space as one
// blank. Scikit-learn's character analyzer has them so, but that a single line break or tab
// between two words is itself there, and no blank. A text of fewer than three characters is
// one feature.
func Trigrams(text string) []Counted {
	var t tally
	n, before, last := 0, rune(0), rune(0)
	for _, r := range text {
		if r = unicode.ToLower(r); unicode.IsSpace(r) {
			r = ' '
		}
		if r == ' ' && last == ' ' {
			continue
		}
		if n++; n > 2 {
			t.add(Feature(before)<<42 | Feature(last)<<21 | Feature(r))
		}
		before, last = last, r
	}
	if n == 1 || n == 2 {
		t.add(hashed(strings.ToLower(text)))
	}
	return t.counted()
}

// Tokens are the words and signs of a code: runs of letters, digits, _ and $, and every
// other character by itself.
func Tokens(code string) []Counted {
	var t tally
	start := -1
	for i, r := range code {
		word := r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if word && start < 0 {
			start = i
		}
		if !word {
			if start >= 0 {
				t.add(hashed(code[start:i]))
				start = -1
			}
			if !unicode.IsSpace(r) {
				t.add(hashed(string(r)))
			}
		}
	}
	if start >= 0 {
		t.add(hashed(code[start:]))
	}
	return t.counted()
}

// Bigrams are the pairs of neighbours in a list of names, such as the tags of a page in
// the order of the document. One name alone is a feature.
func Bigrams(names []string) []Counted {
	var t tally
	for i := 1; i < len(names); i++ {
		t.add(hashed(names[i-1] + " " + names[i]))
	}
	if len(names) == 1 {
		t.add(hashed(names[0]))
	}
	return t.counted()
}

func hashed(s string) Feature {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // which never fails
	return Feature(h.Sum64())
}

// A tally counts features, of texts of any length in bounded memory but for the features
// themselves.
type tally struct {
	waiting []Feature
	folded  []Counted
}

// fold is how many features wait before they are counted.
const fold = 1 << 16

func (t *tally) add(f Feature) {
	if t.waiting = append(t.waiting, f); len(t.waiting) == fold {
		t.folded = t.counted()
		t.waiting = t.waiting[:0]
	}
}

// counted are all features, sorted, each once.
func (t *tally) counted() []Counted {
	slices.Sort(t.waiting)
	all := make([]Counted, 0, len(t.folded)+min(len(t.waiting), fold/16))
	old := t.folded
	for _, f := range t.waiting {
		for len(old) > 0 && old[0].Feature <= f {
			all, old = append(all, old[0]), old[1:]
		}
		if len(all) == 0 || all[len(all)-1].Feature != f {
			all = append(all, Counted{Feature: f})
		}
		all[len(all)-1].Count++
	}
	return append(all, old...)
}
