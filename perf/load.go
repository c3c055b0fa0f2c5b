package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	pool "vitrine/internal/worker"
)

// loading sends many requests at once to the real service on the real engine, with
// duplicates, hostile pages and faults among them, and then scores the same pages as
// vitrine score does.
type loading struct {
	requests   int
	duplicates float64
	hostile    float64
	faults     float64
	deadline   time.Duration
	inputs     []string
	json       bool
}

func loadCommand() *cobra.Command {
	l := &loading{}
	cmd := command("load", "Send many requests at once to the service, with duplicates, hostile pages and faults", l.run)
	flags := cmd.Flags()
	flags.IntVar(&l.requests, "requests", 2048, "requests, all sent at once")
	flags.Float64Var(&l.duplicates, "duplicates", 0.2, "share that repeats another request")
	flags.Float64Var(&l.hostile, "hostile", 0.05, "share of hostile pages")
	flags.Float64Var(&l.faults, "faults", 0.05, "share that meets a fault of the infrastructure")
	flags.DurationVar(&l.deadline, "deadline", 50*time.Minute, "of every request")
	flags.StringArrayVar(&l.inputs, "input", []string{demoInput}, `file of outputs, or "demo"; only single pages are used`)
	flags.BoolVar(&l.json, "json", false, "print the figures as JSON")
	return cmd
}

// loaded are the figures.
type loaded struct {
	Requests   int     `json:"requests"`
	Distinct   int     `json:"distinct"`
	Scored     int     `json:"scored"`
	Null       int     `json:"null"`
	Wrong      int     `json:"wrong"` // a fault with a reward, or a page without one
	Lost       int     `json:"lost"`  // no answer, or none in time
	Renders    int64   `json:"renders"`
	Seconds    float64 `json:"seconds"`
	Alone      float64 `json:"score_seconds"` // the same distinct pages by vitrine score
	PeakMB     float64 `json:"peak_mb"`
	Throughput float64 `json:"throughput"` // of the service, as a share of vitrine score
	causes     map[string]int
}

func (l *loading) run(ctx context.Context, w io.Writer) error {
	items, err := l.items()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "vitrine-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stop, peak := make(chan struct{}), make(chan float64, 1)
	go func() { peak <- watchMemory(os.Getpid(), stop) }()
	f, err := l.serve(ctx, items, filepath.Join(dir, "serve"))
	close(stop)
	f.PeakMB = <-peak
	if err != nil {
		return err
	}
	if f.Alone, err = l.alone(ctx, items, filepath.Join(dir, "score")); err != nil {
		return err
	}
	f.Throughput = f.Alone / f.Seconds
	if l.json {
		return printJSON(w, f)
	}
	fmt.Fprintf(w, "%d requests at once (%d distinct): %d scored, %d null, %d wrong, %d lost\n", f.Requests, f.Distinct, f.Scored, f.Null, f.Wrong, f.Lost)
	fmt.Fprintf(w, "rendered %d times; %.1f s, %.2f answers a second; peak memory %.0f MB\n", f.Renders, f.Seconds, float64(f.Requests)/f.Seconds, f.PeakMB)
	fmt.Fprintf(w, "the same distinct pages by vitrine score: %.1f s; the service has %.0f %% of its throughput\n", f.Alone, 100*f.Throughput)
	fmt.Fprintf(w, "causes of null: %v\n", f.causes)
	return nil
}

// settings are those of the engine, without what earlier runs kept.
func (l *loading) settings(dir string) func(*pipeline.Settings) {
	return func(s *pipeline.Settings) {
		s.CacheDir, s.Fixtures = dir, nil
		s.Capture.TimesMS = []int{0, 1000, 2000}
	}
}

