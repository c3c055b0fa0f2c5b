package replay_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/model/providers"
	"vitrine/internal/model/replay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, dir string, mode replay.Mode) model.Tape {
	t.Helper()
	tape, err := replay.Open(dir, mode)
	must(t, err)
	return tape
}

const name = "openai/gpt-5-mini"

func question(s string) model.Request {
	return model.Request{System: "Judge.", Messages: []model.Message{model.User(model.Text(s))}}
}

func counting(t testing.TB) *modeltest.Server {
	return modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		if strings.Contains(q.Text, "fail") {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: "no"}}
		}
		return modeltest.Answer{Text: "answer " + strings.TrimSpace(q.Text) + strings.Repeat("!", q.Call)}
	})
}

// offline is a transport that nothing may use.
type offline struct{ t testing.TB }

func (o offline) RoundTrip(*http.Request) (*http.Response, error) {
	o.t.Error("the network was used")
	return nil, errors.New("no network")
}

func TestRecordedIsReplayedWithoutNetworkAndKey(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "on", "demand")
	server := counting(t)
	first, err := server.Client(t, model.Settings{Tape: open(t, dir, replay.Record)}).Ask(t.Context(), name, question("a"))
	must(t, err)
	if first.Cached {
		t.Error("what was asked counts as from the tape")
	}
	client, err := model.NewClient(model.Settings{
		Dial: providers.Dial, Tape: open(t, dir, replay.Replay), Transport: offline{t}, Getenv: func(string) string { return "" }, BudgetUSD: 1e-9,
	})
	must(t, err)
	again, err := client.Ask(t.Context(), name, question("a"))
	must(t, err)
	if again.Response != first.Response || !again.Cached || again.Attempts != 0 || again.USD == nil || *again.USD != 0 || again.Hash != first.Hash {
		t.Errorf("recorded %+v, replayed %+v", first, again)
	}
	if s := client.Spent(); s.Cached != 1 || s.Calls != 0 || s.In != 0 || s.USD != 0 {
		t.Errorf("replaying spent %+v", s)
	}
}

func TestWhatWasNotRecordedIsNamed(t *testing.T) {
	t.Parallel()
	server := counting(t)
	client := server.Client(t, model.Settings{Tape: open(t, t.TempDir(), replay.Replay)})
	_, err := client.Ask(t.Context(), name, question("new"))
	f := vitrine.AsFault("x", err)
	if f.Code != vitrine.FaultNoRecording || f.Fix == "" || len(strings.Fields(f.Message)[1]) != 32 || server.Calls() != 0 {
		t.Errorf("got %v after %d calls", err, server.Calls())
	}
}

func TestEverythingThatCountsMakesAnotherConversation(t *testing.T) {
	t.Parallel()
	server := counting(t)
	dir := t.TempDir()
	client := server.Client(t, model.Settings{Tape: open(t, dir, replay.Auto), Models: map[string]model.Entry{
		"elsewhere": {Model: name, BaseURL: "https://proxy.example/v1"}, "same": {Model: name},
	}})
	base := question("a")
	with := func(change func(*model.Request)) model.Request {
		r := question("a")
		change(&r)
		return r
	}
	half := 0.5
	seed := int64(1)
	picture, err := model.NewImage([]byte("\x89PNG\x0D\x0A\x1A\x0A..."))
	must(t, err)
	asks := []struct {
		name string
		r    model.Request
	}{
		{name, base}, {"openai/gpt-5", base}, {"elsewhere", base}, {name, question("b")},
		{name, with(func(r *model.Request) { r.System = "" })},
		{name, with(func(r *model.Request) { r.Repeat = 1 })},
		{name, with(func(r *model.Request) { r.MaxTokens = 10 })},
		{name, with(func(r *model.Request) { r.Temperature = &half })},
		{name, with(func(r *model.Request) { r.TopP = &half })},
		{name, with(func(r *model.Request) { r.Seed = &seed })},
		{name, with(func(r *model.Request) { r.Schema = &model.Schema{Name: "x", JSON: []byte(`{}`)} })},
		{name, with(func(r *model.Request) { r.Messages[0].Parts = append(r.Messages[0].Parts, model.Part{Image: &picture}) })},
		{name, with(func(r *model.Request) { r.Messages = append(r.Messages, r.Messages[0]) })},
	}
	seen := map[string]bool{}
	for range 2 {
		for _, a := range asks {
			reply, err := client.Ask(t.Context(), a.name, a.r)
			must(t, err)
			seen[reply.Hash] = true
		}
	}
	if _, err := client.Ask(t.Context(), "same", with(func(r *model.Request) { r.MaxTokens = model.DefaultMaxTokens })); err != nil {
		t.Error(err)
	}
	if len(seen) != len(asks) || server.Calls() != len(asks) {
		t.Errorf("%d questions made %d conversations in %d calls", len(asks), len(seen), server.Calls())
	}
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		must(t, err)
		if strings.Contains(string(b), modeltest.Key) || strings.Contains(string(b), "iVBOR") {
			t.Errorf("%s holds a key or a picture", f.Name())
		}
	}
}

