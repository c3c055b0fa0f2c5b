package behave

import (
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// placeOfField tells a field from the others of its form, whatever its label says.
func placeOfField(c vitrine.Control, f interact.Facts) string { return c.Path + "|" + f.FieldName }

// sameField reports whether two keys are of one field: its label may also say what refuses it,
// or what it takes since another field was filled in.
func sameField(before, now string) bool {
	at, _, named := strings.Cut(now, "|")
	name, _, _ := strings.Cut(strings.TrimPrefix(now, at+"|"), "|")
	return before == now || named && name != "" && strings.HasPrefix(before, at+"|"+name+"|")
}

// filledIn reports whether a field is one of those seen before, and holds something.
func filledIn(seen map[string]bool, c vitrine.Control, f interact.Facts) bool {
	for before := range seen {
		if sameField(before, keyOfField(c, f)) {
			return c.Value != ""
		}
	}
	return false
}
