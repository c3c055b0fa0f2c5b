package model_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/model/providers"
)

// many asks n different questions at once and returns the replies that came.
func many(t *testing.T, client *model.Client, name string, n, atOnce int) (replies map[string]model.Reply, failed []error) {
	t.Helper()
	replies = map[string]model.Reply{}
	var mu sync.Mutex
	var all sync.WaitGroup
	next := make(chan string)
	for range atOnce {
		all.Go(func() {
			for q := range next {
				reply, err := client.Ask(t.Context(), name, text(q))
				mu.Lock()
				if err != nil {
					failed = append(failed, err)
				} else if replies[q] = reply; reply.Text != "re: "+q {
					t.Errorf("the answer to %q is %q", q, reply.Text)
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- fmt.Sprint("question ", i)
	}
	close(next)
	all.Wait()
	return replies, failed
}

// Of all requests, a tenth fails and another meets a rate limit; then the costs of
// what was answered add up, and nothing is lost or asked twice.
func TestFiveHundredAtOnce(t *testing.T) {
	t.Parallel()
	const n, atOnce, retries = 500, 64, 5
	eachProtocol(t, func(t *testing.T, _ model.Protocol, name string) {
		var mu sync.Mutex
		tries, answered := map[string]int{}, map[string]int{}
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
			question := strings.TrimSpace(q.Text)
			mu.Lock()
			defer mu.Unlock()
			tries[question]++
			// Numbers are spread so that some questions fail several times.
			switch (q.Call * 7919) % 20 {
			case 0:
				return modeltest.Answer{Failure: &modeltest.Failure{Status: 500}}
			case 1:
				return modeltest.Answer{Text: "lost on the way", Failure: &modeltest.Failure{CutOff: true}}
			case 2, 3:
				return modeltest.Answer{Failure: &modeltest.Failure{Status: 429, RetryMillis: 2}}
			}
			answered[question]++
			return modeltest.Answer{Text: "re: " + question, Usage: model.Usage{In: 1001 + q.Call, Cached: 7, Out: 13}}
		})
		var heard atomic.Int64
		client := server.Client(t, model.Settings{Retries: retries, OnRetry: func(model.Retry) { heard.Add(1) }})
		replies, failed := many(t, client, name, n, atOnce)
		if len(replies) != n || len(failed) > 0 {
			t.Fatalf("%d replies, failed: %v", len(replies), failed)
		}
		nano := 0.0
		for q, reply := range replies {
			if answered[q] != 1 || tries[q] > 1+retries || reply.Attempts != tries[q] {
				t.Errorf("%s was answered %d times in %d tries, the reply says %d", q, answered[q], tries[q], reply.Attempts)
			}
			nano += math.Round(*reply.USD * 1e9)
		}
		s := client.Spent()
		if s.Calls != n || s.Failed != 0 || s.Retries != server.Calls()-n || int(heard.Load()) != s.Retries || s.Retries < n/10 {
			t.Errorf("spent %+v after %d requests, heard of %d retries", s, server.Calls(), heard.Load())
		}
		if math.Abs(s.USD*1e9-nano) > 1000 || s.USD == 0 {
			t.Errorf("the sum is $%.9f, the replies cost $%.9f", s.USD, nano/1e9)
		}
	})
}

func TestBudgetStops(t *testing.T) {
	t.Parallel()
	for what, settings := range map[string]model.Settings{
		"dollars": {BudgetUSD: 0.01}, "tokens": {BudgetTokens: 20_000},
	} {
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Text: "re: " + strings.TrimSpace(q.Text), Usage: model.Usage{In: 30, Out: 200}}
		})
		client := server.Client(t, settings)
		replies, failed := many(t, client, "openai/gpt-5-mini", 200, 32) // $0.0004075 or 230 tokens each
		s := client.Spent()
		if settings.BudgetUSD > 0 && s.USD > settings.BudgetUSD || settings.BudgetTokens > 0 && s.In+s.Out > settings.BudgetTokens {
			t.Errorf("%s: spent %+v", what, s)
		}
		if len(replies)+len(failed) != 200 || s.Calls != len(replies) || server.Calls() != len(replies) || len(replies) < 3 {
			t.Errorf("%s: %d replies, %d failed, %d requests, spent %+v", what, len(replies), len(failed), server.Calls(), s)
		}
		for _, err := range failed {
			f := vitrine.AsFault("x", err)
			if f.Code != vitrine.FaultBudget || !strings.Contains(f.Fix, "--resume") {
				t.Fatalf("%s: %v", what, err)
			}
		}
		if _, err := client.Ask(t.Context(), "openai/gpt-5-mini", text("again")); vitrine.AsFault("x", err).Code != vitrine.FaultBudget {
			t.Errorf("%s: after the end: %v", what, err)
		}
	}
}

// What is set aside for others comes back: a small budget is used up to its end.
func TestBudgetWaitsForThoseUnderWay(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		return modeltest.Answer{Text: "re: " + strings.TrimSpace(q.Text), Usage: model.Usage{In: 10, Out: 10}}
	})
	client := server.Client(t, model.Settings{BudgetTokens: 5_000}) // one conversation sets aside more than 4096
	replies, failed := many(t, client, "vllm/m", 40, 16)
	if len(replies) != 40 || failed != nil {
		t.Errorf("%d replies, %v", len(replies), failed)
	}
}

