package server

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/grpo"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
)

//go:embed templates/status.html
var templates embed.FS

var statusPage = template.Must(template.New("status.html").Funcs(template.FuncMap{"percent": percent, "number": number4}).ParseFS(templates, "templates/status.html"))

// percent shows a share; a dash, if there is none.
func percent(share *float64) string {
	if share == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100**share)
}

func number4(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g", *v)
}

// A tally counts answers for the page.
type tally struct {
	mu     sync.Mutex
	scored int
	sum    float64
	causes map[vitrine.FaultCode]int
}

func (t *tally) add(r *Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.Reward != nil {
		t.scored++
		t.sum += *r.Reward
		return
	}
	t.causes[r.Error.Code]++
}

// A tallied is what a tally came to.
type tallied struct {
	Scored, Unjudged int
	Mean             *float64    // nil where nothing was scored
	Causes           []codeCount // the most frequent first
}

type codeCount struct {
	Code vitrine.FaultCode
	N    int
}

func (t *tally) now() (out tallied) {
	t.mu.Lock()
	defer t.mu.Unlock()
	out.Scored = t.scored
	if t.scored > 0 {
		mean := t.sum / float64(t.scored)
		out.Mean = &mean
	}
	for _, code := range slices.Sorted(maps.Keys(t.causes)) {
		out.Causes = append(out.Causes, codeCount{code, t.causes[code]})
		out.Unjudged += t.causes[code]
	}
	slices.SortStableFunc(out.Causes, func(a, b codeCount) int { return cmp.Compare(b.N, a.N) })
	return out
}

// status is what the page shows.
type status struct {
	Version        string
	Problem        *Problem // why it is not ready; nil if it is
	Health         queue.Health
	Waiting        int
	Oldest         time.Duration
	Sessions, Jobs int
	Tally          tallied
	Groups         grpo.Summary
	Recipes        []*reward.Recipe
}

// handleStatus is a page for people, without scripts.
func (s *Server) handleStatus(w http.ResponseWriter, r *http.Request) {
	h, err := s.health(r.Context())
	st := status{
		Version: vitrine.Version, Health: h, Waiting: h.Waiting + h.Queued, Oldest: h.Oldest.Round(time.Second),
		Sessions: s.sessions.countOpen(), Jobs: s.batches.countOpen(), Tally: s.tally.now(), Groups: s.groups.summary(), Recipes: s.settings.Recipes,
	}
	if err != nil {
		st.Problem = problemOf(err)
	}
	var page bytes.Buffer
	if err := statusPage.Execute(&page, st); err != nil {
		problemOf(err).Write(w)
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page.Bytes()) // who asked may be gone
}
