package behave

import (
	"context"
	"strings"
	"testing"

	"vitrine"
)

// The number of a limit follows its keyword, as "at most"; negative, infinite and malformed numbers are not parsed.
func TestLimitsHaveTheirNumbers(t *testing.T) {
	t.Parallel()
	for quote, want := range map[string]float64{
		"a table seats at most four guests":               4,
		"No one may borrow more than three books":         3,
		"Table 2 may not have more than six guests":       6,
		"The three tables seat at most six guests each":   6,
		"Two bookings per flat is the maximum":            2,
		"a fourth bike has to stay where it is":           3,
		"I have 1,000 tickets and not a single one above": 1000,
		"never take out more than there is":               0,
		"the temperature can never be more than -18":      0,
		"Nan may never have more than what is left":       0,
		"never more than 1e9 of them":                     0,
		"":                                                0,
	} {
		if high, _, ok := limitIn(quote); high != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v, want %v", quote, high, ok, want)
		}
	}
}

// A panic in a relation is returned as an error that names the relation.
func TestAPanicOfARelationIsAnError(t *testing.T) {
	t.Parallel()
	p := &prover{need: vitrine.Requirement{Behavior: vitrine.BehaviorLimit}}
	_, err := recovered(context.Background(), p, func(context.Context, *prover) answer { var none []int; return works("%d", none[3]) })
	if err == nil || !strings.Contains(err.Error(), "relation limit: panic") {
		t.Errorf("%v", err)
	}
}
