package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// persist proves that what was saved is there after the document is loaded again: an entry
// that was made stands in a row, twice; what was typed and not sent off is in none. Where
// the sentence that asks for it names marks, states or the dark mode, these are kept, too. Where
// the site has no such form, the text of a field that saves by itself, or a switch, is
// kept; what is booked, where its names stand in no row, by the figures that it changes; where nothing can be written,
// settings or the figures that an act changes are. It cheats who has the data in the page from the start. (Persistence, behaviours
// §3, further ones.)
func persist(ctx context.Context, p *prover) answer {
	words := p.labels(createWords)
	marks := p.keepsMarks(ctx)
	if marks.verdict == vitrine.VerdictFail || marks.verdict == vitrine.VerdictWorks && !p.entriesToo() {
		return marks
	}
	forms := slices.DeleteFunc(p.forms(words), func(h hit) bool { return h.place.view.searches(h.form) || h.place.view.onlySearch(h.form) })
	best := bestOf(forms, 3, absent("nothing can be entered that could be kept"), func(h hit) answer { return p.persistBy(ctx, h, words) })
	if best.verdict == vitrine.VerdictWorks || best.verdict == vitrine.VerdictFail && marks.verdict == vitrine.VerdictWorks {
		return best // marks that are kept prove nothing of entries
	}
	if a := p.keepsBooked(ctx); a.verdict == vitrine.VerdictWorks { // no entry failed then, but what a message says of a booking
		return a
	}
	tries := []func(context.Context) answer{p.keepsText, p.keepsSwitch, p.keepsChat}
	if best.verdict == vitrine.VerdictAbsent || !p.takesText() { // else what is entered is what must be kept
		tries = append(tries, func(ctx context.Context) answer { return p.keepsRow(ctx, p.takesOrStates) }, p.keepsFields, p.keepsActs)
	}
	for _, try := range tries {
		if a := try(ctx); rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		if best.verdict == vitrine.VerdictWorks {
			break
		}
	}
	return best
}

var (
	marksAsked = regexp.MustCompile(`(?i)\b(favou?rites?|liked|bookmarks?|bookmarked)\b|收藏`)
	stateAsked = regexp.MustCompile(`(?i)\b(status|ticked|ticks|checked( off)?|stays? (revoked|cancell?ed|done|completed?|closed|marked))\b`)
	markWords  = []string{"add to favourites", "add to favorites", "like", "favourite", "favorite", "bookmark", "save", "add to wishlist", "收藏"}
	lookAsked  = regexp.MustCompile(`(?i)\b(dark|light) (mode|theme)\b|\bthemes?\b|主题`)
)

// keepsMarks proves it of what the sentence names that asks for it, where that is no entry: marks and states of rows, or
// how the page looks. It is absent where nothing like that is named or found.
func (p *prover) keepsMarks(ctx context.Context) answer {
	said := sentenceOf(p.instruction, p.need.Quote)
	a := absent("no mark is to be kept")
	switch {
	case stateAsked.MatchString(said):
		a = p.keepsRow(ctx, func(v *view) []rowAct { return p.statusActs(v, statusWords) })
	case marksAsked.MatchString(said):
		if a = p.keepsRow(ctx, func(v *view) []rowAct { return p.rowsBy(v, markWords) }); a.verdict == vitrine.VerdictAbsent {
			if b := p.keepsSwitch(ctx); b.verdict == vitrine.VerdictWorks {
				a = b
			}
		}
	}
	if a.verdict != vitrine.VerdictFail && lookAsked.MatchString(said) {
		if b := p.keepsLook(ctx); b.verdict != vitrine.VerdictAbsent {
			a = b
		}
	}
	return a
}

// entriesToo reports whether the sentence that asks for it names all that is entered, or what is created.
func (p *prover) entriesToo() bool {
	said := sentenceOf(p.instruction, p.need.Quote)
	return entriesAsked.MatchString(said) || slices.ContainsFunc(p.others, func(q vitrine.Requirement) bool {
		return q.Behavior == vitrine.BehaviorCreate && q.Entity != "" && speaksOf(q.Entity, said)
	})
}

var entriesAsked = regexp.MustCompile(`(?i)\b(everything|data|entries|changes|all of (it|them|this)|localstorage)\b`)

