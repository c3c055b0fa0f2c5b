package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/model/replay"
)

// TestTextsBecomeVectors has an endpoint that gives them in another order, and a tape that
// gives them to the last bit.
func TestTextsBecomeVectors(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		var a modeltest.Answer
		for i, text := range q.Embed {
			a.Vectors = append(a.Vectors, []float64{float64(i), float64(len(text)) / 3, -1e-20})
		}
		a.Usage = model.Usage{In: 7}
		return a
	})
	tape, err := replay.Open(t.TempDir(), replay.Auto)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client(t, model.Settings{Tape: tape, BudgetTokens: 1000})
	for i := range 2 {
		reply, err := client.Ask(t.Context(), "vllm/small", model.Request{Embed: []string{"a", "bb"}})
		if err != nil {
			t.Fatal(err)
		}
		x, dim, err := reply.Vectors(2)
		third := float32(1) / 3
		if diff := cmp.Diff([]float32{0, third, -1e-20, 1, 2 * third, -1e-20}, x); diff != "" || dim != 3 || err != nil || reply.Usage.In != 7 || reply.Cached != (i == 1) {
			t.Errorf("%+v, %v: %s", reply, err, diff)
		}
	}
	if server.Calls() != 1 || client.Spent().In != 7 {
		t.Errorf("%d requests, %+v", server.Calls(), client.Spent())
	}
}

func TestAnswersThatAreNoVectorsAreRefused(t *testing.T) {
	t.Parallel()
	two := func(vectors ...string) string {
		var data []string
		for i, v := range vectors {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v))
		}
		return `{"data":[` + strings.Join(data, ",") + `]}`
	}
	for name, test := range map[string]struct{ body, want string }{
		"too few":          {two(`[1]`), "1 vectors for 2 texts"},
		"too many":         {two(`[1]`, `[1]`, `[1]`), "3 vectors for 2 texts"},
		"none":             {`{"object":"list"}`, "0 vectors for 2 texts"},
		"empty":            {two(`[]`, `[]`), "no list of finite numbers"},
		"null":             {two(`[1]`, `[null]`), "no list of finite numbers"},
		"no list":          {two(`[1]`, `"AAAA"`), "no list of finite numbers"},
		"texts":            {two(`[1]`, `["1"]`), "no list of finite numbers"},
		"infinite":         {two(`[1]`, `[1e99]`), "no list of finite numbers"},
		"no number":        {two(`[1]`, `[NaN]`), "no JSON"},
		"other dimensions": {two(`[1]`, `[1,2]`), "1 and 2 numbers"},
		"one twice":        {`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "index 0"},
		"beyond":           {`{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`, "index 2"},
		"a conversation":   {`{"choices":[]}`, "0 vectors"},
	} {
		server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Failure: &modeltest.Failure{Body: test.body, ContentType: "application/json"}}
		})
		_, err := server.Client(t, model.Settings{Retries: -1}).Ask(t.Context(), "openai/small", model.Request{Embed: []string{"a", "b"}})
		if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultModelError || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestRequestsForVectorsThatCannotBe(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{} })
	client := server.Client(t, model.Settings{})
	talk := []model.Message{model.User(model.Text("a"))}
	for name, test := range map[string]struct {
		model string
		r     model.Request
		code  vitrine.FaultCode
	}{
		"empty text":     {"openai/small", model.Request{Embed: []string{"a", ""}}, vitrine.FaultModelRequest},
		"beside a talk":  {"openai/small", model.Request{Embed: []string{"a"}, Messages: talk}, vitrine.FaultModelRequest},
		"other protocol": {"anthropic/claude-haiku-4-5", model.Request{Embed: []string{"a"}}, vitrine.FaultUsage},
	} {
		if _, err := client.Ask(t.Context(), test.model, test.r); err == nil || vitrine.AsFault("", err).Code != test.code {
			t.Errorf("%s: %v, want %s", name, err, test.code)
		}
	}
	if server.Calls() > 0 {
		t.Error("the endpoint was asked")
	}
}

// FuzzVectors: no recording makes reading it panic, and what is read is finite.
func FuzzVectors(f *testing.F) {
	f.Add(model.VectorText([]float32{1, 2, 3, 4}), 2)
	f.Add("AAAAfw==", 1)
	f.Add("AAAA", 0)
	f.Fuzz(func(t *testing.T, text string, n int) {
		x, dim, err := model.Response{Text: text}.Vectors(n)
		if err == nil && (len(x) != n*dim || dim < 1) {
			t.Errorf("%d numbers are %d vectors of %d", len(x), n, dim)
		}
		for _, v := range x {
			if err == nil && v-v != 0 {
				t.Errorf("%v is not finite", v)
			}
		}
	})
}
