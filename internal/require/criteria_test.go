package require

import (
	"slices"
	"testing"

	"vitrine"
)

// What rows are sorted, filtered and searched by is read one by one, and asks for nothing else.
func TestCriteriaAreRead(t *testing.T) {
	for text, want := range map[string]map[vitrine.Behavior][]string{
		"Visitors can filter houses by type and price range, sort them by price (low to high) or date, and search by name or town.": {
			vitrine.BehaviorFilter: {"type", "price range"}, vitrine.BehaviorOrder: {"price", "date"}, vitrine.BehaviorSearch: {"name", "town"}},
		"A job board. People filter jobs by type of contract and by a minimum monthly salary.": {vitrine.BehaviorFilter: {"type of contract", "minimum monthly salary"}},
		"Threads of a forum can be sorted by newest, most likes and most replies.":             {vitrine.BehaviorOrder: {"newest", "likes", "replies"}, vitrine.BehaviorJoin: nil},
		"Search for a book by title, sort the books by rating and delete books.":               {vitrine.BehaviorSearch: {"title"}, vitrine.BehaviorOrder: {"rating"}, vitrine.BehaviorJoin: nil, vitrine.BehaviorDelete: {}},
		"Sort pictures by likes. Users can like pictures.":                                     {vitrine.BehaviorOrder: {"likes"}, vitrine.BehaviorJoin: {}},
	} {
		read := Read(text, nil, "")
		for does, fields := range want {
			i := slices.IndexFunc(read.Behaviors, func(q vitrine.Requirement) bool { return q.Behavior == does })
			switch {
			case fields == nil && i >= 0:
				t.Errorf("%q: %s is read", text, does)
			case fields == nil:
			case i < 0:
				t.Errorf("%q: %s is not read", text, does)
			case len(fields) > 0 && !slices.Equal(read.Behaviors[i].Fields, fields):
				t.Errorf("%q: %s by %q, want %q", text, does, read.Behaviors[i].Fields, fields)
			}
		}
	}
}

// Several things that one verb enters are fields of one entry, where some of them are what entries are made of.
func TestFieldsAreNoEntriesOfTheirOwn(t *testing.T) {
	made := 0
	for _, q := range Read("Build a workout log. I want to log date, exercise, sets, reps and weight.", nil, "").Behaviors {
		if q.Behavior == vitrine.BehaviorCreate {
			made++
		}
		if q.Behavior == vitrine.BehaviorQuiz {
			t.Errorf("a quiz is read: %+v", q)
		}
	}
	if made != 1 {
		t.Errorf("%d things are made, want 1", made)
	}
}
