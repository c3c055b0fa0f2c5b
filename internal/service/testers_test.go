package service_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/pipeline"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/server/servertest"
	"vitrine/internal/service"
)

// counting is a benchmark whose answers pass that say their task's instruction.
type counting struct {
	bench.Tested
	opened *int
}

func (counting) Info() bench.Info { return bench.Info{Name: "counting"} }

func (c counting) Tester(context.Context, bench.Machine) (bench.Tester, error) {
	*c.opened++
	if *c.opened == 1 {
		return nil, errors.New("the registry does not answer")
	}
	return c, nil
}

func (counting) Test(_ context.Context, t vitrine.Task, o vitrine.Output) (bench.Measured, error) {
	if o.Text == "busy" {
		return bench.Measured{Outcome: "unjudged", Compat: bench.Parts{"pass": bench.One(0)}, Error: vitrine.NewFault("build", vitrine.FaultStarved, nil, "no processor")}, nil
	}
	pass := 0.0
	if o.Text == t.Instruction {
		pass = 1
	}
	return bench.Measured{Outcome: "tested", Strict: bench.Parts{"pass": bench.One(pass)}, Compat: bench.Parts{"pass": bench.One(pass)}}, nil
}

// Workers test answers to a benchmark as this machine would: what they measured comes back,
// also of those that could not be judged. A tester that is not ready is tried again.
func TestWorkersTestAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the browser")
	}
	recipe, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.New(pipeline.Settings{Recipe: recipe, NoCache: true, CacheDir: t.TempDir()})
	defer p.Close()
	cluster := servertest.StartCluster(t)
	opened := 0
	b := counting{opened: &opened}
	settings := service.Settings{
		Pipeline: p, Recipes: []*reward.Recipe{recipe}, Queue: queue.Settings{URL: cluster.URL}, Testers: &service.Testers{Benchmarks: []bench.Benchmark{b}, Machine: bench.Machine{CacheDir: t.TempDir()}},
		Getenv: func(string) string { return "" }, Say: t.Logf, Log: slog.New(slog.DiscardHandler),
	}
	w, _, err := service.Join(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Queue.Close()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	defer func() { end(); <-ended }()

	e, err := service.OpenElsewhere(ctx, settings, "test", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	task := vitrine.Task{ID: "1", Instruction: "right"}
	for text, want := range map[string]struct {
		outcome string
		pass    float64
		code    vitrine.FaultCode
	}{"right": {"tested", 1, ""}, "wrong": {"tested", 0, ""}, "busy": {"unjudged", 0, vitrine.FaultStarved}} {
		m, err := e.Tester(b).Test(ctx, task, vitrine.Output{ID: text, TaskID: "1", Text: text})
		code := vitrine.FaultCode("")
		if m.Error != nil {
			code = m.Error.Code
		}
		if err != nil || m.Outcome != want.outcome || m.Compat["pass"] == nil || m.Compat["pass"].Sum != want.pass || code != want.code {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
	if opened != 2 {
		t.Errorf("made ready %d times", opened)
	}
	// A benchmark that workers do not have is said to be none.
	m, err := e.Tester(other{}).Test(ctx, task, vitrine.Output{ID: "a", Text: "a"})
	if err != nil || m.Error == nil || m.Error.Code != vitrine.FaultUsage || !strings.Contains(m.Error.Message, "there is no benchmark other") {
		t.Errorf("%+v, %v", m, err)
	}
}

type other struct{ bench.Tested }

func (other) Info() bench.Info { return bench.Info{Name: "other"} }
