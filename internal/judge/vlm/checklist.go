package vlm

import (
	"fmt"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/model/answer"
)

// An Item is one point of a checklist, with its own maximum. The JSON is that of
// ArtifactsBench.
type Item struct {
	ID          int     `json:"id"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	MaxScore    float64 `json:"maxScore"`
}

// checklist scores a task's own items, ten in ArtifactsBench, from three moments and
// the code. The overall score must be the sum of the items.
var checklist = protocol{
	name: "checklist", version: "1", observes: ObserveBoth, pictures: temporalPictures,
	needs: needsChecklist, items: checklistItems,
	shape: func(q *question) answer.Shape {
		var fields []answer.Field
		for i, item := range q.sites[0].Checklist {
			fields = append(fields, answer.Field{Name: itemKey(i), Shape: answer.Number(0, item.MaxScore)})
		}
		return answer.Object(analysis,
			answer.Field{Name: "items", Shape: answer.Object(fields...)},
			answer.Field{Name: "overall", Shape: answer.Number(0, maxOf(q)).About("the sum of the items")})
	},
	read: readChecklist,
	worst: func(q *question) map[string]float64 {
		scores := map[string]float64{"checklist": 0}
		for i := range q.sites[0].Checklist {
			scores["checklist."+strconv.Itoa(i+1)] = 0
		}
		return scores
	},
	main:  "checklist",
	scale: func(q *question) (float64, float64) { return 0, maxOf(q) },
}

func readChecklist(q *question, raw []byte) (result, error) {
	a, err := decode[struct {
		Analysis string
		Items    map[string]float64
		Overall  float64
	}](raw)
	if err != nil {
		return result{}, err
	}
	r := result{scores: map[string]float64{"checklist": a.Overall}, feedback: a.Analysis}
	var parts []float64
	for i, item := range q.sites[0].Checklist {
		score := a.Items[itemKey(i)]
		parts = append(parts, score)
		r.scores["checklist."+strconv.Itoa(i+1)] = score
		share := score / item.MaxScore
		r.findings = append(r.findings, vitrine.Finding{
			Check: "checklist." + strconv.Itoa(i+1), Status: vitrine.StatusScored, Score: &share,
			Why: fmt.Sprintf("%g of %g: %s", score, item.MaxScore, item.Title),
		})
	}
	return r, summed("overall", a.Overall, parts...)
}

func needsChecklist(q *question) error {
	items := q.sites[0].Checklist
	if len(items) == 0 || len(items) > 50 {
		return usage(fmt.Sprintf("the checklist has %d items", len(items)), "Give between 1 and 50 with the task.")
	}
	for i, item := range items {
		if !(item.MaxScore > 0) || strings.TrimSpace(item.Title) == "" {
			return usage(fmt.Sprintf("item %d of the checklist has no title or no maxScore above 0", i+1), "")
		}
	}
	return nil
}

// itemKey names an item by its place: ids of a task file may repeat.
func itemKey(i int) string { return "item_" + strconv.Itoa(i+1) }

func checklistItems(q *question) string {
	var b strings.Builder
	for i, item := range q.sites[0].Checklist {
		fmt.Fprintf(&b, "%s (0 to %g): %s %s\n", itemKey(i), item.MaxScore, item.Title, item.Description)
	}
	return strings.TrimSpace(b.String())
}

func maxOf(q *question) float64 {
	sum := 0.0
	for _, item := range q.sites[0].Checklist {
		sum += item.MaxScore
	}
	return sum
}
