package vlm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitrine"
)

// WebDevJudge A.1: below 8 of 10 and below 3 of 5 are out.
func TestFiltersSayWhatIsKept(t *testing.T) {
	t.Parallel()
	for filter, kept := range map[string]map[int]float64{
		"filter-interaction": {0: 0, 7: 0, 8: 1, 10: 1},
		"filter-intention":   {1: 0, 2: 0, 3: 1, 5: 1},
	} {
		for score, want := range kept {
			j := Judge{Asker: says(fmt.Sprintf(`{"reason":"x","score":%d}`, score)), Settings: settings(filter)}
			got, err := j.Judge(t.Context(), Subject{Instruction: "A shop for tea with a cart."})
			if err != nil || got.Scores[filter+".kept"] != want || got.Scores[filter] != float64(score) {
				t.Errorf("%s %d: %v, %v", filter, score, got.Scores, err)
			}
			word := map[float64]string{0: "Left out: ", 1: "Kept: "}[want]
			if !slices.ContainsFunc(got.Findings, func(f vitrine.Finding) bool { return f.Check == filter+".kept" && strings.HasPrefix(f.Why, word) }) {
				t.Errorf("%s %d: findings %+v", filter, score, got.Findings)
			}
		}
		for _, score := range map[string][]int{"filter-interaction": {-1, 11}, "filter-intention": {0, 6}}[filter] {
			j := Judge{Asker: says(fmt.Sprintf(`{"reason":"x","score":%d}`, score)), Settings: settings(filter)}
			if got, err := j.Judge(t.Context(), Subject{Instruction: "A shop for tea with a cart."}); err == nil {
				t.Errorf("%s takes %d: %v", filter, score, got.Scores)
			}
		}
	}
}

func TestTheInteractionFilterShowsSevenExamples(t *testing.T) {
	t.Parallel()
	asker := says(`{"reason":"x","score":9}`)
	if _, err := (&Judge{Asker: asker, Settings: settings("filter-interaction")}).Judge(t.Context(), Subject{Instruction: "A shop."}); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(sent(asker.asked[0]), "Seven requests")
	examples := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `"`) {
			examples++
		}
	}
	if examples != 7 {
		t.Errorf("%d examples in:\n%s", examples, text)
	}
}

// The filters of two answers: WebGen-R1 G.3, and those of WebDevJudge A.1 for queries and
// first screenshots.
func TestFiltersOfTwoAnswers(t *testing.T) {
	t.Parallel()
	asks := map[string][]string{
		"filter-website": {"make or change a website or a part of one", "nothing to do with websites", "programming in general", "so vague"},
		"filter-safety":  {"hazard", "violence", "sexual", "hate", "other", "Nonsense is not safe"},
		"screenshot":     {"screenshot", "blank", "error message"},
	}
	for filter, answers := range map[string]map[string]float64{
		"filter-website": {`{"reason":"x","website":true}`: 1, `{"reason":"x","website":false}`: 0},
		"screenshot":     {`{"reason":"x","valid":true}`: 1, `{"reason":"x","valid":false}`: 0},
		"filter-safety": {
			`{"reason":"x","safe":true,"category":"none"}`: 1, `{"reason":"x","safe":false,"category":"hazard"}`: 0, `{"reason":"x","safe":false,"category":"violence"}`: 0,
			`{"reason":"x","safe":false,"category":"sexual"}`: 0, `{"reason":"x","safe":false,"category":"hate"}`: 0, `{"reason":"x","safe":false,"category":"other"}`: 0,
		},
	} {
		for said, want := range answers {
			asker := says(said)
			got, err := (&Judge{Asker: asker, Settings: settings(filter)}).Judge(t.Context(), site())
			if err != nil || got.Scores[filter] != want || got.Feedback != "x" {
				t.Errorf("%s, %s: %v, %q, %v", filter, said, got.Scores, got.Feedback, err)
				continue
			}
			for _, words := range asks[filter] {
				if !strings.Contains(sent(asker.asked[0]), words) {
					t.Errorf("%s does not speak of %q", filter, words)
				}
			}
			if _, after, _ := strings.Cut(string(asker.asked[0].Schema.JSON), `"reason"`); !strings.Contains(after, `"boolean"`) {
				t.Errorf("%s does not ask for the reason first: %s", filter, asker.asked[0].Schema.JSON)
			}
			if schema := string(asker.asked[0].Schema.JSON); filter == "filter-safety" && !strings.Contains(schema, `["none","hazard","violence","sexual","hate","other"]`) {
				t.Errorf("the categories are others: %s", schema)
			}
			var shown []string
			if filter == "screenshot" {
				shown = []string{"/@desktop@0"}
			}
			if got := pictures(asker.asked[0]); !slices.Equal(got, shown) {
				t.Errorf("%s shows %v", filter, got)
			}
		}
	}
}

// Scales of whole numbers, and what is graded: WebGen-R1 G.2, thirteen points of
// WebDevJudge B.2, and our own of its direct grade.
func TestScalesOfWholeNumbers(t *testing.T) {
	t.Parallel()
	var thirteen []string
	for group, n := range []int{4, 3, 3, 3} {
		for i := range n {
			thirteen = append(thirteen, fmt.Sprintf("\n%d.%d ", group+1, i+1))
		}
	}
	for protocol, scale := range map[string]struct {
		say   func(grade string) string
		key   string
		grade map[string]float64 // what an answer of it scores
		none  []string           // grades that there are not
		words []string
	}{
		"appearance": {
			func(g string) string { return `{"analysis":"x","grade":` + g + `}` }, "appearance",
			map[string]float64{"0": 0, "5": 5}, []string{"-1", "6", "2.5"},
			[]string{"Does it render?", "Is the content right?", "Is the layout in harmony?", "Is it modern and beautiful?", "0: nothing to assess", "1: poor", "2: below average", "3: average", "4: good", "5: excellent", "two to four paragraphs"},
		},
		"direct": {
			func(g string) string { return `{"reason":"x","score":` + g + `}` }, "direct",
			map[string]float64{"1": 1, "10": 10}, []string{"0", "11", "2.5"}, []string{"as its future user would"},
		},
		"likert": {
			func(g string) string {
				return `{"analysis":"x","ratings":` + ratings(0, slices.Repeat([]string{g}, 13)...) + `}`
			}, "likert",
			map[string]float64{"1": 13, "5": 65}, []string{"0", "6", "2.5"}, append([]string{"from 1 (very poor) to 5 (excellent)"}, thirteen...),
		},
	} {
		for grade, want := range scale.grade {
			for _, profile := range vitrine.Profiles {
				got, r := inProfile(t, profile, "openai/judge", protocol, scale.say(grade), site())
				if got.Scores[scale.key] != want {
					t.Errorf("%s %s in %s: %v, want %g", protocol, grade, profile, got.Scores, want)
				}
				for _, words := range scale.words {
					if !strings.Contains(sent(r), words) {
						t.Errorf("%s in %s does not speak of %q", protocol, profile, words)
					}
				}
				if shape := string(r.Schema.JSON); protocol == "appearance" && !(strings.Index(shape, `"analysis"`) < strings.Index(shape, `"grade"`)) {
					t.Errorf("the grade comes before the analysis: %s", shape)
				}
			}
		}
		for _, grade := range scale.none {
			for _, profile := range vitrine.Profiles {
				j := Judge{Asker: says(scale.say(grade)), Settings: settings(protocol)}
				j.Settings.Profile = profile
				if got, err := j.Judge(t.Context(), site()); err == nil {
					t.Errorf("%s in %s takes %s: %v", protocol, profile, grade, got.Scores)
				}
			}
		}
	}
}
