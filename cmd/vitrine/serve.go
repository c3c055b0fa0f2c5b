package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	"vitrine/internal/service"
	"vitrine/internal/setup"
)

// serving are the flags of vitrine serve.
type serving struct {
	*common
	setup.Looking
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

// addCommand adds them to a command whose outputs workers may take.
func (j *joining) addCommand(flags *pflag.FlagSet) {
	j.addCluster(flags)
	flags.Lookup("nats").Usage = "NATS cluster whose workers (vitrine worker) work on outputs in place of this machine, nats://…; several, comma-separated"
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

// settings are those of a service and of a worker alike.
func (j *joining) settings(c *common, p *setup.Pipeline, all []*reward.Recipe, given *pflag.FlagSet) service.Settings {
	return service.Settings{
		Pipeline: p.Pipeline, Recipes: all, Testers: c.testers(), Evidence: j.store, Alone: apart(c, given), Getenv: c.getenv, Say: c.say,
		Queue: queue.Settings{URL: j.nats, Auth: j.shown(c), Replicas: j.replicas, MaxTries: j.tries},
		Log:   slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
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
	addLooking(&s.Looking, c, flags)
	addInteracting(&s.Interacting, flags)
	s.joining.add(flags)
	flags.StringVar(&s.listen, "listen", "127.0.0.1:7400", "address of the API")
	flags.StringVar(&s.pages, "listen-pages", "", `address of the second origin, which shows what models wrote; none: "none" (default: the next port)`)
	flags.StringVar(&s.ors, "listen-ors", "", "address for clients of the Open Reward Standard, such as 127.0.0.1:7402 (default: none)")
	flags.StringVar(&s.tasks, "tasks", "", "file of tasks that requests may name by id")
	flags.StringVar(&s.stateDir, "state", "", "folder of the queue inside and of evidence (default: serve, in the cache folder)")
	flags.StringVar(&s.listenNATS, "listen-queue", "", "address at which workers of other machines may join the queue inside, such as 0.0.0.0:4222")
	flags.BoolVar(&s.noWorker, "no-worker", false, "answer only; workers are elsewhere")
	flags.StringSliceVar(&s.hosts, "trusted-host", nil, "further names by which this machine may be called")
	flags.StringSliceVar(&s.origins, "trusted-origin", nil, "origins whose pages may send requests, such as https://lab.example")
	flags.DurationVar(&s.grace, "grace", time.Minute, "how long requests under way may go on after SIGTERM")
	flags.DurationVar(&s.workerWait, "worker-wait", time.Minute, "how long a job waits while no worker is there that may take it; then it is answered as unjudged")
	flags.IntVar(&s.pending, "max-pending", 8192, "jobs that may wait or be worked on at once; beyond, clients are asked to come back later")
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
	tasks, err := setup.ReadTasks(s.tasks)
	if err != nil {
		return err
	}
	all, err := setup.Recipes(s.Recipe, s.joining.recipes)
	if err != nil {
		return err
	}
	p, err := s.Looking.Open(s.machine(), tasks)
	if err != nil {
		return err
	}
	defer p.Close()
	srv, err := service.Open(ctx, s.settings(p, all, tasks))
	if err != nil {
		return err
	}
	defer srv.Close()
	ctx, stop, release := interruptible(ctx, s.common, func() {
		s.say("ending: nothing new is taken, what is under way has %s", s.grace)
	})
	defer release()
	return srv.Run(ctx, stop)
}

func (s *serving) settings(p *setup.Pipeline, all []*reward.Recipe, tasks map[string]vitrine.Task) service.ServeSettings {
	host, _ := os.Hostname()
	set := s.joining.settings(s.common, p, all, s.given)
	set.Dir, set.Grace = s.stateDir, s.grace
	set.Queue.Dir, set.Queue.Listen, set.Queue.Token = s.queueDir(), s.listenNATS, s.queueToken()
	set.Queue.MaxPending, set.Queue.WorkerWait, set.Queue.Service = s.pending, s.workerWait, s.listen+" on "+host
	return service.ServeSettings{
		Settings: set, Listen: s.listen, Pages: s.pages, ORS: s.ors, NoWorker: s.noWorker,
		Server: server.Settings{Tasks: tasks, Model: s.Judging.Model, Tokens: s.tokens(), Hosts: s.hosts, Origins: s.origins, BodyMemory: s.bodyMemory << 20},
	}
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
