package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A collector reads, when it is asked, what others count: the queue, the groups,
// the sessions and the browsers.
type collector struct {
	server                                                       *Server
	depth, oldest, running, workers, slots, busy, sessions, jobs *prometheus.Desc
	groups, flat, spread, near, browsers, kills                  *prometheus.Desc
	memory, jobMemory, memoryLimit, arriving, refused            *prometheus.Desc
}

func newCollector(s *Server) *collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("vitrine_"+name, help, labels, nil)
	}
	return &collector{
		server: s,
		depth:  desc("queue_depth", "Jobs that no worker has taken."), oldest: desc("queue_oldest_seconds", "Age of the oldest job that is not answered."),
		running: desc("queue_running", "Jobs that workers have."), workers: desc("workers", "Workers that were heard of lately."),
		slots: desc("worker_slots", "Jobs that all workers can hold at once."), busy: desc("worker_slots_busy", "Of them, those in use."),
		sessions: desc("sessions_open", "Refine sessions that are not done."), jobs: desc("jobs_open", "Background jobs that are not done."),
		groups: desc("groups", "Groups of outputs with two rewards or more, of the newest."), flat: desc("groups_zero_variance_ratio", "Share of them whose rewards are all equal: they teach nothing."),
		spread: desc("groups_reward_stddev", "Mean standard deviation of the rewards in a group."), near: desc("groups_near_duplicate_ratio", "Share of outputs that are near copies of another in their group."),
		memory: desc("body_memory_bytes", "Memory that bodies in flight are charged."), memoryLimit: desc("body_memory_limit_bytes", "The most of it."),
		jobMemory: desc("job_memory_bytes", "Memory that background jobs are charged until they are done, of at most half as much again as bodies."),
		arriving:  desc("bodies_arriving", "Bodies that have not come whole."),
		refused:   desc("bodies_refused_total", "Bodies that found no memory, or lost theirs to others, by the limit: client or all.", "limit"),
		browsers:  desc("browsers", "Browsers of the worker in this process, by state.", "state"),
		kills:     desc("browser_kills_total", "Browsers of the worker in this process that ended, by reason.", "reason"),
	}
}

// Describe is part of prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

// Collect is part of prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64) { to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if h, err := c.server.settings.Queue.Health(ctx); err == nil {
		slots, busy := 0, 0
		for _, w := range h.Workers {
			slots, busy = slots+w.Slots, busy+w.Busy
		}
		gauge(c.depth, float64(h.Waiting+h.Queued))
		gauge(c.oldest, h.Oldest.Seconds())
		gauge(c.running, float64(h.Running))
		gauge(c.workers, float64(len(h.Workers)))
		gauge(c.slots, float64(slots))
		gauge(c.busy, float64(busy))
	}
	gauge(c.sessions, float64(c.server.sessions.countOpen()))
	gauge(c.jobs, float64(c.server.batches.countOpen()))
	gauge(c.jobMemory, float64(c.server.batches.memory()))
	g := c.server.groups.summary()
	gauge(c.groups, float64(g.Compared))
	for desc, v := range map[*prometheus.Desc]*float64{c.flat: g.FlatShare, c.spread: g.SpreadMean, c.near: g.CopyShare} {
		if v != nil {
			gauge(desc, *v)
		}
	}
	c.collectBodies(to)
	c.collectBrowsers(to)
}

func (c *collector) collectBodies(to chan<- prometheus.Metric) {
	state := c.server.intake.State()
	to <- prometheus.MustNewConstMetric(c.memory, prometheus.GaugeValue, float64(state.Held))
	to <- prometheus.MustNewConstMetric(c.memoryLimit, prometheus.GaugeValue, float64(state.Limit))
	to <- prometheus.MustNewConstMetric(c.arriving, prometheus.GaugeValue, float64(state.Arriving))
	to <- prometheus.MustNewConstMetric(c.refused, prometheus.CounterValue, float64(state.RefusedClient), "client")
	to <- prometheus.MustNewConstMetric(c.refused, prometheus.CounterValue, float64(state.RefusedAll), "all")
}

func (c *collector) collectBrowsers(to chan<- prometheus.Metric) {
	if c.server.settings.Browsers == nil {
		return
	}
	living, ended := c.server.settings.Browsers()
	for state, n := range living {
		to <- prometheus.MustNewConstMetric(c.browsers, prometheus.GaugeValue, float64(n), state)
	}
	for reason, n := range ended {
		to <- prometheus.MustNewConstMetric(c.kills, prometheus.CounterValue, float64(n), reason)
	}
}
