package require

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vitrine"
)

// Read reads what an instruction asks for, and what the test cases of a task add to it.
// The topic is a benchmark's name for the kind of site, such as "Game dev", or empty. Of
// the instruction 24 KiB are read, of the test cases the first 300, of each 4 KiB a side.
// Reading is deterministic. By is "rules".
func Read(instruction string, cases []vitrine.TestCase, topic string) vitrine.Requirements {
	text := bounded(instruction, maxInstruction)
	list := sentences(text)
	main := mainClause(list)
	k, known := kindOf(main, topic)
	g := newGathering(k, known)
	r := g.reader(false)
	at := mainSentence(list)
	for i, s := range list {
		if colourful(s) {
			continue
		}
		r.sentence(s, i == at)
	}
	for _, s := range list {
		r.acts = append(r.acts, chinese(s.text)...)
	}
	g.take(r.acts, "instruction")
	g.fromKind(main)
	for i, c := range cases[:min(len(cases), maxCases)] {
		g.take(readCase(c, k), fmt.Sprintf("case %d", i+1))
	}
	result := vitrine.Requirements{By: "rules"}
	readStatic(&result, text, list)
	g.defaults(len(list) > 0, result.Pages, list)
	result.Behaviors = g.finish()
	result.Entities = entitiesOf(g, list)
	return result
}

