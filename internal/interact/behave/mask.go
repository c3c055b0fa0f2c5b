package behave

import (
	"math"
	"strconv"
	"strings"
)

// flat is a text in one line, as the values of controls are read.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// mask takes what was entered out of a result, so that an echo leaves nothing that differs: of
// numbers in any way of writing, but not out of the digits of others.
func mask(result string, f filling) string {
	for _, e := range f.entries {
		if e.value == "" {
			continue
		}
		if n, err := strconv.ParseFloat(e.value, 64); err == nil {
			result = numeral.ReplaceAllStringFunc(result, func(m string) string {
				if got, ok := number(m); ok && math.Abs(got) == math.Abs(n) {
					return "…"
				}
				if whole, part, ok := strings.Cut(m, ","); ok && len(part) != 3 && !strings.ContainsAny(part, ".,") { // "12,5", as many countries write it
					if got, ok := number(whole + "." + part); ok && math.Abs(got) == math.Abs(n) {
						return "…"
					}
				}
				return m
			})
			continue
		}
		result = strings.ReplaceAll(strings.ReplaceAll(result, e.value, "…"), flat(e.value), "…")
	}
	return result
}
