package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
)

// chaos keeps a service of three processes busy and kills a part of it now and then.
type chaos struct {
	minutes float64
	every   time.Duration
	dir     string
	csv     string
	json    bool

	url   string
	pages []vitrine.Output
	parts []*part // the server, then the workers

	mu      sync.Mutex
	counts  map[string]int
	answers map[int][]answered   // by number of the output
	series  map[string][]float64 // what the parts have, over time
}

const (
	chaosInflight = 24              // requests at once
	chaosDeadline = 5 * time.Minute // of every request, and of what is under way at the end
)

func chaosCommand() *cobra.Command {
	c := &chaos{answers: map[int][]answered{}, series: map[string][]float64{}, counts: map[string]int{"lost": 0, "judged twice": 0, "contradicting": 0, "strays": 0, "left processes": 0, "left files": 0}}
	cmd := command("chaos", "Kill browsers, workers and the server of a busy service, and count what is lost", c.run)
	flags := cmd.Flags()
	flags.Float64Var(&c.minutes, "minutes", 30, "how long requests are sent")
	flags.DurationVar(&c.every, "every", time.Minute, "time between two kills")
	flags.StringVar(&c.dir, "dir", "", "empty folder for state, caches and logs, which is kept (default: a temporary one)")
	flags.StringVar(&c.csv, "csv", "", "file for memory, open files and goroutines over time")
	flags.BoolVar(&c.json, "json", false, "print the figures as JSON")
	return cmd
}

func (c *chaos) run(ctx context.Context, w io.Writer) error {
	outputs, err := readOutputs([]string{demoInput}, 0)
	if err != nil {
		return err
	}
	c.pages = singlePages(outputs)
	if c.dir == "" {
		if c.dir, err = os.MkdirTemp("", "vitrine-chaos-"); err != nil {
			return err
		}
		defer os.RemoveAll(c.dir)
	}
	if err := adoptOrphans(); err != nil { // what a killed worker leaves becomes ours, and is seen
		return err
	}
	defer reapOrphans()
	if err := c.layOut(); err != nil {
		return err
	}
	living, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var kept sync.WaitGroup
	for _, p := range c.parts {
		kept.Go(func() { c.keep(living, p) })
	}
	if err = c.ready(ctx); err == nil {
		err = c.strain(ctx)
	}
	end()
	kept.Wait()
	if err != nil {
		return err
	}
	c.lookBack()
	return c.print(w)
}

// ready waits until the service has a worker.
func (c *chaos) ready(ctx context.Context) error {
	for tries := 0; tries < 60 && rest(ctx, time.Second); tries++ {
		if status, _, _, _ := c.send(ctx, http.MethodGet, "/readyz", nil); status == http.StatusOK {
			return nil
		}
	}
	return errors.New("the service did not become ready; with --dir its logs are kept")
}

// rest waits; false if ctx ended before.
func rest(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// send sends a request once. again is when the service says to come back.
func (c *chaos) send(ctx context.Context, method, path string, body []byte) (status int, again time.Duration, answer []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, chaosDeadline+time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, 0, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
	return res.StatusCode, time.Duration(seconds) * time.Second, answer, err
}

// strain sends requests and kills until the time is up, and waits for the answers.
func (c *chaos) strain(ctx context.Context) (err error) {
	busy, stop := context.WithTimeout(ctx, time.Duration(c.minutes*float64(time.Minute)))
	defer stop()
	waiting, giveUp := context.WithCancel(ctx)
	defer giveUp()
	watched, leave := context.WithCancel(ctx)
	var meanwhile sync.WaitGroup
	meanwhile.Go(func() { c.killAll(busy) })
	meanwhile.Go(func() { err = c.watch(watched) })
	var requests errgroup.Group
	requests.SetLimit(chaosInflight)
	repeat := every(0.2)
	for i := 0; busy.Err() == nil; i++ {
		n := i
		for repeat(n) {
			n = rand.IntN(i)
		}
		requests.Go(func() error { c.note(n, c.ask(waiting, n)); return nil })
	}
	say("draining")
	defer time.AfterFunc(chaosDeadline, giveUp).Stop()
	_ = requests.Wait() // they give no error
	leave()
	meanwhile.Wait()
	return err
}

// An answered is what the service answered for one output.
type answered struct {
	Reward   *float64      `json:"reward"`
	Why      string        `json:"why"`
	Evidence string        `json:"evidence"`
	Error    vitrine.Fault `json:"error"`
}

// ask sends the output of a number until it is answered: again where the connection
// broke, and where the service says to come back. No answer: there never was one.
func (c *chaos) ask(ctx context.Context, n int) (answers []answered) {
	body, _ := json.Marshal(map[string]any{ // texts marshal
		"client": fmt.Sprintf("client-%d", n%8), "deadline_ms": chaosDeadline.Milliseconds(),
		"items": []map[string]string{{"output": varied(c.pages[n%len(c.pages)], n).Text}},
	})
	for {
		status, again, raw, err := c.send(ctx, http.MethodPost, "/v1/score", body)
		cause := fmt.Sprintf("status %d", status)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			cause = "connection"
		case status == http.StatusOK:
			all := struct{ Results *[]answered }{&answers}
			_ = json.Unmarshal(raw, &all) // what is no answer is lost
			return answers
		case status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable:
			say("%s: %.300s", cause, raw)
			return nil
		}
		c.count("tried again: " + cause)
		rest(ctx, max(again, time.Second))
	}
}
