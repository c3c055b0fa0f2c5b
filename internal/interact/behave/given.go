package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// pictures are values of accept by which a field wants a picture.
var pictures = regexp.MustCompile(`(?i)image|\.(png|jpe?g|webp|gif)`)

// takeLabels are labels of buttons that make something of a text that was pasted.
var takeLabels = regexp.MustCompile(`(?i)\b(parse|convert|load|import|render|visuali[sz]e|format|preview|show|view|display|generate|create|process|analy[sz]e)\b|解析|转换|导入|加载|生成|预览|显示`)

// pasted are texts of the kinds that a field for text names. The words are fixed: they are
// given so that there is something to operate on, and prove nothing.
var pasted = []struct {
	kind *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`(?i)\bcsv\b`), "name,price,town\nMaple,30,Odense\nAlder,12,Turin\nCedar,21,Bergen\n"},
	{regexp.MustCompile(`(?i)\bjson\b`), `[{"name": "Maple", "price": 30}, {"name": "Alder", "price": 12}, {"name": "Cedar", "price": 21}]`},
}

// given is how a visitor brings along what a site works on: a picture for an editor of
// pictures, a table for a viewer of tables. Without it there is nothing that could be
// sorted, turned or saved. It is nil where the page that is shown wants nothing of the kind.
func given(ctx context.Context, s *interact.Session, v *view) []vitrine.Action {
	if way := pasting(v); way != nil {
		return way
	}
	if way := v.firstNames(); way != nil {
		return way
	}
	files, err := s.Query(ctx, vitrine.Target{CSS: "input[type=file]"}, interact.Wants{Attrs: []string{"accept"}})
	if err != nil || len(files) != 1 || !pictures.MatchString(files[0].Attrs["accept"]) {
		return nil // the page has no document to ask, or wants no picture
	}
	return []vitrine.Action{{Kind: vitrine.ActUpload, Target: at(files[0].Path), Text: "chosen.png"}}
}

// pasting is how a text of a known kind is pasted and taken; nil where none is wanted.
func pasting(v *view) []vitrine.Action {
	for i, c := range v.Controls {
		if c.Tag != "textarea" || off(c) || c.Value != "" {
			continue
		}
		about := c.Name + " " + v.Facts[i].Placeholder + " " + v.Title
		for _, sample := range pasted {
			if !sample.kind.MatchString(about) {
				continue
			}
			way := []vitrine.Action{{Kind: vitrine.ActType, Target: at(c.Path), Text: sample.text}}
			for _, path := range v.formOf(c.Path).Buttons {
				if b, _, ok := v.control(path); ok && !off(b) && !b.Covered && takeLabels.MatchString(b.Name) {
					return append(way, vitrine.Action{Kind: vitrine.ActClick, Target: at(path)})
				}
			}
			return way
		}
	}
	return nil
}

// memberNames are given where a form offers a choice of what another form takes first, as who has paid.
var memberNames = []string{"Anouk", "Bertil", "Chidi"}

// firstNames is how names are given by a form of one field, where a list of another form offers none to be
// chosen yet; nil where all lists offer some.
func (v *view) firstNames() (way []vitrine.Action) {
	lacking := slices.IndexFunc(v.survey.Forms, v.lacksOptions)
	if lacking < 0 {
		return nil
	}
	for i, form := range v.survey.Forms {
		if i == lacking || len(form.Fields) != 1 || len(form.Buttons) == 0 {
			continue
		}
		c, f, ok := v.control(form.Fields[0])
		if !ok || !textField(c) || off(c) || c.Covered || f.InputMode == "decimal" || f.InputMode == "numeric" || searchLabel.MatchString(c.Name+" "+f.Placeholder) {
			continue
		}
		for _, name := range memberNames {
			way = append(way, vitrine.Action{Kind: vitrine.ActType, Target: at(c.Path), Text: name}, vitrine.Action{Kind: vitrine.ActClick, Target: at(form.Buttons[0])})
		}
		return way
	}
	return nil
}

// lacksOptions reports whether a form has a list from which nothing can be chosen.
func (v *view) lacksOptions(form interact.Form) bool {
	return slices.ContainsFunc(form.Fields, func(path string) bool {
		c, f, ok := v.control(path)
		return ok && c.Tag == "select" && !c.Covered && !slices.ContainsFunc(f.Options, offersOne)
	})
}

// offersOne reports whether an option of a list is one to be chosen.
func offersOne(option string) bool {
	return !strings.HasPrefix(option, "\x00") && !placeholder.MatchString(option) && !emptyList.MatchString(option)
}

// emptyList is what a list says that has no options yet.
var emptyList = regexp.MustCompile(`(?i)^(add|no|none|nobody|create|enter|first)\b`)

// bring carries actions out in a fresh state, and keeps what they lead to as a place, even
// if it only looks as if nothing had changed: controls may work now that did not before.
func (m *sitemap) bring(ctx context.Context, s *interact.Session, from *place, way []vitrine.Action, left *int) error {
	if len(way) == 0 || *left < len(way) || len(m.places) >= maxPlaces {
		return nil
	}
	*left -= len(way)
	to := &place{route: from.route, way: append(append([]vitrine.Action{}, from.way...), way...), gate: from.gate}
	if err := goTo(ctx, s, to); err != nil {
		return err
	}
	v, err := read(ctx, s)
	if err != nil {
		return err
	}
	to.view = v
	m.places = append(m.places, to)
	return nil
}
