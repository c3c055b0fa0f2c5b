package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

type item = map[string]any

func body(items ...item) item {
	if items == nil {
		items = []item{}
	}
	return item{"items": items}
}

func TestScoreAnswersInOrder(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	status, text := s.Ask(t, "POST", "/v1/score", body(
		item{"id": "a", "output": "reward 0.5", "group_id": 7, "model": "m", "temperature": 0.3, "meta": item{"step": 3}},
		item{"output": "fault judge_error"},
		item{"id": 12, "output": "broken", "task_id": nil},
		item{"files": item{"index.html": "reward 0.25"}},
		item{"output": ""},
	))
	got := decoded[answers](t, text)
	if status != 200 || len(got.Results) != 5 || !strings.HasPrefix(got.Recipe, "looks@") {
		t.Fatalf("%d %s", status, text)
	}
	for i, want := range []struct {
		id, status, outcome string
		reward              any
	}{{"a", "scored", "rendered", 0.5}, {"1", "unjudged", "", nil}, {"12", "scored", "invalid_render", 0.0}, {"3", "scored", "rendered", 0.25}, {"4", "scored", "no_artifact", 0.0}} {
		r := got.Results[i]
		var reward any
		if r.Reward != nil {
			reward = *r.Reward
		}
		if r.ID != want.id || string(r.Status) != want.status || string(r.Outcome) != want.outcome || reward != want.reward || len(r.Parts) != 1 || (r.Error == nil) != (want.reward != nil) {
			t.Errorf("result %d is %+v, want %v", i, r, want)
		}
	}
	first := got.Results[0]
	if first.GroupID != "7" || first.Model != "m" || string(first.Meta["temperature"]) != "0.3" || string(first.Meta["step"]) != "3" {
		t.Errorf("what came with the item is lost: %+v", first)
	}
	if first.Feedback != "- contrast: The text is grey on grey." || first.Findings != nil {
		t.Errorf("feedback %q, findings %v: findings were not asked for", first.Feedback, first.Findings)
	}
	if got.Results[1].Error.Code != vitrine.FaultJudge || strings.Contains(text, `"reward":0,"recipe":"looks@555b44e7","parts":{"looks":0},"findings"`) {
		t.Errorf("the fault reads %+v", got.Results[1].Error)
	}
}

func TestScoreOfNothing(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	status, text := s.Ask(t, "POST", "/v1/score", body())
	if got := decoded[answers](t, text); status != 200 || got.Results == nil || len(got.Results) != 0 {
		t.Errorf("%d %s", status, text)
	}
}

func TestRetriesCostOneJudgement(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	var asking sync.WaitGroup
	texts := make([]string, 5)
	for i := range texts {
		asking.Go(func() {
			_, texts[i] = s.Ask(t, "POST", "/v1/score", body(item{"id": fmt.Sprint("retry", i), "output": "reward 0.5"}))
		})
	}
	asking.Wait()
	_, late := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 0.5"}, item{"output": "reward 0.5", "model": "another"}))
	for _, text := range append(texts, late) {
		if r := decoded[answers](t, text).Results[0]; r.Reward == nil || *r.Reward != 0.5 {
			t.Errorf("got %s", text)
		}
	}
	if n := s.Scorer.Calls.Load(); n != 1 {
		t.Errorf("%d judgements, want 1", n)
	}
}

// A recipe may read how long the output is, so that is no mere name.
func TestLengthOfTheOutputIsPartOfTheJob(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 0.5", "output_tokens": 100}, item{"output": "reward 0.5", "output_tokens": 13000}))
	if n := s.Scorer.Calls.Load(); n != 2 {
		t.Errorf("%d judgements, want 2", n)
	}
}

func TestFaultsAreAskedAnew(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	for range 2 {
		s.Ask(t, "POST", "/v1/score", body(item{"output": "fault browser_crashed"}))
	}
	if n := s.Scorer.Calls.Load(); n != 2 {
		t.Errorf("%d judgements, want 2: what failed is not kept", n)
	}
}

func TestDeadlineGivesNull(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	request := body(item{"output": "hold"}, item{"output": "reward 0.5"})
	request["deadline_ms"] = 300
	status, text := s.Ask(t, "POST", "/v1/score", request)
	got := decoded[answers](t, text)
	if r := got.Results[0]; status != 200 || r.Reward != nil || r.Error == nil || r.Error.Code != vitrine.FaultDeadline || len(r.Parts) != 1 {
		t.Errorf("%d %s", status, text)
	}
	if r := got.Results[1]; r.Reward == nil || *r.Reward != 0.5 {
		t.Errorf("the neighbour has %+v", r)
	}
	s.Scorer.Release()
}

func TestFullQueueSaysWhenToComeBack(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Queue: func(q *queue.Settings) { q.MaxPending = 2 }})
	defer s.Scorer.Release()
	var items []item
	for i := range 8 {
		items = append(items, item{"output": fmt.Sprint("hold ", i)})
	}
	resp, err := http.Post(s.URL+"/v1/score", "application/json", strings.NewReader(jsonOf(t, body(items...))))
	must(t, err)
	defer resp.Body.Close()
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("%d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
	}
}

func TestUnknownTask(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) {
		s.Tasks = map[string]vitrine.Task{"t1": {ID: "t1", Instruction: "A tea shop", Category: "shop"}}
	}})
	_, text := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 1", "task_id": "t2"}, item{"output": "reward 1", "task_id": "t1"}, item{"output": "reward 1", "task_id": "t2", "instruction": "A shop"}))
	got := decoded[answers](t, text).Results
	if got[0].Reward != nil || got[0].Error.Code != vitrine.FaultUnknownTask || got[1].Reward == nil || got[2].Reward == nil {
		t.Errorf("%s", text)
	}
}

