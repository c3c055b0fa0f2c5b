package main

import (
	"testing"

	"vitrine"
)

// One action is met, one is missed, one is read too much; what is implied counts nowhere.
func TestReadingsAreCounted(t *testing.T) {
	t.Parallel()
	reading := truth{
		Actions: []doing{{vitrine.BehaviorCreate, "task"}, {vitrine.BehaviorCreate, "reminder"}, {vitrine.BehaviorSearch, "task"}},
		Implied: []doing{{vitrine.BehaviorDelete, "task"}},
	}
	r := &readings{}
	r.one(nil, reading, []doing{{vitrine.BehaviorCreate, "daily tasks"}, {vitrine.BehaviorDelete, "task"}, {vitrine.BehaviorChart, ""}})
	if want := (found{right: 1, extra: 1, missed: 1}); r.once != want {
		t.Errorf("behaviours %+v, want %+v", r.once, want)
	}
	if want := (found{right: 1, extra: 1, missed: 2}); r.pairs != want {
		t.Errorf("with objects %+v, want %+v", r.pairs, want)
	}
}

func TestOnlyWhatWordsAskForIsNamed(t *testing.T) {
	t.Parallel()
	got := named(vitrine.Requirements{Behaviors: []vitrine.Requirement{
		{Behavior: vitrine.BehaviorNav, Cues: []string{"default"}},
		{Behavior: vitrine.BehaviorCart, Cues: []string{"kind"}},
		{Behavior: vitrine.BehaviorList, Entity: "lamp", Cues: []string{"instruction", "kind"}},
	}})
	if len(got) != 1 || got[0] != (doing{vitrine.BehaviorList, "lamp"}) {
		t.Errorf("named %v", got)
	}
}

func TestStemOfTheLastWord(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{"story": "short stories", "booking": "book", "class": "class", "box": "boxes", "picture": "Pictures"} {
		if !sameHead(a, b) {
			t.Errorf("%q and %q differ", a, b)
		}
	}
	if sameHead("", "") || sameHead("glass", "gla") {
		t.Error("different heads are the same")
	}
}