// sentenceOf is the sentence of a text that holds a quote, of which words may have been left out; the quote itself where none does.
func sentenceOf(text, quote string) string {
	for _, s := range sentenceEnd.Split(text, -1) {
		if quote != "" && strings.Contains(keyOf(s), keyOf(quote)) {
			return s
		}
	}
	return quote
}

// keepsRow proves it of the state of a row, which one of some controls changes and which no other row shares.
func (p *prover) keepsRow(ctx context.Context, controls func(*view) []rowAct) answer {
	places := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(controls(pl.view)) < 2 })
	return bestOf(places, 1, absent("no row has a state that could be kept"), func(pl *place) answer {
		var after *view
		var acts []rowAct
		var act rowAct
		why := "no row has a state that could be kept"
		for range maxFlips { // a control may be no mark, or its row hidden by then
			v := p.open(ctx, pl)
			if acts = controls(v); len(acts) == 0 {
				break
			}
			act = acts[p.tokens.number(0, len(acts)-1)]
			if after, why = p.flip(ctx, v, act); why == "" {
				break
			}
		}
		if why != "" {
			return absent("%s", why)
		}
		marks := func(now *view) (all []string) {
			for _, a := range acts {
				all = append(all, a.markOf(now))
			}
			return all
		}
		kept := act
		p.reload(ctx)
		again := p.walk(ctx, pl.way)
		if g, i, ok := act.again(after); ok {
			act.group, act.row = g, i
		}
		if same, gone := act.unchanged(after, again); !same || gone || kept.markOf(after) != kept.markOf(again) {
			return fails("the state of %q is lost when the page is loaded again", clip(act.text))
		}
		if n, text := act.othersChanged(after, again); n > 0 {
			return fails("another row is otherwise when the page is loaded again: %s", clip(text))
		}
		if !slices.Equal(marks(after), marks(again)) {
			return fails("the mark of another row is otherwise when the page is loaded again")
		}
		return works("the state of %q, and of no other row, is kept when the page is loaded again", clip(act.text))
	})
}

// maxFlips is how many rows are tried for one whose state changes.
const maxFlips = 3

// takesOrStates are the controls of rows that take them, else those that change their state.
func (p *prover) takesOrStates(v *view) []rowAct {
	if all := p.takesRows(v); len(all) > 0 {
		return all
	}
	return p.statusActs(v, statusWords)
}

// markOf is what the control of an act shows of what it marks, in its row wherever that stands: its label, its state and
// its classes but for passing ones; empty where it is not there.
func (a rowAct) markOf(v *view) string {
	g, i, ok := a.again(v)
	if !ok {
		return ""
	}
	within, ok := strings.CutPrefix(a.control.Path, a.group.Rows[a.row].Path)
	if !ok {
		return ""
	}
	c, f, ok := v.control(g.Rows[i].Path + within)
	if !ok {
		return ""
	}
	states := slices.DeleteFunc(slices.Clone(c.States), func(s string) bool { return s == "focused" })
	return strings.Join(append(states, c.Name, passing.ReplaceAllString(f.Look, "")), "|")
}

// takesText reports whether something can be written on the site.
func (p *prover) takesText() bool {
	return slices.ContainsFunc(p.site.places, func(pl *place) bool {
		return slices.ContainsFunc(pl.view.Controls, func(c vitrine.Control) bool { return textField(c) && !off(c) })
	})
}

func (p *prover) persistBy(ctx context.Context, h hit, words []string) answer {
	v := p.open(ctx, h.place)
	one, _, why := p.enterAt(ctx, v, h, words)
	if why == takesNoText {
		return absent("%s", why)
	}
	if why != "" {
		return fails("%s", why)
	}
	if !p.kept(ctx, h, one.tokens()) {
		return fails("%q, which was entered, is gone when the page is loaded again", one.tokens()[0])
	}
	v = p.visit(ctx, h.place.nextDay())
	if form, ok := v.form(h.form); ok { // the negative control
		loose := p.fill(ctx, v, form)
		toks := loose.tokens()
		if p.kept(ctx, h, toks) && !slices.ContainsFunc(toks, p.look(ctx).stores) { // unless the page saves what is typed
			return fails("what was typed and not sent off is in a row when the page is loaded again")
		}
		v = p.visit(ctx, h.place.nextDay())
	}
	two, _, why := p.enterAt(ctx, v, h, words)
	if why != "" {
		return fails("after the page was loaded again, %s", why)
	}
	if !p.kept(ctx, h, two.tokens()) || !p.shownNow(ctx, h, one.tokens()) {
		return fails("of two entries one is gone when the page is loaded again")
	}
	return works("%q and %q are there when the page is loaded again", one.tokens()[0], two.tokens()[0])
}

