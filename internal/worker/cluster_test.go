package worker

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"vitrine"
	"vitrine/internal/polltest"
	"vitrine/internal/queue"
)

// cluster starts three NATS nodes with JetStream.
func cluster(t *testing.T) (nodes [3]*server.Server, urls string) {
	t.Helper()
	var routes []*url.URL
	var ports [3]int
	for i := range nodes {
		ports[i] = freePort(t)
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", ports[i])})
	}
	var all []string
	for i := range nodes {
		node, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("node", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 40, NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		node.Start()
		t.Cleanup(func() { node.Shutdown(); node.WaitForShutdown() })
		if !node.ReadyForConnections(30 * time.Second) {
			t.Fatal("a node does not start")
		}
		nodes[i] = node
		all = append(all, node.ClientURL())
	}
	return nodes, strings.Join(all, ",")
}

// leader is the node that the most hangs on.
func leader(nodes [3]*server.Server) *server.Server {
	for _, n := range nodes {
		if n.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, "VITRINE_WORK") {
			return n
		}
	}
	return nodes[0]
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// process starts this test binary as a worker and returns how to kill it.
func process(t *testing.T, urls, dir string) (kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asWorker+"="+urls, "TMPDIR="+dir)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(kill)
	return kill
}

// workerProcess is what such a binary does: each job takes it a moment.
func workerProcess(urls string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	q, err := queue.Open(ctx, queue.Settings{URL: urls, Replicas: 3, AckWait: 2 * time.Second})
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	defer q.Close()
	w := Worker{Queue: q, Slots: 2, Scorer: always(func(_ context.Context, o vitrine.Output, _ string) (vitrine.Sample, bool, error) {
		<-time.After(20 * time.Millisecond) // work, so that it is killed in the midst of some
		return scored(o), false, nil
	})}
	if err := w.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	return 0
}

func TestANodeAndAWorkerAreLost(t *testing.T) {
	t.Parallel()
	const jobs = 200
	nodes, urls := cluster(t)
	q := open(t, queue.Settings{URL: urls, Replicas: 3, AckWait: 2 * time.Second})
	dir := t.TempDir()
	killWorker := process(t, urls, dir)
	process(t, urls, dir)

	var answered atomic.Int64
	lose := map[int64]func(){
		jobs / 4: killWorker,
		jobs / 2: func() { leader(nodes).Shutdown() },
	}
	var all sync.WaitGroup
	for i := range jobs {
		all.Go(func() {
			j := job(fmt.Sprint("j", i))
			r, err := q.Do(t.Context(), j)
			switch {
			case err != nil:
				t.Errorf("%s: %v", j.Key, err)
			case r.Key != j.Key || r.Sample.ID != j.Key || r.Sample.Reward == nil || *r.Sample.Reward != float64(len(j.Output.Text)):
				t.Errorf("%s: got %+v with %+v", j.Key, r, r.Sample.Error)
			}
			if event := lose[answered.Add(1)]; event != nil {
				event()
			}
		})
	}
	all.Wait()
	if n := answered.Load(); n != jobs {
		t.Errorf("%d answers for %d jobs", n, jobs)
	}
	polltest.Until(t, "an empty queue", func() bool {
		h, err := q.Health(t.Context())
		return err == nil && h.Waiting+h.Queued+h.Running == 0
	})
	process(t, urls, dir)
	polltest.Until(t, "the folder of the worker that was killed removed, those of the others there", func() bool {
		left, _ := filepath.Glob(filepath.Join(dir, scratchPattern))
		h, err := q.Health(t.Context())
		return err == nil && len(h.Workers) >= 2 && len(left) == 2
	})
	for i := range jobs { // also what was kept through the loss of a node
		if r := do(t, q, job(fmt.Sprint("j", i))); r.Sample.Reward == nil {
			t.Errorf("j%d was kept as %+v", i, r)
		}
	}
}
