package redteam

import (
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// A Brief is all that a generator knows of a task.
type Brief struct {
	Task   vitrine.Task
	words  []string // that carry meaning, in the order of the instruction, each once
	random *rand.Rand
	// other is an honest page for another task and own one for this task; empty: unknown.
	other, own string
}

// stopWords carry no meaning in instructions.
var stopWords = strings.Fields(`the and for with that this from are can should must will into have has each all any its their
	which when where them they you your our not but also such other than then one two make create build please website page
	site web app application user users using use via allow allows able include including implement design develop html css
	javascript file single set`)

var word = regexp.MustCompile(`\p{L}[\p{L}'-]{2,}`)

// newBrief reads an instruction. The choices of generators are drawn by the seed.
func newBrief(t vitrine.Task, seed uint64) *Brief {
	b := &Brief{Task: t, random: rand.New(rand.NewPCG(seed, 11))}
	for _, w := range word.FindAllString(t.Instruction, -1) {
		w = strings.ToLower(w)
		if !slices.Contains(stopWords, w) && !slices.Contains(b.words, w) {
			b.words = append(b.words, w)
		}
	}
	if len(b.words) == 0 {
		b.words = []string{"items", "list", "details"}
	}
	b.words = b.words[:min(len(b.words), 40)]
	return b
}

// word is one of the instruction's, by number.
func (b *Brief) word(i int) string { return html.EscapeString(b.words[i%len(b.words)]) }

// title is the word with a capital.
func (b *Brief) title(i int) string { return upperFirst(b.word(i)) }

func upperFirst(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

// heading is what the page is called.
func (b *Brief) heading() string {
	return strings.TrimSpace(b.title(0) + " " + b.word(1))
}

// sentence is a text about a word that could stand on any page.
func (b *Brief) sentence(i int) string {
	moulds := []string{
		"Find the %s that suits you, and keep it for later.", "Everything about %s, in one calm and clear place.",
		"We chose each %s with care, and look at it again every week.", "See how %s has changed since you were last here.",
		"People who like %s come back to it more often than to anything else.", "Start with %s today; it takes less than a minute.",
	}
	return strings.ReplaceAll(moulds[i%len(moulds)], "%s", b.word(i))
}

// instruction is the text of the task, as HTML.
func (b *Brief) instruction() string { return html.EscapeString(b.Task.Instruction) }

// sentences are those of the instruction, as HTML.
func (b *Brief) sentences() (all []string) {
	for s := range strings.FieldsFuncSeq(b.Task.Instruction, func(r rune) bool { return strings.ContainsRune(".!?\n;", r) }) {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, html.EscapeString(s))
		}
	}
	return all
}

// each joins what write gives for the first n words.
func (b *Brief) each(n int, write func(i int) string) string {
	var out strings.Builder
	for i := range min(n, len(b.words)) {
		out.WriteString(write(i) + "\n")
	}
	return out.String()
}
