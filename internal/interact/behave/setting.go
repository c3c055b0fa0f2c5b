package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var (
	themeWords   = []string{"dark mode", "theme", "toggle theme", "light mode", "dark", "light", "night mode", "switch theme", "color scheme", "mode", "主题", "深色"}
	settingWords = []string{"setting", "settings", "preferences", "difficulty", "mode", "language", "size", "speed", "font size", "units", "notifications", "level", "sound", "volume", "设置", "难度"}
	languageText = regexp.MustCompile(`(?i)\b(languages?|locales?|idiomas?)\b|语言`)
	themeText    = regexp.MustCompile(`(?i)\b(themes?|dark|light|night)\b|主题|深色`)
	// severalText is of what is configured by adding rows.
	severalText = regexp.MustCompile(`(?i)\b(configur\w*|defin(e|es|ed|ing)|set(ting)? up|maintain\w*)\b.*\b(policies|rules|alerts|thresholds|templates|roles|plans|rates|categories)\b`)
)

// setting proves that another option changes what it is for, and the former one restores
// it. A theme: the backgrounds of a third of the window change, or of an eighth
// with the colours of the texts, while the text stays, and return. Another setting: text, drawing, sizes or backgrounds outside of the control
// change and return, or the value is still there after the page is loaded again; of a button
// that the instruction names, controls as well. It cheats
// who changes the control or its icon alone. Policies and the like may be configured as rows that are created. (Relation 24.)
func setting(ctx context.Context, p *prover) answer {
	about := strings.Join([]string{p.need.Quote, p.need.Entity, p.need.Verb}, " ") // usual labels do not say what is asked for
	best := absent("no control for a setting")
	try := func(a answer) bool {
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		return best.verdict == vitrine.VerdictWorks
	}
	if themeText.MatchString(about) || strings.TrimSpace(about) == "" {
		for _, h := range top(p.find(themeWords, nil), 3) {
			if try(p.themeBy(ctx, h)) {
				return best
			}
		}
	}
	if try(p.settingBySlider(ctx)) {
		return best
	}
	words := slices.Concat([]string{p.need.Entity}, p.labels(settingWords))
	for _, ch := range top(p.ranked(p.settingScore(words)), 4) {
		if try(p.settingBy(ctx, ch)) {
			return best
		}
	}
	for _, h := range top(p.toggles(), 3) {
		if try(p.toggleBy(ctx, h)) {
			return best
		}
	}
	if !themeText.MatchString(about) && !languageText.MatchString(about) && try(p.settingByNumber(ctx)) {
		return best
	}
	named := slices.Concat([]string{p.need.Entity}, settingWords[:3])
	for _, h := range top(p.settingForms(named), 2) {
		if try(p.keepsForm(ctx, h)) {
			return best
		}
	}
	if !try(p.keepsSwitches(ctx, named)) && severalText.MatchString(about) {
		forms := p.settingForms([]string{p.need.Entity})
		best = bestOf(forms, 2, best, func(h hit) answer { return p.createBy(ctx, h, createWords) })
	}
	return best
}

// settingScore says how likely it is that a choice is the setting.
func (p *prover) settingScore(words []string) func(chooser) float64 {
	return func(ch chooser) float64 {
		most := matches(ch.label, words)
		for _, o := range ch.options {
			most = max(most, matches(o.label, words), matches(o.label, p.need.Values))
		}
		if p.levels(ch) {
			most = max(most, 80)
		}
		if slices.ContainsFunc(append(ch.labels(), strings.Fields(ch.label)...), p.quotes) {
			most = max(most, 60)
		}
		if ch.region == "nav" || ch.region == "footer" {
			most -= 40
		}
		named := len(p.need.Values) > 0 && !slices.ContainsFunc(ch.labels(), func(label string) bool { return matches(label, p.need.Values) == 0 })
		if !named && slices.ContainsFunc(ch.options, func(o option) bool { return p.site.leads(o.path) }) {
			return 0
		}
		if ch.narrows() {
			return 0
		}
		return max(most, 0) + 0.3*matches(ch.place.via.Name, settingWords)
	}
}

// quotes reports whether the requirement says a part of a Chinese label, which has no blanks between words.
func (p *prover) quotes(label string) bool {
	return slices.ContainsFunc(hanRun.FindAllString(label, -1), func(run string) bool { return strings.Contains(p.need.Quote, run) })
}