// kept loads the document again and reports whether one of the tokens stands as text there,
// or at another place of the site.
func (p *prover) kept(ctx context.Context, h hit, toks []string) bool {
	p.reload(ctx)
	return p.shownNow(ctx, h, toks)
}

func (p *prover) shownNow(ctx context.Context, h hit, toks []string) bool {
	if _, ok := p.look(ctx, toks...).shownAny(toks); ok {
		return true
	}
	if _, ok := p.visit(ctx, h.place, toks...).shownAny(toks); ok {
		return true
	}
	for _, pl := range p.elsewhere(h.place) {
		if _, ok := p.visit(ctx, pl, toks...).shownAny(toks); ok {
			return true
		}
	}
	return false
}

// keepsText types into a large field and loads the document again. Browsers restore
// fields by themselves, so the storage of the page must hold it, too.
func (p *prover) keepsText(ctx context.Context) answer {
	fields := p.find([]string{"notes", "note", "editor", "text", "content", "write", "draft", "markdown", "memo"}, func(c vitrine.Control, _ interact.Facts) bool {
		return c.Tag == "textarea" || c.Role == "textbox" && c.Tag != "input"
	})
	return bestOf(fields, 2, absent("no field keeps its text"), func(h hit) answer {
		p.open(ctx, h.place)
		word := p.tokens.word()
		p.write(ctx, h.control.Path, word)
		p.wait(ctx, 3000)
		p.reload(ctx)
		v := p.walk(ctx, h.place.way, word)
		c, _, ok := v.control(h.control.Path)
		if !ok || c.Value != word || !v.stores(word) {
			return fails("the text %q is gone when the page is loaded again", word)
		}
		return works("the text %q is there when the page is loaded again", word)
	})
}

var (
	lightWords = []string{"theme", "dark", "dark mode", "light", "主题", "模式"}
	themeAsked = regexp.MustCompile(`(?i)\b(themes?|dark|light|modes?|settings?|preferences?|colou?rs?|looks?)\b|主题|模式|设置|偏好`)
)

// keepsSwitch operates a switch and loads the document again. How the page looks is none of
// the data that are to be kept, unless the requirement is about that.
func (p *prover) keepsSwitch(ctx context.Context) answer {
	words := []string{"favorite", "like", "bookmark", "save", "complete"}
	if themeAsked.MatchString(p.need.Quote + " " + p.need.Entity) {
		words = append(slices.Clone(lightWords), words...)
	}
	controls := p.find(words, nil)
	return p.keepsSet(ctx, controls)
}

// keepsLook operates what changes how the page looks and loads the document again.
func (p *prover) keepsLook(ctx context.Context) answer {
	return p.keepsSet(ctx, p.find(lightWords, nil))
}

// keepsSet is that of the first of two controls that set anything.
func (p *prover) keepsSet(ctx context.Context, controls []hit) answer {
	return bestOf(controls, 2, absent("no setting is kept"), func(h hit) answer {
		v := p.open(ctx, h.place)
		before := p.settingOf(v, h)
		p.click(ctx, h.control.Path)
		after := p.settingOf(p.look(ctx), h)
		if after == before {
			return absent("%q sets nothing", h.control.Name)
		}
		p.reload(ctx)
		if again := p.settingOf(p.walk(ctx, h.place.way), h); again != after {
			return fails("what %q sets is gone when the page is loaded again", h.control.Name)
		}
		return works("what %q sets is there when the page is loaded again", h.control.Name)
	})
}

// settingOf is what can be told of a switch: its label, its state, the colours of the page.
func (p *prover) settingOf(v *view, h hit) string {
	c, f, _ := v.control(h.control.Path)
	states := slices.DeleteFunc(slices.Clone(c.States), func(s string) bool { return s == "focused" })
	out := c.Name + f.Look
	for _, s := range slices.Concat(states, v.survey.Backgrounds) {
		out += "|" + s
	}
	return out
}
