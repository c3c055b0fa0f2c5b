package server_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/polltest"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

func open(t *testing.T, s *servertest.Service, loop item) string {
	t.Helper()
	status, text := s.Ask(t, "POST", "/v1/sessions", item{"instruction": "A tea shop", "loop": loop})
	got := decoded[server.Session](t, text)
	if status != 201 || got.ID == "" || got.Turn != 0 || got.Done || !strings.HasSuffix(got.Observation.Text, "A tea shop") || got.Instruction != "A tea shop" {
		t.Fatalf("%d %s", status, text)
	}
	return got.ID
}

func step(t *testing.T, s *servertest.Service, id string, turn int, output string) server.Turn {
	t.Helper()
	status, text := s.Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": turn, "output": output, "tokens": nil})
	if status != 200 {
		t.Fatalf("turn %d: %d %s", turn, status, text)
	}
	return decoded[server.Turn](t, text)
}

func TestSession(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := open(t, s, nil)
	first := step(t, s, id, 1, "reward 0.5 <get_feedback>")
	if first.Action != "revise" || !first.Accepted || *first.Score != 0.5 || first.Reward != nil || first.Done || !strings.Contains(first.Observation.Text, "grey on grey") || len(first.Observation.Images) != 1 {
		t.Errorf("first: %+v", first)
	}
	if status, _ := s.Ask(t, "GET", first.Observation.Images[0], nil); status != 200 {
		t.Errorf("the screenshot: %d", status)
	}
	worse := step(t, s, id, 2, "reward 0.5 again <get_feedback>")
	if worse.Action != "resample" || worse.Accepted || *worse.BestScore != 0.5 || *worse.BestTurn != 1 || worse.Observation.Text == "" {
		t.Errorf("no better: %+v", worse)
	}
	last := step(t, s, id, 3, "reward 0.75")
	if !last.Done || last.Action != "done" || *last.Reward != 0.75 || *last.BestTurn != 3 {
		t.Errorf("last: %+v", last)
	}
	status, text := s.Ask(t, "GET", "/v1/sessions/"+id, nil)
	view := decoded[server.Session](t, text)
	if status != 200 || !view.Done || *view.Reward != 0.75 || len(view.Trajectory) < 4 {
		t.Errorf("%d %s", status, text)
	}
	_, text = s.Ask(t, "POST", "/v1/score", body(item{"session_id": id}))
	if r := decoded[answers](t, text).Results[0]; r.Reward == nil || *r.Reward != 0.75 {
		t.Errorf("scored by its session: %s", text)
	}
	if status, _ := s.Ask(t, "DELETE", "/v1/sessions/"+id, nil); status != 204 {
		t.Errorf("delete: %d", status)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if status, text := s.Ask(t, method, "/v1/sessions/"+id, nil); status != 404 || !strings.Contains(text, `"code":"not_found"`) {
			t.Errorf("%s after delete: %d %s", method, status, text)
		}
	}
}

// Length is penalised once: by ReLook's rule that of the trajectory, by the other that
// of the answer, where the recipe reads it.
func TestLengthIsPenalisedOnce(t *testing.T) {
	relook, err := reward.Load("relook", os.ReadFile)
	must(t, err)
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.Recipes = []*reward.Recipe{relook} }})
	answer := func(id string, turn, tokens int, output string) server.Turn {
		t.Helper()
		_, text := s.Ask(t, "POST", "/v1/sessions/"+id+"/step", map[string]any{"turn": turn, "tokens": tokens, "output": output})
		return decoded[server.Turn](t, text)
	}
	for rule, want := range map[string]struct{ score, reward float64 }{"relook": {0.5, 0.25}, "": {0.5, 0.25}, "best": {0.25, 0.25}} { // relook is what the recipe's paper pays
		r := answer(open(t, s, map[string]any{"reward": rule}), 1, 13000, `parts {"mllm":0.5,"len":0.5}`)
		if r.Score == nil || r.Reward == nil || *r.Score != want.score || *r.Reward != want.reward {
			t.Errorf("%s: %+v, want %+v", rule, r, want)
		}
	}
	for rule, accepted := range map[string]bool{"relook": true, "best": false} {
		id := open(t, s, map[string]any{"reward": rule})
		answer(id, 1, 100, `parts {"mllm":0.5,"len":1} <get_feedback>`)
		if r := answer(id, 2, 13800, `parts {"mllm":0.75,"len":0.1}`); r.Accepted != accepted {
			t.Errorf("%s: a better and longer answer: %+v", rule, r)
		}
	}
}