func TestUnknownTaskWithoutAnyTasks(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	_, text := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 1", "task_id": "t2"}, item{"output": "reward 1", "task_id": "t2", "instruction": "A shop"}))
	if got := decoded[answers](t, text).Results; got[0].Reward != nil || got[0].Error.Code != vitrine.FaultUnknownTask || got[1].Reward == nil {
		t.Errorf("%s", text)
	}
}

// A deadline of some centuries must not become one that has passed.
func TestFarDeadline(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	request := body(item{"output": "reward 1"})
	request["deadline_ms"] = int64(18446744073710) // in nanoseconds, 2 to the 64th and half a millisecond
	if status, text := s.Ask(t, "POST", "/v1/score", request); status != 200 || decoded[answers](t, text).Results[0].Reward == nil {
		t.Errorf("%d %s", status, text)
	}
}

func TestRequestsThatAreWrong(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"no JSON":          {`{"items":`, 422, "invalid_input"},
		"no items":         {`{}`, 422, "items"},
		"items no list":    {`{"items":"a"}`, 422, "items: expected array"},
		"output a number":  {`{"items":[{"output":"a"},{"output":1}]}`, 422, "items[1].output: expected string"},
		"nothing to judge": {`{"items":[{"id":"a"}]}`, 422, "items[0] has neither"},
		"two things":       {`{"items":[{"output":"a","files":{"a":"b"}}]}`, 422, "both"},
		"id an object":     {`{"items":[{"id":{},"output":"a"}]}`, 422, "items[0].id"},
		"path that climbs": {`{"items":[{"files":{"../../etc/passwd":"x"}}]}`, 422, "items[0].files"},
		"absolute path":    {`{"items":[{"files":{"/etc/passwd":"x"}}]}`, 422, "items[0].files"},
		"refused folder":   {`{"items":[{"files":{"src/.GIT/config":"x"}}]}`, 422, "path_refused"},
		"packages":         {`{"items":[{"files":{"node_modules/react/index.js":"x"}}]}`, 422, "path_refused"},
		"unprintable path": {`{"items":[{"files":{"a\u001b[2Jb":"x"}}]}`, 422, "path_invalid"},
		"long path":        {`{"items":[{"files":{"` + strings.Repeat("a", 256) + `":"x"}}]}`, 422, "path_too_long"},
		"path of a drive":  {`{"items":[{"files":{"C:/x":"x"}}]}`, 422, "path_outside"},
		"path backwards":   {`{"items":[{"files":{"a\\b":"x"}}]}`, 422, "path_invalid"},
		"unknown kind":     {`{"items":[{"output":"a","kind":"video"}]}`, 422, "items[0].kind"},
		"unknown recipe":   {`{"items":[],"recipe":"best"}`, 422, "unknown_recipe"},
		"recipe of a path": {`{"items":[],"recipe":"../../recipes/x.yaml"}`, 422, "unknown_recipe"},
		"negative time":    {`{"items":[],"deadline_ms":-1}`, 422, "deadline_ms"},
		"deep":             {`{"items":[{"output":"a","meta":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + `}]}`, 422, "nested"},
		"not UTF-8":        {"{\"items\":[{\"output\":\"\xff\"}]}", 200, "results"},
	} {
		status, text := s.Ask(t, "POST", "/v1/score", c.body)
		if status != c.status && !(c.status == 422 && status == 400) || !strings.Contains(text, c.says) || len(text) > 2000 {
			t.Errorf("%s: %d %.300s", name, status, text)
		}
	}
	for path, want := range map[string]int{
		"/v1/recipes/..%2f..%2fetc": 404, "/v1/tasks/nope": 404, "/v1/jobs/..%2f..": 404, "/v1/evidence/..%2f../x": 404, "/v1/evidence/zz/": 404, "/v1/frames/x": 404, "/nothing": 404,
	} {
		if status, text := s.Ask(t, "GET", path, nil); status != want || !strings.Contains(text, `"code":"not_found"`) {
			t.Errorf("GET %s: %d %s", path, status, text)
		}
	}
	if status, text := s.Ask(t, "GET", "/v1/score", nil); status != 405 {
		t.Errorf("GET /v1/score: %d %s", status, text)
	}
	if n := s.Scorer.Calls.Load(); n != 1 {
		t.Errorf("%d judgements of requests that are wrong, want that of the one that is not UTF-8", n)
	}
}

func TestManyAtOnce(t *testing.T) {
	const requests = 256 // the load test has 2,048
	s := servertest.Start(t, servertest.Options{})
	var asking sync.WaitGroup
	results := make([]string, requests)
	for i := range requests {
		asking.Go(func() {
			output := fmt.Sprintf("reward %g", float64(i)/requests)
			switch {
			case i%5 == 0: // a fifth are duplicates
				output = "reward 0.125"
			case i%19 == 0:
				output = fmt.Sprint("fault capture_timeout ", i)
			}
			_, results[i] = s.Ask(t, "POST", "/v1/score", body(item{"output": output}))
		})
	}
	asking.Wait()
	for i, text := range results {
		r := decoded[answers](t, text).Results[0]
		if fault := i%5 != 0 && i%19 == 0; fault != (r.Reward == nil) || fault != (r.Error != nil) {
			t.Errorf("request %d: %s", i, text)
		}
	}
	if n := s.Scorer.Calls.Load(); n > requests-requests/5+1 {
		t.Errorf("%d judgements: the duplicates were judged more than once", n)
	}
}
