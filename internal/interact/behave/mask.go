package behave

import (
	"math"
	"slices"
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

// computed are the numbers of a result whose digits are not among those of what was entered: a
// summary of several steps writes telephone numbers and dates in other ways than they were typed.
func (e evaluation) computed() (all []float64) {
	for _, m := range numeral.FindAllString(mask(e.result, e.filling), -1) {
		digits := onlyDigits(m)
		entered := slices.ContainsFunc(e.entries, func(e entry) bool { return strings.Contains(onlyDigits(e.value), digits) })
		if n, ok := number(m); ok && !entered {
			all = append(all, n)
		}
	}
	return all
}

func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
