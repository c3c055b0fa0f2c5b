package report

import (
	"cmp"
	"maps"
	"slices"

	"vitrine"
)

// findings are grouped by how to read them.
type findings struct {
	Scored []vitrine.Finding // worst first
	Idle   []idle            // not applicable
	Failed []vitrine.Finding
}

// idle is one reason why checks had nothing to do.
type idle struct {
	Why    string
	Checks []string
}

func groupFindings(all []vitrine.Finding) findings {
	var g findings
	for _, f := range all {
		switch {
		case f.Status == vitrine.StatusScored && f.Score != nil:
			g.Scored = append(g.Scored, f)
		case f.Status == vitrine.StatusNotApplicable:
			g.addIdle(f)
		default:
			g.Failed = append(g.Failed, f)
		}
	}
	slices.SortStableFunc(g.Scored, func(a, b vitrine.Finding) int { return cmp.Compare(*a.Score, *b.Score) })
	return g
}

func (g *findings) addIdle(f vitrine.Finding) {
	for i := range g.Idle {
		if g.Idle[i].Why == f.Why {
			g.Idle[i].Checks = append(g.Idle[i].Checks, f.Check)
			return
		}
	}
	g.Idle = append(g.Idle, idle{f.Why, []string{f.Check}})
}

// A placeGroup is a run of places that read alike. First and Last are their
// numbers on the frame, from 1.
type placeGroup struct {
	First, Last int
	vitrine.Place
}

func groupPlaces(places []vitrine.Place) []placeGroup {
	var groups []placeGroup
	for i, p := range places {
		if n := len(groups); n > 0 && groups[n-1].Label == p.Label && groups[n-1].Route == p.Route && groups[n-1].Viewport == p.Viewport {
			groups[n-1].Last = i + 1
			continue
		}
		groups = append(groups, placeGroup{i + 1, i + 1, p})
	}
	return groups
}

// A scoreRow is one named score of a judge on its published scale.
type scoreRow struct {
	Name  string
	Value float64
	Top   float64 // 0 if the scale is not known
}

// Share is the score as a share of its scale.
func (s scoreRow) Share() float64 { return span{0, s.Top}.At(s.Value) }

// scoreRows lists the scores in the order of the scales' weight, then by name.
func scoreRows(scores map[string]float64) []scoreRow {
	order := []string{"appearance", "total", "alignment", "aesthetics", "structure"}
	rank := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	names := slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	rows := make([]scoreRow, len(names))
	for i, name := range names {
		rows[i] = scoreRow{name, scores[name], scoreTops[name]}
	}
	return rows
}
