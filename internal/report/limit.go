package report

import (
	"fmt"
	"strconv"
	"strings"

	"vitrine"
)

// A Limit is how many samples of a run may stay unjudged.
type Limit struct {
	share float64 // of all samples; used if count is -1
	count int
}

// ParseLimit reads a number such as 5, or a share such as 10%.
func ParseLimit(text string) (Limit, error) {
	if number, ok := strings.CutSuffix(text, "%"); ok {
		f, err := strconv.ParseFloat(number, 64)
		if err == nil && f >= 0 && f <= 100 {
			return Limit{share: f / 100, count: -1}, nil
		}
	} else if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return Limit{count: n}, nil
	}
	return Limit{}, vitrine.NewFault("command", vitrine.FaultUsage, nil, fmt.Sprintf("--max-errors: %q is neither a number nor a share", text)).
		WithFix("such as --max-errors 5 or --max-errors 10%")
}

// Exceeded says what is wrong with a run in which nothing was scored, or too much was not:
// samples that could not be judged, and rows that could not be used. It is empty where the
// limit holds.
func (l Limit) Exceeded(s Summary) string {
	all, bad := s.Samples+s.InputErrors, s.Unjudged+s.InputErrors
	allowed := l.count
	if allowed < 0 {
		allowed = int(l.share * float64(all))
	}
	var because []string
	if s.Unjudged > 0 {
		because = append(because, fmt.Sprintf("%d could not be judged", s.Unjudged))
	}
	if s.InputErrors > 0 {
		because = append(because, fmt.Sprintf("%d could not be used as an output", s.InputErrors))
	}
	why := strings.Join(because, " and ")
	switch {
	case bad == all:
		return fmt.Sprintf("nothing was scored: of %d, %s", all, why)
	case bad > allowed:
		return fmt.Sprintf("%d of %d were not scored, more than --max-errors allows (%d): %s", bad, all, allowed, why)
	}
	return ""
}
