package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A sending is a form that was filled in and sent off, over all of its steps.
type sending struct {
	filling filling
	early   *view    // the first step when it was filled in
	typed   reaction // what the page said to that
	last    reaction // what it said to the last click
	stays   bool     // the form, or what goes on from it, still stands there
}

// An omission is a field that is left empty, or gets a wrong value.
type omission struct {
	field string // key; empty for none
	value string
}

// unrepeated leaves no field out, and a form that is refused is not filled in once more by what the page says: the refusal
// is what is looked for.
var unrepeated = omission{field: "none"}

// maxStages bounds the steps of one form: a survey may ask one question a screen.
const maxStages = 14

// keyOfField tells the fields of different steps apart, which may stand at the same path.
func keyOfField(c vitrine.Control, f interact.Facts) string {
	return c.Path + "|" + f.FieldName + "|" + c.Name
}

// fieldsOf are the fields of a form by their keys.
func fieldsOf(v *view, form interact.Form) (keys []string) {
	for _, path := range form.Fields {
		if c, f, ok := v.control(path); ok {
			keys = append(keys, keyOfField(c, f))
		}
	}
	return keys
}

// through fills a form in and sends it off. Where that shows further fields of it, or asks
// to send off what was entered, it goes on to the end, as a person would.
func (p *prover) through(ctx context.Context, v *view, form interact.Form, words []string, but omission) (s sending) {
	s.filling.form = form
	seen := map[string]bool{}
	home, anew := form, false
	for n := range maxStages {
		s.filling.stages = n + 1
		began := len(p.steps)
		f := p.fillStage(ctx, v, form, but, anew)
		s.filling.entries = append(s.filling.entries, unseen(f.entries, seen)...)
		if anew && !p.obey(ctx, v, &s.filling, s.last.said) {
			p.reorder(ctx, &s.filling, v, form)
		}
		for _, key := range fieldsOf(v, form) {
			seen[key] = true
		}
		full := p.look(ctx, s.filling.tokens()...)
		if s.early == nil {
			for _, step := range p.steps[began:] {
				s.typed.note(v, step)
			}
			s.early, s.typed.after = full, full
		}
		if again, ok := full.form(form); ok {
			form = again
		}
		s.last = p.reacts(ctx, full, func() vitrine.Step { return p.submit(ctx, full, form, words) })
		if p.err != nil || p.spent || s.last.step.Failed != "" {
			break
		}
		next, ok := following(full, s.last, form, seen)
		if len(s.last.said) == 0 { // what is wrong may have been said while it was typed
			s.last.said = slices.DeleteFunc(slices.Clone(s.typed.said), func(line string) bool {
				return !refusal.MatchString(line) || !slices.Contains(s.last.after.survey.Lines, line)
			})
		}
		if anew = !ok && !anew && but.field == "" && p.refills(ctx, full, form, &s); anew {
			next, ok = s.last.after.still(form)
		}
		if !ok {
			break
		}
		v, form = s.last.after, next
	}
	_, s.stays = s.last.after.form(home)
	s.stays = s.stays || s.last.after.forward(s.early, form, append(slices.Clone(nextWords), sendWords...)) != ""
	return s
}

// refills reports whether a form that was not taken is to be filled in once more: its refusal says what to change, or
// what it needs first was done.
func (p *prover) refills(ctx context.Context, before *view, form interact.Form, s *sending) bool {
	if s.filling.said(s.last) {
		return false
	}
	confirmed := confirms(s.last.said, nil, false) != ""
	refused := p.stuck(before, s.last, form) || !confirmed && s.filling.refusedFor(s.last.after, s.last.said)
	if refused || !confirmed && s.filling.stands(s.last.after) {
		return p.supply(ctx, form, &s.last) || refused
	}
	return false
}

// unseen leaves the entries of fields that were not filled in before.
func unseen(all []entry, seen map[string]bool) []entry {
	return slices.DeleteFunc(slices.Clone(all), func(e entry) bool { return seen[keyOfField(e.control, e.facts)] })
}

