package measured

import (
	"fmt"
	"regexp"
	"strings"

	"vitrine"
)

// shingle is how many words in a row make a passage that two texts can share.
const shingle = 5

// literals are texts that an instruction wants shown as they stand.
var literals = regexp.MustCompile("\"[^\"\n]{2,200}\"|“[^”\n]{2,200}”|「[^」\n]{2,200}」|`[^`\n]{2,200}`")

// instructionEcho finds the instruction, or long passages of it, among the texts of the
// page. The first heading may name the site in the instruction's words, and what the
// instruction quotes may be shown. Only passages that hold function words count: lists of
// names are what was asked for.
func instructionEcho(in *input) vitrine.Finding {
	all := in.contents()
	if in.asked.text == "" {
		return notApplicable("There is no instruction that could be repeated.")
	}
	if len(all) == 0 {
		return notApplicable("%s", noContent)
	}
	asked := tokens(literals.ReplaceAllString(in.asked.text, " ¶ "))
	scale := 1
	if foreign(in.asked.text) {
		scale = 3 // a letter is a token there
	}
	if len(asked) < 8*scale {
		return notApplicable("The instruction is too short to be told from a heading.")
	}
	e := newEcho(asked, scale)
	longest, passage := 0, ""
	for _, c := range all {
		if n, said := e.longest(saidBesides(c)); n > longest {
			longest, passage = n, said
		}
	}
	found := share(len(e.found), e.eligible)
	r := reading{score: 1, why: "The page does not repeat the instruction."}
	if longest > 0 {
		r.why = fmt.Sprintf("%s of the instruction's passages stand on the page, at most %d words in a row: %s.", percent(found), longest, quote(passage))
	}
	r.score = ramp(float64(longest), float64(18*scale), float64(9*scale))
	if longest >= 7*scale && len(e.found) >= 4 {
		r.score = min(r.score, ramp(found, 0.6, 0.3))
	}
	return scored(r)
}

// EchoShare says in [0,1] how much pages are an instruction said back and nothing else: the
// lesser of the share of their words that stand in passages of it, five words in a row or
// longer, and the share of its passages that they have. The first heading of each page, hidden
// text and what the instruction quotes count in neither. A page that shows only what it was to
// show, as a poem, is no echo: it has no passage that says what to build.
func EchoShare(instruction string, views []vitrine.View) float64 {
	asked, scale := tokens(literals.ReplaceAllString(instruction, " ¶ ")), 1
	if foreign(instruction) {
		scale = 3
	}
	if len(asked) < 8*scale {
		return 0
	}
	e := newEcho(asked, scale)
	words, echoed, found, ordered := 0, 0, map[string]bool{}, false
	for _, c := range contentsOf(views, func(v vitrine.View) *vitrine.View { return &v }) {
		said := saidBesides(&vitrine.Content{Blocks: c.Blocks})
		words += len(said)
		end := 0 // of the passages so far
		for i := 0; i+e.size <= len(said); i++ {
			key := strings.Join(said[i:i+e.size], " ")
			if len(e.at[key]) > 0 {
				found[key] = true
				ordered = ordered || orders.MatchString(key)
				echoed += i + e.size - max(end, i)
				end = i + e.size
			}
		}
	}
	if !ordered {
		return 0
	}
	return min(share(echoed, words), share(len(found), len(e.at)))
}

// orders are words of passages that say what to build.
var orders = regexp.MustCompile(`\b(build|create|make|design|develop|implement|generate|write|website|web|page|app|application|users?|visitors?|please)\b|网 站|页 面|网 页|用 户|访 客|制 作|创 建|设 计|生 成`)

// saidBesides are the words of a page without its first heading, hidden ones too.
func saidBesides(c *vitrine.Content) (said []string) {
	named := false
	for _, bs := range [][]vitrine.Block{c.Blocks, c.Hidden} {
		for i := range bs {
			ts := tokens(bs[i].Text)
			if !named && bs[i].Role == "heading" && len(ts) <= 14 {
				named = true
				continue
			}
			said = append(said, ts...)
		}
	}
	return said
}

// An echo looks for passages of an instruction.
type echo struct {
	asked    []string
	size     int              // words in a passage
	at       map[string][]int // where each passage stands in the instruction
	found    map[string]bool  // passages seen on the page
	eligible int
}

func newEcho(asked []string, scale int) *echo {
	e := &echo{asked: asked, size: shingle * scale, at: map[string][]int{}, found: map[string]bool{}}
	for i := 0; i+e.size <= len(asked); i++ {
		ts := asked[i : i+e.size]
		key := strings.Join(ts, " ")
		if len(e.at[key]) == 0 && e.holds(ts) {
			e.eligible++
		}
		if len(e.at[key]) < 8 {
			e.at[key] = append(e.at[key], i)
		}
	}
	return e
}

// holds: more than a conjunction holds these words together. In scripts without spaces that
// cannot be told.
func (e *echo) holds(ts []string) bool {
	n := 0
	for _, t := range ts {
		n += oneIf(functionWords[t] && t != "and" && t != "or")
	}
	return e.size > shingle || n*7 >= len(ts)
}

// longest gives the length in words of the longest common passage, and its beginning. It
// notes all passages that were found.
func (e *echo) longest(said []string) (most int, passage string) {
	before := map[int]int{} // length of the run that ends at a place of the instruction
	for i := 0; i+e.size <= len(said); i++ {
		now := map[int]int{}
		key := strings.Join(said[i:i+e.size], " ")
		for _, at := range e.at[key] {
			if e.holds(said[i : i+e.size]) {
				e.found[key] = true
			}
			now[at] = before[at-1] + 1
			n := now[at] + e.size - 1
			if run := said[i+e.size-n : i+e.size]; n > most && e.holds(run) {
				most, passage = n, strings.Join(run, " ")
			}
		}
		before = now
	}
	return most, passage
}
