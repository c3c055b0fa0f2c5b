package meta

import (
	"maps"
	"slices"

	"vitrine/internal/stats"
)

// GroupAgreement is how far each score agrees with the ratings of a group.
type GroupAgreement struct {
	Group  string                     `json:"group"` // empty: all
	Scores map[string]stats.Agreement `json:"scores"`
}

// Agree sets scores against ratings: of all sites, then of each group. The seed is that of
// the intervals.
func Agree(sites []Rated, seed uint64) []GroupAgreement {
	members := map[string][]Rated{}
	for _, s := range sites {
		members[s.Group] = append(members[s.Group], s)
	}
	groups := []GroupAgreement{{"", agreement(sites, seed)}}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != "" {
			groups = append(groups, GroupAgreement{name, agreement(members[name], seed)})
		}
	}
	return groups
}

func agreement(sites []Rated, seed uint64) map[string]stats.Agreement {
	type pairs struct{ scores, ratings []float64 }
	by := map[string]*pairs{}
	add := func(name string, score, rating float64) {
		if by[name] == nil {
			by[name] = &pairs{}
		}
		by[name].scores, by[name].ratings = append(by[name].scores, score), append(by[name].ratings, rating)
	}
	for _, s := range sites {
		for name, score := range s.judgement.Scores {
			add(name, score, s.Score)
		}
		if s.reward != nil {
			add("reward", *s.reward, s.Score)
		}
	}
	out := map[string]stats.Agreement{}
	for name, p := range by {
		out[name] = stats.Agree(p.scores, p.ratings, seed)
	}
	return out
}
