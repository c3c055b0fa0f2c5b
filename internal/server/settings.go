package server

import (
	"context"
	"log/slog"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
)

// A Queue answers jobs.
type Queue interface {
	// Do waits for the answer to a job; equal keys are one job. An error is a
	// *vitrine.Fault, or the end of ctx.
	Do(ctx context.Context, j queue.Job) (queue.Result, error)
	// Health says how the queue and its workers do.
	Health(ctx context.Context) (queue.Health, error)
}

// Settings of a server.
type Settings struct {
	Queue Queue
	// Browser says whether the browser of the worker in this process answers; nil where
	// none works here. Workers elsewhere leave the queue when theirs does not start.
	Browser func(ctx context.Context) error
	// Browsers counts those of the worker in this process, for /metrics: how many live
	// by state, and how many have ended by reason; nil where none works here.
	Browsers func() (living, ended map[string]int)
	// Blobs keep evidence; the workers write them.
	Blobs blob.Store
	// Recipes that may be asked for, by name. The first is the default.
	Recipes []*reward.Recipe
	// Seed is secret: what behave types into sites is made of it, by whichever worker.
	Seed []byte
	// Tasks that may be named by id; nil if there are none.
	Tasks map[string]vitrine.Task
	// Provenance is the fingerprint of what the workers judge by. Answers by another are
	// other jobs.
	Provenance string
	// Model judges, by its name provider/model; empty if none does. For /metrics.
	Model string
	// Batches and Sessions keep what this server and its replicas, which have the same, know
	// of batches and sessions.
	Batches, Sessions *queue.Bucket
	// Lease is how long after its last sign of life another replica takes the batches that a
	// replica feeds; default 10 s.
	Lease time.Duration
	// Tokens are those of which one must come with every request; none asks for none,
	// which is for loopback alone. Where there are several, each is a client of its own in
	// turns and limits; else the address is.
	Tokens []string
	// Hosts are further names by which the service may be called; without a token
	// only names of loopback are taken.
	Hosts []string
	// Origins are further origins whose pages may send requests, such as
	// https://lab.example.
	Origins []string
	// Deadline of a request that names none; default 120 s. MaxDeadline bounds all;
	// default 1 h.
	Deadline, MaxDeadline time.Duration
	// MaxBody bounds a request, in bytes; default 64 MB, and at most what the memory for
	// bodies can hold. ReadTimeout is how long its sending may take, default 60 s, a sixth
	// of it for the headers, and as much for what comes below 64 kB a second.
	MaxBody     int64
	ReadTimeout time.Duration
	// BodyMemory bounds what bodies in flight take in memory, in bytes, from their first
	// byte until they are answered; default the smaller of 1 GiB and a sixteenth of the
	// memory. ClientMemory is the share of one client; default three quarters. Background
	// jobs may hold half as much again until they are done.
	BodyMemory, ClientMemory int64
	// Grace is how long requests under way may go on after the end was asked for;
	// default 60 s.
	Grace time.Duration
	// MaxItems of one request; default 4096. Concurrent is how many items of one
	// request are in the queue at once; default 512.
	MaxItems, Concurrent int
	// MaxSessions that are open; default 4096. SessionTTL ends one that is not
	// stepped; default 1 h. Of those that are done, 16 are kept for each that may be
	// open; so it is with batches. Of both one client may have as many as it leaves to the
	// others, half if it is alone, where others can come: several tokens, or addresses
	// besides this machine's.
	MaxSessions int
	SessionTTL  time.Duration
	// MaxJobs is how many batches there may be that are not done; default 256. JobTTL is how
	// long a finished one is kept; default 24 h. These limits, like that of sessions, hold over
	// all replicas.
	MaxJobs int
	JobTTL  time.Duration
	// Log is told what went wrong; default nobody.
	Log *slog.Logger
}

func (s Settings) withDefaults() Settings {
	s.Deadline = positive(s.Deadline, 120*time.Second)
	s.MaxDeadline = positive(s.MaxDeadline, time.Hour)
	s.MaxBody = positive(s.MaxBody, 64<<20)
	s.ReadTimeout = positive(s.ReadTimeout, time.Minute)
	s.Grace = positive(s.Grace, time.Minute)
	s.MaxItems = positive(s.MaxItems, 4096)
	s.Concurrent = positive(s.Concurrent, 512)
	s.MaxSessions = positive(s.MaxSessions, 4096)
	s.SessionTTL = positive(s.SessionTTL, time.Hour)
	s.MaxJobs = positive(s.MaxJobs, 256)
	s.Lease = positive(s.Lease, 10*time.Second)
	s.JobTTL = positive(s.JobTTL, 24*time.Hour)
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	return s
}

func positive[T int | int64 | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}
