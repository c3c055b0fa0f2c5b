package vlm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/dialog"
)

func alone(protocol string) Settings {
	s := settings(protocol)
	s.Position = PositionAlone
	return s
}

// leavesOf is a rubric answer in which the first n leaves are met.
func leavesOf(n int) string {
	var parts []string
	for i, leaf := range tree().Leaves() {
		parts = append(parts, fmt.Sprintf("%q:%t", leaf.ID, i < n))
	}
	return `{"analysis":"x","leaves":{` + strings.Join(parts, ",") + `}}`
}

func mark(n int) string { return fmt.Sprintf(`{"reason":"grade %d","score":%d}`, n, n) }

// forEach answers by which site is asked about.
func forEach(tea, coffee string) *script {
	return &script{answer: func(_ int, r model.Request) model.Reply {
		if strings.Contains(sent(r), "Coffee") {
			return reply(coffee)
		}
		return reply(tea)
	}}
}

func TestAPreferenceOfTwoGrades(t *testing.T) {
	t.Parallel()
	likert := func(change ...string) string {
		return `{"analysis":"x","ratings":` + ratings(3, change...) + `}`
	}
	for name, c := range map[string]struct {
		protocol, tea, coffee string
		want                  vitrine.Verdict
		a, b                  float64
	}{
		"a point of direct decides": {"direct", mark(7), mark(6), vitrine.VerdictA, 7, 6},
		"equal grades tie":          {"direct", mark(6), mark(6), vitrine.VerdictTie, 6, 6},
		"a point of likert ties":    {"likert", likert("4"), likert(), vitrine.VerdictTie, 40, 39},
		"two points decide":         {"likert", likert(), likert("5"), vitrine.VerdictB, 39, 41},
		"equal rates tie":           {"rubric", leavesOf(3), leavesOf(3), vitrine.VerdictTie, 2, 2},
		"a leaf decides":            {"rubric", leavesOf(2), leavesOf(3), vitrine.VerdictB, 1.5, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for profile, version := range map[vitrine.Profile]string{vitrine.ProfileVitrine: "1", vitrine.ProfilePublished: "published-1"} {
				asker := forEach(c.tea, c.coffee)
				j := Judge{Asker: asker, Settings: alone(c.protocol)}
				j.Settings.Profile = profile
				got, err := j.Compare(t.Context(), site(), otherSite())
				if err != nil || got.Verdict != c.want || got.Position != "alone" || got.Protocol != c.protocol || got.Judge != c.protocol+"@"+version+" openai/judge" {
					t.Fatalf("%+v, %v", got, err)
				}
				if diff := cmp.Diff([]float64{c.a, c.b}, []float64{got.A[c.protocol], got.B[c.protocol]}, close); diff != "" {
					t.Error(diff)
				}
				if len(got.Calls) != 2 || *got.Cost.USD != 0.5 || got.Cost.TokensIn != 200 || len(got.Orders) != 0 {
					t.Errorf("%d calls, cost %+v, orders %v", len(got.Calls), got.Cost, got.Orders)
				}
				for i, r := range asker.asked {
					if text := sent(r); strings.Contains(text, "Tea</h1>") == strings.Contains(text, "Coffee") || strings.Contains(text, "site A") {
						t.Errorf("question %d shows both sites, or none:\n%s", i+1, text)
					}
				}
				back, err := j.Compare(t.Context(), otherSite(), site())
				if err != nil || back.Verdict != swapVerdict(c.want) || !cmp.Equal(back.A, got.B) {
					t.Errorf("swapped: %+v, %v", back, err)
				}
			}
		})
	}
}

func TestFindingsOfGradesSayTheirSite(t *testing.T) {
	t.Parallel()
	j := Judge{Asker: forEach(leavesOf(6), leavesOf(5)), Settings: alone("rubric")}
	got, err := j.Compare(t.Context(), site(), otherSite())
	if err != nil || !slices.ContainsFunc(got.Findings, func(f vitrine.Finding) bool {
		return f.Check == "rubric.dynamic.2.1" && *f.Score == 0 && strings.HasPrefix(f.Why, "Site B: Not met: Put tea")
	}) {
		t.Errorf("%+v, %v", got.Findings, err)
	}
}

func TestAnInvalidRenderLosesAlone(t *testing.T) {
	t.Parallel()
	asker := says("never")
	for _, c := range []struct {
		a, b Subject
		want vitrine.Verdict
	}{{site(), broken(), vitrine.VerdictA}, {broken(), site(), vitrine.VerdictB}, {broken(), broken(), vitrine.VerdictTie}} {
		for _, profile := range vitrine.Profiles {
			j := Judge{Asker: asker, Settings: alone("likert")}
			j.Settings.Profile = profile
			got, err := j.Compare(t.Context(), c.a, c.b)
			if err != nil || got.Verdict != c.want || len(asker.asked) > 0 || len(got.Findings) == 0 {
				t.Errorf("%s: %+v, %v; want %s", profile, got, err, c.want)
			}
		}
	}
}

func TestOneUnusableGradeLeavesNoPreference(t *testing.T) {
	t.Parallel()
	j := Judge{Asker: forEach(mark(7), "Nice."), Settings: alone("direct")}
	got, err := j.Compare(t.Context(), site(), otherSite())
	unjudged(t, err, dialog.CauseInvalid)
	if got.Verdict != "" || got.A != nil || got.B != nil || got.Findings != nil || len(got.Calls) != 3 {
		t.Errorf("%+v", got)
	}
	for _, protocol := range []string{"static", "likert-pair", "nothing"} {
		_, err := (&Judge{Asker: says("never"), Settings: alone(protocol)}).Compare(t.Context(), site(), otherSite())
		if f := vitrine.AsFault("judge", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "direct, likert or rubric") {
			t.Errorf("%s: %v", protocol, err)
		}
	}
}

// Of three members two prefer the second site; the cascade asks on, since they differ.
func TestPanelsAndCascadesOfGrades(t *testing.T) {
	t.Parallel()
	asker := &script{answer: func(_ int, r model.Request) model.Reply {
		if strings.Contains(sent(r), "Coffee") {
			return reply(mark([]int{5, 7, 8}[r.Repeat]))
		}
		return reply(mark(6))
	}}
	p := Panel{Asker: asker, Members: Repeats(alone("direct"), 3)}
	got, err := p.Compare(t.Context(), site(), otherSite())
	if err != nil || got.Verdict != vitrine.VerdictB || got.Protocol != "direct" || got.Position != "alone" || len(got.Calls) != 6 || got.Panel.Spread["b.direct"].Max != 8 {
		t.Fatalf("%+v, %v", got, err)
	}
	strong := alone("direct")
	strong.Model = "openai/strong"
	c := Cascade{Cheap: p, Strong: Panel{Asker: forEach(mark(9), mark(2)), Members: []Settings{strong}}}
	got, err = c.Compare(t.Context(), site(), otherSite())
	if err != nil || got.Verdict != vitrine.VerdictA || !strings.Contains(got.Panel.Decided, "verdicts differ") {
		t.Errorf("%+v, %v", got, err)
	}
	p.Members[1].Position = PositionGiven
	if _, err := p.Compare(t.Context(), site(), otherSite()); vitrine.AsFault("judge", err).Code != vitrine.FaultUsage {
		t.Errorf("a mixed panel: %v", err)
	}
}