var hanRun = regexp.MustCompile(`\p{Han}{2,}`)

func (p *prover) themeBy(ctx context.Context, h hit) answer {
	before := p.open(ctx, h.place)
	p.click(ctx, h.control.Path)
	after := p.look(ctx)
	switch {
	case painted(before, after) < 0.3 && !recoloured(before, after):
		return fails("%q leaves the backgrounds as they are", h.control.Name)
	case len(lacking(before.read(), after.read())) > 8:
		return fails("%q changes the text, not only the colours", h.control.Name)
	}
	p.wait(ctx, 1500)
	if painted(after, p.look(ctx)) > 0.1 {
		return fails("the colours change by themselves")
	}
	for range 4 {
		path := h.control.Path
		p.click(ctx, path)
		if painted(before, p.look(ctx)) < 0.05 {
			return works("%q changes the backgrounds and brings them back, the text stays", h.control.Name)
		}
	}
	return fails("%q does not bring the first colours back", h.control.Name)
}

// recoloured reports whether the backgrounds of an eighth of the window and the colours of half of the
// texts differ, as of a page whose theme is that of its panels.
func recoloured(a, b *view) bool {
	same := 0
	for _, s := range a.survey.Styles {
		if slices.Contains(b.survey.Styles, s) {
			same++
		}
	}
	return painted(a, b) >= 0.12 && same*2 <= len(a.survey.Styles)
}

// painted is the share of the points of the window whose background differs.
func painted(a, b *view) float64 {
	n := 0
	if len(a.survey.Paint) != len(b.survey.Paint) || len(a.survey.Paint) == 0 {
		return 0
	}
	for i, c := range a.survey.Paint {
		if c != b.survey.Paint[i] {
			n++
		}
	}
	return float64(n) / float64(len(a.survey.Paint))
}

// changes says what a person sees differ between two views outside of fields; empty for
// nothing. Labels are not counted.
func changes(a, b *view, labels ...string) string {
	without := func(v *view) []string { return lacking(v.read(), termsOf(strings.Join(labels, " "))) }
	x, y := without(a), without(b)
	for _, w := range []string{"on", "off", "enabled", "disabled", "saved", "selected"} {
		x, y = drop(x, w), drop(y, w)
	}
	switch {
	case len(lacking(x, y)) > 0 || len(lacking(y, x)) > 0:
		return fmt.Sprintf("text: %q", top(lacking(y, x), 4))
	case painted(a, b) > 0.08:
		return "the backgrounds"
	case drawn(a) != drawn(b):
		return "a drawing"
	case resized(a, b):
		return "the sizes of the text"
	case len(a.survey.Styles) == len(b.survey.Styles) && len(lacking(a.survey.Styles, b.survey.Styles)) > 0:
		return "the fonts or colours of the text"
	}
	return ""
}

func drop(words []string, word string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == word })
}

// drawn is what canvases and charts show.
func drawn(v *view) string {
	s := v.survey.Bars
	for _, c := range v.survey.Canvases {
		s += "|" + c.Sum
	}
	return s
}

func resized(a, b *view) bool {
	heights, n := map[string]float64{}, 0
	for _, t := range a.Texts {
		heights[t.Text] = t.Box.H
	}
	for _, t := range b.Texts {
		if h, ok := heights[t.Text]; ok && (h-t.Box.H > 0.5 || t.Box.H-h > 0.5) {
			n++
		}
	}
	return n*3 > len(b.Texts) && n > 1
}

func (p *prover) settingBy(ctx context.Context, ch chooser) answer {
	p.open(ctx, ch.place)
	options := top(p.shuffled(ch.options), 3)
	if ch.kind == "boxes" && len(options) > 0 {
		return p.keptBy(ctx, ch, options[0])
	}
	labels := ch.labels()
	first := p.saved(ctx, p.pick(ctx, ch, options[0]))
	other, what := options[1], ""
	for _, o := range options[1:] { // two levels of difficulty may show the same
		if what = changes(first, p.saved(ctx, p.pick(ctx, ch, o)), labels...); what != "" {
			other = o
			break
		}
	}
	if what == "" {
		if p.levels(ch) {
			if a := p.setsPlay(ctx, ch); a.verdict == vitrine.VerdictWorks {
				return a
			}
		}
		return p.keptBy(ctx, ch, options[1])
	}
	third := p.saved(ctx, p.pick(ctx, ch, options[0]))
	if again := changes(first, third, labels...); again != "" {
		return fails("choosing %q again shows other things than before: %s", options[0].label, again)
	}
	return works("%q and %q change %s, and back", options[0].label, other.label, what)
}

