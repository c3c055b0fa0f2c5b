package main

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/server"
	"vitrine/internal/server/gym"
	"vitrine/internal/server/openenv"
	"vitrine/internal/server/openrlhf"
	"vitrine/internal/server/ors"
	"vitrine/internal/server/slime"
	"vitrine/internal/server/verltool"
	pool "vitrine/internal/worker"
)

// serving are the flags of vitrine serve.
type serving struct {
	*common
	looking
	joining
	listen, pages  string
	ors            string
	tasks          string
	stateDir       string
	listenNATS     string
	noWorker       bool
	hosts, origins []string
	grace          time.Duration
	workerWait     time.Duration
	pending        int
	bodyMemory     int64
	given          *pflag.FlagSet
}

// joining are the flags of whatever has an end of the queue.
type joining struct {
	nats     string
	auth     queue.Auth
	replicas int
	tries    int
	store    string
	recipes  []string
}

func (j *joining) add(flags *pflag.FlagSet) {
	j.addCluster(flags)
	flags.IntVar(&j.replicas, "replicas", 1, "nodes of the cluster that keep each job and result")
	flags.IntVar(&j.tries, "tries", 3, "how often a job is tried that fails for a cause that may pass")
	flags.StringVar(&j.store, "evidence", "", "where evidence is kept: queue, or a bucket as s3+https://HOST/BUCKET (default: a folder on one machine, else with the queue)")
	j.addRecipes(flags)
}

// addCluster adds the flags that say where the queue is.
func (j *joining) addCluster(flags *pflag.FlagSet) {
	flags.StringVar(&j.nats, "nats", "", "NATS cluster with JetStream that holds the queue, nats://…; several, comma-separated")
	flags.StringVar(&j.auth.Creds, "nats-creds", "", "file of credentials for the cluster, a JWT and a seed (user and password, or a token: VITRINE_NATS_USER, VITRINE_NATS_PASSWORD, VITRINE_NATS_TOKEN)")
	flags.StringVar(&j.auth.Seed, "nats-nkey", "", "file with the seed of an nkey for the cluster")
	flags.StringVar(&j.auth.CA, "nats-ca", "", "file of the authorities that sign the cluster's certificates (default: the system's); the URL is tls://…")
	flags.StringVar(&j.auth.Cert, "nats-cert", "", "file of a client's certificate for the cluster")
	flags.StringVar(&j.auth.Key, "nats-cert-key", "", "file of its key")
}

// shown is what the cluster is shown. Secrets are no flags, since those are seen by all.
func (j *joining) shown(c *common) queue.Auth {
	a := j.auth
	if j.nats != "" {
		a.User, a.Password, a.Token = c.getenv("VITRINE_NATS_USER"), c.getenv("VITRINE_NATS_PASSWORD"), c.getenv("VITRINE_NATS_TOKEN")
	}
	return a
}

func (j *joining) addRecipes(flags *pflag.FlagSet) {
	flags.StringSliceVar(&j.recipes, "add-recipe", nil, "another recipe that requests may name, a YAML file; those that ship are there")
}

