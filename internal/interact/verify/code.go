package verify

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine"
)

const (
	bytesPerToken = 4  // of markup and scripts, about
	pieceLines    = 30 // of a piece of code
	maxLine       = 400
)

// A piece is some lines of a file and how much they have to do with a test case.
type piece struct {
	file, from int // index of the file, first line from 1
	text       string
	score      int
}

// packCode picks the pieces of code that have most to do with a test case, within a
// number of tokens, and writes them in the order of the files.
func packCode(files []vitrine.File, about string, tokens int) string {
	wanted := wordsOf(about)
	var all []piece
	for i, f := range files {
		if readable(f) {
			all = append(all, pieces(i, f.Content, wanted)...)
		}
	}
	slices.SortStableFunc(all, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	room := tokens * bytesPerToken
	var kept []piece
	for _, p := range all {
		if room -= len(p.text) + 60; room < 0 {
			break
		}
		kept = append(kept, p)
	}
	slices.SortFunc(kept, func(a, b piece) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.from, b.from)) })
	var b strings.Builder
	for _, p := range kept {
		fmt.Fprintf(&b, "=== %s from line %d\n%s", files[p.file].Path, p.from, p.text)
	}
	if n := len(all) - len(kept); n > 0 {
		fmt.Fprintf(&b, "=== %d pieces of %d are left out\n", n, len(all))
	}
	return b.String()
}

// operates finds lines that make a page do something, or name what it is done to.
var operates = regexp.MustCompile(`addEventListener|\bon[A-Z][a-z]+=|\bonclick|onsubmit|getElementById|querySelector|<(button|form|input|select|textarea|dialog)\b|useState|localStorage|\bhref=`)

func pieces(file int, content string, wanted map[string]bool) []piece {
	var all []piece
	lines := strings.SplitAfter(content, "\n")
	for from := 0; from < len(lines); from += pieceLines {
		p := piece{file: file, from: from + 1}
		for _, line := range lines[from:min(from+pieceLines, len(lines))] {
			p.text += short(line)
		}
		for word := range wordsOf(p.text) {
			if wanted[word] {
				p.score += 3
			}
		}
		p.score += min(len(operates.FindAllString(p.text, 10)), 10)
		if strings.TrimSpace(p.text) != "" {
			all = append(all, p)
		}
	}
	return all
}

// short cuts a line that no person wrote.
func short(line string) string {
	if len(line) <= maxLine {
		return line
	}
	return strings.ToValidUTF8(line[:maxLine], "") + "…\n"
}

// wordsOf are the words of a text by their first six letters, which is a poor man's
// stem; addToCart is three words.
func wordsOf(text string) map[string]bool {
	found := map[string]bool{}
	var word []rune
	end := func() {
		if len(word) >= 4 {
			found[strings.ToLower(string(word[:min(len(word), 6)]))] = true
		}
		word = word[:0]
	}
	for _, c := range text {
		if !unicode.IsLetter(c) || unicode.IsUpper(c) && len(word) > 0 && unicode.IsLower(word[len(word)-1]) {
			end()
		}
		if unicode.IsLetter(c) {
			word = append(word, c)
		}
	}
	end()
	return found
}

// readable reports whether a file is text that a person wrote.
func readable(f vitrine.File) bool {
	switch path.Base(f.Path) {
	case "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock":
		return false
	}
	return utf8.ValidString(f.Content) && !strings.ContainsRune(f.Content, 0)
}
