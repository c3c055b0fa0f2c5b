package behave

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// stepWords are labels and classes of controls that add one more of what they stand beside.
var stepWords = []string{"add one", "plus", "increase", "increment", "add", "more", "plus one", "one more", "take", "加", "添加", "增加"}

// A stepper is a control that may move a figure, and the texts beside it, whose numbers say by how much.
type stepper struct {
	control vitrine.Control
	beside  string
	family  string
	score   float64
}

// tally proves that a figure follows from clicks on controls of one kind, as plus buttons,
// seats or boxes: it moves by one, or by a number that stands beside the control, at each of
// them, and a click where nothing is leaves it before and after. Where options have prices,
// another option multiplies the same clicks. It cheats who counts any click, or some of them.
func (p *prover) tally(ctx context.Context, best answer) answer {
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	for _, pl := range top(p.site.places, 3) {
		families := steppers(pl.view)
		best = bestOf(families, 4, best, func(all []stepper) answer { return p.tallyBy(ctx, pl, all) })
		if best.verdict == vitrine.VerdictWorks {
			return best
		}
	}
	return best
}

// turning are labels of what turns pages or plays, which moves a figure of its own.
var turning = regexp.MustCompile(`\b(next|previous|prev|play|pause|refresh|page|slide)\b`)

// steppers are the controls of a view that may move a figure, by families of the same kind,
// likeliest first.
func steppers(v *view) (all [][]stepper) {
	families, known := map[string][]stepper{}, map[string]bool{}
	keep := func(path, beside, kind string) {
		c, f, ok := v.control(path)
		if !ok || off(c) || known[path] || turning.MatchString(strings.Join(labelOf(c.Name), " ")) || f.Href != "" || f.Region == "nav" || c.Role == "link" || !clickable(c) && c.Role != "img" {
			return
		}
		s := stepper{c, beside + " " + c.Name, strings.Join([]string{kind, c.Role, stepName(c.Name), f.Look}, "|"), 0}
		s.score = max(matches(c.Name, stepWords), 0.9*matches(strings.NewReplacer("-", " ", "_", " ").Replace(f.Look), stepWords))
		switch {
		case c.Role == "checkbox":
			s.family, s.score = kind+"|checkbox", max(s.score, 50)
		case len(numbers(c.Name)) > 0 && v.alike(c) >= manyCells:
			s.family, s.score = kind+"|cell", max(s.score, 45)
		case !hasWords.MatchString(c.Name):
			s.score = max(s.score, 40)
		}
		if s.score > 0 {
			known[path] = true
			families[s.family] = append(families[s.family], s)
		}
	}
	groups := slices.Clone(v.survey.Groups)
	slices.SortStableFunc(groups, func(a, b interact.Group) int { return width(a) - width(b) })
	for _, g := range groups {
		for _, r := range g.Rows {
			for _, path := range r.Controls {
				if hasWords.MatchString(r.Text) || path == r.Path && len(numbers(r.Text)) > 0 { // a row of "−", a count and "+" does not name what it counts
					keep(path, strings.Join(r.Cells, " "), g.Kind)
				}
			}
		}
	}
	for _, c := range v.Controls {
		keep(c.Path, "", "")
	}
	for _, family := range families {
		all = append(all, family)
	}
	slices.SortFunc(all, func(a, b []stepper) int {
		return cmp.Or(cmp.Compare(b[0].score, a[0].score), strings.Compare(a[0].family, b[0].family))
	})
	return all
}

// stepName is a label without what it steps, as the name of a dish, where it begins with a usual word for that.
func stepName(label string) string {
	for _, w := range stepWords {
		if matches(label, []string{w}) > 70 {
			return w
		}
	}
	return label
}

// width is the length of the longest row of a group: the narrowest rows say what belongs
// to a control.
func width(g interact.Group) (n int) {
	for _, r := range g.Rows {
		n = max(n, len(r.Text))
	}
	return n
}

// freeLabel says that what a stepper counts has no price.
var freeLabel = regexp.MustCompile(`(?i)\bfree\b|免费`)

