package vlm

import (
	"fmt"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/model"
)

// WebDevJudge D.1: a preference counts where both orders agree, else it is a tie.
func TestAPreferenceCountsWhereBothOrdersAgree(t *testing.T) {
	t.Parallel()
	says := map[string]func(vitrine.Verdict) string{
		"direct": func(v vitrine.Verdict) string { return fmt.Sprintf(`{"reason":"x","winner":%q}`, v) },
		"likert": func(v vitrine.Verdict) string {
			a := map[vitrine.Verdict]string{vitrine.VerdictA: "5", vitrine.VerdictB: "1", vitrine.VerdictTie: "3"}[v]
			return `{"analysis":"x","a":` + ratings(3, a) + `,"b":` + ratings(3) + `}`
		},
	}
	for protocol, say := range says {
		// What is said where the site that the caller calls A stands first, and where it stands second.
		for orders, want := range map[[2]vitrine.Verdict]vitrine.Verdict{
			{vitrine.VerdictA, vitrine.VerdictB}:     vitrine.VerdictA,
			{vitrine.VerdictB, vitrine.VerdictA}:     vitrine.VerdictB,
			{vitrine.VerdictTie, vitrine.VerdictTie}: vitrine.VerdictTie,
			{vitrine.VerdictA, vitrine.VerdictA}:     vitrine.VerdictTie,
			{vitrine.VerdictA, vitrine.VerdictTie}:   vitrine.VerdictTie,
			{vitrine.VerdictTie, vitrine.VerdictA}:   vitrine.VerdictTie,
		} {
			asked := forOrders(say(orders[0]), say(orders[1]))
			j := Judge{Asker: asked, Settings: Settings{Protocol: protocol, Model: "openai/judge", Profile: vitrine.ProfilePublished, Position: PositionBoth}}
			got, err := j.Compare(t.Context(), site(), otherSite())
			if err != nil || got.Verdict != want || len(asked.asked) != 2 {
				t.Errorf("%s, %v: %s after %d questions, want %s, %v", protocol, orders, got.Verdict, len(asked.asked), want, err)
			}
		}
	}
}

// forOrders answers by whether the tea shop stands first.
func forOrders(first, second string) *script {
	return &script{answer: func(_ int, r model.Request) model.Reply {
		if strings.HasPrefix(pictures(r)[0], "other") {
			return reply(second)
		}
		return reply(first)
	}}
}

// WebDevJudge B.4: judges by Likert and by rubric are told so, those that judge directly are not.
func TestOrderAndLengthMeanNothingToPairsAsPublished(t *testing.T) {
	t.Parallel()
	for protocol, told := range map[string]bool{"likert": true, "rubric": true, "direct": false} {
		asked := says(rightPair[protocol+"-pair"].answer)
		j := Judge{Asker: asked, Settings: Settings{Protocol: protocol, Model: "openai/judge", Profile: vitrine.ProfilePublished}}
		if _, err := j.Compare(t.Context(), site(), otherSite()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(sent(asked.asked[0]), "Which comes first, and which is longer, means nothing."); got != told {
			t.Errorf("%s is told that order and length mean nothing: %v", protocol, got)
		}
	}
}

func TestFeasibilityIsJudgedByAllCodeAsPublished(t *testing.T) {
	t.Parallel()
	s := site()
	s.Files = append(s.Files, vitrine.File{Path: "z.html", Content: "<p>" + strings.Repeat("word ", 25000) + "the end</p>"})
	for profile, whole := range map[vitrine.Profile]bool{vitrine.ProfilePublished: true, vitrine.ProfileVitrine: false} {
		_, r := inProfile(t, profile, "openai/judge", "feasibility", right["feasibility"].answer, s)
		if got := strings.Contains(sent(r), "the end</p>"); got != whole || len(pictures(r)) != 0 {
			t.Errorf("%s: all code is shown: %v, with %d pictures", profile, got, len(pictures(r)))
		}
	}
}
