package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"vitrine"
	"vitrine/internal/pipeline"
)

// hostilePages each misuse something; the number makes them differ.
var hostilePages = []string{
	`<!doctype html><h1>Alerts %d</h1><script>for (;;) { alert(1); if (performance.now() > 1e9) break }</script>`,
	`<!doctype html><h1>Windows %d</h1><script>for (let i = 0; i < 1e5; i++) window.open('/x' + i)</script>`,
	`<!doctype html><h1>Reloads %d</h1><script>location.reload()</script>`,
	`<!doctype html><h1>Large %d</h1><script>document.body.innerHTML += '<p>x'.repeat(3e5)</script>`,
	`<!doctype html><h1>Prototype %d</h1><script>Array.prototype.map = Promise.prototype.then = () => { throw 1 }</script>`,
	`<!doctype html><h1>Elsewhere %d</h1><script>fetch('http://169.254.169.254/'); new WebSocket('ws://10.0.0.1'); location = 'file:///etc/passwd'</script>`,
}

// faulty marks an item that meets a fault.
const faulty = "<!-- a fault of the infrastructure -->"

// An arrival is one request and what is expected of it.
type arrival struct {
	output vitrine.Output
	faulty bool
}

func (l *loading) items() ([]arrival, error) {
	outputs, err := readOutputs(l.inputs, 0)
	if err != nil {
		return nil, err
	}
	pages := singlePages(outputs)
	if len(pages) == 0 {
		return nil, errors.New("no single page in the input")
	}
	repeat := every(l.duplicates)
	items := make([]arrival, 0, l.requests)
	for i := range l.requests {
		switch {
		case repeat(i) && len(items) > 0:
			items = append(items, items[(i*7)%len(items)])
		case every(l.hostile)(i + 1):
			items = append(items, arrival{output: vitrine.Output{Text: fmt.Sprintf(hostilePages[i%len(hostilePages)], i)}})
		case every(l.faults)(i + 2):
			items = append(items, arrival{varied(vitrine.Output{Text: pages[i%len(pages)].Text + faulty}, i), true})
		default:
			items = append(items, arrival{output: varied(vitrine.Output{Text: pages[i%len(pages)].Text}, i)})
		}
	}
	return items, nil
}

// every picks a share of numbers, evenly.
func every(share float64) func(int) bool {
	return func(i int) bool { return share > 0 && int(float64(i+1)*share) > int(float64(i)*share) }
}

// faultyScorer is the engine, but that some items meet a fault.
type faultyScorer struct {
	*pipeline.Pipeline
	renders *atomic.Int64
}

func (s faultyScorer) Score(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
	s.renders.Add(1)
	if strings.Contains(o.Text, faulty) {
		return vitrine.Sample{Status: vitrine.SampleUnjudged, Error: vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "injected")}, false, nil
	}
	scored, err := s.Pipeline.Score(ctx, o, dir)
	if err != nil {
		return vitrine.Sample{}, false, err
	}
	return scored.Sample, scored.Judgement != nil, nil
}

func distinct(items []arrival) int {
	seen := map[string]bool{}
	for _, item := range items {
		seen[item.output.Text] = true
	}
	return len(seen)
}
