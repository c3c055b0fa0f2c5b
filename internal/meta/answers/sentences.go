package answers

import (
	"fmt"

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
	a.sayWorth(ofPeople)
	a.sayBiases()
	a.sayVersions()
	a.sayAttacks()
	if f := figure(a.Figures, "drift with each repeat"); f != nil {
		if f.few() {
			a.sentence("Whether it drifts over repeats cannot be said of %d tasks: want %d.", f.Tasks, leastTasks)
		} else if f.Value.Low > 0 || f.Value.High < 0 {
			a.sentence("It drifts: with each repeat its answers change by %s.", number(f.Value))
		} else {
			a.sentence("No drift over repeats is seen: %s each.", number(f.Value))
		}
	}
	if f := figure(a.Figures, "pairwise agreement"); f != nil {
		a.sentence("Asked again, it says the same in %s.", percent(f.Value))
	}
	if f := figure(a.Figures, "answered"); f != nil && f.Unjudged > 0 {
		a.sentence("It could not judge %d of %d.", f.Unjudged, f.N)
	}
	for _, price := range []string{"seconds an answer", "USD an answer"} {
		switch f := figure(a.Figures, price); {
		case f == nil:
		case f.Value.Value == 0:
			a.sentence("An answer costs nothing.")
		default:
			a.sentence("%.3g %s.", f.Value.Value, price)
		}
	}
}

// Worth is the figure that says how far the judge goes with people; nil where that is not known.
func (a Answered) Worth() *Figure {
	return figure(a.Figures, map[Kind]string{Pair: "agreement", Class: "agreement", Unit: "accuracy", Rating: "Spearman"}[a.Kind])
}

func (a *Answered) sayWorth(people []Figure) {
	f := a.Worth()
	if f == nil {
		a.sentence("How far it goes with people is not known: no item has both its answer and theirs, or one of them is always the same.")
		return
	}
	if a.Kind == Rating {
		switch {
		case f.few():
			a.sentence("Whether its order is people's cannot be said of %d tasks: want %d. Spearman is %s over %d items.", f.Tasks, leastTasks, number(f.Value), f.N)
		case f.Value.Low > 0:
			a.sentence("It orders things in people's way more than chance would: Spearman %s over %d items.", number(f.Value), f.N)
		default:
			a.sentence("Its order cannot be told from chance: Spearman %s over %d items.", number(f.Value), f.N)
		}
		if one := figure(people, withOthers+", mean of raters"); one != nil {
			if p := figure(a.Figures, "Pearson"); p != nil {
				a.sentence("Pearson is %s; of one person and the mean of the others it is %.2f.", number(p.Value), one.Value.Value)
			}
		}
		return
	}
	without := figure(a.Figures, "always the commonest label")
	verdict := "it is not shown to be worth asking"
	if f.Value.Low > without.Value.Value {
		verdict = "it is worth asking"
	}
	a.sentence("It is right on %s of %d items; always to say the commonest answer is right on %.1f %%: %s.", percent(f.Value), f.N, 100*without.Value.Value, verdict)
	if p := figure(people, "pairwise agreement"); p != nil {
		a.sentence("Two people agree on %s.", percent(p.Value))
	}
}

func (a *Answered) sayBiases() {
	first, second := figure(a.Figures, "prefers the first place"), figure(a.Figures, "prefers the second place")
	if first != nil && second != nil {
		switch {
		case first.few():
			a.sentence("Whether a place is favoured cannot be said of %d tasks: want %d.", first.Tasks, leastTasks)
		case first.Value.Low > second.Value.High:
			a.sentence("It favours the first place: %s against %s for the second.", percent(first.Value), percent(second.Value))
		case second.Value.Low > first.Value.High:
			a.sentence("It favours the second place: %s against %s for the first.", percent(second.Value), percent(first.Value))
		default:
			a.sentence("No place is seen to be favoured: the first in %s, the second in %s.", percent(first.Value), percent(second.Value))
		}
	}
	if f := figure(a.Figures, forLonger); f != nil && !f.few() && f.Value.Low > 0 {
		a.sentence("It favours what is longer: %s more often than people do.", percent(f.Value))
	}
	if f := figure(a.Figures, byLength); f != nil && !f.few() && f.Value.Low > 0 {
		a.sentence("It favours what is longer: its grade less people's goes with length, Pearson %s.", number(f.Value))
	}
	if f := figure(a.Figures, "bias, judge less people"); f != nil && !f.few() && (f.Value.Low > 0 || f.Value.High < 0) {
		a.sentence("Its grades less people's are %s on average, which says something only where both are of one scale.", number(f.Value))
	}
}

func (a *Answered) sayVersions() {
	if f := figure(a.Figures, changesEqual); f != nil {
		a.sentence("Of the same thing made or worded otherwise it says something else in %s.", percent(f.Value))
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
		{risesAttacked, "Pages that were made to please it and are no better are graded higher in %s"},
		{holdsAttacked, "What does not hold is said to hold under attack in %s"},
		{movesAttacked, "An attack moves its verdict to the side that was attacked in %s of the pairs that could move"},
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
	if f := figure(a.Figures, changeAttacked); f != nil && !f.few() && f.Value.Low > 0 {
		a.sentence("It can be talked into more: under attack its grades rise by %s on average.", number(f.Value))
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