func serveCommand(c *common) *cobra.Command {
	s := &serving{common: c}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer trainers: rewards, refine sessions and the trainers' own protocols over HTTP",
		Long: `Answer trainers over HTTP: rewards for batches, jobs, refine sessions, and the protocols of
OpenRLHF, slime, OpenEnv, NeMo Gym, verl-tool and ORS. It also works itself, unless --no-worker.

It listens on this machine alone. To listen elsewhere, set VITRINE_AUTH_TOKEN; every
request must then carry it. SIGTERM finishes what is under way. docs/serve.md has more.`,
		Example: `  vitrine serve
  curl -s localhost:7400/v1/score -d '{"items":[{"output":"<h1>Tea</h1>"}]}'
  vitrine serve --listen 0.0.0.0:7400 --nats nats://queue:4222 --no-worker`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	s.given = flags
	s.looking.add(c, flags)
	s.interactFlags.add(flags)
	s.joining.add(flags)
	flags.StringVar(&s.listen, "listen", "127.0.0.1:7400", "address of the API")
	flags.StringVar(&s.pages, "listen-pages", "", `address of the second origin, which shows what models wrote; none: "none" (default: the next port)`)
	flags.StringVar(&s.ors, "listen-ors", "", "address for clients of the Open Reward Standard, such as 127.0.0.1:7402 (default: none)")
	flags.StringVar(&s.tasks, "tasks", "", "file of tasks that requests may name by id")
	flags.StringVar(&s.stateDir, "state", "", "folder of jobs, sessions, results and evidence (default: serve, in the cache folder)")
	flags.StringVar(&s.listenNATS, "listen-queue", "", "address at which workers of other machines may join the queue inside, such as 0.0.0.0:4222")
	flags.BoolVar(&s.noWorker, "no-worker", false, "answer only; workers are elsewhere")
	flags.StringSliceVar(&s.hosts, "trusted-host", nil, "further names by which this machine may be called")
	flags.StringSliceVar(&s.origins, "trusted-origin", nil, "origins whose pages may send requests, such as https://lab.example")
	flags.DurationVar(&s.grace, "grace", time.Minute, "how long requests under way may go on after SIGTERM")
	flags.DurationVar(&s.workerWait, "worker-wait", time.Minute, "how long a job waits while no worker is there that may take it; then it is answered as unjudged")
	flags.IntVar(&s.pending, "max-pending", 8192, "jobs that may wait or be worked on at once; beyond, clients are told to come back")
	flags.Int64Var(&s.bodyMemory, "body-memory", 0, "memory for requests that arrive or are not answered, in MB (default: the smaller of 1024 and a sixteenth of the memory)")
	return cmd
}

// tokens are those of which requests must carry one; they are no flag, since those are
// seen by all.
func (c *common) tokens() (all []string) {
	for token := range strings.SplitSeq(c.getenv("VITRINE_AUTH_TOKEN"), ",") {
		if token = strings.TrimSpace(token); token != "" {
			all = append(all, token)
		}
	}
	return all
}

func (s *serving) run(ctx context.Context) error {
	if s.stateDir == "" {
		s.stateDir = filepath.Join(s.cacheDir, "serve")
	}
	for _, address := range []string{s.listen, s.pages, s.ors} {
		if err := server.CheckListen(address, s.tokens()); address != "" && address != "none" && err != nil {
			return err
		}
	}
	tasks, err := readTasks(s.tasks)
	if err != nil {
		return err
	}
	all, err := recipes(s.recipe, s.joining.recipes)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	p, err := s.pipeline(s.common, tasks) // also without a worker here, for the provenance that workers must have
	if err != nil {
		return err
	}
	defer p.Close()
	by, err := p.Provenance(ctx, all...)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	q, err := queue.Open(ctx, queue.Settings{
		URL: s.nats, Auth: s.shown(s.common), Dir: s.queueDir(), Listen: s.listenNATS, Token: s.queueToken(), Replicas: s.replicas, MaxPending: s.pending, MaxTries: s.tries, Log: log,
		Provenance: by, Service: s.listen + " on " + host, WorkerWait: s.workerWait,
	})
	if err != nil {
		return err
	}
	defer q.Close()
	if file := q.TokenFile(); file != "" {
		s.say("workers of other processes show the token in %s", file)
	}
	alone := s.stateDir
	if s.nats != "" || s.listenNATS != "" {
		alone = "" // workers elsewhere write it, too
	}
	blobs, err := s.joining.evidence(s.common, q, alone)
	if err != nil {
		return err
	}
	browserAnswers, browsers := s.browsers(p)
	srv, err := server.New(server.Settings{
		Queue: q, Browser: browserAnswers, Browsers: browsers, Blobs: blobs, Recipes: all, Tasks: tasks, Provenance: by.Fingerprint(), Model: s.vision.model, Dir: s.stateDir,
		Tokens: s.tokens(), Hosts: s.hosts, Origins: s.origins, Grace: s.grace, BodyMemory: s.bodyMemory << 20, Log: log,
	})
	if err != nil {
		return err
	}
	mount(srv)
	return s.serve(ctx, srv, pool.Worker{Queue: q, Blobs: blobs, Scorer: scorers(p.Pipeline, all), Alone: apart(s.common, s.given), Slots: p.Concurrency(), Grace: s.grace, Log: log})
}

