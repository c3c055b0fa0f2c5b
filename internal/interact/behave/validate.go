package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// validate proves that wrong data are refused and right ones taken: the form with one field
// left empty, and with a malformed address, is not confirmed, makes no row, and the
// page says so, by a text, a dialog, a marked field or a button that is off; the same form
// with all fields is taken. A tool, whose button neither sends nor adds, takes data by showing
// a result, and refuses them by words. Where the instruction says what is wrong, as a negative
// amount or the same twice, that is what is tried.
// Where it says something else, as an address, neither a choice nor the limit of a number stands for that.
// It cheats who refuses all, or shows the message from the start. (Relation 30.)
func validate(ctx context.Context, p *prover) answer {
	words := p.labels(append(slices.Clone(submitWords), createWords...))
	if a := p.refusesNamed(ctx, words); a.verdict != vitrine.VerdictAbsent {
		return a
	}
	best := bestOf(p.forms(words), 3, absent("no form takes anything"), func(h hit) answer { return p.validateBy(ctx, h, words) })
	others := []func(context.Context, []string) answer{p.refusesMalformed}
	if !otherData.MatchString(p.need.Quote) {
		others = append(others, p.needsChoice, p.keepsWithin)
	}
	for _, try := range others {
		if best.verdict == vitrine.VerdictWorks {
			break
		}
		if a := try(ctx, words); rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

// otherData are kinds of wrong data that are neither a missing choice nor a number.
var otherData = regexp.MustCompile(`(?i)\b(e-?mails?|mail|phones?|telephone|passwords?|required|empty|blanks?|missing|dates?|urls?|links?|formats?|\w*names?|correo|contraseña)\b|邮箱|邮件|手机|电话|密码|必填|为空|空白|日期|格式`)

func (p *prover) validateBy(ctx context.Context, h hit, words []string) answer {
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return fails("the form is not there")
	}
	all := p.through(ctx, v, form, words, omission{})
	f, right := all.filling, all.last
	if len(f.entries) == 0 {
		return absent("no field of the form takes anything")
	}
	tool := false
	if !p.taken(ctx, all) && !right.quiet(v, form) {
		if len(right.blocked) > 0 {
			return unclear("the form goes to another host: %s", right.blocked[0])
		}
		if tool = !v.goesOn(form, slices.Concat(submitWords, createWords)) && right.results(v); !tool {
			return fails("right data are not taken")
		}
	}
	refused := ""
	for _, e := range top(wrongs(f), 4) {
		wrong, why := p.sendWrong(ctx, h, words, e, "", tool)
		switch {
		case why == "" && wrong:
			refused = e.control.Name
		case why != "" && (slices.Contains(e.control.States, "required") || strings.Contains(e.control.Name, "*")):
			return fails("without %q, %s", e.control.Name, why)
		}
		if refused != "" {
			break
		}
	}
	if refused == "" {
		return fails("no field is missed when it is left empty")
	}
	for _, e := range f.entries {
		if e.control.Type != "email" && !mailLabel.MatchString(e.control.Name) {
			continue
		}
		if _, why := p.sendWrong(ctx, h, words, e, strings.ToLower(p.tokens.word()), tool); why != "" {
			return fails("with a malformed address, %s", why)
		}
	}
	if why := p.outOfOrder(ctx, h, words, f, tool); why != "" {
		return fails("%s", why)
	}
	if p.nameless(ctx, h, words, f, refused) {
		return fails("with nothing but blanks in %q, a row is made", clip(refused))
	}
	return works("without %q the form is refused, with all fields it is taken", clip(refused))
}

// nameless reports whether a field that is refused when it is empty is taken with blanks,
// so that a row without a name is made, known by what stands in the other fields.
func (p *prover) nameless(ctx context.Context, h hit, words []string, f filling, refused string) bool {
	for _, e := range f.entries {
		if e.control.Name != refused || e.control.Type != "text" {
			continue
		}
		v := p.open(ctx, h.place)
		form, ok := v.form(h.form)
		if !ok {
			return false
		}
		s := p.through(ctx, v, form, words, omission{keyOfField(e.control, e.facts), "   "})
		toks := s.filling.tokens()
		found, ok := p.look(ctx, toks...).shownAny(toks)
		return ok && found.Row != ""
	}
	return false
}

// begins and ends are labels of the two days of a stay.
var (
	begins = regexp.MustCompile(`(?i)\b(start\w*|from|begin\w*|check.?in|depart\w*|arrival)\b|开始|入住`)
	ends   = regexp.MustCompile(`(?i)\b(end\w*|to|until|check.?out|return\w*|departure)\b|结束|离店`)
)

// outOfOrder says what a page does when a stay ends before it begins; empty where it
// refuses that, or asks for no two days.
func (p *prover) outOfOrder(ctx context.Context, h hit, words []string, f filling, tool bool) string {
	var first *entry
	for _, e := range f.entries {
		switch {
		case e.control.Type != "date":
		case first == nil && begins.MatchString(e.control.Name):
			first = &e
		case first != nil && ends.MatchString(e.control.Name):
			day := clock.AddDate(0, 0, 2).Format(time.DateOnly) // the first day is later by weeks
			if _, why := p.sendWrong(ctx, h, words, e, day, tool); why != "" {
				return fmt.Sprintf("with %q before %q, %s", clip(e.control.Name), clip(first.control.Name), why)
			}
			return ""
		}
	}
	return ""
}

// wrongs are the fields to leave empty, those that must be filled in first.
func wrongs(f filling) []entry {
	all := slices.DeleteFunc(slices.Clone(f.entries), func(e entry) bool { return e.control.Tag == "select" })
	need := func(e entry) int {
		if slices.Contains(e.control.States, "required") || strings.Contains(e.control.Name, "*") {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b entry) int { return need(a) - need(b) })
	return all
}

// taken reports whether a page took what was sent: it confirms it, or shows it in a row.
func (p *prover) taken(ctx context.Context, s sending) bool {
	toks := s.filling.tokens()
	if confirms(s.last.said, toks, !s.stays) != "" {
		return true
	}
	at, ok := p.look(ctx, toks...).shownAny(toks)
	return ok && at.Row != ""
}

// quiet reports whether a page took what was sent without a word: it complains of nothing,
// and marks fields as right or goes to another address.
func (r reaction) quiet(before *view, form interact.Form) bool {
	if r.invalid || r.step.Failed != "" || slices.ContainsFunc(r.said, refusal.MatchString) {
		return false
	}
	return r.step.Effect.URL != "" || r.step.Effect.Loaded || r.after.approved(form) > before.approved(form)
}

// approving are names of classes by which a field is marked as right.
var approving = regexp.MustCompile(`(?i)\b(is-|has-)?(success|valid|correct|okay)\b`)

// approved counts the fields of a form, and the rows around them, that are marked as right.
func (v *view) approved(form interact.Form) (n int) {
	for _, path := range form.Fields {
		if _, f, ok := v.control(path); ok && approving.MatchString(f.Look) {
			n++
			continue
		}
		if slices.ContainsFunc(v.survey.Groups, func(g interact.Group) bool {
			return slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return slices.Contains(r.Controls, path) && approving.MatchString(r.Look) })
		}) {
			n++
		}
	}
	return n
}

