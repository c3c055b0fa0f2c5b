package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var (
	playWords  = []string{"play", "start", "resume", "listen", "播放"}
	pauseWords = []string{"pause", "stop", "暂停"}
	recording  = regexp.MustCompile(`(?i)\.(mp3|ogg|oga|wav|m4a|aac|flac|opus|mp4|webm|ogv|mov)([?#]|$)`)
)

// media proves that playing advances with the clock and that pausing holds: texts, values
// or bars differ between moments while it plays, and no more when it is paused. It cheats
// who swaps the icon alone, or whose own recordings are missing. What plays a remote source without a display of its own cannot
// be told here. (Relation 27.)
func media(ctx context.Context, p *prover) answer {
	hits := p.find(p.labels(playWords), nil)
	best := absent("nothing to play with")
	for _, h := range top(hits, 3) {
		v := p.open(ctx, h.place)
		still := progress(v)
		p.wait(ctx, 2000)
		if progress(p.look(ctx)) != still {
			best = fails("the display moves before it is played")
			continue
		}
		step := p.click(ctx, h.control.Path)
		one := p.look(ctx)
		p.wait(ctx, 3000)
		two := p.look(ctx)
		p.wait(ctx, 3000)
		three := p.look(ctx)
		if progress(one) == progress(two) || progress(two) == progress(three) {
			if slices.Contains(step.Effect.Asked, "play") {
				return unclear("it asks to play a source that is not there, and nothing else shows progress")
			}
			best = fails("the display does not advance when %q is operated", h.control.Name)
			continue
		}
		if path := stop(three, h); path != "" {
			p.click(ctx, path)
			four := p.look(ctx)
			p.wait(ctx, 3000)
			if progress(four) != progress(p.look(ctx)) {
				best = fails("it goes on after it was paused")
				continue
			}
		}
		for _, address := range p.session.Missing() {
			if recording.MatchString(address) {
				return fails("the site lacks %s, which it plays: only the display goes on", clip(address))
			}
		}
		return works("the display advances while it plays and holds when it is paused")
	}
	return best
}

// stop is the control that pauses: one of that label, or the one that played.
func stop(v *view, h hit) string {
	for _, c := range v.Controls {
		if clickable(c) && matches(c.Name, pauseWords) > 60 {
			return c.Path
		}
	}
	if _, _, ok := v.control(h.control.Path); ok {
		return h.control.Path
	}
	return ""
}

// progress is what a display of time shows: texts with numbers, values and bars.
func progress(v *view) string {
	var all []string
	for _, l := range v.survey.Lines {
		if numeral.MatchString(l) {
			all = append(all, l)
		}
	}
	for _, c := range v.Controls {
		all = append(all, c.Value)
	}
	for _, c := range v.survey.Canvases {
		all = append(all, c.Sum)
	}
	return strings.Join(append(all, v.survey.Bars), "|")
}

var exportWords = []string{"export", "download", "save as", "save svg", "save png", "save image", "copy", "share", "print", "copy to clipboard", "导出", "下载", "复制"}

// export proves that what is there leaves the page: a download with a name, or a copy that
// holds what the page shows. Another control does not. (Relation 26.)
func export(ctx context.Context, p *prover) answer {
	best := absent("nothing to export with")
	for _, h := range top(p.find(p.labels(exportWords), nil), 4) {
		for _, filled := range []bool{true, false} { // what is typed into a search may leave nothing to export
			if !filled && len(h.place.view.survey.Forms) == 0 {
				continue
			}
			if a := p.exportBy(ctx, h, filled); rank(a.verdict) > rank(best.verdict) {
				best = a
			}
			if best.verdict == vitrine.VerdictWorks {
				return best
			}
		}
	}
	return best
}

func (p *prover) exportBy(ctx context.Context, h hit, filled bool) answer {
	v := p.open(ctx, h.place)
	if filled && len(v.survey.Forms) > 0 {
		form := v.survey.Forms[0]
		p.fill(ctx, v, form)
		if b := button(v, form, calculateWords); b != "" && b != h.control.Path {
			p.click(ctx, b)
		}
	}
	step := p.click(ctx, h.control.Path)
	now := p.look(ctx)
	for _, a := range step.Effect.Asked {
		kind, what, _ := strings.Cut(a, ": ")
		if slices.Contains(p.asks(ctx, h), a) {
			return fails("another control does what %q does: %s", h.control.Name, a)
		}
		switch {
		case kind == "download" || a == "print" || strings.HasPrefix(kind, "share"):
			return works("%q gives a %s %s", h.control.Name, kind, what)
		case kind == "copy" && strings.TrimSpace(what) != "" && holds(now, what):
			return works("%q copies what the page shows", h.control.Name)
		}
	}
	return fails("%q gives no file and copies nothing", h.control.Name)
}

// asks is the negative control of an export: what is asked for as the page opens, by a
// click where nothing is, and by the control that is least like one that exports.
func (p *prover) asks(ctx context.Context, h hit) (all []string) {
	v := p.open(ctx, h.place)
	all = append(all, p.aside(ctx).Effect.Asked...)
	other, least := "", 30.0
	for _, c := range v.Controls {
		if s := matches(c.Name, exportWords); clickable(c) && c.Role == "button" && !off(c) && !c.Covered && c.Path != h.control.Path && s < least {
			other, least = c.Path, s
		}
	}
	if other != "" {
		all = append(all, p.click(ctx, other).Effect.Asked...)
	}
	return all
}

// holds reports whether a text stands on the page or in one of its fields, by its first
// words.
func holds(v *view, text string) bool {
	words := strings.Join(top(wordsOf(text), 4), " ")
	if words == "" || strings.Contains(keyOf(v.Text), words) {
		return true
	}
	return slices.ContainsFunc(v.Controls, func(c vitrine.Control) bool { return strings.Contains(keyOf(c.Value), words) })
}