// browsers are asked whether one answers, and counted; nil where nobody works here.
func (s *serving) browsers(p *worker) (answers func(context.Context) error, count func() (living, ended map[string]int)) {
	if s.noWorker {
		return nil, nil
	}
	answers = func(ctx context.Context) error {
		_, err := p.BrowserVersion(ctx)
		return err
	}
	return answers, p.Browsers
}

// mount adds the protocols of trainers.
func mount(srv *server.Server) {
	srv.Mount("/openrlhf/", openrlhf.Handler(srv))
	srv.Mount("/slime/", slime.Handler(srv))
	srv.Mount("/openenv/", openenv.Handler(srv))
	srv.Mount("/gym/", gym.Handler(srv))
	srv.Mount("/verltool/", verltool.Handler(srv))
}

// queueToken is what workers of other processes show: of its own, since a client of the
// API is no worker, or that of the API where it has but one client.
func (s *serving) queueToken() string {
	if all := s.tokens(); len(all) == 1 {
		return cmp.Or(s.getenv("VITRINE_QUEUE_TOKEN"), all[0])
	}
	return s.getenv("VITRINE_QUEUE_TOKEN")
}

// queueDir is where the queue inside keeps what it has; nowhere on a cluster.
func (s *serving) queueDir() string {
	if s.nats != "" {
		return ""
	}
	return filepath.Join(s.stateDir, "queue")
}

// serve listens and works until a signal comes.
func (s *serving) serve(ctx context.Context, srv *server.Server, w pool.Worker) error {
	ctx, stop, release := s.untilSignal(ctx)
	defer release()
	services, err := s.services(ctx, srv)
	if err != nil {
		return err
	}
	s.say("serving on http://%s", services[0].Listener.Addr())
	var lost error // why the worker here ended by itself
	working, leave := context.WithCancel(ctx)
	serving, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var workers sync.WaitGroup
	if !s.noWorker {
		workers.Go(func() {
			if err := w.Run(working); err != nil && working.Err() == nil {
				lost = err
				giveUp() // a service that cannot answer must not look as if it could
			}
		})
	}
	err = srv.Run(serving, stop, services...)
	leave()
	workers.Wait()
	if lost != nil {
		return vitrine.AsFault("worker", lost)
	}
	return err
}

// services opens the ports: that of the API, the second origin, and that of ORS.
func (s *serving) services(ctx context.Context, srv *server.Server) ([]server.Service, error) {
	var all []server.Service
	open := func(flag, address string, h http.Handler) error {
		l, err := net.Listen("tcp", address)
		if err != nil {
			for _, other := range all {
				_ = other.Listener.Close() // nothing was served
			}
			return usage(flag+": "+err.Error(), "choose another address, such as 127.0.0.1:7500")
		}
		all = append(all, server.Service{Listener: l, Handler: h})
		return nil
	}
	if err := open("--listen", s.listen, srv.Handler()); err != nil {
		return nil, err
	}
	if s.pages != "none" {
		if err := open("--listen-pages", cmp.Or(s.pages, nextPort(all[0].Listener.Addr())), srv.Pages()); err != nil {
			return nil, err
		}
	}
	if s.ors == "" {
		return all, nil
	}
	return all, open("--listen-ors", s.ors, srv.Guarded(ors.Handler(ctx, srv)))
}

func nextPort(a net.Addr) string {
	host, port, _ := net.SplitHostPort(a.String()) // of a listener: it has both
	n, _ := strconv.Atoi(port)
	return net.JoinHostPort(host, strconv.Itoa(n+1))
}

// untilSignal closes stop at the first signal and ends the context at the second.
func (s *serving) untilSignal(ctx context.Context) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-s.signals:
			s.say("ending: nothing new is taken, what is under way has %s", s.grace)
			close(stop)
		case <-ctx.Done():
			return
		}
		select {
		case <-s.signals:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, stop, func() {
		cancel()
		watching.Wait()
	}
}