func (p *prover) tallyBy(ctx context.Context, pl *place, all []stepper) answer {
	priced := slices.DeleteFunc(slices.Clone(all), func(s stepper) bool { return freeLabel.MatchString(s.beside) })
	if len(priced) > 0 {
		all = priced
	}
	acts := top(p.shuffledSteppers(all), 4)
	for len(acts) < 3 {
		acts = append(acts, acts[0])
	}
	read := []map[string]float64{quantities(p.open(ctx, pl))}
	next := func() {
		p.wait(ctx, 1000)
		read = append(read, quantities(p.look(ctx)))
	}
	p.aside(ctx)
	next()
	for _, s := range acts {
		if step := p.click(ctx, p.stepperAt(ctx, s)); step.Failed != "" {
			return absent("%q cannot be operated again", clip(s.control.Name))
		}
		next()
	}
	p.aside(ctx)
	next()
	for _, key := range sortedKeys(read[len(read)-1]) {
		if step := p.stepsOf(read, key, acts); step != 0 {
			if why := p.optionsPriced(ctx, len(acts)); why != "" {
				return fails("%s", why)
			}
			name, figure := clip(acts[0].control.Name), clip(strings.ReplaceAll(key, "|", " "))
			return works("each of %d clicks on %q moves a figure, and no other click: %s", len(acts), name, figure)
		}
	}
	return absent("no number follows from clicks on %q", clip(acts[0].control.Name))
}

// stepperAt is the path of a stepper as the page stands: another one may have come before it.
func (p *prover) stepperAt(ctx context.Context, s stepper) string {
	if !hasWords.MatchString(s.control.Name) {
		return s.control.Path // the same sign may stand in every row
	}
	return p.again(ctx, option{s.control.Name, s.control.Path})
}

func (p *prover) shuffledSteppers(all []stepper) []stepper {
	all = slices.Clone(all)
	for i := len(all) - 1; i > 0; i-- {
		j := p.tokens.number(0, i)
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// stepsOf is how far a figure moved at the last of several acts, where it moved at each of
// them as it must, and at nothing else; otherwise 0.
func (p *prover) stepsOf(read []map[string]float64, key string, acts []stepper) (last float64) {
	q := make([]float64, len(read))
	for i := range read {
		n, ok := read[i][key]
		if !ok && i > 1 { // before the acts there may be nothing to be said
			return 0
		}
		q[i] = n
	}
	if q[0] != q[1] || q[len(q)-1] != q[len(q)-2] {
		return 0
	}
	asked := p.need.Quote + " " + p.need.Entity
	for i, s := range acts {
		d := q[i+2] - q[i+1]
		if last*d < 0 || !moves(math.Abs(d), s.beside, summed.MatchString(asked)) {
			return 0
		}
		last = d
	}
	return last
}

// moves reports whether a step is one, or a number of a text, or a product of two of them.
func moves(d float64, beside string, sum bool) bool {
	if d == 0 || d == 1 && !sum {
		return d == 1
	}
	all := slices.DeleteFunc(numbers(beside), func(n float64) bool { return sum && math.Abs(n) == 1 }) // how many were taken is no price
	for i, a := range all {
		if near01(d, math.Abs(a)) || slices.ContainsFunc(all[i+1:], func(b float64) bool { return near01(d, math.Abs(a*b)) }) {
			return true
		}
	}
	return false
}

// optionsPriced says why a price does not follow from another option of a list that has
// prices, n times counted; empty where it does, or where no figure is such a price.
func (p *prover) optionsPriced(ctx context.Context, n int) (why string) {
	v := p.look(ctx)
	for i, c := range v.Controls {
		options, other := []float64{}, ""
		for _, o := range v.Facts[i].Options {
			if price, ok := moneyOf(o); ok && c.Tag == "select" && !off(c) {
				options = append(options, price)
				other = o
			}
		}
		if len(options) < 2 || other == c.Value {
			continue
		}
		want, _ := moneyOf(other)
		p.choose(ctx, c.Path, other)
		p.wait(ctx, 1000)
		before, after, counted := quantities(v), quantities(p.look(ctx)), ""
		for _, key := range sortedKeys(before) {
			times := slices.ContainsFunc(options, func(price float64) bool { return near01(before[key], float64(n)*price) })
			switch {
			case times && near01(after[key], float64(n)*want):
				return ""
			case times:
				counted = key
			}
		}
		if counted != "" {
			return "with " + clip(other) + " the price stays: " + clip(strings.ReplaceAll(counted, "|", " "))
		}
	}
	return ""
}
