package require

import (
	"slices"
	"testing"

	"vitrine"
)

// What a model finds has the form of what rules read; one requirement is central, where
// both say so, and navigation that nobody names stays.
func TestRequirementsOfAModelHaveTheFormOfRules(t *testing.T) {
	text := "Build a website for a tea shop with pages for teas and contact. Visitors can search teas, and rate them with stars."
	rules := Read(text, nil, "")
	found := []vitrine.Requirement{
		{Behavior: vitrine.BehaviorMedia, Quote: "teas", Central: true},
		{Behavior: vitrine.BehaviorSearch, Quote: "search teas", Entity: "tea", Words: []string{"Find a tea "}, Central: true},
		{Behavior: vitrine.BehaviorSearch, Quote: "search", Entity: "tea"},
	}
	q := FromModel("m/m", found, rules)
	var got []vitrine.Behavior
	for i, b := range q.Behaviors {
		got = append(got, b.Behavior)
		if b.ID != []string{"r1", "r2", "r3"}[i] || b.Weight <= 0 || len(b.Words) == 0 || b.Central != (b.Behavior == vitrine.BehaviorSearch) {
			t.Errorf("%+v", b)
		}
	}
	if want := []vitrine.Behavior{vitrine.BehaviorMedia, vitrine.BehaviorSearch, vitrine.BehaviorNav}; q.By != "m/m" || !slices.Equal(got, want) {
		t.Fatalf("by %s: %v, want %v", q.By, got, want)
	}
	search, nav := q.Behaviors[1], q.Behaviors[2]
	if search.Words[0] != "find a tea" || !slices.Contains(search.Words, "search") || !slices.Contains(search.Cues, "instruction") || !slices.Contains(search.Cues, "model") {
		t.Errorf("search: %+v", search)
	}
	if !slices.Equal(nav.Cues, []string{"default"}) || nav.Weight != suggested || !slices.Equal(q.Pages, rules.Pages) {
		t.Errorf("nav: %+v, pages %v", nav, q.Pages)
	}
	if none := FromModel("m/m", nil, Read("A poster.", nil, "")); len(none.Behaviors) != 0 || none.Behaviors == nil {
		t.Errorf("of nothing %+v", none.Behaviors)
	}
}
