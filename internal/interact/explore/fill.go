package explore

import (
	"context"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// fill are the actions that fill in the form around a control, or, where it is in none,
// every field that can be seen. Fields that hold something sensible stay as they are.
func fill(ctx context.Context, s *interact.Session, form string) ([]vitrine.Action, error) {
	scene, err := s.Look(ctx)
	if err != nil {
		return nil, err
	}
	var all []vitrine.Action
	groups := map[string]bool{}
	for i, c := range scene.Controls {
		f := scene.Facts[i]
		if c.Covered || has(c, "disabled") || has(c, "readonly") || form != "" && f.Form != form || len(all) >= 20 {
			continue
		}
		t := &vitrine.Target{CSS: c.Path}
		switch {
		case c.Tag == "input" && c.Type == "file":
			all = append(all, vitrine.Action{Kind: vitrine.ActUpload, Target: t, Text: interact.FileFor(f)})
		case c.Tag == "select":
			if o := otherOption(c, f); o != "" && (c.Value == "" || strings.HasPrefix(strings.ToLower(c.Value), "choose") || strings.HasPrefix(strings.ToLower(c.Value), "select") || strings.Contains(c.Value, "…") || strings.Contains(c.Value, "--")) {
				all = append(all, vitrine.Action{Kind: vitrine.ActSelect, Target: t, Text: o})
			}
		case c.Type == "checkbox":
			if !has(c, "checked") && (has(c, "required") || form != "") {
				all = append(all, vitrine.Action{Kind: vitrine.ActCheck, Target: t})
			}
		case c.Type == "radio":
			if !groups[f.Group] && !has(c, "checked") && !groupChecked(scene, f.Group) {
				all = append(all, vitrine.Action{Kind: vitrine.ActCheck, Target: t})
			}
			groups[f.Group] = true
		case c.Type == "range" || c.Type == "color":
		case isText(c) && c.Value == "":
			all = append(all, vitrine.Action{Kind: vitrine.ActType, Target: t, Text: interact.FieldValue(c, f)})
		}
	}
	return all, nil
}

func groupChecked(scene *interact.Scene, group string) bool {
	for i, c := range scene.Controls {
		if c.Type == "radio" && scene.Facts[i].Group == group && has(c, "checked") {
			return true
		}
	}
	return false
}