// fillStage fills in what a form shows at the moment. The second time, when it was refused,
// also what seemed optional: boxes of several, and sliders.
func (p *prover) fillStage(ctx context.Context, v *view, form interact.Form, but omission, anew bool) filling {
	rest := form
	left := vitrine.Control{}
	rest.Fields = slices.DeleteFunc(slices.Clone(form.Fields), func(path string) bool {
		c, f, ok := v.control(path)
		if ok && but.field == keyOfField(c, f) {
			left = c
			return true
		}
		return ok && anew && c.Value != "" && c.Role != "radio" && c.Role != "checkbox" && c.Role != "slider"
	})
	f := p.fill(ctx, v, rest)
	p.agree(ctx, v, form)
	switch {
	case left.Path != "" && but.value != "":
		p.write(ctx, left.Path, but.value)
	case left.Path != "" && left.Value != "":
		p.do(ctx, vitrine.Action{Kind: vitrine.ActClear, Target: at(left.Path)})
	}
	if anew {
		p.fillOptional(ctx, v, rest)
	}
	return f
}

// pickedAbove is how far above a form what belongs to it may stand.
const pickedAbove = 200

// still is a form as it stands now; one that has no fields, as a step at which something is picked, is
// its button.
func (v *view) still(form interact.Form) (interact.Form, bool) {
	if len(form.Fields) > 0 {
		return v.form(form)
	}
	return form, slices.ContainsFunc(form.Buttons, func(path string) bool { _, _, ok := v.control(path); return ok })
}

// said reports whether what appeared has something of what was entered: it was taken.
func (f filling) said(r reaction) bool {
	return slices.ContainsFunc(f.tokens(), func(tok string) bool {
		return slices.ContainsFunc(r.said, func(text string) bool { return strings.Contains(text, tok) })
	})
}

// stands reports whether the texts that were entered still stand in their fields: they were not taken.
func (f filling) stands(v *view) bool {
	return slices.ContainsFunc(f.entries, func(e entry) bool {
		c, _, ok := v.control(e.control.Path)
		return ok && e.token != "" && c.Value == e.value
	})
}

// stuck reports whether a form that has optional fields is refused, and stands there as it was.
func (p *prover) stuck(before *view, r reaction, form interact.Form) bool {
	again, ok := r.after.still(form)
	optional := slices.ContainsFunc(again.Fields, func(path string) bool {
		c, _, known := r.after.control(path)
		return known && (c.Role == "checkbox" && !slices.Contains(c.States, "checked") || c.Role == "slider")
	})
	optional = optional || len(p.picks(r.after, again)) > 0 || raises(r.after, again) != "" || len(numberFields(before, again)) > 1
	return ok && optional && slices.EqualFunc(fieldsOf(before, form), fieldsOf(r.after, again), sameField) &&
		(r.invalid || len(r.said) > 0) && confirms(r.said, nil, false) == ""
}

// following is the next step of a form: the same form with fields that it did not show
// before; without any, a button that sends off what was entered; or else the only form of
// the page, where it has a button that goes on.
func following(before *view, r reaction, form interact.Form, seen map[string]bool) (interact.Form, bool) {
	after, said := r.after, confirms(r.said, nil, false) != ""
	if same, ok := after.form(form); ok {
		more, ok := after.further(same, seen)
		return more, ok && (!said || after.goesOn(same, nextWords))
	}
	if !said && len(after.survey.Forms) == 1 && after.goesOn(after.survey.Forms[0], nextWords) {
		if more, ok := after.further(after.survey.Forms[0], seen); ok {
			return more, true
		}
	}
	words := sendWords
	if !said {
		words = append(slices.Clone(sendWords), nextWords...)
	}
	path := after.forward(before, form, words)
	old, _, known := before.control(path)
	now, _, _ := after.control(path)
	if path == "" || known && old.Name == now.Name && len(form.Fields) == 0 || after.sendsOther(path) {
		return form, false
	}
	return interact.Form{Path: form.Path, Buttons: []string{path}}, true
}

