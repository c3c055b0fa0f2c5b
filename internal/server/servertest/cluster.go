package servertest

import (
	"net"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"vitrine/internal/queue"
)

// A Cluster is a NATS server that several services share, as one in production.
type Cluster struct {
	URL     string
	options natsserver.Options
	server  *natsserver.Server
}

// StartCluster runs a cluster until the test ends.
func StartCluster(t testing.TB) *Cluster {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, free.Close())
	c := &Cluster{options: natsserver.Options{
		Host: "127.0.0.1", Port: free.Addr().(*net.TCPAddr).Port, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 40, NoLog: true, NoSigs: true,
	}}
	c.Start(t)
	t.Cleanup(c.Stop)
	return c
}

// Join has a queue on the cluster.
func (c *Cluster) Join(s *queue.Settings) { s.URL = c.URL }

// Start starts it, also after Stop: then with all that it had, at the same address.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	options := c.options
	server, err := natsserver.NewServer(&options)
	must(t, err)
	c.server = server
	server.Start()
	if !server.ReadyForConnections(30 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	c.URL = server.ClientURL()
}

// Stop ends it.
func (c *Cluster) Stop() {
	c.server.Shutdown()
	c.server.WaitForShutdown()
}
