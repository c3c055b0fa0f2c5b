package queue

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// three starts a cluster of three servers.
func three(t *testing.T) (urls string) {
	t.Helper()
	var routes []*url.URL
	var ports []int
	for range 3 {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		must(t, free.Close())
		routes, ports = append(routes, &url.URL{Scheme: "nats", Host: free.Addr().String()}), append(ports, free.Addr().(*net.TCPAddr).Port)
	}
	var all []string
	var servers []*server.Server
	for i := range 3 {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 40, NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		})
		must(t, err)
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	for _, s := range servers {
		if !s.ReadyForConnections(30 * time.Second) {
			t.Fatal("a server does not start")
		}
		all = append(all, s.ClientURL())
	}
	return strings.Join(all, ",")
}

// On several nodes, too, an entry is created only if none that a pattern matches came before,
// and what was written is read, whichever node is asked.
func TestABucketOnThreeNodes(t *testing.T) {
	t.Parallel()
	urls := strings.Split(three(t), ",")
	var buckets []*Bucket
	for i := range urls {
		buckets = append(buckets, start(t, Settings{URL: strings.Join(append(urls[i:], urls[:i]...), ","), Replicas: 3}).Batches())
	}
	ctx := t.Context()
	for round := range 20 {
		last, err := buckets[round%3].Last(ctx, "head.*")
		must(t, err)
		var creating sync.WaitGroup
		created := make([]error, 3)
		for i, b := range buckets {
			creating.Go(func() { _, created[i] = b.CreateAfter(ctx, fmt.Sprintf("head.%d-%d", round, i), i, "head.*", last) })
		}
		creating.Wait()
		taken := 0
		for i, err := range created {
			switch {
			case err == nil:
				taken++
				if _, err := buckets[(i+1)%3].Get(ctx, fmt.Sprintf("head.%d-%d", round, i)); err != nil {
					t.Errorf("round %d: what was written is not read at another: %v", round, err)
				}
			case !errors.Is(err, ErrConflict):
				t.Errorf("round %d: %v", round, err)
			}
		}
		if taken != 1 {
			t.Errorf("round %d: %d were created, want 1", round, taken)
		}
	}
}