// A session that accepts any version is scored by its best one.
func TestAWorseVersionThatIsAcceptedIsNotTheBest(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := open(t, s, map[string]any{"accept": "any", "reward": "best", "max_rounds": 2})
	step(t, s, id, 1, `parts {"looks":0.75} <get_feedback>`)
	if worse := step(t, s, id, 2, `parts {"looks":0.5}`); !worse.Accepted || !worse.Done || *worse.BestTurn != 1 {
		t.Fatalf("a worse version: %+v", worse)
	}
	_, text := s.Ask(t, "POST", "/v1/score", body(item{"session_id": id}))
	if r := decoded[answers](t, text).Results[0]; r.Parts["looks"] != 0.75 {
		t.Errorf("scored by %v, want the parts of the better version", r.Parts)
	}
}

func TestStepsAreIdempotent(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := open(t, s, nil)
	var asking sync.WaitGroup
	turns := make([]server.Turn, 5)
	for i := range turns {
		asking.Go(func() { turns[i] = step(t, s, id, 1, "reward 0.5 <get_feedback>") })
	}
	asking.Wait()
	for _, turn := range turns {
		if jsonOf(t, turn) != jsonOf(t, turns[0]) || turn.Turn != 1 {
			t.Errorf("%+v is not %+v", turn, turns[0])
		}
	}
	if n := s.Scorer.Calls.Load(); n != 1 {
		t.Errorf("%d judgements of one step", n)
	}
	for turn, output := range map[int]string{1: "reward 0.6", 3: "reward 0.6", 0: "reward 0.6"} {
		if status, text := s.Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": turn, "output": output}); status != 409 && turn > 0 || turn == 0 && status != 422 {
			t.Errorf("turn %d: %d %s", turn, status, text)
		}
	}
}

func TestUnjudgedTurnDoesNotCount(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := open(t, s, nil)
	turn := step(t, s, id, 1, "fault judge_error")
	if turn.Status != vitrine.SampleUnjudged || turn.Turn != 0 || turn.Reward != nil || turn.Score != nil || turn.Error == nil || turn.Done {
		t.Errorf("%+v", turn)
	}
	if turn = step(t, s, id, 1, "reward 0.5"); turn.Turn != 1 || !turn.Done || *turn.Reward != 0.5 {
		t.Errorf("the same turn again: %+v", turn)
	}
}

func TestInvalidRenderIsZeroWithItsError(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	turn := step(t, s, open(t, s, nil), 1, "broken <get_feedback>")
	if turn.Score == nil || *turn.Score != 0 || !strings.Contains(turn.Observation.Text, "x is not defined") {
		t.Errorf("%+v", turn)
	}
}

func TestFinish(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := open(t, s, nil)
	_, text := s.Ask(t, "POST", "/v1/score", body(item{"session_id": id}, item{"session_id": "../../x"}))
	for _, r := range decoded[answers](t, text).Results {
		if r.Reward != nil || r.Error == nil {
			t.Errorf("a session that is not done, or not there: %+v", r)
		}
	}
	step(t, s, id, 1, "reward 0.5 <get_feedback>")
	_, text = s.Ask(t, "POST", "/v1/sessions/"+id+"/finish", nil)
	if v := decoded[server.Session](t, text); !v.Done || *v.Reward != 0.5 {
		t.Errorf("%s", text)
	}
	if status, _ := s.Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": 2, "output": "reward 1"}); status != 409 {
		t.Errorf("a step after the end: %d", status)
	}
}

