package prompt

import (
	"fmt"
	"math"
	"net/url"
	"strconv"

	"vitrine/internal/server"
)

// A Fallback says what stands in for a reward that there is not: a number, the mean
// of what the same prompt's other outputs got, or nothing.
type Fallback struct {
	Mean  bool
	Value *float64 // finite
}

// ReadFallback reads fallback=mean or fallback=NUMBER of an address; without it,
// nothing stands in. An error is a *[server.Problem].
func ReadFallback(query url.Values) (Fallback, error) {
	switch text := query.Get("fallback"); text {
	case "":
		return Fallback{}, nil
	case "mean":
		return Fallback{Mean: true}, nil
	default:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return Fallback{}, server.Invalid(fmt.Errorf("fallback is %.50q; it may be mean or a number", text))
		}
		return Fallback{Value: &v}, nil
	}
}
