package vlm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/model/answer"
)

// visual scores a page by its code and three moments of it, all in one call, from 0 to
// 100, on adherence to the request, layout, typography and colour, and interaction, with a
// critique that the model which wrote the page can act on (ReLook §2.5). A required
// frame that is missing is an invalid render: 0.
var visual = protocol{
	name: "visual", version: "2", observes: ObserveBoth, fixed: true, pictures: temporalPictures,
	needs: func(q *question) error {
		if ev := q.sites[0].Evidence; ev.Validity.Valid && len(ev.Settings.TimesMS) < moments {
			return usage("visual looks at three moments of a page, and the evidence was captured at fewer", "Capture with --times 0,1,2.")
		}
		return nil
	},
	shape: object(
		answer.Field{Name: "critique", Shape: answer.List(answer.Text(maxAdvice), maxAdvices).About("what to change, most important first")},
		answer.Field{Name: "score", Shape: answer.Number(0, 100)},
	),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Critique []string
			Score    float64
		}](raw)
		if err != nil {
			return result{}, err
		}
		r := result{scores: map[string]float64{"visual": a.Score}, feedback: numbered(a.Critique)}
		for i, advice := range a.Critique {
			if err := actionable(advice); err != nil {
				return r, fmt.Errorf("critique[%d]: %w", i, err)
			}
			r.findings = append(r.findings, vitrine.Finding{Check: fmt.Sprintf("visual.critique.%d", i+1), Status: vitrine.StatusNotApplicable, Why: advice})
		}
		if len(a.Critique) == 0 && a.Score < 100 {
			return r, errors.New("critique: say what keeps the score below 100")
		}
		return r, nil
	},
	worst: only("visual", 0), main: "visual", scale: between(0, 100),
}

// Bounds of a critique: items, and letters of each.
const (
	maxAdvices = 5
	maxAdvice  = 300
)

// someCode is what markup, style sheets and scripts have and sentences have not.
var someCode = regexp.MustCompile("```|`[^`]*[<{;=(][^`]*`" + `|</?[a-zA-Z][^<>]*>|\{[^{}]*:[^{}]*;?[^{}]*\}|=>|\bfunction\s*\w*\s*\(|\b(const|let|var)\s+\w+\s*=|[\w-]+\s*:\s*[^;\s][^;]*;|\bclass(Name)?\s*=\s*["']`)

// actionable holds that advice is a sentence and no code: the critic says what to
// change, the policy writes it.
func actionable(advice string) error {
	switch {
	case someCode.MatchString(advice):
		return errors.New("holds code; say in words what to change")
	case len(strings.Fields(advice)) < 3:
		return errors.New("is no sentence; say what to change and where")
	}
	return nil
}

// numbered writes advice as a list.
func numbered(items []string) string {
	var b strings.Builder
	for i, item := range items {
		fmt.Fprintf(&b, "%d. %s\n", i+1, strings.Join(strings.Fields(item), " "))
	}
	return strings.TrimSpace(b.String())
}