func TestSessionsSurviveARestart(t *testing.T) {
	dir := t.TempDir()
	s := servertest.Start(t, servertest.Options{Dir: dir})
	id := open(t, s, item{"max_rounds": 2})
	first := step(t, s, id, 1, "reward 0.5 <get_feedback>")
	must(t, s.Stop())
	s = servertest.Start(t, servertest.Options{Dir: dir})
	if again := step(t, s, id, 1, "reward 0.5 <get_feedback>"); jsonOf(t, again) != jsonOf(t, first) {
		t.Errorf("%+v after the restart, %+v before", again, first)
	}
	if n := s.Scorer.Calls.Load(); n != 0 {
		t.Errorf("%d judgements of what was judged before", n)
	}
	if last := step(t, s, id, 2, "reward 0.75 <get_feedback>"); !last.Done || *last.Reward != 0.75 {
		t.Errorf("the last of two rounds: %+v", last)
	}
}

func TestSessionsAreBoundedAndForgotten(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.MaxSessions, s.SessionTTL = 2, time.Hour }})
	id := open(t, s, nil)
	open(t, s, nil)
	if status, text := s.Ask(t, "POST", "/v1/sessions", item{"instruction": "x"}); status != 429 {
		t.Errorf("one too many: %d %s", status, text)
	}
	s.Sweep(t.Context(), time.Now().Add(2*time.Hour))
	if status, _ := s.Ask(t, "GET", "/v1/sessions/"+id, nil); status != 404 {
		t.Errorf("after its time: %d", status)
	}
	open(t, s, nil)
}

// A sweep does not remove a session that was asked for since the sweep read its head.
func TestASessionInUseIsNotForgotten(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.SessionTTL = 40 * time.Millisecond }})
	id := open(t, s, nil)
	expire, first := s.Expiry(id), s.HeadRevision(id)
	polltest.Until(t, "it is asked for again", func() bool {
		s.Ask(t, "GET", "/v1/sessions/"+id, nil)
		return s.HeadRevision(id) != first
	})
	must(t, expire(t.Context()))
	if r := step(t, s, id, 1, "reward 0.5"); r.Score == nil {
		t.Errorf("after the sweep: %+v", r)
	}
	polltest.Until(t, "a sweep that has read its last head removes it", func() bool {
		must(t, s.Expiry(id)(t.Context()))
		status, _ := s.Ask(t, "GET", "/v1/sessions/"+id, nil)
		return status == 404
	})
}

func TestSessionsThatAreWrong(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	for text, want := range map[string]int{
		`{}`: 422, `{"task_id":"t9"}`: 422, `{"instruction":"x","recipe":"best"}`: 422, `{"instruction":"x","loop":{"max_rounds":-1}}`: 422,
		`{"instruction":"x","loop":{"on_reject":"cry"}}`: 422, `{"instruction":7}`: 422,
	} {
		if status, answer := s.Ask(t, "POST", "/v1/sessions", text); status != want || !strings.Contains(answer, `"code"`) {
			t.Errorf("%s: %d %s", text, status, answer)
		}
	}
	if status, _ := s.Ask(t, "POST", "/v1/sessions/..%2f..%2fx/step", item{"turn": 1, "output": "x"}); status != 404 {
		t.Errorf("a path for a session: %d", status)
	}
}

func TestGroupsAreWatched(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	var items []item
	for i := range 4 {
		items = append(items, item{"group_id": "flat", "output": fmt.Sprint("broken ", i)}, item{"group_id": "spread", "output": fmt.Sprintf("reward 0.%d and a text that differs %d %d %d", i, i*7, i*11, i*13)})
	}
	s.Ask(t, "POST", "/v1/score", body(items...))
	_, text := s.Ask(t, "GET", "/metrics", nil)
	for _, want := range []string{"vitrine_groups 2", "vitrine_groups_zero_variance_ratio 0.5", `vitrine_samples_total{status="scored"} 8`, "vitrine_queue_depth 0", `vitrine_rewards_count{recipe="looks"} 8`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("/metrics lacks %q", want)
		}
	}
	status, page := s.Ask(t, "GET", "/", nil)
	for _, want := range []string{"ready", "50 %", "looks@"} {
		if status != 200 || !strings.Contains(page, want) {
			t.Errorf("the page lacks %q: %d", want, status)
		}
	}
}
