package measured

import (
	"fmt"
	"math"
	"strings"

	"vitrine"
)

// contentRoles asks whether the page speaks of what was asked for: whether the instruction's
// own words stand in a part that plays a role (heading, label, button, link, item, cell,
// caption) or in a sentence. Words in a pile count nothing, nor do those of hidden text.
// Words that the instruction names first weigh most, and a third of them is enough, so that
// naming one thing more hardly changes what the same page is worth. A page that is mostly
// words of the instruction in a pile loses all, and one of rows that are all alike much.
func contentRoles(in *input) vitrine.Finding {
	if in.asked.text == "" {
		return notApplicable("There is no instruction to hold the site against.")
	}
	want := in.asked.topics()
	if len(want) < 3 {
		return notApplicable("The instruction has too few words of its own to look for.")
	}
	if foreign(in.asked.text) {
		return notApplicable("The instruction is in a script whose words cannot be told apart.")
	}
	all := in.contents()
	if len(all) == 0 {
		return notApplicable("%s", noContent)
	}
	r := newRoles(want)
	for _, c := range all {
		r.read(c.Blocks)
	}
	r.noteLabels()
	for _, v := range in.views {
		r.name(v.Title)
	}
	score, part, missing := r.score(want)
	dealt := 0.0
	for _, c := range all {
		dealt = max(dealt, r.dealt(c.Blocks))
	}
	score *= ramp(dealt, dealtShare, dealtShare/2)
	why := fmt.Sprintf("%d of the %d words that say what the site is about stand in a role or a sentence (%s by weight)", len(want)-len(missing), len(want), percent(part))
	if len(missing) > 0 {
		why += "; not “" + strings.Join(missing[:min(len(missing), 8)], "”, “") + "”"
	}
	if r.piled > 0 {
		why += fmt.Sprintf("; %s of all words are in piles of the instruction's words", percent(share(r.piled, r.words)))
	}
	if dealt > dealtShare/2 {
		why += fmt.Sprintf("; %s of the rows of a list begin with a word of the instruction of their own", percent(dealt))
	}
	if score < unreadable && r.words < fewWords {
		switch {
		case drawn(in):
			score, why = unreadable, why+"; what its canvas says cannot be read"
		case in.lacksScript():
			score, why = unreadable, why+"; it lacks a script from outside"
		}
	}
	return scored(reading{score: score, why: why + "."})
}

const (
	enoughWords = 0.18 // share of the instruction's words, by weight, that 19 of 20 honest pages have in roles
	strayWords  = 0.06 // share that 9 of 10 pages about something else do not exceed
	unreadable  = 0.6  // of a page that says little, being a canvas, or lacking a script from outside
	fewWords    = 100  // what such a page says at most
	pileRun     = 12   // texts of one or two words in a row that make a pile
	pileWords   = 16   // words of a text without function words that make a pile
	pileDense   = 0.6  // share of the instruction's words in a text that makes it a pile
	nameWords   = 7    // words of a name that may not all be the instruction's
	pileLeast   = 25   // words in piles below which they cost nothing
)

// makingWords say how a page is to be made and delivered, besides [plainWords].
var makingWords = proseSet(`return embed embedded embedding save file files self contained cdn load loaded loading output library lightweight compatible integrate integrated
integration optimize optimized realistic proper properly interesting least separate include included such similar clean polished elegant minimal minimalist fully adjustable`)

// actWords say what is done, and when: pages show that by signs and by doing it, not in words.
var actWords = proseSet(`mark marked done delete deleted remove removed undo reload refresh still after before again back kept keep stay stays`)

// topics are the instruction's own words less those of making and of acts.
func (r request) topics() (out []string) {
	for _, w := range r.contentWords() {
		if !makingWords[stem(w)] && !actWords[stem(w)] {
			out = append(out, w)
		}
	}
	return out
}

// roles gathers which words of the instruction stand in a role.
type roles struct {
	want  map[string]bool // stems
	found map[string]bool
	// words and piled count the words of the page and those in piles of wanted words;
	// rows and kinds are the texts of rows of lists, and how many different ones.
	words, piled, rowWords int
	rows, kinds            int
	// labels are the words of texts of one or two words, functions counts the function words
	// of the page.
	labels    []string
	functions int
}

func newRoles(want []string) *roles {
	r := &roles{want: map[string]bool{}, found: map[string]bool{}}
	for _, w := range want {
		r.want[stem(w)] = true
	}
	return r
}

// toTokens are the stems of a text's words.
func toTokens(s string) []string {
	ts := tokens(s)
	for i, t := range ts {
		ts[i] = stem(t)
	}
	return ts
}

// note counts the wanted words of a text as found.
func (r *roles) note(stems []string) {
	for _, s := range stems {
		if r.want[s] {
			r.found[s] = true
		}
	}
}