func TestUnknownPriceIsNeverZero(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		return modeltest.Answer{Text: "x", NoUsage: strings.Contains(q.Text, "uncounted")}
	})
	client := server.Client(t, model.Settings{Models: map[string]model.Entry{
		"cheap": {Model: "vllm/m", Price: &model.Price{In: 1, Out: 2, Date: "2026-11-21"}},
		"free":  {Model: "vllm/m", Price: &model.Price{Date: "2026-11-21"}},
		"short": {Model: "vllm/m", Price: &model.Price{In: 1, Out: 2, UpTo: 1, Date: "2026-11-21"}},
	}})
	for name, known := range map[string]bool{"vllm/m": false, "cheap": true, "free": true, "short": false, "openai/gpt-of-tomorrow": false} {
		reply, err := client.Ask(t.Context(), name, text("long enough"))
		must(t, err)
		if (reply.USD != nil) != known || known && (*reply.USD > 0) != (name == "cheap") {
			t.Errorf("%s cost %v", name, reply.USD)
		}
	}
	reply, err := client.Ask(t.Context(), "cheap", text("uncounted"))
	must(t, err)
	if s := client.Spent(); reply.USD != nil || s.Unpriced != 4 || s.Calls != 6 {
		t.Errorf("tokens that were not counted cost %v, spent %+v", reply.USD, s)
	}
}

func TestBudgetInDollarsNeedsAPrice(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x"} })
	client := server.Client(t, model.Settings{BudgetUSD: 1})
	_, asked := client.Ask(t.Context(), "vllm/m", text("?"))
	for _, err := range []error{asked, client.Ready("vllm/m")} {
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "--budget-tokens") {
			t.Errorf("got %v", err)
		}
	}
	must(t, client.Ready("openai/gpt-5-mini"))
	if server.Calls() != 0 {
		t.Error("it was asked")
	}
}

func TestUncountedTokensCountAgainstTheBudget(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x", NoUsage: true} })
	client := server.Client(t, model.Settings{BudgetTokens: 10_000})
	answered := 0
	for range 5 {
		if _, err := client.Ask(t.Context(), "vllm/m", text("?")); err == nil {
			answered++
		}
	}
	if answered != 2 {
		t.Errorf("%d of conversations that may take 4096 tokens and more fit into 10000", answered)
	}
}

func TestMissingKeyNamesItsVariable(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x"} })
	client := server.Client(t, model.Settings{
		Getenv: func(string) string { return "" },
		Models: map[string]model.Entry{"house": {Model: "vllm/m", KeyVariable: "HOUSE_KEY"}},
	})
	for name, variable := range map[string]string{
		"openai/x": "OPENAI_API_KEY", "anthropic/x": "ANTHROPIC_API_KEY", "google/x": "GOOGLE_API_KEY", "openrouter/a/b": "OPENROUTER_API_KEY", "house": "HOUSE_KEY",
	} {
		_, asked := client.Ask(t.Context(), name, text("?"))
		for _, err := range []error{asked, client.Ready(name)} {
			f := vitrine.AsFault("x", err)
			if f.Code != vitrine.FaultNoKey || !strings.Contains(f.Message, variable) || !strings.Contains(f.Fix, variable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if server.Calls() != 0 {
		t.Error("something was asked")
	}
}

func TestUnknownNamesAreExplained(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x"} })
	client := server.Client(t, model.Settings{Models: map[string]model.Entry{"house": {Model: "vllm/m"}}})
	for _, name := range []string{"", "gpt-4o", "openai/", "openia/gpt-4o", "openai-api/x", "openai-api/a b/c", "/", "house/x"} {
		_, err := client.Ask(t.Context(), name, text("?"))
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "house") && !strings.HasPrefix(name, "openai-api/") {
			t.Errorf("%q: %v, fix %q", name, err, f.Fix)
		}
	}
}

func TestNoKeyGoesToServersOfOnesOwn(t *testing.T) {
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "x"} })
	t.Setenv("OPENAI_API_KEY", modeltest.Key) // the SDK would take it along
	client := server.Client(t, model.Settings{Getenv: func(string) string { return "" }})
	if _, err := client.Ask(t.Context(), "ollama/llava", text("?")); cause(err) != model.CauseKey || server.Calls() != 0 {
		t.Errorf("the server of another took the key of OpenAI: %v", err)
	}
}

// The variables alone are enough, with Go's own way to the network.
func TestVariablesLeadEveryProviderToTheServer(t *testing.T) {
	t.Parallel()
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer { return modeltest.Answer{Text: "by " + q.Model} })
	env := server.Env()
	client, err := model.NewClient(model.Settings{Dial: providers.Dial, Getenv: func(v string) string { return env[v] }})
	must(t, err)
	defer client.Close()
	for _, provider := range model.Providers() {
		name := provider + "/m"
		if provider == "openai-api" {
			name = provider + "/test/m"
		}
		reply, err := client.Ask(t.Context(), name, text("?"))
		if err != nil || reply.Text != "by m" || reply.Name != name {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
	if server.Calls() != len(model.Providers()) {
		t.Errorf("%d requests", server.Calls())
	}
}