// sendsOther reports whether a button sends off a text that is still to be entered, as a reply to what
// was just created.
func (v *view) sendsOther(button string) bool {
	return slices.ContainsFunc(v.survey.Forms, func(f interact.Form) bool {
		return slices.Contains(f.Buttons, button) && slices.ContainsFunc(f.Fields, func(path string) bool {
			c, _, ok := v.control(path)
			return ok && textField(c) && c.Value == "" && !c.Covered
		})
	})
}

// further is a form with the fields that were not filled in yet. Where others still stand
// there, boxes do not count, which may be of a row; and there are none where a field is
// empty again, as in a form that was taken.
func (v *view) further(form interact.Form, seen map[string]bool) (interact.Form, bool) {
	var all, fields []string
	known, emptied := false, false
	stays := slices.ContainsFunc(fieldsOf(v, form), func(key string) bool { return seen[key] }) // this step, not another with fields of the same names
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		switch {
		case !ok || c.Covered:
		case seen[keyOfField(c, f)] || stays && (filledIn(seen, c, f) || complained(seen, c, f)):
			known = true
			emptied = emptied || textField(c) && c.Value == "" && !optionalCode.MatchString(c.Name)
		default:
			all = append(all, path)
			if c.Role != "checkbox" {
				fields = append(fields, path)
			}
		}
	}
	if known {
		all = fields
	}
	form.Fields = all
	return form, len(all) > 0 && !emptied
}

// complained reports whether the label of a field that was seen says more now, as what is wrong with it.
func complained(seen map[string]bool, c vitrine.Control, f interact.Facts) bool {
	key := keyOfField(c, f)
	for known := range seen {
		if strings.HasPrefix(key, known+" ") {
			return true
		}
	}
	return false
}

// goesOn reports whether a form has a button of one of some labels.
func (v *view) goesOn(form interact.Form, words []string) bool {
	return slices.ContainsFunc(form.Buttons, func(path string) bool {
		c, _, ok := v.control(path)
		return ok && matches(c.Name, words) >= 60
	})
}

// forward is a button that goes on from a form whose fields are gone: in its place, or new
// on the page; empty without any.
func (v *view) forward(before *view, form interact.Form, words []string) string {
	best, path := 60.0, ""
	for i, c := range v.Controls {
		region := v.Facts[i].Region
		if !clickable(c) || off(c) || c.Covered || region == "nav" || region == "header" || region == "footer" {
			continue
		}
		if againLabel.MatchString(c.Name) || refuses.MatchString(c.Name) {
			continue
		}
		old, _, known := before.control(c.Path)
		if known && old.Name == c.Name && !slices.Contains(form.Buttons, c.Path) && (form.Path == "body" || !strings.HasPrefix(c.Path, form.Path+" > ")) {
			continue
		}
		if score := matches(c.Name, words); score >= best {
			best, path = score+1, c.Path
		}
	}
	return path
}

// sendWords are labels by which what was entered is sent off at the end.
var sendWords = []string{"submit", "send", "finish", "complete", "place order", "confirm", "提交", "完成"}

// againLabel are labels that begin something from the start.
var againLabel = regexp.MustCompile(`(?i)\b(another|again|new|start over|restart|one more|home)\b|再|重新`)

// formAt is a form of a place, also where it must be asked for once more after it was sent
// off.
func (p *prover) formAt(ctx context.Context, v *view, form interact.Form) (*view, interact.Form, bool) {
	found, ok := v.form(form)
	if ok || p.err != nil {
		return v, found, ok
	}
	for i, c := range v.Controls {
		again := againLabel.MatchString(c.Name) && !homeLabel.MatchString(c.Name) && v.Facts[i].Region != "nav"
		if again && clickable(c) && !off(c) && !c.Covered {
			p.click(ctx, c.Path)
			v = p.look(ctx)
			found, ok = v.form(form)
			break
		}
	}
	return v, found, ok
}
