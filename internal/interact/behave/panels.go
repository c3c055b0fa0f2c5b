package behave

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// A panelKind is a way of showing parts of a page in turn.
type panelKind struct {
	named  *regexp.Regexp
	proves func(context.Context, *prover) answer
}

var panelKinds = []panelKind{
	{regexp.MustCompile(`(?i)\btabs?\b|tabbed|标签页`), tabs},
	{regexp.MustCompile(`(?i)carousel|slider|slideshow|slides?\b|轮播`), carousel},
	{regexp.MustCompile(`(?i)wizard|multi-?step|steps?\b|步骤`), wizard},
	{regexp.MustCompile(`(?i)modal|pop-?up|dialog|accordion|collaps|expand|faq|drop-?down|drawer|弹窗|折叠`), unfold},
}

// panels proves what shows parts of a page in turn. Tabs: each shows text of its own and
// hides that of the others, the first again what it showed first. Carousels: next, next and
// previous show what next did, or the arrow keys do. Wizards: filled in, next shows another step, and back keeps
// the values. What opens: text appears, and closing it restores the page. It cheats who
// marks a tab without a panel, or opens what does not close. (Further relations: tabs,
// modal, wizard.)
func panels(ctx context.Context, p *prover) answer {
	about := strings.Join([]string{p.need.Quote, p.need.Verb, p.need.Entity}, " ")
	var kinds []panelKind
	for _, k := range panelKinds {
		if k.named.MatchString(about) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		kinds = panelKinds
	}
	best := absent("no tabs, and nothing that opens or turns over")
	for _, k := range kinds {
		a := k.proves(ctx, p)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

func tabs(ctx context.Context, p *prover) answer {
	best := absent("no tabs")
	all := p.ranked(func(ch chooser) float64 {
		c, _, _ := ch.place.view.control(ch.options[0].path)
		switch {
		case ch.kind != "buttons" || c.Type == "radio" || ch.region == "footer":
			return 0
		case c.Role == "tab" || ch.region == "tablist":
			return 60
		case strings.Contains(strings.ToLower(ch.label+" "+identifier(c.Path)), "tab"):
			return 50
		case ch.region == "nav" || ch.narrows():
			return 0 // links to pages, or rows that are chosen
		}
		return 10
	})
	for _, ch := range top(all, 4) {
		a := p.tabsOf(ctx, ch)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) && ch.score > 20 {
			best = a
		}
	}
	return best
}

func (p *prover) tabsOf(ctx context.Context, ch chooser) answer {
	p.open(ctx, ch.place)
	var faces [][]string
	shown := top(p.shuffled(ch.options), 4)
	for i, o := range shown {
		face := p.pick(ctx, ch, o).offers()
		for j, other := range faces {
			if own, others := len(lacking(face, other)), len(lacking(other, face)); min(own, others) < 1 || own+others < 3 { // a panel may be one word
				return fails("%q shows what %q shows", o.label, shown[j].label)
			}
		}
		faces = append(faces, face)
		if i == len(shown)-1 && !slices.Equal(p.pick(ctx, ch, shown[0]).offers(), faces[0]) {
			return fails("%q shows other things the second time", shown[0].label)
		}
	}
	return works("%d tabs show panels of their own, such as %q", len(faces), shown[0].label)
}

// offers are the words of a view with those of the names of its fields.
func (v *view) offers() []string {
	all := v.read()
	for i, c := range v.Controls {
		if !clickable(c) && !c.Covered {
			all = append(all, termsOf(c.Name+" "+v.Facts[i].Placeholder)...)
		}
	}
	slices.Sort(all) // the focus and the window reorder controls
	return all
}

var (
	nextWords  = []string{"next", "next slide", "continue", "forward", "下一步", "下一个"}
	prevWords  = []string{"previous", "prev", "back", "previous slide", "上一步", "上一个"}
	closeWords = []string{"close", "×", "✕", "✖", "cancel", "dismiss", "ok", "got it", "done", "关闭", "取消"}
)

func carousel(ctx context.Context, p *prover) answer {
	best := absent("nothing turns over: no next and previous")
	for _, h := range top(p.find(nextWords, nil), 2) {
		first := p.open(ctx, h.place).survey.Face
		p.click(ctx, h.control.Path)
		second := p.look(ctx).survey.Face
		if slices.Equal(first, second) && p.deal(ctx, 3) { // nothing to turn over yet
			if c, _, ok := p.look(ctx).control(h.control.Path); !ok || c.Covered {
				p.reload(ctx)
			}
			first = p.look(ctx).survey.Face
			p.click(ctx, h.control.Path)
			second = p.look(ctx).survey.Face
		}
		p.click(ctx, h.control.Path)
		v := p.look(ctx)
		third := v.survey.Face
		back := v.best(prevWords)
		switch {
		case slices.Equal(first, second):
			best = fails("next shows nothing else")
		case back == "":
			best = fails("nothing goes back")
		default:
			p.click(ctx, back)
			if again := p.look(ctx).survey.Face; slices.Equal(again, second) && (!slices.Equal(third, second) || !slices.Equal(third, first)) {
				return works("next and previous turn over")
			}
			best = fails("previous does not show what was before")
		}
	}
	if a := p.pagedByKeys(ctx); a.verdict == vitrine.VerdictWorks {
		return a
	}
	return best
}

// pagedByKeys proves that the arrow keys turn over, as in a deck of slides: right shows another
// text, left the first one again, and a key that means nothing changes nothing.
func (p *prover) pagedByKeys(ctx context.Context) answer {
	first := p.open(ctx, p.site.places[0]).survey.Face
	face := func(key string) []string {
		p.press(ctx, "", key)
		p.wait(ctx, 1000)
		return p.look(ctx).survey.Face
	}
	if !slices.Equal(face("F8"), first) {
		return fails("a key that means nothing shows something else")
	}
	if second := face("ArrowRight"); !differs(strings.Join(first, " "), strings.Join(second, " "), 6) {
		return fails("the arrow keys turn nothing over")
	}
	if !slices.Equal(face("ArrowLeft"), first) {
		return fails("the left arrow key does not show what was before")
	}
	return works("the arrow keys turn over")
}

// deal makes entries of which a page may show one at a time.
func (p *prover) deal(ctx context.Context, n int) bool {
	words := p.labels(createWords)
	forms := p.forms(words)
	if len(forms) == 0 {
		return false
	}
	h := forms[0]
	v := p.open(ctx, h.place)
	for range n {
		if form, ok := v.form(h.form); ok {
			p.fill(ctx, v, form)
			p.click(ctx, button(v, form, words))
		}
		v = p.visit(ctx, h.place)
	}
	return true
}

// best is the path of the control of a view whose label matches best; empty without any.
func (v *view) best(words []string) string {
	most, path := 40.0, ""
	for _, c := range v.Controls {
		if s := max(matches(c.Name, words), 0.7*matches(identifier(c.Path), words)); s > most && clickable(c) && !off(c) && !c.Covered {
			most, path = s, c.Path
		}
	}
	return path
}

func wizard(ctx context.Context, p *prover) answer {
	best := absent("no steps: no form with a button for the next one")
	for _, h := range top(p.forms(nextWords), 3) {
		v := p.open(ctx, h.place)
		next := button(v, h.form, nextWords)
		if c, _, ok := v.control(next); !ok || matches(c.Name, nextWords) == 0 {
			continue
		}
		f := p.fill(ctx, v, h.form)
		kept := ""
		if i := slices.IndexFunc(f.entries, func(e entry) bool { return e.token != "" }); i >= 0 {
			kept = f.entries[i].value
		}
		before := p.look(ctx)
		p.click(ctx, next)
		after := p.look(ctx)
		back := after.best(prevWords)
		switch {
		case len(lacking(after.read(), before.read())) < 2:
			best = fails("next shows no other step")
		case back == "":
			best = fails("no way back to the step before")
		default:
			p.click(ctx, back)
			again := p.look(ctx)
			if kept == "" || slices.ContainsFunc(again.Controls, func(c vitrine.Control) bool { return c.Value == kept }) {
				return works("next shows another step, back keeps what was entered")
			}
			best = fails("going back loses what was entered")
		}
	}
	if best.verdict == vitrine.VerdictAbsent {
		return p.wizardOfChoices(ctx, p.site.places[0], best)
	}
	return best
}

// wizardOfChoices proves steps of which the first has a choice and no form: next is off until one of a
// set is chosen, and shows another step then; back shows the first one as it was, with the choice kept.
func (p *prover) wizardOfChoices(ctx context.Context, pl *place, best answer) answer {
	v := p.open(ctx, pl)
	if v.best(nextWords) != "" {
		return best
	}
	for _, set := range top(v.sets(v), 2) {
		p.open(ctx, pl)
		p.click(ctx, set.options[p.tokens.number(0, len(set.options)-1)].path)
		chosen := p.look(ctx)
		next := chosen.best(nextWords)
		if next == "" {
			continue
		}
		p.click(ctx, next)
		second := p.look(ctx)
		back := second.best(prevWords)
		if len(lacking(second.read(), chosen.read())) < 2 || back == "" {
			best = fails("next shows no other step, or none with a way back")
			continue
		}
		p.click(ctx, back)
		if again := p.look(ctx); !slices.Equal(again.read(), chosen.read()) || again.best(nextWords) == "" {
			best = fails("back does not show the step before with what was chosen")
			continue
		}
		return works("next shows another step, back the one before")
	}
	return best
}

// unfold proves that something opens and closes.
func unfold(ctx context.Context, p *prover) answer {
	best := absent("nothing opens")
	type opening struct {
		hit   hit
		score float64
	}
	var all []opening
	for _, pl := range p.site.places {
		for i, c := range pl.view.Controls {
			f := pl.view.Facts[i]
			if off(c) || !clickable(c) || f.Submits || c.Role == "link" && !strings.HasPrefix(f.Href, "#") || len(pl.way) > 1 {
				continue
			}
			score := matches(c.Name, p.need.Words) + 0.5*matches(c.Name, []string{"open", "show", "more", "details", "view", "learn more", "new", "add"}) - 3*float64(len(pl.way))
			if c.Tag == "summary" || f.Popup != "" || strings.Contains(c.Name, "?") || strings.ContainsAny(c.Name, "▼▾+⌄") {
				score += 80
			}
			if matches(c.Name, closeWords) < 60 {
				all = append(all, opening{hit{place: pl, control: c, facts: f}, score + 5})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b opening) int { return cmp.Compare(b.score, a.score) })
	for _, o := range top(all, 6) {
		a := p.unfolds(ctx, o.hit)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) && o.score > 40 {
			best = a
		}
	}
	return best
}

func (p *prover) unfolds(ctx context.Context, h hit) answer {
	before := p.open(ctx, h.place)
	p.click(ctx, h.control.Path)
	after := p.look(ctx)
	if len(lacking(after.read(), before.read())) < 3 && len(lacking(after.survey.Face, before.survey.Face)) < 3 {
		return fails("%q opens nothing", h.control.Name)
	}
	closed := func() bool {
		now := p.look(ctx)
		return slices.Equal(now.read(), before.read()) && len(lacking(after.survey.Face, now.survey.Face)) > 0
	}
	if path := after.best(closeWords); path != "" && path != h.control.Path {
		p.click(ctx, path)
		if closed() {
			return works("%q opens a part, which can be closed", h.control.Name)
		}
	}
	p.press(ctx, "", "Escape")
	if closed() {
		return works("%q opens a part, Escape closes it", h.control.Name)
	}
	p.click(ctx, h.control.Path)
	if closed() {
		return works("%q opens a part and closes it", h.control.Name)
	}
	return fails("what %q opens does not close", h.control.Name)
}
