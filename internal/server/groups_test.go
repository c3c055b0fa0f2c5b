package server_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

func metricsHave(t *testing.T, s *servertest.Service, line string) bool {
	t.Helper()
	_, text := s.Ask(t, "GET", "/metrics", nil)
	return strings.Contains(text, line+"\n")
}

// Recipes have scales of their own: what one gave is no mean for another.
func TestGroupsKeepRecipesApart(t *testing.T) {
	other, err := reward.Load("webgen-r1", os.ReadFile)
	must(t, err)
	var first *reward.Recipe
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) {
		first = s.Recipes[0]
		s.Recipes = append(s.Recipes, other)
	}})
	for recipe, value := range map[*reward.Recipe]float64{first: 0.25, other: 0.75} {
		output := fmt.Sprint("reward ", value)
		request := body(item{"group_id": "g", "output": output}, item{"group_id": "g", "output": output + " again"})
		request["recipe"] = recipe.Name
		s.Ask(t, "POST", "/v1/score", request)
	}
	for recipe, want := range map[*reward.Recipe]float64{first: 0.25, other: 0.75} {
		for _, group := range []string{"g", "of which nothing is known"} {
			if got := s.StandIn(&server.Result{Recipe: recipe.ID(), GroupID: group}); got != want {
				t.Errorf("%s in the group %s: %v, want %v", recipe.Name, group, got, want)
			}
		}
	}
	if !metricsHave(t, s, "vitrine_groups 2") {
		t.Error("the two recipes share a group")
	}
}

func TestFailedBatchesAreNotCounted(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Queue: func(q *queue.Settings) { q.MaxPending = 2 }})
	defer s.Scorer.Release()
	var items []item
	for i := range 8 {
		items = append(items, item{"group_id": "g", "output": fmt.Sprint("hold ", i)})
	}
	if status, text := s.Ask(t, "POST", "/v1/score", body(items...)); status != 429 {
		t.Fatalf("%d %s", status, text)
	}
	if _, text := s.Ask(t, "GET", "/metrics", nil); strings.Contains(text, "vitrine_samples_total{") || strings.Contains(text, "vitrine_unjudged_total{") {
		t.Errorf("a batch that was refused is counted: %s", text)
	}
}

// A sample that names a session is that of its best output.
func TestRewardOfASessionSaysHowItCame(t *testing.T) {
	dir := t.TempDir()
	s := servertest.Start(t, servertest.Options{Dir: dir})
	good, bad := open(t, s, map[string]any{"max_resamples": 0}), open(t, s, nil)
	step(t, s, good, 1, "broken <get_feedback>")
	best := step(t, s, good, 2, "reward 0.75 <get_feedback>")
	step(t, s, good, 3, "reward 0.5")
	step(t, s, bad, 1, "broken")
	for i := range 2 {
		_, text := s.Ask(t, "POST", "/v1/score", body(item{"id": "a", "group_id": "g", "session_id": good}, item{"group_id": "g", "session_id": bad}))
		r := decoded[answers](t, text).Results
		if r[0].ID != "a" || r[0].GroupID != "g" || *r[0].Reward != 0.75 || r[0].Outcome != vitrine.OutcomeRendered || r[0].Parts["looks"] != 0.75 || len(r[0].Frames) != 1 || r[0].Frames[0] != best.Observation.Images[0] {
			t.Errorf("start %d: the best was the second: %s", i, text)
		}
		if *r[1].Reward != 0 || r[1].Outcome != vitrine.OutcomeInvalidRender || r[1].Why == "" {
			t.Errorf("start %d: nothing was rendered: %s", i, text)
		}
		if !metricsHave(t, s, "vitrine_groups 0") {
			t.Errorf("start %d: sessions, whose turns were seen, are members of a group", i)
		}
		must(t, s.Stop())
		s = servertest.Start(t, servertest.Options{Dir: dir})
	}
}
