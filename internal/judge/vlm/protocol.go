package vlm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/model/answer"
)

// A protocol is one way to ask: what is shown, the shape of the answer and its
// arithmetic. Its prompt is prompts/<name>.txt.
type protocol struct {
	name    string
	version string // of prompt, shape and arithmetic together
	pair    bool
	// observes is what is shown unless the settings say otherwise, which they may
	// not if it is fixed; empty: words alone.
	observes Observation
	fixed    bool
	pictures func(*vitrine.Evidence) []picture
	// needs says what a subject lacks, or is nil.
	needs func(*question) error
	// items is data that the prompt holds besides the instruction.
	items func(*question) string
	shape func(*question) answer.Shape
	// read does the arithmetic of an answer that has the shape. An error goes back to
	// the model.
	read func(q *question, raw []byte) (result, error)
	// worst are the scores of a site that does not render.
	worst func(*question) map[string]float64
	// main is the score that stands for the result; scale its bounds.
	main  string
	scale func(*question) (low, high float64)
	// codeTokens bounds the code that is shown of a site unless the settings say otherwise;
	// 0 is 24,000.
	codeTokens int
	// logged shows what was logged while the site was built and run.
	logged      bool
	webDevJudge bool // asked at the temperature of WebDevJudge unless the settings say otherwise
	// published turns the protocol into that of its paper; nil where the two do not differ.
	published   func(*protocol)
	isPublished bool // it was
}

// A result is what one answer says. Scores are of a single site; a, b and verdict of
// a pair, in the order in which it was shown.
type result struct {
	scores   map[string]float64
	a, b     map[string]float64
	verdict  vitrine.Verdict
	far      bool
	leaves   map[string]vitrine.Verdict
	findings []vitrine.Finding
	feedback string
}

// protocols is every protocol, in the order of the documentation. Adding one is a
// file, a prompt and a line here.
var protocols = []*protocol{
	&appearance, &static, &staticPair, &code, &visual,
	&direct, &directPair, &likert, &likertPair, &rubricSingle, &rubricPair,
	&alignment, &checklist, &feasibility, &trajectory, &screenshot, &plot,
	&filterSafety, &filterInteraction, &filterIntention, &filterWebsite, &paraphrase,
}

// Protocols are the names of the protocols about one site (pairs false) or two.
func Protocols(pairs bool) []string {
	var names []string
	for _, p := range protocols {
		if p.pair == pairs {
			names = append(names, p.name)
		}
	}
	return names
}

// find returns the protocol of a name. For pairs the name of its single form will
// do: likert finds likert-pair.
func find(name string, pair bool) (*protocol, error) {
	wanted := []string{name}
	if pair {
		wanted = append(wanted, name+"-pair")
	}
	for _, p := range protocols {
		if p.pair == pair && slices.Contains(wanted, p.name) {
			return p, nil
		}
	}
	about := "one site"
	if pair {
		about = "two sites"
	}
	return nil, usage(fmt.Sprintf("no protocol %q about %s", name, about), "Say one of "+strings.Join(Protocols(pair), ", ")+".")
}

// judgeName is protocol@promptversion model. A prompt of the user's is named by its
// hash.
func judgeName(p *protocol, pr *prompt, model string) string {
	version := p.version
	if pr.custom {
		version = pr.hash
	}
	return fmt.Sprintf("%s@%s %s", p.name, version, model)
}

// decode turns an answer that has its shape into Go. It cannot fail on such.
func decode[T any](raw []byte) (T, error) {
	var v T
	err := json.Unmarshal(raw, &v)
	return v, err
}

// object is the shape of an answer with these fields, whatever the question.
func object(fields ...answer.Field) func(*question) answer.Shape {
	return func(*question) answer.Shape { return answer.Object(fields...) }
}

// between is a scale with fixed bounds.
func between(low, high float64) func(*question) (float64, float64) {
	return func(*question) (float64, float64) { return low, high }
}

// only is one score, for the worst answer.
func only(name string, score float64) func(*question) map[string]float64 {
	return func(*question) map[string]float64 { return map[string]float64{name: score} }
}

// summed says that parts do not make up their total, which the model has to mend.
func summed(name string, total float64, parts ...float64) error {
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	if diff := sum - total; diff > 1e-6 || diff < -1e-6 {
		return fmt.Errorf("%s is %g, but its parts add up to %g", name, total, sum)
	}
	return nil
}
