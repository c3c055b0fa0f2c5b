package queue

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"vitrine"
)

// Settings say where the queue is and how much it holds.
type Settings struct {
	// URL of a NATS cluster with JetStream, such as nats://a:4222,nats://b:4222, or
	// tls://a:4222. Empty: a server inside this process.
	URL string
	// Auth is what the cluster wants to see.
	Auth Auth
	// Dir is where the server inside keeps jobs, results and blobs. One process at
	// a time may have it.
	Dir string
	// Listen is the address, host:port, at which the server inside takes workers of
	// other processes; default none.
	Listen string
	// Token is what such a worker must show. Beyond loopback there must be one; default one
	// that is made and kept in the file token in Dir.
	Token string
	// Provenance is by what rewards are made here. Jobs that are asked for are for workers
	// of the same alone, and jobs of the same alone are taken.
	Provenance vitrine.Provenance
	// Service is the address of the service that asks for jobs here, for [Members]; empty:
	// none does.
	Service string
	// WorkerWait is how long a job waits while no worker is there that may take it; then it
	// is answered as unjudged with the code no_worker. Default 60 s.
	WorkerWait time.Duration
	// Replicas is on how many nodes of a cluster everything lies; default 1. It
	// counts, like Keep, KeepBytes and BlobBytes, for whoever opens the queue of a
	// cluster first.
	Replicas int
	// MaxPending is how many jobs may be asked for here and not be answered, in all;
	// default 8192. One client may have as many as are still free, half of them if it is
	// alone; one owner, whatever names it gives, thrice as many as are still free.
	MaxPending int
	// MaxTries is how often a job is tried that fails for a cause that may pass; default 3.
	// A worker that is lost counts as a try, but is never the last.
	MaxTries int
	// AckWait is how long a worker may be silent before its job is given to
	// another; default 60 s. Workers say three times as often that they live.
	AckWait time.Duration
	// Keep is how long a judgement, and every blob, is kept; default 24 h.
	Keep time.Duration
	// KeepBytes is how much all judgements may take; the oldest go first. Default
	// 1 GiB.
	KeepBytes int64
	// BlobBytes is how much all blobs may take; beyond it none is taken. Default
	// 4 GiB.
	BlobBytes int64
	// MinFree is how many bytes of its disk the server inside leaves free; default 128 MB.
	// Without that much nothing new is kept: a stream whose disk was full takes no write
	// until it is opened again.
	MinFree int64
	// Log is told what went wrong and will be tried again; default nobody.
	Log *slog.Logger
}

func (s Settings) withDefaults() Settings {
	s.Replicas = positive(s.Replicas, 1)
	s.MaxPending = positive(s.MaxPending, 8192)
	s.MaxTries = positive(s.MaxTries, 3)
	s.AckWait = positive(s.AckWait, time.Minute)
	s.WorkerWait = positive(s.WorkerWait, time.Minute)
	s.Keep = positive(s.Keep, 24*time.Hour)
	s.KeepBytes = positive(s.KeepBytes, 1<<30)
	s.BlobBytes = positive(s.BlobBytes, 4<<30)
	s.MinFree = positive(s.MinFree, 128<<20)
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

func (s Settings) check() error {
	switch {
	case s.URL == "" && s.Dir == "":
		return usage("the queue has neither the URL of a cluster nor a folder", "name a folder for the queue, or a cluster with --nats URL")
	case s.URL != "" && s.Listen != "":
		return usage("a queue on a cluster does not listen itself", "leave out the address, or the URL of the cluster")
	case s.URL == "" && s.Replicas > 1:
		return usage(fmt.Sprintf("one server cannot hold %d replicas", s.Replicas), "name a cluster with --nats URL, or leave out the number of replicas")
	case s.Listen != "" && s.Token == "" && !loopback(s.Listen):
		return usage("the queue would listen to everybody on "+s.Listen, "set a token, or listen on 127.0.0.1")
	}
	return nil
}

// loopback reports whether an address host:port can be reached from this machine
// alone. A name may become anything.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func usage(message, fix string) error {
	return vitrine.NewFault("queue", vitrine.FaultUsage, nil, message).WithFix(fix)
}
