package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A reaction is what a page says when something is sent off.
type reaction struct {
	said    []string // texts and dialogs that were not there before
	step    vitrine.Step
	after   *view
	blocked []string // what it wanted of another host
	invalid bool     // a field is marked as invalid
}

var (
	refusal  = regexp.MustCompile(`(?i)\b(errors?|invalid|required|please|must|fail(ed|s)?|missing|incorrect|wrong|cannot|can't|could not|couldn't|fill|denied|not (enough|found|allowed|valid|available)|unable|oops|exceed(s|ed)?|too (many|few|much|long|short|large|small|high|low|early|late)|insufficient|already (taken|booked|reserved|in use|exists)|sold out)\b|请|错误|必填|不能|失败|无效`)
	success  = regexp.MustCompile(`(?i)\b(thanks?|thank you|success\w*|received|sent|confirm\w*|submitted|booked|reserved|registered|subscribed|placed|added|saved|welcome|joined|complete[d]?|created|published|posted|scheduled|applied|done|recorded|all set|get back to you|in touch|see you)\b|✓|✔|✅|🎉|成功|感谢|谢谢|完成|已`)
	waiting  = regexp.MustCompile(`(?i)\b(sending|submitting|processing|loading|saving|booking|please wait|verifying|connecting|registering)\b|\.\.\.$|…$|处理中|提交中`)
	outside  = regexp.MustCompile(`(?i)https?://|mailto:|tel:|sms:`)
	hasWords = regexp.MustCompile(`\p{L}{2,}`)
)

// reacts carries out what sends something off and reads what the page says to it, also
// when it says so later.
func (p *prover) reacts(ctx context.Context, before *view, send func() vitrine.Step) reaction {
	r := reaction{}
	r.step = send()
	r.note(before, r.step)
	r.after = p.look(ctx)
	if !success.MatchString(strings.Join(r.said, "\n")) && (len(r.said) == 0 || waiting.MatchString(strings.Join(r.said, "\n"))) && !r.step.Effect.Loaded {
		r.note(before, p.wait(ctx, 3000))
		r.after = p.look(ctx)
	}
	for _, line := range r.after.survey.Lines {
		r.add(before, line)
	}
	for _, c := range r.after.Controls {
		r.invalid = r.invalid || slices.Contains(c.States, "invalid")
	}
	return r
}

func (r *reaction) note(before *view, step vitrine.Step) {
	for _, t := range step.Effect.Appeared {
		r.add(before, t)
	}
	for _, d := range step.Effect.Dialogs {
		if !slices.Contains(r.said, d.Text) {
			r.said = append(r.said, d.Text)
		}
	}
	for _, t := range slices.Concat(step.Effect.Requests, step.Effect.Asked) {
		if outside.MatchString(t) && !strings.HasSuffix(t, " missing") && (!strings.HasPrefix(t, "GET ") || strings.HasPrefix(t, "go to")) {
			r.blocked = append(r.blocked, t)
		}
	}
}

// add keeps a text that did not stand on the page before.
func (r *reaction) add(before *view, text string) {
	if hasWords.MatchString(text) && !before.has(text) && !slices.Contains(r.said, text) {
		r.said = append(r.said, text)
	}
}

// without is what is said that others did not say too; tokens count as one word.
func (r reaction) without(tokens []string, others ...reaction) (all []string) {
	known := map[string]bool{}
	for _, o := range others {
		for _, t := range o.said {
			known[masked(t, tokens)] = true
		}
	}
	for _, t := range r.said {
		if !known[masked(t, tokens)] {
			all = append(all, t)
		}
	}
	return all
}

// masked is a text in lower case, with the tokens and numbers taken out.
func masked(text string, tokens []string) string {
	text = strings.ToLower(text)
	for _, t := range tokens {
		text = strings.ReplaceAll(text, strings.ToLower(t), "·")
	}
	return numeral.ReplaceAllString(text, "#")
}

// confirms gives the text by which a page says that it took something, empty where it says
// nothing of the kind: a word of success, what was entered told again, or a new text in
// the place of the form.
func confirms(said, tokens []string, gone bool) string {
	for _, t := range said {
		if success.MatchString(t) && !negated.MatchString(t) {
			return t
		}
	}
	for _, t := range said {
		if refusal.MatchString(t) || waiting.MatchString(t) {
			continue
		}
		if gone || slices.ContainsFunc(tokens, func(tok string) bool { return strings.Contains(strings.ToLower(t), strings.ToLower(tok)) }) {
			return t
		}
	}
	return ""
}

var negated = regexp.MustCompile(`(?i)\b(fail(ed|s)?|error|invalid|not (sent|submitted|saved|complete)|unsuccessful|could not|couldn't|please (enter|fill|complete|confirm|select|choose|provide|add)|must be|is required|are required)\b|失败|错误|请填`)

// bestOf tries likely places in turn until one works, and gives the best answer.
func bestOf[T any](all []T, n int, otherwise answer, try func(T) answer) answer {
	best := otherwise
	for _, one := range top(all, n) {
		a := try(one)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
	}
	return best
}

// clearForm empties the fields of a form that take text.
func (p *prover) clearForm(ctx context.Context, v *view, form interact.Form) {
	for _, path := range form.Fields {
		if c, _, ok := v.control(path); ok && (textField(c) || c.Role == "spinbutton") && c.Value != "" && !off(c) {
			p.do(ctx, vitrine.Action{Kind: vitrine.ActClear, Target: at(path)})
		}
	}
}