// settingByNumber proves it of fields of numbers that the requirement names, as the minutes of a
// timer: another number stands in the text once it was applied, and the former one does again.
func (p *prover) settingByNumber(ctx context.Context) answer {
	best, tried := absent("no number sets anything"), 0
	for _, pl := range top(p.site.places, 4) {
		for i, c := range pl.view.Controls {
			was, ok := number(c.Value)
			if c.Role != "spinbutton" || off(c) || c.Covered || !ok || was < 1 || tried >= 3 || inRow(pl.view, c) {
				continue
			}
			if !p.namesField(c, pl.view.Facts[i]) {
				continue
			}
			tried++
			to := p.amount(c.Name, pl.view.Facts[i])
			if high, limited := number(pl.view.Facts[i].Max); !limited || high > 60 {
				to = p.tokens.number(11, 58)
			}
			if float64(to) == was {
				to++
			}
			v := p.open(ctx, pl)
			if a := p.setsNumber(ctx, v, c.Path, fmt.Sprint(to), c.Value); rank(a.verdict) > rank(best.verdict) {
				best = a
			}
			if best.verdict == vitrine.VerdictWorks {
				return best
			}
		}
	}
	return best
}

var applies = []string{"reset", "apply", "save", "set", "update", "ok", "重置", "保存"}

func (p *prover) setsNumber(ctx context.Context, v *view, path, to, was string) answer {
	shows := func(v *view, n string) bool {
		return slices.ContainsFunc(v.survey.Face, func(t string) bool {
			all := numeral.FindAllString(t, -1)
			return len(all) > 0 && (all[0] == n || all[0] == "0"+n)
		})
	}
	set := func(n string) *view {
		p.write(ctx, path, n)
		p.press(ctx, path, "Tab")
		now := p.look(ctx)
		if shows(now, n) {
			return now
		}
		if b := now.best(applies); b != "" {
			p.click(ctx, b)
		}
		return p.look(ctx)
	}
	if shows(v, to) {
		return absent("the number stands there already")
	}
	if now := set(to); !shows(now, to) || shows(v, was) && shows(now, was) {
		return fails("%s instead of %s sets nothing that is shown", to, was)
	}
	if again := set(was); shows(again, to) || !shows(again, was) {
		return fails("%s is not taken back by %s", to, was)
	}
	return works("%s instead of %s is shown once it is set, and taken back", to, was)
}

// saved presses what saves settings, where there is such a thing.
func (p *prover) saved(ctx context.Context, v *view) *view {
	for _, c := range v.Controls {
		if matches(c.Name, []string{"save", "apply", "save settings", "save changes", "保存", "应用"}) > 70 && c.Role == "button" && !off(c) {
			p.click(ctx, c.Path)
			return p.look(ctx)
		}
	}
	return v
}

// keptBy proves that a setting without an effect that can be seen is at least kept.
func (p *prover) keptBy(ctx context.Context, ch chooser, o option) answer {
	before := p.open(ctx, ch.place)
	was, _, _ := before.control(o.path)
	if ch.kind == "boxes" {
		p.click(ctx, o.path)
	} else {
		p.pick(ctx, ch, o)
	}
	set := p.look(ctx)
	now, _, _ := set.control(o.path)
	if ch.kind == "boxes" {
		if what := changes(before, set, ch.labels()...); what != "" {
			p.click(ctx, o.path)
			if changes(before, p.look(ctx), ch.labels()...) == "" {
				return works("%q changes %s, and back", o.label, what)
			}
		}
	}
	p.saved(ctx, set)
	p.reload(ctx)
	kept, _, ok := p.visit(ctx, ch.place).control(o.path)
	if ok && same(kept, now) && !same(was, now) {
		return works("%q is kept when the page is loaded again", o.label)
	}
	return fails("%q changes nothing, and is not kept", o.label)
}

func same(a, b vitrine.Control) bool {
	states := func(c vitrine.Control) string {
		return strings.Join(drop(slices.Clone(c.States), "focused"), ",")
	}
	return a.Value == b.Value && states(a) == states(b)
}
