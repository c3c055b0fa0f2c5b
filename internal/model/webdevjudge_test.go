package model_test

import (
	"testing"

	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

func TestClaudeThinksAsInWebDevJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		most     int // tokens of the answer
		heat     float64
		thinking int
		given    *float64
	}{
		{name: "anthropic/claude-sonnet-4-0", heat: 1, thinking: model.DefaultMaxTokens / 2},
		{name: "anthropic/Claude-3-7", most: 1500, heat: 1, thinking: 1024},
		{name: "anthropic/claude-3-7", most: 1024, heat: 1}, // no room
		{name: "anthropic/claude-3-7", heat: 0.3, given: ptr(0.3)},
		{name: "anthropic/other", heat: 0},
		{name: "openai/gpt-4.1", heat: 0},
	} {
		var last modeltest.Question
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer { last = q; return modeltest.Answer{Text: "ok"} })
		r := text("?")
		r.MaxTokens, r.Temperature = c.most, c.given
		_, err := server.Client(t, model.Settings{}).Ask(t.Context(), c.name, r.AsWebDevJudge(c.name))
		must(t, err)
		if last.Temperature == nil || *last.Temperature != c.heat || last.Thinking != c.thinking {
			t.Errorf("%s with %d tokens: asked %+v", c.name, c.most, last)
		}
	}
}

func TestAModelThatRefusesToThinkIsAskedWithout(t *testing.T) {
	t.Parallel()
	var last modeltest.Question
	answer := refusing(map[string]func(modeltest.Question) bool{`"thinking.type.enabled" is not supported for this model`: func(q modeltest.Question) bool { return q.Thinking > 0 }})
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer { last = q; return answer(q) })
	_, err := server.Client(t, model.Settings{Retries: -1}).Ask(t.Context(), "anthropic/claude-x", text("?").AsWebDevJudge("claude-x"))
	must(t, err)
	if server.Calls() != 2 || last.Thinking != 0 || *last.Temperature != 1 {
		t.Errorf("%d calls, the last %+v", server.Calls(), last)
	}
}
