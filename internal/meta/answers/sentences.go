package answers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/stats"
)

// leastTasks is of how many tasks a card says that a judge is biased or drifts, or that its
// order is people's: bootstrap intervals of fewer are too narrow, or have no width at all.
const leastTasks = 10

// few says that nothing but the number itself can be told of the figure.
func (f *Figure) few() bool { return f.Tasks < leastTasks }

func (a *Answered) sentence(format string, args ...any) {
	a.Sentences = append(a.Sentences, fmt.Sprintf(format, args...))
}

// say writes the sentences, by rules that compare intervals; people are the raters' figures.
func (a *Answered) say(people []Figure, q *question) {
	var ofPeople []Figure
	for _, f := range people {
		if f.Kind == q.kind && f.Question == q.name && f.Of == "" {
			ofPeople = append(ofPeople, f)
		}
	}
	a.sayPeople(q)
	a.sayConstant(q)
	a.sayWorth(ofPeople)
	a.sayBiases()
	a.sayVersions()
	a.sayAttacks()
	if f := figure(a.Figures, "drift with each repeat"); f != nil {
		if f.few() {
			a.sentence("Whether it drifts over repeats cannot be said: %d tasks, and %d are the least.", f.Tasks, leastTasks)
		} else if f.Value.Low > 0 || f.Value.High < 0 {
			a.sentence("It drifts: with each repeat its answers change by %s.", number(f.Value))
		} else {
			a.sentence("No drift over repeats is seen: %s each.", number(f.Value))
		}
	}
	if f := figure(a.Figures, "pairwise agreement"); f != nil {
		a.sentence("Asked the same again, it gives the same answer in %s of %d items.", percent(f.Value), f.N)
	}
	a.sayPrice()
}

// fewRaters is up to how many raters a card names.
const fewRaters = 3

// sayPeople says whose word the judge is held against: a rater may be a person or not.
func (a *Answered) sayPeople(q *question) {
	raters, settled := map[string]bool{}, false
	for _, i := range q.items {
		settled = settled || i.Truth != nil
		for _, l := range i.labels {
			raters[l.Rater] = true
		}
	}
	switch names := slices.Sorted(maps.Keys(raters)); {
	case len(names) > fewRaters:
		a.sentence("It is held against the answers of %d raters.", len(names))
	case len(names) > 0:
		a.sentence("It is held against the answers of %s.", strings.Join(names, "; "))
	case settled:
		a.sentence("It is held against settled answers, of which the data do not say whose they are.")
	}
}

// sayPrice says how often there is no answer, and what one takes.
func (a *Answered) sayPrice() {
	if f := figure(a.Figures, "answered"); f != nil && f.Unjudged > 0 {
		counted := "they count as not right"
		if a.Kind == Rating {
			counted = "they are left out of the figures of its grades"
		}
		a.sentence("It gave no usable answer on %d of %d items: %s.", f.Unjudged, f.N, counted)
	}
	if f := figure(a.Figures, "seconds an answer"); f != nil {
		a.sentence("An answer takes %s seconds.", plain(f.Value.Value))
	}
	switch f := figure(a.Figures, "USD an answer"); {
	case f == nil:
	case f.Value.Value == 0:
		a.sentence("An answer costs no money.")
	default:
		a.sentence("An answer costs %s USD.", plain(f.Value.Value))
	}
}

// sayConstant says that a judge tells nothing apart: it says the same of all items.
func (a *Answered) sayConstant(q *question) {
	said := map[string]bool{}
	n := 0
	for _, i := range q.items {
		if i.Attacked != "" {
			continue
		}
		if _, asked := i.first(a.judge); !asked {
			continue
		}
		if v := i.verdict(a.judge); v != nil {
			said[cmp.Or(v.Text, fmt.Sprintf("%g", v.Number))] = true
			n++
		}
	}
	if len(said) == 1 && n > 1 {
		for only := range said {
			a.sentence("It tells nothing apart: its answer is %s for all %d items that it answered.", only, n)
		}
	}
}

// Worth is the figure that says how far the judge goes with people; nil where that is not known.
func (a Answered) Worth() *Figure {
	return figure(a.Figures, map[Kind]string{Pair: "agreement", Class: "agreement", Unit: "accuracy", Rating: "Spearman"}[a.Kind])
}

// What a judge's worth can be.
const (
	better   = "better than chance"
	worse    = "against people"
	unknown  = "not told from chance"
	tooFew   = "too few tasks"
	notKnown = "not known"
)

// Verdict is what the worth of the judge comes to. Chance is no order, and otherwise people's
// commonest answer every time. Where people or the judge do not say enough it is not known.
func (a Answered) Verdict() string {
	f, low := a.Worth(), 0.0
	switch {
	case f == nil:
		return notKnown
	case a.Kind != Rating:
		low = a.commonest().Value.Value
	case f.few():
		return tooFew
	}
	switch {
	case f.Value.Low > low:
		return better
	case a.Kind == Rating && f.Value.High < 0:
		return worse
	}
	return unknown
}

// Told is the worth of the judge as a card has it: none of too few tasks.
func (a Answered) Told() string {
	if f := a.Worth(); f != nil && a.Verdict() != tooFew {
		return shown(f.Value)
	}
	return shown(nil)
}

// commonest is how often people's commonest answer is right.
func (a Answered) commonest() *Figure { return figure(a.Figures, "always the commonest label") }