// mainSentence is the index of the sentence that says what to build: the first with a
// verb of building, else the first.
func mainSentence(list []sentence) int {
	for i, s := range list {
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

// mainClause are the tokens that say what to build.
func mainClause(list []sentence) []token {
	if len(list) == 0 {
		return nil
	}
	toks := list[mainSentence(list)].tokens
	for i, t := range toks {
		if mainCuts[t.low] && i > 2 {
			return toks[:i]
		}
	}
	return toks[:min(len(toks), 60)]
}

// A gathering merges acts into requirements.
type gathering struct {
	kind  kind
	known bool
	list  []*vitrine.Requirement
	force []float64 // of each: what its clauses weigh, before cues
}

func newGathering(k kind, known bool) *gathering { return &gathering{kind: k, known: known} }

func (g *gathering) reader(steps bool) *reader { return readerOf(g.kind, steps) }

func readerOf(k kind, steps bool) *reader {
	is := func(b vitrine.Behavior) bool { return len(k.does) > 0 && k.does[0] == b }
	return &reader{steps: steps, game: is(vitrine.BehaviorGame), scene: is(vitrine.BehaviorScene)}
}

// single are behaviours that a site has once, whatever they act on.
func single(b vitrine.Behavior) bool {
	switch b {
	case vitrine.BehaviorNav, vitrine.BehaviorGame, vitrine.BehaviorSearch, vitrine.BehaviorFilter, vitrine.BehaviorOrder, vitrine.BehaviorChat, vitrine.BehaviorCart,
		vitrine.BehaviorPersist, vitrine.BehaviorQuiz, vitrine.BehaviorValidate, vitrine.BehaviorMedia, vitrine.BehaviorScene, vitrine.BehaviorCalculate,
		vitrine.BehaviorCompare, vitrine.BehaviorDrag, vitrine.BehaviorLogin, vitrine.BehaviorCustomize, vitrine.BehaviorChart, vitrine.BehaviorSetting, vitrine.BehaviorExport, vitrine.BehaviorAggregate, vitrine.BehaviorLedger, vitrine.BehaviorPanels:
		return true
	}
	return false
}

// take merges acts into the requirements, with where they come from.
func (g *gathering) take(acts []act, cue string) {
	objects := map[[2]int]int{} // how many objects the verb of a clause has, for each behaviour
	for _, a := range acts {
		objects[[2]int{a.clause, a.rank}]++
	}
	for _, a := range acts {
		force := 1 / float64(max(1, objects[[2]int{a.clause, a.rank}]))
		switch a.rank {
		case 1:
			force *= 0.75
		case 2:
			force *= 0.5
		}
		if a.main {
			force *= 1.5
		}
		g.merge(a, cue, force)
	}
}

// merge adds an act to the requirement that it belongs to, or makes one.
func (g *gathering) merge(a act, cue string, force float64) *vitrine.Requirement {
	for i, q := range g.list {
		if q.Behavior != a.does || !single(a.does) && !alike(q.Entity, a.entity) {
			continue
		}
		if q.Entity == "" {
			q.Entity = a.entity
		}
		if q.Verb == "" {
			q.Verb = a.verb
		}
		if strings.HasPrefix(q.Quote, "(") && cue == "instruction" {
			q.Quote = a.quote
		}
		q.Fields = union(q.Fields, a.fields, 12)
		if a.verb != "" && !slices.Contains(q.Values, a.verb) && a.does == vitrine.BehaviorGame && a.verb != q.Verb && len(q.Values) < 12 {
			q.Values = append(q.Values, a.verb)
		}
		if !slices.Contains(q.Cues, cue) {
			q.Cues = append(q.Cues, cue)
		}
		g.force[i] = max(g.force[i], force)
		return q
	}
	q := &vitrine.Requirement{Behavior: a.does, Verb: a.verb, Entity: a.entity, Fields: a.fields, Quote: a.quote, Cues: []string{cue}}
	g.list, g.force = append(g.list, q), append(g.force, force)
	return q
}

func union(a, b []string, most int) []string {
	for _, s := range b {
		if len(a) < most && !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// fromKind adds what the noun for the site says.
func (g *gathering) fromKind(main []token) {
	if !g.known {
		return
	}
	quote := bounded(textOf(main), 160)
	for _, b := range g.kind.does {
		g.merge(act{does: b, quote: quote}, "kind", 1)
	}
	for _, b := range g.kind.implied {
		g.merge(act{does: b, quote: quote}, "kind", 0.4)
	}
}

// defaults adds navigation, and where nothing else is asked for what a site of any kind
// does.
func (g *gathering) defaults(any bool, pages []string, list []sentence) {
	if !any {
		return
	}
	asked := len(g.list)
	if !g.kind.oneScreen {
		cue := "default"
		if len(pages) > 1 {
			cue = "instruction"
		}
		g.merge(act{does: vitrine.BehaviorNav, quote: "(every site)"}, cue, 0.4)
	}
	if asked > 0 || g.kind.oneScreen {
		return
	}
	g.merge(act{does: vitrine.BehaviorList, quote: "(a site that shows something)"}, "default", 0.4)
	for _, s := range list {
		for _, t := range s.tokens {
			if business[t.base] {
				g.merge(act{does: vitrine.BehaviorSubmit, quote: "(a site of a business)"}, "default", 0.3)
				return
			}
		}
	}
}

// business are nouns of those who want to be written to.
var business = set("company business firm service services restaurant salon agency startup café cafe bakery studio consultancy hotel clinic school shop freelancer photographer artist landing bar spa gym lawyer doctor tutoring insurance")

// central are behaviours that a site can be for.
func central(b vitrine.Behavior) bool {
	switch b {
	case vitrine.BehaviorNav, vitrine.BehaviorValidate, vitrine.BehaviorPersist, vitrine.BehaviorLogin, vitrine.BehaviorSetting, vitrine.BehaviorDelete, vitrine.BehaviorList:
		return false
	}
	return true
}

// finish weighs, names and orders the requirements.
func (g *gathering) finish() []vitrine.Requirement {
	best, of := -1, 0.0
	for i, q := range g.list {
		q.Words = wordsOf(q.Behavior, q.Verb, q.Entity)
		if q.Behavior == vitrine.BehaviorGame {
			q.Words = union(slices.Clone(q.Values), q.Words, 40)
		}
		q.Weight = round(g.force[i] * (1 + 0.25*float64(min(2, len(q.Cues)-1))))
		score := q.Weight
		if slices.Contains(q.Cues, "kind") && len(g.kind.does) > 0 && g.kind.does[0] == q.Behavior {
			score += 1
		}
		if central(q.Behavior) && independent(q.Cues) && score > of {
			best, of = i, score
		}
		q.ID = fmt.Sprintf("r%d", i+1)
	}
	if best >= 0 {
		g.list[best].Central = true
	}
	g.chain()
	var result []vitrine.Requirement
	for _, q := range g.list {
		result = append(result, *q)
	}
	return result
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

// independent reports whether at least two kinds of places ask: the noun for the site, a
// clause of the instruction, a test case or rubric.
func independent(cues []string) bool {
	kinds := map[string]bool{}
	for _, c := range cues {
		if c != "default" {
			kinds[strings.TrimRightFunc(c, func(r rune) bool { return unicode.IsDigit(r) || r == ' ' })] = true
		}
	}
	return len(kinds) > 1
}

// befores are what must have been done before a behaviour can be seen.
var befores = map[vitrine.Behavior][]vitrine.Behavior{
	vitrine.BehaviorHistory: {vitrine.BehaviorSubmit, vitrine.BehaviorCart, vitrine.BehaviorStatus, vitrine.BehaviorLedger, vitrine.BehaviorCreate, vitrine.BehaviorGame, vitrine.BehaviorCustomize},
	vitrine.BehaviorReply:   {vitrine.BehaviorCreate},
	vitrine.BehaviorLookup:  {vitrine.BehaviorCreate, vitrine.BehaviorCart},
	vitrine.BehaviorPersist: {vitrine.BehaviorCreate},
}

// chain says what each requirement presupposes: the act with the same thing, else the
// first act of its kind.
func (g *gathering) chain() {
	for _, q := range g.list {
		for _, b := range befores[q.Behavior] {
			if id := g.firstOf(b, q.Entity); id != "" {
				q.After = []string{id}
				break
			}
		}
	}
}

func (g *gathering) firstOf(b vitrine.Behavior, entity string) (id string) {
	for _, q := range g.list {
		if q.Behavior != b {
			continue
		}
		if q.Entity != "" && entity != "" && alike(q.Entity, entity) {
			return q.ID
		}
		if id == "" {
			id = q.ID
		}
	}
	return id
}
