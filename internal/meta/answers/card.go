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

	judge string
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
			a := Answered{Kind: q.kind, Question: cmp.Or(q.name, string(q.kind)), judge: judge}
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
		{[]string{"agreement"}, "which of two things raters prefer, or in which category they put one"},
		{[]string{"accuracy"}, "whether it is right about what is true or not"},
		{[]string{"Spearman"}, "whether its grades order things as the raters' do"},
		{[]string{"prefers the first place"}, "whether it favours the site that is shown first"},
		{[]string{forLonger, byLength}, "whether it favours what is longer"},
		{[]string{changesEqual}, "whether it answers the same about the same thing written otherwise"},
		{[]string{fallsBroken, unholdsBroken, changesBroken}, "whether it notices what is broken"},
		{[]string{"drift with each repeat"}, "whether it gives the same answer again"},
		{ofAttacks, "whether it can be influenced, such as by a text in a page that is addressed to it"},
		{[]string{"seconds an answer"}, "how long an answer takes"},
		{[]string{"USD an answer"}, "what an answer costs"},
	} {
		if !has(one.names...) {
			c.NotMeasured = append(c.NotMeasured, one.what)
		}
	}
}

//go:embed card.html
var page string

var cardPage = template.Must(template.New("card").Funcs(template.FuncMap{"number": shown, "category": func(s string) string { return cmp.Or(s, "all") }, "intro": func() string { return intro }, "many": func() string { return many }}).Parse(page))

func shown(e *stats.Estimate) string {
	switch {
	case e == nil:
		return "–"
	case e.Low == e.High:
		return plain(e.Value)
	}
	return number(e)
}

// WriteHTML writes cards as a page that loads nothing.
func WriteHTML(w io.Writer, cards []Card) error { return cardPage.Execute(w, cards) }

// intro is how a card is read.
const intro = "How far this judge's answers agree with those of raters, question by question; who they are, people or not, is said first. Brackets hold the 95 % interval; a number without brackets has no interval. A dash is what these items do not tell. Items that belong together, such as the pages made for one instruction, are one task, and an interval is as wide as so many tasks allow."

// many is what a reader of several verdicts must know.
const many = "Each line stands by itself: of twenty judges or questions that have nothing to do with the raters' answers, one is told from chance all the same."

// overview is a table of a card with several questions: how far the judge goes with people on each.
func (c Card) overview(b *strings.Builder) {
	if len(c.Questions) < 2 {
		return
	}
	b.WriteString("\n| question | figure | items | value [95 %] | so it is |\n|---|---|---|---|---|\n")
	for _, q := range c.Questions {
		if f := q.Worth(); f != nil {
			fmt.Fprintf(b, "| %s | %s | %d | %s | %s |\n", q.Question, f.Name, f.N, q.Told(), q.Verdict())
		} else {
			fmt.Fprintf(b, "| %s | – | | – | %s |\n", q.Question, q.Verdict())
		}
	}
	b.WriteString("\n" + many + "\n")
}

// WriteMarkdown writes cards as Markdown.
func WriteMarkdown(w io.Writer, cards []Card) error {
	var b strings.Builder
	for _, c := range cards {
		fmt.Fprintf(&b, "# Judge card: %s\n\n%s\n", c.Judge, intro)
		c.overview(&b)
		for _, q := range c.Questions {
			fmt.Fprintf(&b, "\n## %s (answer: %s)\n\n", q.Question, q.Kind.Words())
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
