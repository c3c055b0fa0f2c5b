package verltool_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"vitrine/internal/leak"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
	"vitrine/internal/server/verltool"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

type answer struct {
	Observations []any  `json:"observations"`
	Dones        []bool `json:"dones"`
	Valids       []bool `json:"valids"`
}

func ask(t *testing.T, s *servertest.Service, body string) (a answer) {
	t.Helper()
	status, text := s.Ask(t, "POST", "/verltool/get_observation", body)
	if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil {
		t.Fatalf("%d %s", status, text)
	}
	return a
}

func start(t *testing.T) *servertest.Service {
	return servertest.Start(t, servertest.Options{Mount: func(s *server.Server) { s.Mount("/verltool/", verltool.Handler(s)) }})
}

func TestTrajectories(t *testing.T) {
	s := start(t)
	first := `{"trajectory_ids":["a","b","c"],"actions":["reward 0.5 <get_feedback>","reward 0.75","fault judge_error"],"extra_fields":[{"instruction":"A tea shop"},{"instruction":"A game"},{"instruction":"A clock"}]}`
	a := ask(t, s, first)
	if text, ok := a.Observations[0].(string); !ok || !strings.Contains(text, "grey on grey") || a.Dones[0] || !a.Valids[0] {
		t.Errorf("a draft: %+v", a)
	}
	if end, ok := a.Observations[1].(map[string]any); !ok || end["reward"] != 0.75 || !a.Dones[1] || !a.Valids[1] {
		t.Errorf("an end: %+v", a)
	}
	if text, ok := a.Observations[2].(string); !ok || !strings.HasPrefix(text, "[vitrine: not judged") || !a.Dones[2] || a.Valids[2] {
		t.Errorf("a fault: %+v", a)
	}
	calls := s.Scorer.Calls.Load()
	if again := ask(t, s, `{"trajectory_ids":["a"],"actions":["reward 0.5 <get_feedback>"]}`); again.Observations[0] != a.Observations[0] || s.Scorer.Calls.Load() != calls {
		t.Errorf("the same again: %+v", again)
	}
	last := ask(t, s, `{"trajectory_ids":["a"],"actions":["reward 0.25 <get_feedback>"],"is_last_step":[true]}`)
	if end, ok := last.Observations[0].(map[string]any); !ok || end["reward"] != 0.5 || !last.Dones[0] {
		t.Errorf("the last step ends with the best: %+v", last)
	}
}

func TestFinish(t *testing.T) {
	s := start(t)
	ask(t, s, `{"trajectory_ids":["a"],"actions":["reward 0.5 <get_feedback>"],"extra_fields":[{"instruction":"A tea shop"}]}`)
	a := ask(t, s, `{"trajectory_ids":["a","new"],"actions":["",""],"finish":[true,true]}`)
	if end, ok := a.Observations[0].(map[string]any); !ok || end["reward"] != 0.5 || !a.Dones[0] || !a.Valids[0] {
		t.Errorf("%+v", a)
	}
	if a.Valids[1] || !a.Dones[1] {
		t.Errorf("a trajectory without any answer: %+v", a)
	}
}

func TestRequestsThatAreWrong(t *testing.T) {
	s := start(t)
	for _, body := range []string{`{"trajectory_ids":["a"],"actions":[]}`, `{"actions":"x"}`, `[`} {
		if status, text := s.Ask(t, "POST", "/verltool/get_observation", body); status != 422 || !strings.Contains(text, "invalid_input") {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	if a := ask(t, s, `{"trajectory_ids":["a"],"actions":["reward 1"]}`); a.Valids[0] || !strings.Contains(a.Observations[0].(string), "needs task_id or instruction") {
		t.Errorf("nobody said what was asked: %+v", a)
	}
	many := `{"trajectory_ids":["a"` + strings.Repeat(`,"a"`, 5000) + `],"actions":[""` + strings.Repeat(`,""`, 5000) + `]}`
	if status, text := s.Ask(t, "POST", "/verltool/get_observation", many); status != 413 || !strings.Contains(text, "too_large") {
		t.Errorf("5001 trajectories: %d %s", status, text)
	}
	if a := ask(t, s, `{"trajectory_ids":[],"actions":[]}`); a.Observations == nil {
		t.Errorf("nothing: %+v", a)
	}
}