// results reports whether a tool made something of what was sent: something new stands on
// the page, and no complaint.
func (r reaction) results(before *view) bool {
	shown := r.after.fresh(before)
	return len(shown) > 0 && !r.invalid && r.step.Failed == "" && !slices.ContainsFunc(slices.Concat(shown, r.said), refusal.MatchString)
}

// sendWrong sends the form off with one field empty, or with a wrong value. Why is what the
// page did that it must not; told says that it said so, of a tool in words of refusal.
func (p *prover) sendWrong(ctx context.Context, h hit, words []string, e entry, value string, tool bool) (told bool, why string) {
	v := p.open(ctx, h.place)
	form, ok := v.form(h.form)
	if !ok {
		return false, "the form is not there"
	}
	s := p.through(ctx, v, form, words, omission{keyOfField(e.control, e.facts), value})
	r := s.last
	if p.taken(ctx, s) || !r.invalid && (r.step.Effect.URL != "" || r.step.Effect.Loaded) {
		return false, "the form is taken"
	}
	if again, there := s.early.form(form); there && button(s.early, again, words) == "" && hasButtons(s.early, again) {
		return true, "" // the button is off as long as something is missing
	}
	said := slices.Concat(r.said, s.early.fresh(v))
	if tool {
		said = slices.DeleteFunc(append(said, r.after.fresh(v)...), func(text string) bool { return !refusal.MatchString(text) })
	}
	if len(said) == 0 && !r.invalid {
		return false, "nothing says what is wrong"
	}
	return true, ""
}
