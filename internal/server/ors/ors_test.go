package ors_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/server"
	"vitrine/internal/server/ors"
	"vitrine/internal/server/servertest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func start(t *testing.T) *servertest.Service {
	return servertest.Start(t, servertest.Options{
		Server: func(s *server.Settings) {
			s.Tasks = map[string]vitrine.Task{
				"t1": {ID: "t1", Instruction: "A tea shop", Category: "shops"}, "t2": {ID: "t2", Instruction: "A game"}, "t3": {ID: "t3", Instruction: "Ein Café mit Größe"},
			}
		},
		Other: func(s *server.Server) http.Handler { return ors.Handler(t.Context(), s) },
	})
}

// ask sends a request with the name of a session, if there is one.
func ask(t *testing.T, s *servertest.Service, method, path, session, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.Other+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("X-Session-ID", session)
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp.StatusCode, string(text)
}

// joined reads events as clients do, which cut white space off at the beginning of
// data, and returns the joined data, and the task_id.
func joined(t *testing.T, stream string) (data, id, failed string) {
	t.Helper()
	event := ""
	for lines := bufio.NewScanner(strings.NewReader(stream)); lines.Scan(); {
		if len(lines.Text()) > 8000 {
			t.Errorf("a line has %d bytes", len(lines.Text()))
		}
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimLeft(value, " ")
		switch {
		case name == "event":
			event = value
		case name != "data":
		case event == "task_id":
			id = value
		case event == "error":
			failed = value
		default:
			data += value
		}
	}
	return data, id, failed
}

type output struct {
	OK     bool   `json:"ok"`
	Error  string `json:"error"`
	Output struct {
		Blocks []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			Data     []byte `json:"data"`
			MIMEType string `json:"mimeType"`
		} `json:"blocks"`
		Reward   *float64 `json:"reward"`
		Finished bool     `json:"finished"`
	} `json:"output"`
}

func call(t *testing.T, s *servertest.Service, session, tool, html string) (out output, id string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"name": tool, "input": map[string]string{"html": html}})
	must(t, err)
	status, text := ask(t, s, "POST", "/vitrine/call", session, string(body))
	data, id, failed := joined(t, text)
	if err := json.Unmarshal([]byte(data), &out); status != 200 || err != nil || failed != "" {
		t.Fatalf("%d %v %s %s", status, err, failed, text)
	}
	return out, id
}

// open makes a session with the third task.
func open(t *testing.T, s *servertest.Service) string {
	t.Helper()
	_, stream := ask(t, s, "POST", "/create_session", "", "")
	_, session, _ := joined(t, stream)
	status, text := ask(t, s, "POST", "/create", session, `{"env_name":"vitrine","split":"train","index":2,"secrets":{}}`)
	if status != 200 || session == "" {
		t.Fatalf("%d %s", status, text)
	}
	return session
}

