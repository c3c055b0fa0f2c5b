package behave

import (
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// apart is the button that sends off a form none of whose buttons says that it does: one that is
// in no form and says so by one of some labels, as in a bar at the foot of a page; empty
// without any.
func (v *view) apart(words []string, form interact.Form) (path string) {
	best := 45.0
	if len(form.Buttons) == 0 {
		words = slices.Concat(words, submitLabels)
	}
	inForm := map[string]bool{}
	for _, f := range v.survey.Forms {
		for _, b := range f.Buttons {
			inForm[b] = true
		}
	}
	for i, c := range v.Controls {
		region := v.Facts[i].Region
		if c.Role != "button" || off(c) || c.Covered || inForm[c.Path] || region == "nav" || region == "tablist" || refuses.MatchString(c.Name) {
			continue
		}
		score := matches(c.Name, words)
		if len(form.Buttons) == 0 { // as a step of a form of several steps
			score = max(score, matches(c.Name, nextWords))
		}
		if score > best {
			best, path = score, c.Path
		}
	}
	return path
}

// verbs are classes that name what a control without a label does, as "delete-btn" and
// "fa-trash"; classes of layout are none.
func verbs(look string) string {
	var all []string
	for _, class := range strings.Fields(strings.ToLower(look)) {
		if acting.MatchString(class) {
			all = append(all, strings.NewReplacer("-", " ", "_", " ").Replace(class))
		}
	}
	return strings.Join(all, " ")
}

var acting = regexp.MustCompile(`^(\w+-)*(btn|button|icon|action)(-\w+)*$|^(fa|bi|ri|mdi|icon|lucide)-\w+(-\w+)*$`)
