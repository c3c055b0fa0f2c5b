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
	liveWords   = []string{"start", "go live", "play", "resume", "connect", "begin", "run", "live", "开始"}
	freezeWords = []string{"pause", "stop", "freeze", "halt", "暂停", "停止"}
	clockText   = regexp.MustCompile(`\d{1,2}:\d{2}(:\d{2})?( ?[AaPp][Mm])?|\d+ (seconds?|secs?|minutes?|s) ago`)
	clockAsked  = regexp.MustCompile(`(?i)\b(clock|timers?|countdown|counts? down|stopwatch|ticks?|time)\b|时钟|计时`)
)

// live proves that values go on by themselves: numbers or lines of the text, or a chart,
// change in two of three intervals of page time, times of day not counted unless a clock is
// asked for; percentages stay within 0 and 100; where something pauses, they stop. A
// simulation may move in a drawing, as a scene does. It
// cheats who moves by style sheets alone, or lets a clock stand for data. (Relation 18.)
func live(ctx context.Context, p *prover) answer {
	asked := []string{p.need.Quote, p.need.Entity}
	if first := p.site.places[0].view.survey; p.need.Quote == "" && p.need.Entity == "" { // nothing says what goes on: the page does
		asked = append(top(first.Headings, 1), first.Title)
	}
	if drawnSimulation(p.need.Quote) {
		if a := scene(ctx, p); a.verdict == vitrine.VerdictWorks {
			return a
		}
	}
	clocks := clockAsked.MatchString(strings.Join(asked, " "))
	best := absent("no value changes by itself")
	for _, pl := range top(p.site.places, 5) {
		if matches(pl.via.Name, freezeWords) > 0 {
			continue // what pauses is tried where it is
		}
		a := p.liveAt(ctx, pl, clocks)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	if monitored.MatchString(strings.Join([]string{p.need.Verb, p.need.Quote}, " ")) {
		a := p.follows(ctx)
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	if !clocks && !timed.MatchString(strings.Join(asked, " ")) { // a countdown after any form is none of the data
		return best
	}
	if a := p.liveAfter(ctx, clocks); rank(a.verdict) > rank(best.verdict) {
		return a
	}
	return best
}

// simulated are words of what may go on in a drawing and not in values.
var (
	simulated = regexp.MustCompile(`(?i)\bsimulat(ion|ions|or|e|es|ed|ing)\b|模拟`)
	// figured are words of what a simulation shows as figures.
	figured = regexp.MustCompile(`(?i)\b(data|readings?|prices?|stocks?|markets?|real[- ]time|live|metrics?|sensors?|values?|figures?|statistics|network|server|trading)\b`)
)

// drawnSimulation reports whether what is asked for is a simulation that need not show figures.
func drawnSimulation(quote string) bool {
	return simulated.MatchString(quote) && !figured.MatchString(quote)
}

// timed are words of requirements that ask for what takes its time once it was begun.
var timed = regexp.MustCompile(`(?i)\b(running|how long|speed|typing|session|elapsed)\b|用时`)

// liveAfter proves it where values only go on once something was entered: typed, as in a
// test of speed, or sent off, as a task whose time runs. A time that came with that is none
// of the clock that the page had before.
func (p *prover) liveAfter(ctx context.Context, clocks bool) answer {
	words := slices.Concat(createWords, submitWords)
	return bestOf(p.forms(words), 2, absent("no value changes by itself, nor after an entry"), func(h hit) answer {
		v := p.open(ctx, h.place)
		form, ok := v.form(h.form)
		if !ok {
			return absent("the form is not there")
		}
		before := data(v, true)
		read := func(v *view) map[string][]string {
			all := data(v, clocks)
			for mould, n := range data(v, true) {
				if _, known := before[mould]; !known && !strings.Contains(mould, "ago") {
					all[mould] = n
				}
			}
			return all
		}
		if p.fill(ctx, v, form); p.intervals(ctx, 3, read) >= 2 {
			return p.held(ctx, read, clocks, "values change by themselves once something is typed")
		}
		p.submit(ctx, p.look(ctx), form, words)
		if p.intervals(ctx, 3, read) >= 2 {
			return p.held(ctx, read, clocks, "values change by themselves once something is sent off")
		}
		return fails("no value changes by itself, nor after an entry")
	})
}

// monitored are words of requirements that ask for figures of what is done.
var monitored = regexp.MustCompile(`(?i)\b(monitor\w*|track\w*|supervis\w*|overview)\b|监控`)

// follows proves that a monitor shows what is done on the site: a figure of it is another
// after something was sent off by a form, and the same where nothing was.
func (p *prover) follows(ctx context.Context) answer {
	words := slices.Concat(submitWords, createWords)
	return bestOf(p.forms(words), 2, absent("no value changes by itself, nor by an act"), func(h hit) answer {
		h.control.Name = h.form.Title
		return p.movesFigure(ctx, h, func(v *view) string {
			_, _, why := p.actAt(ctx, v, h, words)
			p.wait(ctx, 5000)
			return why
		})
	})
}

func (p *prover) liveAt(ctx context.Context, pl *place, clocks bool) answer {
	v := p.open(ctx, pl)
	read := func(v *view) map[string][]string { return data(v, clocks) }
	changed := p.intervals(ctx, 3, read)
	if changed < 2 {
		start := v.best(liveWords)
		if start == "" {
			return absent("no value changes by itself")
		}
		// A time of day waits for no start: a clock that stood still until then is a value.
		if !clocks && p.intervals(ctx, 2, func(v *view) map[string][]string { return data(v, true) }) == 0 {
			read = func(v *view) map[string][]string { return data(v, true) }
		}
		p.click(ctx, start)
		if changed = p.intervals(ctx, 3, read); changed < 2 {
			return fails("no value changes by itself, nor after a start")
		}
	}
	return p.held(ctx, read, clocks, fmt.Sprintf("values change by themselves in %d of 3 intervals", changed))
}

// held is the rest of what holds for values that change: shares stay in bounds, and what
// pauses stops them; a time goes on from where it stood.
func (p *prover) held(ctx context.Context, read func(*view) map[string][]string, clocks bool, shown string) answer {
	earlier := p.look(ctx)
	if clocks {
		p.wait(ctx, 1000)
	}
	now := p.look(ctx)
	for _, n := range percentages(now) {
		if n > 100.5 || n < -100 {
			return fails("a share of %g %%", n)
		}
	}
	pause := now.best(freezeWords)
	if pause == "" {
		return works("%s", shown)
	}
	p.click(ctx, pause)
	p.wait(ctx, 1000)
	if p.intervals(ctx, 2, read) > 0 {
		return fails("pausing does not stop the values")
	}
	if clocks {
		if why := p.goesBack(ctx, earlier, now); why != "" {
			return fails("%s", why)
		}
	}
	return works("%s, and stop when paused", shown)
}

var runningTime = regexp.MustCompile(`^\d{1,2}(:\d{2}){1,2}([.,]\d{1,3})?$`)

// times are the running times that a page shows, in its order.
func times(v *view) (all []string) {
	for _, t := range v.survey.Face {
		if runningTime.MatchString(t) {
			all = append(all, t)
		}
	}
	return all
}

// goesBack starts what was paused again and says where a time goes on from elsewhere than
// where it stood: a countdown with more, a stopwatch with less. Which of them it is two
// moments tell while it ran.
func (p *prover) goesBack(ctx context.Context, one, two *view) (why string) {
	paused := p.look(ctx)
	start := paused.best(liveWords)
	if start == "" {
		return ""
	}
	p.click(ctx, start)
	p.wait(ctx, 1000)
	a, b, c, d := times(one), times(two), times(paused), times(p.look(ctx))
	if len(a) != len(b) || len(b) != len(c) || len(c) != len(d) {
		return ""
	}
	for i := range a {
		if len(b[i]) != len(a[i]) || len(d[i]) != len(c[i]) || a[i] == b[i] || c[i] == d[i] {
			continue
		}
		if a[i] < b[i] && b[i] <= c[i] && d[i] < c[i] || a[i] > b[i] && b[i] >= c[i] && d[i] > c[i] {
			return fmt.Sprintf("what was paused at %s goes on at %s", c[i], d[i])
		}
	}
	return ""
}

// intervals lets page time pass n times and counts how often values changed meanwhile.
func (p *prover) intervals(ctx context.Context, n int, read func(*view) map[string][]string) (changed int) {
	before := p.look(ctx)
	for range n {
		p.wait(ctx, 5000)
		after := p.look(ctx)
		if goesOn(read(before), read(after)) || len(before.survey.Canvases) == 0 && before.survey.Shapes != after.survey.Shapes {
			changed++
		}
		before = after
	}
	return changed
}

// data are the numbers of the texts, by the text around them.
func data(v *view, clocks bool) map[string][]string {
	all := map[string][]string{}
	for _, t := range v.survey.Face {
		if !clocks {
			t = clockText.ReplaceAllString(t, "")
		}
		mould := numeral.ReplaceAllString(t, "#")
		all[mould] = append(all[mould], numeral.FindAllString(t, -1)...)
	}
	return all
}

// goesOn reports whether numbers changed in texts that stayed, or texts came and none went.
func goesOn(a, b map[string][]string) bool {
	came, went := 0, 0
	for mould, n := range b {
		old, known := a[mould]
		if !known {
			came++
		} else if !slices.Equal(old, n) && len(old) == len(n) {
			return true
		}
	}
	for mould := range a {
		if _, known := b[mould]; !known {
			went++
		}
	}
	return came > 0 && went == 0
}

var share = regexp.MustCompile(`([-−]?\d[\d,]*(?:\.\d+)?)\s?%`)

func percentages(v *view) (all []float64) {
	for _, t := range v.survey.Face {
		if m := share.FindStringSubmatch(t); m != nil && len(m[0]) == len(strings.TrimSpace(t)) {
			if n, ok := number(m[1]); ok {
				all = append(all, n)
			}
		}
	}
	return all
}
