package behave

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var (
	quizStart  = []string{"start quiz", "start", "begin", "start test", "play", "take quiz", "practice", "开始"}
	quizNext   = []string{"next", "next question", "submit", "submit answer", "check", "check answer", "continue", "finish", "see results", "show results", "view results", "see my score", "see score", "view score", "my score", "confirm", "下一题", "提交"}
	scoreShape = regexp.MustCompile(`(?i)(\d+)\s*(?:/|out of|of)\s*(\d+)|(?:score|correct|right|points|得分|答对)\D{0,12}(\d+)|(\d+)\s*(?:correct|right|points|答对)`)
)

// quiz proves that answers are judged: run through once for each position, always the
// option at that position, the scores differ, and where n questions have as many right
// answers they sum up to n. It cheats who gives a fixed score. (Relation 20; the sum over
// positions is ours: each question has its right answer at one of them.)
func quiz(ctx context.Context, p *prover) answer {
	best := absent("no question with options is asked")
	for _, pl := range top(p.quizPlaces(), 3) {
		a := p.quizAt(ctx, pl)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

// quizPlaces are places where a question may stand, those that a start leads to first.
func (p *prover) quizPlaces() []*place {
	all := slices.Clone(p.site.places)
	slices.SortStableFunc(all, func(a, b *place) int {
		return cmp.Compare(matches(b.via.Name, quizStart)+20*float64(len(asked(b.view))), matches(a.via.Name, quizStart)+20*float64(len(asked(a.view))))
	})
	return all
}

// asked are the options of the question that a view asks: radio buttons, or three to six
// buttons of one kind that are not a navigation.
func asked(v *view) (best []option) {
	for _, ch := range (&place{view: v}).choosers() {
		c, _, _ := v.control(ch.options[0].path)
		if ch.kind != "buttons" || ch.region == "nav" || ch.region == "footer" || ch.region == "header" || c.Role == "tab" || len(ch.options) > 6 {
			continue
		}
		if matches(ch.options[0].label, quizNext) > 60 || matches(ch.options[len(ch.options)-1].label, quizNext) > 60 {
			continue
		}
		if c.Type == "radio" || len(ch.options) > len(best) {
			best = ch.options
		}
		if c.Type == "radio" {
			break
		}
	}
	return best
}

// toQuestion opens a place and goes on to the first question, by what takes part in it and begins it.
func (p *prover) toQuestion(ctx context.Context, pl *place) *view {
	v := p.open(ctx, pl)
	for range 3 {
		begin := v.best(append([]string{"enroll", "join", "take part", "enter contest", "参加"}, quizStart...))
		if len(asked(v)) > 1 || begin == "" {
			break
		}
		p.click(ctx, begin)
		v = p.look(ctx)
	}
	return v
}

func (p *prover) quizAt(ctx context.Context, pl *place) answer {
	if a := p.quizCards(ctx, pl); a.verdict != vitrine.VerdictAbsent {
		return a
	}
	v := p.toQuestion(ctx, pl)
	options := len(asked(v))
	if _, _, typed := posed(v); typed || options < 2 {
		a := p.quizTyped(ctx, pl)
		if a.verdict == vitrine.VerdictAbsent {
			a = p.quizEntered(ctx, pl)
		}
		return a
	}
	sum, most, questions, scores := 0, 0, 0, map[int]bool{}
	for position := range options {
		score, n, ok := p.answerAll(ctx, pl, position)
		if !ok {
			return fails("after %d answers no score is shown", n)
		}
		sum, most, questions = sum+score, max(most, score), max(questions, n)
		scores[score] = true
	}
	again, _, _ := p.answerAll(ctx, pl, 0)
	switch {
	case len(scores) < 2 && !(sum > 0 && questions > 0 && sum%questions == 0 && sum/questions == 1):
		return fails("the score does not depend on the answers")
	case !scores[again]:
		return fails("the same answers give another score")
	case questions > 1 && most <= questions && sum != questions && sum%questions != 0: // else points are given, more for speed
		return fails("of %d questions %d answers are right", questions, sum)
	}
	return works("answers are judged: over all options the scores of %d questions sum up to %d", questions, sum)
}

// answerAll answers all questions with the option at one position, and gives the score at
// the end and how many were answered.
func (p *prover) answerAll(ctx context.Context, pl *place, position int) (score, questions int, ok bool) {
	v := p.toQuestion(ctx, pl)
	last, kind := "", ""
	for range 15 {
		options := asked(v)
		face := strings.Join(v.survey.Face, "|")
		if len(options) < 2 || face == last || p.spent {
			break
		}
		if c, _, _ := v.control(options[0].path); questions == 0 {
			kind = c.Role
		} else if c.Role != kind {
			break // what may be done after the last question
		}
		last = face
		p.click(ctx, options[position%len(options)].path)
		questions++
		now := p.look(ctx)
		for range 2 {
			if next := now.best(quizNext); next != "" {
				p.click(ctx, next)
				now = p.look(ctx)
				if o := asked(now); len(o) > 0 && !slices.Equal(now.survey.Face, v.survey.Face) && now.best(quizNext) != next {
					break
				}
				if o := asked(now); len(o) > 0 && fmt.Sprint(o) != fmt.Sprint(options) || len(o) == 0 && now.best(quizNext) == "" {
					break // else the answer is shown, and what goes on
				}
			}
		}
		if strings.Join(now.survey.Face, "|") == face {
			p.wait(ctx, 3000)
			now = p.look(ctx)
		}
		v = now
	}
	score, ok = scoreIn(slices.Concat(v.survey.Lines, v.survey.Face))
	return score, questions, ok
}

// scoreIn is the first score that a line shows or, without one, a line with the next: a number
// may stand above or below its label.
func scoreIn(lines []string) (score int, ok bool) {
	var pairs []string
	for i := range lines[:max(len(lines)-1, 0)] {
		pairs = append(pairs, lines[i]+" "+lines[i+1])
	}
	for _, t := range slices.Concat(lines, pairs) {
		if m := scoreShape.FindStringSubmatch(t); m != nil {
			n, _ := number(cmp.Or(m[1], m[3], m[4]))
			return int(n), true
		}
	}
	return 0, false
}
