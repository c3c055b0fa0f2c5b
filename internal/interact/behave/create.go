package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

var createWords = []string{"add", "create", "new", "save", "post", "publish", "submit", "record", "register", "share", "insert", "添加", "新增", "创建", "保存"}

// create proves that what is entered becomes a row: once the form is submitted it stands in a new
// row, a preview not counted; a second entry adds another and the first stays;
// a row comes by sending the form off, and by no click elsewhere. Whether an empty form is
// refused is another behaviour. It cheats who echoes the input, keeps the last item only, or
// appends on any click. (Relation 3 of what instructions ask for; the frame
// condition as in Quickstrom's TodoMVC, PLDI 2022.)
func create(ctx context.Context, p *prover) answer {
	words := p.labels(createWords)
	best := absent("no form takes a new %s", p.thing("entry"))
	for _, h := range top(likely(p.forms(words)), 3) {
		a := p.createBy(ctx, h, words)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		if a.verdict == vitrine.VerdictFail && p.namesEntity(h) { // another form creates something else
			break
		}
	}
	for _, try := range []func(context.Context, []string) answer{p.createInline, p.createChosen} {
		a := try(ctx, words)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

// namesEntity reports whether a form takes text and one of its buttons names what is created: "Add expense".
func (p *prover) namesEntity(h hit) bool {
	thing := stems(wordsOf(p.need.Entity))
	return len(thing) > 0 && takesPerson(h.place.view, h.form) && slices.ContainsFunc(h.form.Buttons, func(path string) bool {
		c, _, ok := h.place.view.control(path)
		return ok && matches(c.Name, createWords) > 0 && slices.Contains(stems(wordsOf(c.Name)), thing[len(thing)-1])
	})
}

func (p *prover) createBy(ctx context.Context, h hit, words []string) answer {
	v := p.open(ctx, h.place)
	one, after, why := p.enterAt(ctx, v, h, words)
	if why != "" {
		return fails("%s", why)
	}
	at, _ := after.shownAny(one.tokens())
	if inOtherCell(h.place.cell, at.Path) {
		return fails("what was entered at one cell stands at another")
	}
	v = p.visitAgain(ctx, h)
	two, _, why := p.enterAt(ctx, v, h, words)
	if why != "" {
		return fails("the second time, %s", why)
	}
	later := p.bothShown(ctx, h, one.tokens(), two.tokens()).withoutPreviews(two.previews)
	if _, ok := later.shownAny(one.tokens()); !ok {
		return fails("the first entry %q is gone when a second one is added", one.tokens()[0])
	}
	second, _ := later.shownAny(two.tokens())
	first, _ := later.shownAny(one.tokens())
	if h.place.cell == "" && first.Row != "" && second.Row == first.Row && second.Path == first.Path {
		return fails("both entries stand in one row")
	}
	if p.addsAside(ctx, second.List) {
		return fails("a click where nothing is adds a row")
	}
	return works("two entries that were typed in are shown")
}

// visitAgain goes to the place of a form for another entry; once more where the way there folded it up.
func (p *prover) visitAgain(ctx context.Context, h hit) *view {
	v := p.visit(ctx, h.place.nextDay())
	if _, ok := v.form(h.form); !ok && len(h.place.way) > 0 {
		v = p.visit(ctx, h.place)
	}
	return v
}

// nextDay is the place behind the next cell of a calendar or board: a click at the same one would hit what was
// entered there. Other places stay the same.
func (pl *place) nextDay() *place {
	next := nextCell(pl.cell)
	if _, _, ok := pl.view.control(next); next == "" || !ok || len(pl.way) == 0 {
		return pl
	}
	other := *pl
	other.cell, other.way = next, slices.Clone(pl.way)
	last := &other.way[len(other.way)-1]
	if last.Target == nil || last.Target.CSS != pl.cell {
		return pl
	}
	last.Target = at(next)
	return &other
}

var lastIndex = regexp.MustCompile(`:nth-of-type\((\d+)\)$`)

// nextCell is the path of the cell behind one; empty where its path does not count.
func nextCell(path string) string {
	m := lastIndex.FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[1])
	return strings.TrimSuffix(path, m[0]) + fmt.Sprintf(":nth-of-type(%d)", n+1)
}

// inOtherCell reports whether a path is inside another cell of the same board or calendar. The
// entries of a day may be listed outside of the calendar, but not at another day.
func inOtherCell(cell, path string) bool {
	if cell == "" || path == cell || strings.HasPrefix(path, cell+" > ") {
		return false
	}
	above := upper(cell, 1)
	if strings.HasPrefix(cell[strings.LastIndexByte(cell, ' ')+1:], "td") {
		above = upper(cell, 2) // of a table, not of a week
	}
	return strings.HasPrefix(path, above+" > ")
}

// bothShown is the page that shows two entries, where it stands or another place: a page that
// confirms an entry tells this one alone.
func (p *prover) bothShown(ctx context.Context, h hit, one, two []string) *view {
	all := slices.Concat(one, two)
	both := func(v *view) bool {
		_, first := v.shownAny(one)
		_, second := v.shownAny(two)
		return first && second
	}
	now := p.look(ctx, all...)
	for _, pl := range p.elsewhere(h.place) {
		if both(now) {
			break
		}
		now = p.visit(ctx, pl, all...)
	}
	return now
}

// takesNoText is why nothing can be entered by a form.
const takesNoText = "no field of the form takes text, a number or a time"

// enterAt fills the form of a hit in, sends it off and looks for what was entered: where the
// page stands then, or else at its other places. Why says what went wrong.
func (p *prover) enterAt(ctx context.Context, v *view, h hit, words []string) (f filling, after *view, why string) {
	v, form, ok := p.formAt(ctx, v, h.form)
	if !ok {
		return f, v, "the form is not there"
	}
	s := p.through(ctx, v, form, words, omission{})
	f = s.filling
	toks := f.tokens()
	if len(toks) == 0 {
		return f, v, takesNoText
	}
	if at, ok := s.early.shownAny(f.words()); ok && at.Row != "" && at.Row != form.Path && !s.early.stores(at.Token) && matches(h.place.via.Name, createWords) < 60 { // unless the page saves what is typed, or the row was made first
		f.previews = s.early.previewsOf(f.words())
	}
	look := func() bool {
		after = p.look(ctx, toks...).withoutPreviews(f.previews)
		_, ok := after.shownAny(toks)
		return ok
	}
	if look() {
		return f, after, ""
	}
	if again, ok := after.form(h.form); ok && confirms(s.last.said, nil, false) == "" { // a button that does not send off
		p.enter(ctx, after, again)
		if look() {
			return f, after, ""
		}
	}
	for _, pl := range p.elsewhere(h.place) {
		after = p.visit(ctx, pl, toks...).withoutPreviews(f.previews)
		if _, ok := after.shownAny(toks); ok {
			return f, after, ""
		}
	}
	if len(f.previews.paths) > 0 {
		return f, after, "what is typed is a row before it is sent off, and no other one after it"
	}
	return f, after, "what was entered, such as " + toks[0] + ", is shown nowhere"
}

// addsAside clicks where nothing is and reports whether that adds a row to a list.
func (p *prover) addsAside(ctx context.Context, list string) bool {
	before, ok := p.look(ctx).group(list)
	if !ok {
		return false
	}
	p.aside(ctx)
	after, ok := p.look(ctx).group(list)
	return ok && after.Total > before.Total
}

// seed makes n entries by the form that is likeliest to create them, without a fresh state
// between, and gives the page that shows them, and the tokens of each; nil where that cannot be
// done.
func (p *prover) seed(ctx context.Context, n int) (*view, [][]string) {
	words := p.labels(createWords)
	hasLists := slices.ContainsFunc(p.site.places, func(pl *place) bool { return len(pl.view.lists()) > 0 })
	for _, h := range top(p.forms(words), 2) {
		v := p.open(ctx, h.place)
		var all [][]string
		for i := range n {
			if i > 0 {
				v = p.visitAgain(ctx, h)
			}
			f, _, why := p.enterAt(ctx, v, h, words)
			if why != "" {
				all = nil
				break
			}
			if f.stages > 2 && hasLists {
				return nil, nil // entries take long, and those that are there had no control for the act
			}
			all = append(all, f.tokens())
		}
		if len(all) > 0 {
			return p.look(ctx, slices.Concat(all...)...), all
		}
	}
	return nil, nil
}