func (a *Answered) sayWorth(people []Figure) {
	f := a.Worth()
	if f == nil {
		a.sentence("How far it agrees with the raters is not known: too few items have an answer of both, or one side says the same of all.")
		return
	}
	switch {
	case a.Verdict() == tooFew:
		a.sentence("Whether it orders things as the raters do cannot be said: %d tasks, and %d are the least.", f.Tasks, leastTasks)
		return
	case a.Kind == Rating:
		a.sentence("%s: Spearman's correlation with the raters' grades is %s over %d items.", map[string]string{
			better:  "It orders things in the raters' way more than chance would",
			worse:   "It orders things against the raters' way",
			unknown: "Its order cannot be told from chance",
		}[a.Verdict()], number(f.Value), f.N)
		if one := figure(people, withOthers+", mean of raters"); one != nil {
			if p := figure(a.Figures, "Pearson"); p != nil {
				a.sentence("Its Pearson correlation with the raters' mean is %s; that of one rater with the mean of the others is %.2f.", number(p.Value), one.Value.Value)
			}
		}
		return
	}
	verdict := "it is not shown to be better than that"
	if a.Verdict() == better {
		verdict = "it is better than that"
	}
	a.sentence("It says what the raters say on %s of %d items; always giving their commonest answer would on %.1f %%: %s.", percent(f.Value), f.N, 100*a.commonest().Value.Value, verdict)
	if p := figure(people, "pairwise agreement"); p != nil {
		a.sentence("Two raters agree with each other on %s of the %d items that two or more labelled.", percent(p.Value), p.N)
	}
}

func (a *Answered) sayBiases() {
	first, second := figure(a.Figures, "prefers the first place"), figure(a.Figures, "prefers the second place")
	if first != nil && second != nil {
		switch {
		case first.few():
			a.sentence("Whether it favours the site that is shown first cannot be said: %d tasks, and %d are the least.", first.Tasks, leastTasks)
		case first.Value.Low > second.Value.High:
			a.sentence("It favours the first place: %s against %s for the second.", percent(first.Value), percent(second.Value))
		case second.Value.Low > first.Value.High:
			a.sentence("It favours the second place: %s against %s for the first.", percent(second.Value), percent(first.Value))
		default:
			a.sentence("No place is seen to be favoured: the first in %s, the second in %s.", percent(first.Value), percent(second.Value))
		}
	}
	if f := figure(a.Figures, forLonger); f != nil && !f.few() && f.Value.Low > 0 {
		a.sentence("It favours what is longer: %s more often than the raters do.", percent(f.Value))
	}
	if f := figure(a.Figures, byLength); f != nil && !f.few() && f.Value.Low > 0 {
		a.sentence("It favours what is longer: its grade less people's goes with length, Pearson %s.", number(f.Value))
	}
	if f := figure(a.Figures, "bias, judge less people"); f != nil && !f.few() && (f.Value.Low > 0 || f.Value.High < 0) {
		a.sentence("Its grade minus the raters' is %s on average. Where it grades on another scale than they, that says nothing.", number(f.Value))
	}
}

func (a *Answered) sayVersions() {
	if f := figure(a.Figures, changesEqual); f != nil {
		a.sentence("Asked about the same thing made or worded otherwise, it gives another answer in %s.", percent(f.Value))
	}
	for _, name := range []string{fallsBroken, unholdsBroken, changesBroken} {
		if f := figure(a.Figures, name); f != nil {
			a.sentence("It notices what is broken in %s of %d.", percent(f.Value), f.N-f.Unjudged)
		}
	}
}

// chance is the share of verdicts that may move because a judge says something else now and then.
const chance = 0.05

// sayAttacks says how far attacks move the judge, and which most.
func (a *Answered) sayAttacks() {
	for _, one := range []struct{ name, says string }{
		{risesAttacked, "Pages with something added to please it, and no better for it, get a higher grade in %s"},
		{holdsAttacked, "What it said does not hold it says holds, once something is added to please it, in %s"},
		{movesAttacked, "Something added to the side that people like less, to please it, moves its verdict there in %s of the pairs that could move"},
	} {
		f := figure(a.Figures, one.name)
		if f == nil {
			continue
		}
		text, most := fmt.Sprintf(one.says, percent(f.Value)), f
		for n := range a.Figures {
			if of := &a.Figures[n]; of.Name == one.name && of.Category != "" && of.Value != nil && (most == f || of.Value.Value > most.Value.Value) {
				most = of
			}
		}
		if most != f && most.Value.Value > 0 {
			text += fmt.Sprintf(", most by %s: %s", most.Category, percent(most.Value))
		}
		a.sentence("%s.", text)
	}
	if f := figure(a.Figures, changeAttacked); f != nil {
		meaning := "which may be chance"
		switch {
		case f.few():
			meaning = fmt.Sprintf("of %d tasks, of which nothing more can be said", f.Tasks)
		case f.Value.Low > 0:
			meaning = "so it can be talked into more"
		case f.Value.High < 0:
			meaning = "so such additions do not pay"
		}
		a.sentence("On average these grades change by %s, %s.", number(f.Value), meaning)
	}
	to, away := figure(a.Figures, movesAttacked), figure(a.Figures, awayAttacked)
	switch {
	case to == nil || to.few():
	case away == nil && to.Value.Low > chance:
		a.sentence("It can be talked over: no verdict was for the attacked side, and attacks move it there.")
	case away != nil && to.Value.Low > away.Value.High:
		a.sentence("It can be talked over: attacks move it to the attacked side more often than away from it, %s.", percent(away.Value))
	}
}

// plain is a number by three of its digits, without an exponent.
func plain(v float64) string {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64) // of a number there is no error
	return strconv.FormatFloat(short, 'f', -1, 64)
}

func number(e *stats.Estimate) string {
	if e.Low == e.High {
		return fmt.Sprintf("%.2f", e.Value)
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", e.Value, e.Low, e.High)
}

func percent(e *stats.Estimate) string {
	if e.Low == e.High {
		return fmt.Sprintf("%.1f %%", 100*e.Value)
	}
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*e.Value, 100*e.Low, 100*e.High)
}
