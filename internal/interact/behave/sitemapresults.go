package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// resultsLabel is a label of a button that shows what fits the choices above it.
var resultsLabel = regexp.MustCompile(`(?i)^\W*((search|find|compare)\b.{0,30}$|(show|see|view|get) (results|deals|offers|flights|matches|prices|available)\b)|^\W*(搜索|查询|查找|比较)`)

// maxSearches bounds the buttons that are tried for the lists behind them.
const maxSearches = 3

// searchResults adds the places that show lists only once a search is sent off as it stands, as offers
// for chosen states do.
func (m *sitemap) searchResults(ctx context.Context, s *interact.Session, left *int) error {
	tried := 0
	for _, from := range slices.Clone(m.places) {
		if m.depth(from) > 1 {
			continue
		}
		for _, form := range from.view.survey.Forms {
			for _, path := range form.Buttons {
				c, _, ok := from.view.control(path)
				if !ok || off(c) || c.Covered || len(form.Fields) == 0 || !resultsLabel.MatchString(c.Name) || m.knows(c, from.gate) {
					continue
				}
				if tried++; tried > maxSearches || *left <= 0 {
					return nil
				}
				if err := m.search(ctx, s, from, c, left); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// search clicks the button of a search and adds a place where a list is shown within a second that was
// not shown before.
func (m *sitemap) search(ctx context.Context, s *interact.Session, from *place, c vitrine.Control, left *int) error {
	if err := goTo(ctx, s, from); err != nil {
		return err
	}
	acts := []vitrine.Action{{Kind: vitrine.ActClick, Target: at(c.Path)}, {Kind: vitrine.ActWait, MS: 1000}}
	for _, a := range acts {
		*left--
		if _, err := s.Do(ctx, a); err != nil {
			return err
		}
	}
	v, err := read(ctx, s)
	if err != nil {
		return err
	}
	refused := slices.ContainsFunc(v.fresh(from.view), refusal.MatchString)
	if !refused && len(v.lists()) > len(from.view.lists()) {
		m.add(&place{route: from.route, way: append(slices.Clone(from.way), acts...), via: c, view: v, gate: from.gate})
	}
	return nil
}
