package answers

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"vitrine/internal/stats"
)

// A Card says on one page how far a judge can be trusted, on what, and at what price.
type Card struct {
	Judge       string     `json:"judge"`
	Questions   []Answered `json:"questions"`
	NotMeasured []string   `json:"not_measured"`
	Notes       []string   `json:"notes"`
}

// Answered is what a judge is worth on one question: sentences, and the figures behind them.
type Answered struct {
	Kind      Kind     `json:"kind"`
	Question  string   `json:"question"`
	Sentences []string `json:"sentences"`
	Figures   []Figure `json:"figures"`
}

// Cards makes the card of each judge. The seed is that of the intervals.
func Cards(s *Set, judges []string, seed uint64) []Card {
	against, itself, people := Judges(s, nil, judges, seed), Repeats(s, judges, seed), Raters(s, seed)
	versions, attacks := Equivalence(s, judges, 0, seed), Attacks(s, judges, 0, seed)
	attacks.Figures = slices.DeleteFunc(attacks.Figures, func(f Figure) bool { return !slices.Contains(ofAttacks, f.Name) }) // the others are there
	var cards []Card
	for _, q := range s.questions {
		for _, judge := range (&scope{q: q, items: q.items}).judges(judges) {
			at := slices.IndexFunc(cards, func(c Card) bool { return c.Judge == judge })
			if at < 0 {
				at, cards = len(cards), append(cards, Card{Judge: judge, Notes: against.Notes})
			}
			a := Answered{Kind: q.kind, Question: cmp.Or(q.name, string(q.kind))}
			for _, f := range slices.Concat(against.Figures, itself.Figures, versions.Figures, attacks.Figures) {
				if f.Kind == q.kind && f.Question == q.name && f.Of == judge {
					a.Figures = append(a.Figures, f)
				}
			}
			a.say(people.Figures, q)
			cards[at].Questions = append(cards[at].Questions, a)
		}
	}
	for n := range cards {
		cards[n].missing()
	}
	slices.SortFunc(cards, func(a, b Card) int { return cmp.Compare(a.Judge, b.Judge) })
	return cards
}

// figure finds a figure over all categories.
func figure(figures []Figure, name string) *Figure {
	at := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name && f.Category == "" && f.Value != nil })
	if at < 0 {
		return nil
	}
	return &figures[at]
}

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

// missing lists what nothing is known of.
func (c *Card) missing() {
	has := func(names ...string) bool {
		return slices.ContainsFunc(c.Questions, func(a Answered) bool {
			return slices.ContainsFunc(names, func(name string) bool { return figure(a.Figures, name) != nil })
		})
	}
	for _, one := range []struct {
		names []string
		what  string
	}{
		{[]string{"agreement"}, "preferences between two, or categories"},
		{[]string{"accuracy"}, "whether something holds"},
		{[]string{"Spearman"}, "grades"},
		{[]string{"prefers the first place"}, "what the order of a pair does"},
		{[]string{forLonger, byLength}, "what length does"},
		{[]string{changesEqual}, "what another making of the same function does"},
		{[]string{fallsBroken, unholdsBroken, changesBroken}, "whether it notices what is broken"},
		{[]string{"drift with each repeat"}, "whether it says the same again"},
		{ofAttacks, "attacks on it, such as text in a page that speaks to the judge"},
		{[]string{"seconds an answer"}, "how long it takes"},
		{[]string{"USD an answer"}, "what it costs"},
	} {
		if !has(one.names...) {
			c.NotMeasured = append(c.NotMeasured, one.what)
		}
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

//go:embed card.html
var page string

var cardPage = template.Must(template.New("card").Funcs(template.FuncMap{"number": shown, "category": func(s string) string { return cmp.Or(s, "all") }}).Parse(page))

func shown(e *stats.Estimate) string {
	switch {
	case e == nil:
		return "–"
	case e.Low == e.High:
		return fmt.Sprintf("%.3g", e.Value)
	}
	return number(e)
}

// WriteHTML writes cards as a page that loads nothing.
func WriteHTML(w io.Writer, cards []Card) error { return cardPage.Execute(w, cards) }

// overview is a table of a card with several questions: how far the judge goes with people on each.
func (c Card) overview(b *strings.Builder) {
	if len(c.Questions) < 2 {
		return
	}
	b.WriteString("\n| question | figure | items | value [95 %] |\n|---|---|---|---|\n")
	for _, q := range c.Questions {
		if f := q.Worth(); f != nil {
			fmt.Fprintf(b, "| %s | %s | %d | %s |\n", q.Question, f.Name, f.N, shown(f.Value))
		} else {
			fmt.Fprintf(b, "| %s | with people not known | | – |\n", q.Question)
		}
	}
}

// WriteMarkdown writes cards as Markdown.
func WriteMarkdown(w io.Writer, cards []Card) error {
	var b strings.Builder
	for _, c := range cards {
		fmt.Fprintf(&b, "# Judge card: %s\n", c.Judge)
		c.overview(&b)
		for _, q := range c.Questions {
			fmt.Fprintf(&b, "\n## %s (%s)\n\n", q.Question, q.Kind)
			for _, s := range q.Sentences {
				fmt.Fprintf(&b, "* %s\n", s)
			}
			b.WriteString("\n| figure | category | items | value [95 %] |\n|---|---|---|---|\n")
			for _, f := range q.Figures {
				fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", f.Name, cmp.Or(f.Category, "all"), f.N, shown(f.Value))
			}
		}
		fmt.Fprintf(&b, "\n## Not measured\n\n* %s\n", strings.Join(c.NotMeasured, "\n* "))
		for _, n := range c.Notes {
			fmt.Fprintf(&b, "\nNote: %s.\n", n)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
