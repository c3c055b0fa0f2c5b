package flow_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/data/embed"
	"vitrine/internal/data/embed/embedtest"
	"vitrine/internal/data/flow"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/model/providers"
	"vitrine/internal/model/replay"
)

// serverEnv makes this binary run a pipeline that asks the server at its address.
const serverEnv = "VITRINE_TEST_FLOW_SERVER"

// atOnce is how many questions the child has under way.
const atOnce = 3

// asking is a pipeline of all steps that ask, up to the generated pages.
func asking(out, server string) (flow.Settings, *model.Client, error) {
	p, err := flow.Load("aescode-web")
	if err != nil {
		return flow.Settings{}, nil, err
	}
	p.Steps = p.Steps[:5]
	tape, err := replay.Open(filepath.Join(out, "answers"), replay.Auto)
	if err != nil {
		return flow.Settings{}, nil, err
	}
	client, err := model.NewClient(model.Settings{Dial: providers.Dial, Tape: tape, Getenv: func(name string) string {
		return map[string]string{"OPENAI_API_KEY": modeltest.Key, "OPENAI_BASE_URL": server + "/v1"}[name]
	}})
	if err != nil {
		return flow.Settings{}, nil, err
	}
	s := flow.Settings{
		Pipeline: p, Out: out, Limit: 30, Embedders: filepath.Join(filepath.Dir(out), "embedders"), Say: func(string, ...any) {},
		Asking: flow.Asking{Asker: client, AtOnce: atOnce, Models: map[string]flow.Model{}},
	}
	for role := range p.Models {
		s.Asking.Models[role] = flow.Model{Ask: "openai/" + role, Name: "openai/" + role}
	}
	return s, client, nil
}

func askAsChild(out, server string) int {
	s, client, err := asking(out, server)
	if err == nil {
		_, err = flow.Run(context.Background(), s)
		client.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// kills is how often a run is killed.
const kills = 20

// TestKilledRunsAskForNoAnswerThatTheyHave kills a run at twenty questions that are under way,
// one drawn from each twentieth of all. Only questions under way are asked twice.
func TestKilledRunsAskForNoAnswerThatTheyHave(t *testing.T) {
	var mu sync.Mutex
	asked, killAt := map[string]int{}, 0 // of killAt different questions
	reached, held := make(chan struct{}, 1), make(chan struct{})
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		asked[q.Model+q.Text]++
		a := builder(q)
		if killAt > 0 && len(asked) >= killAt {
			a.Wait = held
			select {
			case reached <- struct{}{}:
			default: // it is known already
			}
		}
		return a
	})
	t.Cleanup(func() { close(held) })
	dir := t.TempDir()
	if err := embedtest.Write(embed.Default(filepath.Join(dir, "embedders"))); err != nil {
		t.Fatal(err)
	}
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	finish := func(out string) {
		s, client, err := asking(out, server.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		run(t, s)
	}
	finish(whole)
	distinct := len(asked)
	clear(asked)
	random := rand.New(rand.NewPCG(1, 2))
	for k := range kills {
		mu.Lock()
		killAt = 1 + (k*distinct+random.IntN(distinct))/kills
		mu.Unlock()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+killed, serverEnv+"="+server.URL)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-reached:
			_ = cmd.Process.Kill()
			<-ended
		case err := <-ended:
			t.Fatalf("it ended before it was killed for the %dth time: %v", k+1, err)
		}
		select {
		case <-reached: // of a question that came while it was killed
		default:
		}
	}
	mu.Lock()
	killAt = 0
	mu.Unlock()
	finish(killed)
	calls, twice := 0, 0
	for _, n := range asked {
		calls += n
		twice += n - 1
	}
	if len(asked) != distinct || twice > kills*atOnce || twice < kills {
		t.Errorf("%d questions of %d, %d asked again: want those under way alone, from 1 to %d a kill", len(asked), distinct, twice, atOnce)
	}
	for _, name := range []string{"kept.jsonl", flow.SummaryFile} {
		if a, b := read(t, filepath.Join(whole, name)), read(t, filepath.Join(killed, name)); !bytes.Equal(a, b) || !strings.Contains(string(a), "openai/first") {
			t.Errorf("%s is not the same after kills: %d and %d bytes", name, len(a), len(b))
		}
	}
}
