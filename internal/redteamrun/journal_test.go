package redteamrun

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine"
)

func TestAJournalKeepsRewardsOfTheSameSettings(t *testing.T) {
	dir, half := t.TempDir(), 0.5
	one, other := vitrine.Output{ID: "a", Text: "<p>1"}, vitrine.Output{ID: "a", Text: "<p>2"}
	j, err := OpenJournal(dir, "settings", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*vitrine.Sample{{Reward: &half}, {}} {
		if err := j.add(one, s); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "rewards.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, "\n{\"key\":\"cut o"...), 0o644); err != nil {
		t.Fatal(err)
	}
	for by, want := range map[string]bool{"settings": true, "others": false} {
		again, err := OpenJournal(dir, by, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.reward(one); (got != nil && *got == half) != want {
			t.Errorf("by %s the reward is %v", by, got)
		}
		if got := again.reward(other); got != nil {
			t.Errorf("another page has the reward %v", *got)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := (*Journal)(nil).reward(one); got != nil {
		t.Errorf("no journal knows %v", *got)
	}
}
