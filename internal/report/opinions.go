package report

import (
	"fmt"
	"maps"
	"strings"

	"vitrine"
)

// An opinion is what a model, or a panel, says of a site.
type opinion struct {
	Judge    string
	Scores   []scoreRow
	Feedback string
	Spread   string // of a panel
	Cost     string
	Problem  string // why there are no scores
	Calls    []vitrine.Call
}

func opinions(all []vitrine.Judgement) (shown []opinion) {
	for _, j := range all {
		o := opinion{Judge: j.Judge, Scores: scoreRows(j.Scores), Feedback: j.Feedback, Calls: j.Calls, Cost: fmt.Sprintf("%s, %d tokens in, %d out.", textUSD(j.Cost.USD), j.Cost.TokensIn, j.Cost.TokensOut)}
		if n := len(j.Calls); n > 0 && len(j.Scores) == 0 {
			o.Problem = j.Calls[n-1].Problem
		}
		if p := j.Panel; p != nil {
			o.Spread = fmt.Sprintf("%d asked, %d had to answer", len(p.Members), p.Quorum)
			if p.Agreement != nil {
				o.Spread += fmt.Sprintf(", agreement %.2f", *p.Agreement)
			}
		}
		shown = append(shown, o)
	}
	return shown
}

// measuredScores leaves out those of models, which are shown with their opinions.
func measuredScores(all map[string]float64) map[string]float64 {
	own := maps.Clone(all)
	maps.DeleteFunc(own, func(name string, _ float64) bool { return strings.HasPrefix(name, "vision.") })
	return own
}