func (l *loading) serve(ctx context.Context, items []arrival, dir string) (f loaded, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := newPipeline(l.settings(filepath.Join(dir, "cache")))
	if err != nil {
		return f, err
	}
	defer p.Close()
	q, err := queue.Open(ctx, queue.Settings{Dir: filepath.Join(dir, "queue")})
	if err != nil {
		return f, err
	}
	defer q.Close()
	recipe, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		return f, err
	}
	srv, err := server.New(server.Settings{Queue: q, Blobs: q.Blobs(), Batches: q.Batches(), Sessions: q.Sessions(), Recipes: []*reward.Recipe{recipe}, MaxDeadline: l.deadline})
	if err != nil {
		return f, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return f, err
	}
	var renders atomic.Int64
	w := pool.Worker{Queue: q, Slots: p.Concurrency(), Scorer: func(string) (pool.Scorer, error) { return faultyScorer{p, &renders}, nil }}
	end := make(chan struct{})
	var running errgroup.Group
	running.Go(func() error { return srv.Run(ctx, end, server.Service{Listener: listener, Handler: srv.Handler()}) })
	running.Go(func() error { return w.Run(ctx) })
	f = l.send(ctx, "http://"+listener.Addr().String()+"/v1/score", items)
	f.Renders = renders.Load()
	close(end)
	cancel()
	if err := running.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return f, err
	}
	return f, nil
}

// send sends every item as a request of its own, all at once.
func (l *loading) send(ctx context.Context, url string, items []arrival) loaded {
	f := loaded{Requests: len(items), Distinct: distinct(items), causes: map[string]int{}}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: len(items)}, Timeout: l.deadline + time.Minute}
	defer client.CloseIdleConnections()
	start := time.Now()
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, item := range items {
		all.Go(func() {
			r, err := l.ask(ctx, client, url, fmt.Sprintf("client-%d", i%8), item.output)
			mu.Lock()
			defer mu.Unlock()
			f.count(item, r, err)
			if n := f.Scored + f.Null + f.Lost; n%256 == 0 {
				say("%d of %d answered, %.0f s", n, len(items), time.Since(start).Seconds())
			}
		})
	}
	all.Wait()
	f.Seconds = time.Since(start).Seconds()
	return f
}

// reply is the part of an answer that counts here.
type reply struct {
	Results []struct {
		Status string         `json:"status"`
		Reward *float64       `json:"reward"`
		Error  *vitrine.Fault `json:"error"`
	} `json:"results"`
}

func (l *loading) ask(ctx context.Context, client *http.Client, url, name string, o vitrine.Output) (reply, error) {
	body, err := json.Marshal(map[string]any{"client": name, "deadline_ms": l.deadline.Milliseconds(), "items": []map[string]string{{"output": o.Text}}})
	if err != nil {
		return reply{}, err
	}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return reply{}, err
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			return reply{}, err
		}
		raw, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil {
			return reply{}, err
		}
		if res.StatusCode == http.StatusTooManyRequests {
			seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
			select {
			case <-time.After(time.Duration(max(seconds, 1)) * time.Second): // as the answer says
				continue
			case <-ctx.Done():
				return reply{}, ctx.Err()
			}
		}
		var r reply
		if res.StatusCode != http.StatusOK {
			return r, fmt.Errorf("%s: %.200s", res.Status, raw)
		}
		return r, json.Unmarshal(raw, &r)
	}
}

func (f *loaded) count(item arrival, r reply, err error) {
	if err != nil || len(r.Results) != 1 {
		f.Lost++
		say("lost: %v", err)
		return
	}
	res := r.Results[0]
	if res.Reward != nil {
		f.Scored++
	} else {
		f.Null++
		if res.Error == nil {
			f.Wrong++
			return
		}
		f.causes[string(res.Error.Code)]++
	}
	if item.faulty != (res.Reward == nil) {
		f.Wrong++
		say("wrong: %v %v", res.Reward, res.Error)
	}
}

// alone scores the distinct pages that meet no fault as vitrine score does.
func (l *loading) alone(ctx context.Context, items []arrival, dir string) (float64, error) {
	p, err := newPipeline(l.settings(filepath.Join(dir, "cache")))
	if err != nil {
		return 0, err
	}
	defer p.Close()
	seen := map[string]bool{}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.Concurrency())
	start := time.Now()
	for i, item := range items {
		if item.faulty || seen[item.output.Text] {
			continue
		}
		seen[item.output.Text] = true
		o := item.output
		o.ID = fmt.Sprint(i)
		group.Go(func() error { return scoreOne(ctx, p, o, filepath.Join(dir, o.ID), func(event) {}) })
	}
	err = group.Wait()
	return time.Since(start).Seconds(), err
}
