package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// adjusts are requirements for a panel of settings that name none of them.
var adjusts = regexp.MustCompile(`(?i)\b(controls?|sliders?|adjust\w*|settings?|options?|parameters?|tweak|configur\w*|customi[sz]\w*)\b|调节|调整|设置`)

// settingBySlider proves it of sliders, as the speed of an animation or the size of a brush: of the same
// state of the page, at the same page time, another value shows another picture or other texts than
// the number that labels the slider, and the same value shows the same. Where nothing changes, as with
// the size of a brush, the pointer is dragged and what it draws must differ. It cheats who writes the
// value down alone.
func (p *prover) settingBySlider(ctx context.Context) answer {
	best := absent("no slider sets anything")
	for _, h := range top(p.sliders(), 3) {
		if a := p.sliderBy(ctx, h); rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		if best.verdict == vitrine.VerdictWorks {
			return best
		}
	}
	return best
}

// sliders are those that the requirement names, or else all, where it names nothing to be set.
func (p *prover) sliders() (all []hit) {
	named := []hit{}
	for _, pl := range p.site.places {
		for i, c := range pl.view.Controls {
			f := pl.view.Facts[i]
			h := hit{place: pl, control: c, facts: f}
			if c.Type != "range" || off(c) || slices.ContainsFunc(all, func(o hit) bool { return o.control.Path == c.Path }) {
				continue
			}
			all = append(all, h)
			if p.namesField(c, f) {
				named = append(named, h)
			}
		}
	}
	if len(named) > 0 || p.need.Entity != "" || !adjusts.MatchString(p.need.Quote) {
		return named
	}
	return all
}

// namesField reports whether the requirement names what a field sets.
func (p *prover) namesField(c vitrine.Control, f interact.Facts) bool {
	asked := things(p.need.Verb, p.need.Entity, p.need.Quote)
	label := strings.Join([]string{c.Name, f.FieldName, identifier(c.Path)}, " ")
	return slices.ContainsFunc(stems(wordsOf(label)), func(w string) bool { return len(w) > 2 && slices.Contains(asked, w) })
}

func (p *prover) sliderBy(ctx context.Context, h hit) answer {
	low, high, _ := sliderRange(h.facts)
	little := low + (high-low)*float64(p.tokens.number(20, 30))/100
	much := low + (high-low)*float64(p.tokens.number(70, 80))/100
	for _, draws := range []bool{false, true} {
		d, ok := p.strokeOver(ctx, h.place)
		if draws && !ok {
			break
		}
		shown := func(value float64) *view {
			p.open(ctx, h.place)
			p.write(ctx, h.control.Path, fmt.Sprintf("%g", value))
			if draws {
				d.draw(ctx, d.a)
			}
			p.wait(ctx, 900)
			return p.look(ctx)
		}
		one, other := shown(little), shown(much)
		what := changes(one.without(other), other.without(one))
		if len(other.fresh(one)) >= 3 {
			what = changes(one, other)
		}
		if what == "" {
			continue
		}
		if again := changes(one, shown(little)); again != "" {
			return fails("the same value of %q shows other things the second time: %s", h.control.Name, again)
		}
		return works("two values of %q change %s, and the same one shows the same", h.control.Name, what)
	}
	return fails("%q changes nothing but what says its value", h.control.Name)
}

// without is a view without the texts that another one does not have: the number that labels a slider
// says nothing of its effect.
func (v *view) without(other *view) *view {
	same := *v.survey
	gone := lacking(v.survey.Face, other.survey.Face)
	same.Face = slices.DeleteFunc(slices.Clone(same.Face), func(t string) bool { return slices.Contains(gone, t) })
	same.Styles = slices.DeleteFunc(slices.Clone(same.Styles), func(s string) bool {
		return slices.ContainsFunc(gone, func(t string) bool { return strings.HasPrefix(s, t+"|") })
	})
	return &view{v.Scene, &same}
}

// strokeOver is a stroke over the largest area of a place that may be drawn on, if there is one.
func (p *prover) strokeOver(ctx context.Context, pl *place) (d drawing, ok bool) {
	areas := drawAreas(p.open(ctx, pl))
	if len(areas) == 0 {
		return d, false
	}
	window := p.window(ctx)
	if window == nil {
		return d, false
	}
	return drawing{prover: p, place: pl, frame: window.Bounds(), a: p.stroke(window.Bounds(), areas[0].box, 0.3)}, true
}