// Equal questions at once are one question; the others take its answer.
func TestEqualQuestionsAtOnceAreAskedOnce(t *testing.T) {
	t.Parallel()
	server := counting(t)
	client := server.Client(t, model.Settings{Tape: open(t, t.TempDir(), replay.Auto)})
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			reply, err := client.Ask(t.Context(), name, question([]string{"a", "b", "c"}[i%3]))
			if err != nil || !strings.HasPrefix(reply.Text, "answer ") {
				t.Errorf("%v: %q", err, reply.Text)
			}
		})
	}
	all.Wait()
	if s := client.Spent(); server.Calls() != 3 || s.Calls != 3 || s.Cached != 57 {
		t.Errorf("%d requests, spent %+v", server.Calls(), s)
	}
}

func TestErrorsAreNotRecorded(t *testing.T) {
	t.Parallel()
	server := counting(t)
	dir := t.TempDir()
	client := server.Client(t, model.Settings{Tape: open(t, dir, replay.Auto)})
	for range 2 {
		if _, err := client.Ask(t.Context(), name, question("fail")); err == nil {
			t.Error("no error")
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 || server.Calls() != 2 {
		t.Errorf("%d files after %d calls", len(left), server.Calls())
	}
}

func TestRecordTakesThePlaceOfTheOld(t *testing.T) {
	t.Parallel()
	server := counting(t)
	dir := t.TempDir()
	var texts []string
	for _, mode := range []replay.Mode{replay.Record, replay.Record, replay.Auto, replay.Replay} {
		reply, err := server.Client(t, model.Settings{Tape: open(t, dir, mode)}).Ask(t.Context(), name, question("a"))
		must(t, err)
		texts = append(texts, reply.Text)
	}
	if got := strings.Join(texts, " "); got != "answer a! answer a!! answer a!! answer a!!" {
		t.Error(got)
	}
}

func TestBrokenRecordings(t *testing.T) {
	t.Parallel()
	server := counting(t)
	for what, content := range map[string]string{"torn": `{"schema": 1, "ha`, "empty": "", "of another": `{"schema":1,"hash":"x"}`, "of another layout": `{"schema":9}`} {
		dir := t.TempDir()
		client := server.Client(t, model.Settings{Tape: open(t, dir, replay.Auto)})
		reply, err := client.Ask(t.Context(), name, question(what))
		must(t, err)
		file := filepath.Join(dir, reply.Hash+".json")
		must(t, os.WriteFile(file, []byte(content), 0o644))
		_, err = server.Client(t, model.Settings{Tape: open(t, dir, replay.Replay)}).Ask(t.Context(), name, question(what))
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoRecording || !strings.Contains(f.Fix, file) {
			t.Errorf("%s: replay gives %v", what, err)
		}
		again, err := client.Ask(t.Context(), name, question(what))
		if err != nil || again.Cached {
			t.Errorf("%s: auto gives %+v, %v, want it asked anew", what, again, err)
		}
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o644))
	_, err := counting(t).Client(t, model.Settings{Tape: open(t, file, replay.Record)}).Ask(t.Context(), name, question("a"))
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUnwritable {
		t.Errorf("got %v", err)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	for _, mode := range []replay.Mode{"", "off"} {
		if tape, err := replay.Open("", mode); tape != nil || err != nil {
			t.Errorf("%q: %v, %v", mode, tape, err)
		}
	}
	for dir, mode := range map[string]replay.Mode{"x": "rewind", "": replay.Auto} {
		if _, err := replay.Open(dir, mode); vitrine.AsFault("x", err).Code != vitrine.FaultUsage || vitrine.AsFault("x", err).Fix == "" {
			t.Errorf("%q %q: %v", dir, mode, err)
		}
	}
	if _, err := os.Stat("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("opening made a folder")
	}
}
