package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"vitrine"
)

// A Service is what is served on a port.
type Service struct {
	Listener net.Listener
	Handler  http.Handler
}

// Run serves until stop is closed: then nothing new is taken, and what is under way is
// finished within the grace of the settings. The end of ctx ends it at once. Run
// closes the listeners.
func (s *Server) Run(ctx context.Context, stop <-chan struct{}, services ...Service) error {
	serving, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, len(services))
	servers := make([]*http.Server, len(services))
	for i, service := range services {
		servers[i] = s.httpServer(serving, service.Handler)
		go func() { failed <- servers[i].Serve(service.Listener) }()
	}
	working, pause := context.WithCancel(serving) // batches go on after a restart, or elsewhere: they need no grace
	background := s.background(serving, working)
	err := s.until(ctx, stop, pause, failed)
	cancel() // streams have no end of their own
	drain(ctx, servers)
	for range len(services) - served(err) {
		<-failed
	}
	background()
	return err
}

// leaving is how long an answer that was given may take on its way to the client.
const leaving = 10 * time.Second

// drain waits for the connections that still carry an answer, and cuts off what
// has had its time.
func drain(ctx context.Context, servers []*http.Server) {
	ctx, cancel := context.WithTimeout(ctx, leaving)
	defer cancel()
	var all sync.WaitGroup
	for _, server := range servers {
		all.Go(func() {
			if server.Shutdown(ctx) != nil {
				_ = server.Close()
			}
		})
	}
	all.Wait()
}

// Guarded puts the guards of the service before a handler that has a port of its
// own.
func (s *Server) Guarded(h http.Handler) http.Handler { return s.guard(orProblem(h)) }

// errServe is a listener that failed.
type errServe struct{ error }

// served is how many servers have told their end already.
func served(err error) int {
	if errors.As(err, new(errServe)) {
		return 1
	}
	return 0
}

// until waits for the end and drains.
func (s *Server) until(ctx context.Context, stop <-chan struct{}, pause func(), failed <-chan error) error {
	select {
	case err := <-failed:
		return errServe{fmt.Errorf("serve: %w", err)}
	case <-ctx.Done():
		return ctx.Err()
	case <-stop:
	}
	pause()
	empty := s.work.close()
	timer := time.NewTimer(s.settings.Grace)
	defer timer.Stop()
	select {
	case <-empty:
	case <-timer.C:
		s.settings.Log.Warn("the grace is over; requests under way are cut off", "grace", s.settings.Grace)
	case <-ctx.Done():
	}
	return nil
}

func (s *Server) httpServer(ctx context.Context, h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: s.settings.ReadTimeout / 6, ReadTimeout: s.settings.ReadTimeout, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.settings.Log.Handler(), slog.LevelDebug),
	}
}

// Loopback reports whether an address, host:port, is of this machine alone.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// CheckListen refuses an address that others can reach without a token.
func CheckListen(address string, tokens []string) error {
	if len(tokens) > 0 || Loopback(address) {
		return nil
	}
	return vitrine.NewFault("server", vitrine.FaultUsage, nil, "the service would answer everybody who reaches "+address).
		WithFix("set VITRINE_AUTH_TOKEN, or listen on 127.0.0.1")
}
