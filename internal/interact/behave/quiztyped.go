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
	sumShape  = regexp.MustCompile(`(\d+)\s*([-+−–×x*·÷/])\s*(\d+)`)
	signShape = regexp.MustCompile(`^[-+−–×x*·÷/]$`)
)

// quizTyped proves that typed answers to sums are judged: a right one gets the same response
// again, or moves a figure by the same, and a wrong one another.
func (p *prover) quizTyped(ctx context.Context, pl *place) answer {
	var said [4]string
	var moved [4]map[string]float64
	for i, wrong := range []int{0, p.tokens.number(3, 40), 0, p.tokens.number(3, 40)} {
		right, field, ok := posed(p.open(ctx, pl))
		if !ok {
			return absent("no question with options is asked, and no sum")
		}
		before := quantities(p.look(ctx))
		said[i] = p.answerTyped(ctx, field, fmt.Sprint(right+wrong))
		said[i] = numeral.ReplaceAllString(said[i]+strings.Join(p.look(ctx).survey.Face, "\n"), "#")
		moved[i] = map[string]float64{}
		for key, n := range quantities(p.look(ctx)) {
			if was, known := before[key]; known {
				moved[i][key] = n - was
			}
		}
	}
	for _, key := range sortedKeys(moved[0]) {
		right, wrong := moved[0][key], moved[1][key]
		if right > 0 && right > wrong && moved[2][key] == right && moved[3][key] == wrong {
			return works("each right answer that is typed in moves a figure by %g, a wrong one by %g", right, wrong)
		}
	}
	switch {
	case said[0] == said[1]:
		return fails("a wrong answer gets the response of a right one")
	case said[0] != said[2]:
		return fails("two right answers get different responses")
	}
	return works("right answers that are typed in get one response, a wrong one another")
}

// answerTyped types an answer in and sends it off, by a button or Enter. It gives what dialogs say to it.
func (p *prover) answerTyped(ctx context.Context, field, text string) (dialogs string) {
	p.write(ctx, field, text)
	var step vitrine.Step
	if next := p.look(ctx).best(quizNext); next != "" {
		step = p.click(ctx, next)
	} else {
		step = p.press(ctx, field, "Enter")
	}
	for _, d := range step.Effect.Dialogs {
		dialogs += d.Text + "\n"
	}
	return dialogs
}

// posed is the sum that a page asks for, in a text or between fields that hold its numbers,
// with the field that its answer is typed into.
func posed(v *view) (right int, field string, ok bool) {
	var given []string
	for _, c := range v.Controls {
		switch {
		case !textField(c) && c.Role != "spinbutton":
		case strings.TrimSpace(c.Value) != "":
			given = append(given, strings.TrimSpace(c.Value))
		case field == "" && !off(c):
			field = c.Path
		}
	}
	text := strings.Join(v.survey.Face, "\n")
	if i := slices.IndexFunc(v.survey.Face, func(t string) bool { return signShape.MatchString(strings.TrimSpace(t)) }); i >= 0 && len(given) == 2 {
		text = given[0] + v.survey.Face[i] + given[1]
	}
	m := sumShape.FindStringSubmatch(text)
	if m == nil || field == "" {
		return 0, "", false
	}
	a, _ := number(m[1])
	b, _ := number(m[3])
	switch {
	case m[2] == "+":
		a += b
	case strings.Contains("×x*·", m[2]):
		a *= b
	case strings.Contains("÷/", m[2]) && b != 0:
		a /= b
	default:
		a -= b
	}
	return int(a), field, a == float64(int(a))
}
