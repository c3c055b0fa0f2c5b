package behave

import (
	"cmp"
	"context"
	"regexp"
	"strings"

	"vitrine"
)

// editInPlace proves it of texts of rows that are edited where they stand: another text is typed, Enter is pressed,
// and it is there when the document is loaded again. It is absent where nothing is to be kept: any such text takes
// what is typed, whether the page knows of it or not.
func (p *prover) editInPlace(ctx context.Context, best answer) answer {
	if _, kept := p.alsoAsked(vitrine.BehaviorPersist); !kept {
		return best
	}
	return p.onRows(ctx, best, editableRows, func(v *view, acts []rowAct) answer {
		act := acts[p.tokens.number(0, len(acts)-1)]
		rows, old := tableOf(act.group), act.control.Value
		value, token := p.another(act.control)
		p.write(ctx, act.control.Path, value)
		p.press(ctx, act.control.Path, "Enter")
		p.aside(ctx)
		p.reload(ctx)
		a := rows.judge(p.look(ctx, token), act, old, token, v.naming(old))
		p.edited = a.verdict == vitrine.VerdictWorks
		return a
	})
}

// editableRows are the rows of the richest list with a text that is edited where it stands.
func editableRows(v *view) (all []rowAct) {
	for _, a := range plainRows(v) {
		for _, c := range v.Controls {
			if c.Role == "textbox" && c.Tag != "input" && c.Tag != "textarea" && strings.HasPrefix(c.Path, a.control.Path+" > ") && !off(c) && hasPhrase(a.text, cmp.Or(c.Value, c.Name)) {
				c.Value = cmp.Or(c.Value, c.Name) // what stands in it is its name where it has no other
				a.control = c
				all = append(all, a)
				break
			}
		}
	}
	return all
}

// doubleRows are the rows with what a double click in them is promised to edit; without
// that, as they are.
func doubleRows(v *view) (all []rowAct) {
	for _, a := range plainRows(v) {
		for i, c := range v.Controls {
			if strings.HasPrefix(c.Path, a.control.Path+" > ") && !textField(c) && doubleLabel.MatchString(v.Facts[i].Context) {
				a.control = vitrine.Control{Path: c.Path}
				all = append(all, a)
				break
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	return plainRows(v)
}

var doubleLabel = regexp.MustCompile(`(?i)double.?click|\bedit\b|双击`)
