package server

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"vitrine"
	"vitrine/internal/queue"
)

// meters are what /metrics counts. docs/metrics.md says what each means.
type meters struct {
	registry *prometheus.Registry
	samples  *prometheus.CounterVec
	faults   *prometheus.CounterVec
	rewards  *prometheus.HistogramVec
	stages   *prometheus.HistogramVec
	requests *prometheus.HistogramVec
	cache    *prometheus.CounterVec
	tokens   *prometheus.CounterVec
	cost     prometheus.Counter
}

func newMeters() *meters {
	m := &meters{
		registry: prometheus.NewRegistry(),
		samples: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_samples_total", Help: "Items answered, by status: scored or unjudged."}, []string{"status"}),
		faults: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_unjudged_total", Help: "Items answered without a reward, by cause."}, []string{"code"}),
		rewards: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "vitrine_rewards", Help: "Rewards given, by recipe.",
			Buckets: []float64{-1, -0.5, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5}}, []string{"recipe"}),
		stages: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "vitrine_stage_seconds", Help: "How long a stage of one judgement took.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 15)}, []string{"stage"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "vitrine_request_seconds", Help: "How long requests took, by route and class of status.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2.5, 12)}, []string{"route", "status"}),
		cache: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_cache_requests_total", Help: "Judgements by whether a stage came from the cache."}, []string{"stage", "hit"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_judge_tokens_total", Help: "Tokens of judging models."}, []string{"provider", "model", "direction"}),
		cost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "vitrine_judge_cost_usd_total", Help: "Cost of judging models, where it is known."}),
	}
	m.registry.MustRegister(m.samples, m.faults, m.rewards, m.stages, m.requests, m.cache, m.tokens, m.cost,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// handleMetrics gives the figures in Prometheus' format.
func (s *Server) handleMetrics(w http.ResponseWriter, r *http.Request) {
	promhttp.HandlerFor(s.meters.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r)
}

// request serves a request and notes how long it took.
func (m *meters) request(route string, w http.ResponseWriter, r *http.Request, next http.Handler) {
	start, status := time.Now(), &statusWriter{w, http.StatusOK}
	next.ServeHTTP(status, r)
	m.requests.WithLabelValues(route, strconv.Itoa(status.code/100)+"xx").Observe(time.Since(start).Seconds())
}

// A statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	code int
}

// WriteHeader notes the status.
func (w *statusWriter) WriteHeader(code int) {
	w.code = code
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// answered counts the answer to one item.
func (m *meters) answered(r *Result) {
	m.samples.WithLabelValues(string(r.Status)).Inc()
	if r.Reward == nil {
		m.faults.WithLabelValues(string(r.Error.Code)).Inc()
		return
	}
	name, _, _ := strings.Cut(r.Recipe, "@")
	m.rewards.WithLabelValues(name).Observe(*r.Reward)
}

// judged counts the work behind one judgement, by the model that judges, if one
// does.
func (m *meters) judged(r queue.Result, model string) {
	t, c := r.Sample.TimingMS, r.Sample.Cached
	for stage, ms := range map[string]float64{"parse": t.Parse, "build": t.Build, "capture": t.Capture, "interact": t.Interact, "judge": t.Judge} {
		if ms > 0 {
			m.stages.WithLabelValues(stage).Observe(ms / 1000)
		}
	}
	if r.Sample.Status == vitrine.SampleScored {
		for stage, hit := range map[string]bool{"build": c.Build, "capture": c.Capture, "judge": c.Judge} {
			m.cache.WithLabelValues(stage, map[bool]string{true: "true", false: "false"}[hit]).Inc()
		}
	}
	m.paid(r.Sample.Cost, model)
}

func (m *meters) paid(c vitrine.Cost, model string) {
	if model == "" {
		return
	}
	provider, name, _ := strings.Cut(model, "/")
	m.tokens.WithLabelValues(provider, name, "in").Add(float64(c.TokensIn))
	m.tokens.WithLabelValues(provider, name, "out").Add(float64(c.TokensOut))
	if c.USD != nil {
		m.cost.Add(*c.USD)
	}
}