// noteLabels counts the wanted words of texts of one or two words, unless the page is little
// else than these: a pile with something between.
func (r *roles) noteLabels() {
	if len(r.labels) >= 24 && r.density(r.labels) > pileDense && share(r.functions, r.words) < 0.08 {
		r.piled = max(r.piled, len(r.labels))
		return
	}
	r.note(r.labels)
}

// density is the share of wanted words.
func (r *roles) density(stems []string) float64 {
	n := 0
	for _, s := range stems {
		n += oneIf(r.want[s])
	}
	return share(n, len(stems))
}

// read goes through the texts of a page in reading order.
func (r *roles) read(bs []vitrine.Block) {
	for from := 0; from < len(bs); {
		to := from + 1
		for to < len(bs) && terse(&bs[to]) && terse(&bs[from]) && bs[to].Role == bs[from].Role && bs[to].Size == bs[from].Size {
			to++
		}
		r.run(bs[from:to])
		from = to
	}
	r.lists(bs)
}

// terse: a text of one or two words without a figure.
func terse(b *vitrine.Block) bool {
	return len(strings.Fields(b.Text)) <= 2 && !strings.ContainsAny(b.Text, "0123456789")
}

// run reads texts of the same kind that follow one another, or a single one.
func (r *roles) run(bs []vitrine.Block) {
	var stems []string
	for i := range bs {
		ts := tokens(bs[i].Text)
		r.functions += int(math.Round(functionShare(ts) * float64(len(ts))))
		stems = append(stems, toTokens(bs[i].Text)...)
	}
	r.words += len(stems)
	if len(bs) >= pileRun {
		if d := r.density(stems); d > 0.25 || len(bs) >= 4*pileRun {
			r.piled += int(float64(len(stems)) * d)
			return
		}
	}
	for i := range bs {
		r.block(&bs[i])
	}
}

// block reads one text.
func (r *roles) block(b *vitrine.Block) {
	if b.Role == "alt" || b.Role == "code" {
		return
	}
	ts, stems := tokens(b.Text), toTokens(b.Text)
	d := r.density(stems)
	pile := len(ts) >= pileWords && functionShare(ts) < 0.08 && d > 0.25 || len(ts) >= pileWords && d > pileDense
	if pile {
		r.piled += len(ts)
		return
	}
	if len(ts) >= nameWords && d > pileDense && functionShare(ts) < 0.1 {
		return
	}
	if terse(b) {
		r.labels = append(r.labels, stems...)
		return
	}
	r.note(stems)
}

// name reads the title, which names the site where it is short.
func (r *roles) name(title string) {
	if stems := toTokens(title); len(stems) < nameWords || r.density(stems) <= pileDense {
		r.note(stems)
	}
}

// lists counts the rows of lists of four rows and more, and how many differ.
func (r *roles) lists(bs []vitrine.Block) {
	rows := map[int]map[int]string{}
	for i := range bs {
		if b := &bs[i]; b.Row > 0 {
			if rows[b.List] == nil {
				rows[b.List] = map[int]string{}
			}
			rows[b.List][b.Row] += b.Text + " "
			r.rowWords += len(tokens(b.Text))
		}
	}
	for _, texts := range rows {
		if len(texts) < 4 {
			continue
		}
		kinds := map[string]bool{}
		for _, s := range texts {
			kinds[s] = true
		}
		r.rows, r.kinds = r.rows+len(texts), r.kinds+len(kinds)
	}
}

// score is what was found of the wanted words by weight, less what piles and rows without
// values of their own cost.
func (r *roles) score(want []string) (score, part float64, missing []string) {
	var all, found float64
	for i, w := range want {
		weight := 1 / math.Sqrt(float64(i+1))
		all += weight
		if r.found[stem(w)] {
			found += weight
		} else {
			missing = append(missing, w)
		}
	}
	part = found / all
	score = ramp(part, strayWords, enoughWords)
	if r.piled >= pileLeast {
		score *= ramp(share(r.piled, r.words), 0.7, 0.25)
	}
	if share(r.rowWords, r.words) > 0.4 && r.rows >= 4 {
		score *= ramp(share(r.kinds, r.rows), 0.1, 0.4)
	}
	return score, part, missing
}

// drawn: a canvas takes most of the first window, and it moves or can be operated.
func drawn(in *input) bool {
	for _, v := range in.views {
		window := float64(v.Viewport.Width * v.Viewport.Height)
		for _, i := range v.all {
			e := &v.Elements[i]
			if e.Painted && e.Box.Area() > 0.3*window && (v.Moved > 0 || v.Content != nil && v.Content.Listens) {
				return true
			}
		}
	}
	return false
}
