package behave

import (
	"context"
	"regexp"
	"slices"
)

var (
	// levelLabel are levels of difficulty, which games put on buttons without a word for what they set.
	levelLabel = regexp.MustCompile(`(?i)^\W*(very )?(easy|medium|normal|hard|expert|beginner|intermediate|advanced|slow|fast|简单|普通|中等|困难|专家|初级|中级|高级|容易)\b|^(简单|普通|中等|困难|专家|初级|中级|高级|容易)`)
	levelText  = regexp.MustCompile(`(?i)\b(difficult\w*|levels?|speeds?)\b|难度|级别|速度`)
)

// levels reports whether the options are levels of a difficulty or a speed that the requirement names.
func (p *prover) levels(ch chooser) bool {
	n := 0
	for _, o := range ch.options {
		if levelLabel.MatchString(bareLabel(o.label)) {
			n++
		}
	}
	return n >= 2 && levelText.MatchString(p.need.Quote+" "+p.need.Entity)
}

// setsPlay proves a setting by what is shown some seconds after the start: something else with one option
// than with another, and the same with the same one. With the same clock and the
// same chance the option alone decides.
func (p *prover) setsPlay(ctx context.Context, ch chooser) answer {
	const playedMS = 4000
	shown := func(o option) *view {
		p.open(ctx, ch.place)
		v := p.pick(ctx, ch, o)
		start := v.best(startWords)
		if start == "" || slices.ContainsFunc(ch.options, func(o option) bool { return o.path == start }) {
			return nil
		}
		p.click(ctx, start)
		p.wait(ctx, playedMS)
		return p.look(ctx)
	}
	options := p.shuffled(ch.options)
	one := shown(options[0])
	if one == nil {
		return absent("nothing begins that it could be a setting of")
	}
	again := shown(options[0])
	if again == nil || drawn(one) != drawn(again) || !slices.Equal(unlabelled(one), unlabelled(again)) {
		return fails("%q shows other things the second time", options[0].label)
	}
	for _, o := range top(options[1:], 2) {
		if other := shown(o); other != nil && (drawn(one) != drawn(other) || !slices.Equal(unlabelled(one), unlabelled(other))) {
			return works("%q and %q change what follows the start", options[0].label, o.label)
		}
	}
	return fails("no level changes what follows the start")
}

// unlabelled are the lines of a view that do not speak of levels: which one was chosen may be said.
func unlabelled(v *view) []string {
	return slices.DeleteFunc(slices.Clone(v.survey.Lines), func(line string) bool { return levelLabel.MatchString(line) || levelText.MatchString(line) })
}