func TestSession(t *testing.T) {
	s := start(t)
	session := open(t, s)
	if _, text := ask(t, s, "GET", "/vitrine/prompt", session, ""); !strings.Contains(text, `"text":"Ein Café mit Größe"`) {
		t.Errorf("prompt: %s", text)
	}
	draft, _ := call(t, s, session, "get_feedback", "reward 0.5")
	blocks := draft.Output.Blocks
	if !draft.OK || draft.Output.Reward != nil || draft.Output.Finished || len(blocks) != 2 || !strings.Contains(blocks[0].Text, "The text is grey on grey.") || string(blocks[1].Data) != servertest.Frame {
		t.Errorf("draft: %+v", draft)
	}
	fault, _ := call(t, s, session, "get_feedback", "fault judge_error")
	if fault.OK || fault.Error == "" || fault.Output.Reward != nil {
		t.Errorf("fault: %+v", fault)
	}
	end, id := call(t, s, session, "submit", "reward 0.25")
	if !end.OK || end.Output.Reward == nil || *end.Output.Reward != 0.5 || !end.Output.Finished {
		t.Errorf("submitted, and the best counts: %+v", end)
	}
	_, stream := ask(t, s, "POST", "/vitrine/call", session, `{"name":"submit","input":{"html":"reward 0.25"},"task_id":"`+id+`"}`)
	if data, _, _ := joined(t, stream); !strings.Contains(data, `"finished":true`) {
		t.Errorf("taken up again: %s", stream)
	}
	other := open(t, s)
	_, stream = ask(t, s, "POST", "/vitrine/call", other, `{"name":"submit","input":{"html":"x"},"task_id":"`+id+`"}`)
	if _, _, failed := joined(t, stream); failed == "" {
		t.Errorf("another session took it up: %s", stream)
	}
	for _, path := range []string{"/ping", "/delete", "/delete_session"} {
		if status, text := ask(t, s, "POST", path, session, ""); status != 200 {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, _ := ask(t, s, "POST", "/ping", session, ""); status != 404 {
		t.Errorf("ping after delete: %d", status)
	}
}

func TestLists(t *testing.T) {
	s := start(t)
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/health", "", `{"status":"ok"}`},
		{"GET", "/list_environments", "", `["vitrine"]`},
		{"GET", "/vitrine/splits", "", `[{"name":"train","type":"train"},{"name":"shops","type":"validation"}]`},
		{"POST", "/vitrine/num_tasks", `{"split":"train"}`, `{"num_tasks":3}`},
		{"POST", "/vitrine/tasks", `{"split":"shops"}`, `{"env_name":"vitrine","tasks":[{"id":"t1","instruction":"A tea shop","category":"shops"}]}`},
		{"POST", "/vitrine/task", `{"split":"train","index":1}`, `{"task":{"id":"t2","instruction":"A game"}}`},
		{"POST", "/vitrine/task_range", `{"split":"train","start":-2,"stop":null}`, `{"tasks":[{"id":"t2","instruction":"A game"},{"id":"t3","instruction":"Ein Café mit Größe"}]}`},
	} {
		if status, text := ask(t, s, c.method, c.path, "", c.body); status != 200 || strings.TrimSpace(text) != c.want {
			t.Errorf("%s: %d %s, want %s", c.path, status, text, c.want)
		}
	}
	if _, text := ask(t, s, "GET", "/Vitrine/tools", "", ""); !strings.Contains(text, `"name":"submit"`) || !strings.Contains(text, `"name":"get_feedback"`) {
		t.Errorf("tools: %s", text)
	}
}

func TestRequestsThatAreWrong(t *testing.T) {
	s := start(t)
	session := open(t, s)
	for _, c := range []struct {
		path, session, body string
		status              int
	}{
		{"/vitrine/tasks", "", `{"split":"nope"}`, 422}, {"/other/tasks", "", `{"split":"train"}`, 404}, {"/vitrine/task", "", `{"split":"train","index":9}`, 422},
		{"/create", "", `{"split":"train","index":0}`, 422}, {"/create", session, `{"split":"train","index":0}`, 422}, {"/create", "s9", `{}`, 422}, {"/create", "s9", `{"split":"train","index":-1}`, 422},
		{"/vitrine/call", "nobody", `{"name":"submit","input":{"html":"x"}}`, 404}, {"/vitrine/call", session, `[]`, 422},
	} {
		if status, text := ask(t, s, "POST", c.path, c.session, c.body); status != c.status || !strings.Contains(text, `"detail"`) {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, text)
		}
	}
	for _, c := range []struct{ tool, input string }{{"dance", `{"html":"x"}`}, {"submit", `{}`}, {"submit", `7`}} {
		_, text := ask(t, s, "POST", "/vitrine/call", session, `{"name":"`+c.tool+`","input":`+c.input+`}`)
		if data, _, _ := joined(t, text); !strings.Contains(data, `"ok":false`) {
			t.Errorf("%v: %s", c, text)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
