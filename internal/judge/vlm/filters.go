package vlm

import (
	"errors"
	"fmt"

	"vitrine"
	"vitrine/internal/model/answer"
)

// The filters read an instruction and no site. They choose data (WebDevJudge A.1,
// WebGen-R1 G.3).

// filterSafety: 1 if the request is clear and harmless.
var filterSafety = protocol{
	name: "filter-safety", version: "1", fixed: true, published: webDevJudge,
	shape: object(reason,
		answer.Field{Name: "safe", Shape: answer.Bool()},
		answer.Field{Name: "category", Shape: answer.Choice("none", "hazard", "violence", "sexual", "hate", "other")}),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Reason, Category string
			Safe             bool
		}](raw)
		if err == nil && a.Safe != (a.Category == "none") {
			err = errors.New("category is none exactly where safe is true")
		}
		return result{scores: yes("filter-safety", a.Safe), feedback: a.Reason}, err
	},
	main: "filter-safety", scale: between(0, 1),
}

// The least scores with which WebDevJudge keeps a request (A.1).
const (
	leastInteraction = 8 // of 10
	leastIntention   = 3 // of 5
)

// filterInteraction: how much interaction a request asks for, 0 to 10, and whether that
// is enough.
var filterInteraction = protocol{
	name: "filter-interaction", version: "2", fixed: true, published: webDevJudge,
	shape: object(reason, answer.Field{Name: "score", Shape: answer.Integer(0, 10)}),
	read:  readFilter("filter-interaction", leastInteraction), main: "filter-interaction", scale: between(0, 10),
}

// filterIntention: how clear a request is, 1 to 5, and whether that is enough.
var filterIntention = protocol{
	name: "filter-intention", version: "2", fixed: true, published: webDevJudge,
	shape: object(reason, answer.Field{Name: "score", Shape: answer.Integer(1, 5)}),
	read:  readFilter("filter-intention", leastIntention), main: "filter-intention", scale: between(1, 5),
}

// readFilter reads a reason and a score, and says in the score name.kept, 1 or 0, whether
// the request is kept.
func readFilter(name string, least float64) func(*question, []byte) (result, error) {
	score := readScore(name)
	return func(q *question, raw []byte) (result, error) {
		r, err := score(q, raw)
		kept, why := 1.0, fmt.Sprintf("Kept: %g is at least %g.", r.scores[name], least)
		if r.scores[name] < least {
			kept, why = 0, fmt.Sprintf("Left out: %g is below %g.", r.scores[name], least)
		}
		r.scores[name+".kept"] = kept
		r.findings = append(r.findings, vitrine.Finding{Check: name + ".kept", Status: vitrine.StatusScored, Score: &kept, Why: why})
		return r, err
	}
}

// filterWebsite: 1 if the request is one for a website.
var filterWebsite = protocol{
	name: "filter-website", version: "1", fixed: true,
	shape: object(reason, answer.Field{Name: "website", Shape: answer.Bool()}),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Reason  string
			Website bool
		}](raw)
		return result{scores: yes("filter-website", a.Website), feedback: a.Reason}, err
	},
	main: "filter-website", scale: between(0, 1),
}

// screenshot: 1 if a screenshot shows a page that can be judged, 0 for a blank page
// or an error (WebDevJudge §3.1).
var screenshot = protocol{
	name: "screenshot", version: "1", observes: ObserveImage, fixed: true, pictures: firstPicture, published: webDevJudge,
	shape: object(reason, answer.Field{Name: "valid", Shape: answer.Bool()}),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Reason string
			Valid  bool
		}](raw)
		return result{scores: yes("screenshot", a.Valid), feedback: a.Reason}, err
	},
	worst: only("screenshot", 0), main: "screenshot", scale: between(0, 1),
}

// paraphrase says an instruction in other words (WebGen-R1 G.6). Its feedback is the
// new text; it has no score of its own but that there is one.
var paraphrase = protocol{
	name: "paraphrase", version: "1", fixed: true,
	shape: object(answer.Field{Name: "instruction", Shape: answer.Text(20000)}),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct{ Instruction string }](raw)
		return result{scores: yes("paraphrase", true), feedback: a.Instruction}, err
	},
	main: "paraphrase", scale: between(0, 1),
}

// yes is 1 or 0.
func yes(name string, v bool) map[string]float64 {
	if v {
		return map[string]float64{name: 1}
	}
	return map[string]float64{name: 0}
}
