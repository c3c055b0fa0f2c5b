package require

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// Read reads what an instruction asks for, and what the test cases of a task add to it.
// The topic is a benchmark's name for the kind of site, such as "Game dev", or empty. Of
// the instruction 24 KiB are read, of the test cases the first 300, of each 4 KiB a side.
// Reading is deterministic. By is "rules".
func Read(instruction string, cases []vitrine.TestCase, topic string) vitrine.Requirements {
	text := bounded(instruction, maxInstruction)
	list := slices.DeleteFunc(sentences(text), func(s sentence) bool { return delivered.MatchString(s.text) })
	main := mainClause(list)
	k, known := kindOf(main, topic)
	if known && len(k.does) > 0 && k.does[0] == vitrine.BehaviorLive && hasPhrase(basesOf(main), physical) {
		k.does = is(vitrine.BehaviorScene)
	}
	if !known && played(list, main) {
		k, known = gameKind, true
	}
	g := newGathering(k, known)
	r := g.reader(false)
	at := mainSentence(list)
	for i, s := range list {
		if colourful(s) {
			continue
		}
		r.sentence(s, i == at)
		r.joined(s.tokens)
	}
	if at < len(list) {
		r.scenes(list[at])
	}
	r.acts = append(r.acts, onButtons(text, k)...)
	for _, s := range list {
		acts := chinese(s.text)
		if animation.MatchString(text) {
			acts = ofAnimation(acts)
		}
		r.acts = append(r.acts, acts...)
	}
	more := r.phrased(list)
	acts := append(r.acts, more...)
	acts = append(acts, r.limits(list, acts)...)
	if known && len(k.does) > 0 && k.does[0] == vitrine.BehaviorCalculate {
		acts = slices.DeleteFunc(acts, func(a act) bool { return a.does == vitrine.BehaviorAggregate && outcome.MatchString(a.quote) })
	}
	g.take(ofOneEntry(acts), "instruction")
	g.fromKind(main)
	for i, c := range cases[:min(len(cases), maxCases)] {
		g.take(readCase(c, k), fmt.Sprintf("case %d", i+1))
	}
	read := vitrine.Requirements{By: "rules", Behaviors: []vitrine.Requirement{}, Entities: []vitrine.Entity{}, Pages: []string{}, Texts: []string{}, Colors: []vitrine.ColorDemand{}, Counts: []vitrine.Count{}, Unchecked: []string{}}
	readStatic(&read, text, list)
	g.named(text)
	g.draggedScene()
	g.dropMisread(text)
	g.onlyShown(text)
	g.defaults(main, read.Pages, list)
	read.Behaviors = g.finish()
	read.Entities = entitiesOf(g, list)
	return read
}

// delivered is how the answer is handed over, which is nothing that the site does.
var delivered = regexp.MustCompile("(?i)^(please )?(save|name|call|return|output|put|write) (it|the (output|file|result|code|page|html|answer))?( file| code)? ?(as|in|into|to) ['\"`]?[\\w./-]+\\.html?['\"`]?\\W*$|^(the|this) (html )?(file|html|page) (should|must) be self-contained\\W*$")

// outcome are words for what a calculator shows, which is no figure beside its result.
var outcome = regexp.MustCompile(`(?i)\b(total|sum|result)s?\b`)

// buttons are the labels of buttons that an instruction quotes.
var buttons = regexp.MustCompile(`["“]([^"“”\n]{2,40})["”] (?:buttons?|links?)\b`)

// onButtons are what the labels of buttons ask for that an instruction quotes.
func onButtons(text string, k kind) (acts []act) {
	for _, m := range buttons.FindAllStringSubmatch(text, 20) {
		b := readerOf(k, true)
		b.sentence(sentence{text: m[1], tokens: tokens(m[1])}, false)
		if len(b.acts) == 0 && done.MatchString(m[0]) {
			b.acts = append(b.acts, act{does: vitrine.BehaviorStatus, verb: strings.ToLower(m[1]), quote: m[0]})
		}
		for _, a := range b.acts {
			a.clause += 10000
			acts = append(acts, a)
		}
	}
	return acts
}

// done are buttons whose labels say what was done to a row.
var done = regexp.MustCompile(`(?i)^["“](done|paid|sold|sent|read|taken|eaten|drunk|bought|fed|completed|finished|watched|watered|packed|cooked|cleaned|called|visited|returned|shipped|delivered|collected|picked up|checked|solved|fixed|reviewed|answered|contacted|played|used)["”] buttons?$`)

// mainSentence is the index of the sentence that says what to build: the first with a
// verb of building, else the first.
func mainSentence(list []sentence) int {
	for i, s := range list {
		if s.bullet && i > 0 { // a part of it
			continue
		}
		for j, t := range s.tokens {
			if j > 8 {
				break
			}
			if builds[t.low] && t.low != "please" && t.low != "do" && t.low != "want" && t.low != "need" && t.low != "let" && t.low != "have" {
				return i
			}
		}
	}
	return 0
}

// mainCuts are words behind which the main clause says how and no longer what.
var mainCuts = set("featuring focusing highlighting showcasing with allowing where that which including complete ensuring enabling emphasizing offering making incorporating such drawing capturing when who using to")

// strongBuilds are verbs that only who builds a site is told.
var strongBuilds = set("create build design develop implement make write generate program")

// mainClause are the tokens that say what to build.
func mainClause(list []sentence) []token {
	if len(list) == 0 {
		return nil
	}
	toks := list[mainSentence(list)].tokens
	for i := min(len(toks), 24) - 1; i > 0; i-- {
		if strongBuilds[toks[i].low] && (toks[i-1].low == "to" || toks[i-1].low == "please" || toks[i-1].low == "me" || toks[i-1].low == "and") {
			toks = toks[i:]
			break
		}
	}
	for i, t := range toks {
		if mainCuts[t.low] && i > 2 {
			return toks[:i]
		}
	}
	return toks[:min(len(toks), 60)]
}

// fromKind adds what the noun for the site says.
func (g *gathering) fromKind(main []token) {
	if !g.known {
		return
	}
	quote := bounded(textOf(main), 160)
	for i, b := range g.kind.does {
		if i == 0 && g.kind.nouns != "" && names(b) && !g.has(b) {
			g.merge(act{does: b, quote: quote, main: true}, "instruction", 1)
			continue
		}
		if b == vitrine.BehaviorCreate && (g.has(vitrine.BehaviorReport) || g.has(vitrine.BehaviorCustomize)) && hasPhrase(basesOf(main), "planner|itinerary") {
			continue // it makes the plan itself
		}
		g.merge(act{does: b, quote: quote}, "kind", suggested)
	}
	for _, b := range g.kind.implied {
		g.merge(act{does: b, quote: quote}, "kind", suggested)
	}
}
