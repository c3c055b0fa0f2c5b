package service

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"vitrine"
	"vitrine/internal/server"
	"vitrine/internal/server/gym"
	"vitrine/internal/server/openenv"
	"vitrine/internal/server/openrlhf"
	"vitrine/internal/server/ors"
	"vitrine/internal/server/slime"
	"vitrine/internal/server/verltool"
	"vitrine/internal/worker"
)

// ServeSettings say what is answered, where.
type ServeSettings struct {
	Settings
	// Server has what clients may ask for; queue, buckets, browsers, blobs, recipes, provenance,
	// grace and log are those of Settings.
	Server server.Settings
	Listen string // address of the API
	Pages  string // of the second origin; empty: the next port, "none": there is none
	ORS    string // for clients of the Open Reward Standard; empty: none
	// NoWorker leaves the work to workers elsewhere.
	NoWorker bool
}

// A Service answers trainers, and works unless it leaves that to others. Close it.
type Service struct {
	settings ServeSettings
	server   *server.Server
	worker   worker.Worker
}

// Open makes a service that does not listen yet.
func Open(ctx context.Context, s ServeSettings) (*Service, error) {
	// The provenance is what workers must have: it is asked for without a worker here, too.
	w, by, err := Join(ctx, s.Settings)
	if err != nil {
		return nil, err
	}
	s.Server.Queue, s.Server.Blobs, s.Server.Recipes, s.Server.Provenance = w.Queue, w.Blobs, s.Recipes, by.Fingerprint()
	s.Server.Seed = s.Pipeline.Seed()
	s.Server.Batches, s.Server.Sessions, s.Server.Grace, s.Server.Log = w.Queue.Batches(), w.Queue.Sessions(), s.Grace, s.Log
	if !s.NoWorker {
		s.Server.Browsers = s.Pipeline.Browsers
		s.Server.Browser = func(ctx context.Context) error {
			_, err := s.Pipeline.BrowserVersion(ctx)
			return err
		}
	}
	srv, err := server.New(s.Server)
	if err != nil {
		w.Queue.Close()
		return nil, err
	}
	mount(srv)
	for _, dir := range leftFolders(s.Dir) {
		s.Log.Warn("jobs and sessions of an earlier version lie here and are no longer read: remove the folder", "folder", dir)
	}
	return &Service{s, srv, w}, nil
}

// leftFolders are those of a state folder in which earlier versions kept jobs and sessions.
func leftFolders(state string) (left []string) {
	for _, name := range []string{"jobs", "sessions"} {
		dir := filepath.Join(state, name)
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
			left = append(left, dir)
		}
	}
	return left
}

// Close leaves the queue.
func (s *Service) Close() { s.worker.Queue.Close() }

// Run listens and works until stop is closed, and then for the grace, or until ctx ends.
func (s *Service) Run(ctx context.Context, stop <-chan struct{}) error {
	listening, err := s.listen(ctx)
	if err != nil {
		return err
	}
	s.settings.Say("serving on http://%s", listening[0].Listener.Addr())
	var lost error // why the worker here ended by itself
	working, leave := context.WithCancel(ctx)
	serving, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var workers sync.WaitGroup
	if !s.settings.NoWorker {
		workers.Go(func() {
			if err := s.worker.Run(working); err != nil && working.Err() == nil {
				lost = err
				giveUp() // a service that cannot answer must not look as if it could
			}
		})
	}
	err = s.server.Run(serving, stop, listening...)
	leave()
	workers.Wait()
	if lost != nil {
		return vitrine.AsFault("worker", lost)
	}
	return err
}

// mount adds the protocols of trainers.
func mount(srv *server.Server) {
	srv.Mount("/openrlhf/", openrlhf.Handler(srv))
	srv.Mount("/slime/", slime.Handler(srv))
	srv.Mount("/openenv/", openenv.Handler(srv))
	srv.Mount("/gym/", gym.Handler(srv))
	srv.Mount("/verltool/", verltool.Handler(srv))
}

// listen opens the ports: that of the API, the second origin, and that of ORS.
func (s *Service) listen(ctx context.Context) ([]server.Service, error) {
	var all []server.Service
	open := func(flag, address string, h http.Handler) error {
		l, err := net.Listen("tcp", address)
		if err != nil {
			for _, other := range all {
				_ = other.Listener.Close() // nothing was served
			}
			return vitrine.NewFault("command", vitrine.FaultUsage, nil, flag+": "+err.Error()).WithFix("choose another address, such as 127.0.0.1:7500")
		}
		all = append(all, server.Service{Listener: l, Handler: h})
		return nil
	}
	if err := open("--listen", s.settings.Listen, s.server.Handler()); err != nil {
		return nil, err
	}
	if s.settings.Pages != "none" {
		if err := open("--listen-pages", cmp.Or(s.settings.Pages, nextPort(all[0].Listener.Addr())), s.server.Pages()); err != nil {
			return nil, err
		}
	}
	if s.settings.ORS == "" {
		return all, nil
	}
	return all, open("--listen-ors", s.settings.ORS, s.server.Guarded(ors.Handler(ctx, s.server)))
}

func nextPort(a net.Addr) string {
	host, port, _ := net.SplitHostPort(a.String()) // of a listener: it has both
	n, _ := strconv.Atoi(port)
	return net.JoinHostPort(host, strconv.Itoa(n+1))
}
