package behave

import (
	"slices"

	"vitrine/internal/interact"
)

// Previews are where what was entered stood before it was sent off.
type previews struct {
	paths []string
	rows  map[string]int // how many rows, by their text
}

// previewsOf are where some tokens are shown as text.
func (v *view) previewsOf(tokens []string) previews {
	p := previews{rows: map[string]int{}}
	for _, f := range v.survey.Found {
		if f.Where != "text" || !slices.Contains(tokens, f.Token) {
			continue
		}
		p.paths = append(p.paths, f.Path)
		if f.Row != "" {
			p.rows[f.RowText] = v.rowsSaying(f.RowText)
		}
	}
	return p
}

// rowsSaying counts the rows of a text in which a token was found.
func (v *view) rowsSaying(text string) int {
	rows := map[string]bool{}
	for _, f := range v.survey.Found {
		if f.Where == "text" && f.Row != "" && f.RowText == text {
			rows[f.Row] = true
		}
	}
	return len(rows)
}

// withoutPreviews is a view without the tokens of previews: those that stand where they did, or
// in a row of the same text, which may have moved, as long as there are no more of these.
func (v *view) withoutPreviews(p previews) *view {
	if len(p.paths) == 0 {
		return v
	}
	rest := *v.survey
	rest.Found = slices.DeleteFunc(slices.Clone(rest.Found), func(f interact.Found) bool {
		return f.Where == "text" && (slices.Contains(p.paths, f.Path) || p.rows[f.RowText] > 0 && v.rowsSaying(f.RowText) <= p.rows[f.RowText])
	})
	return &view{v.Scene, &rest}
}
