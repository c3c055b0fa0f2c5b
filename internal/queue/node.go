package queue

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"vitrine"
	"vitrine/internal/disk"
)

// maxPayload is the largest message of the server inside, in bytes. What is larger
// travels as a blob.
const maxPayload = 8 << 20

// unbounded is what the server inside may store: every stream has a bound of its
// own, and the server would count bounds as if they were used.
const unbounded = 1 << 62

// A node is the NATS server inside this process, and the lock on its folder.
type node struct {
	server *server.Server
	lock   *os.File
	token  string
}

func startNode(s Settings) (*node, error) {
	lock, err := lockFolder(s.Dir)
	if err != nil {
		return nil, err
	}
	if s.Listen != "" && s.Token == "" {
		s.Token, err = ownToken(s.Dir)
	}
	options := &server.Options{
		ServerName: "vitrine", DontListen: s.Listen == "", Authorization: s.Token,
		JetStream: true, StoreDir: s.Dir, JetStreamMaxStore: unbounded, MaxPayload: maxPayload,
		DisableJetStreamBanner: true, NoLog: true, NoSigs: true,
	}
	if err == nil && s.Listen != "" {
		err = address(options, s.Listen)
	}
	var started *server.Server
	if err == nil {
		started, err = server.NewServer(options)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	n := &node{started, lock, s.Token}
	started.Start()
	if !started.ReadyForConnections(30*time.Second) || !started.JetStreamEnabled() {
		n.stop()
		return nil, vitrine.NewFault("queue", vitrine.FaultNoQueue, nil, "the server inside does not start").
			WithFix("look whether " + s.Dir + " can be written and holds nothing of another program")
	}
	return n, nil
}

// room is the fault of a disk that has none left for the server inside. On a cluster the
// servers know.
func (q *Queue) room() error {
	var fs syscall.Statfs_t
	if q.node == nil || syscall.Statfs(q.settings.Dir, &fs) != nil || int64(fs.Bavail)*int64(fs.Bsize) >= q.settings.MinFree {
		return nil
	}
	return vitrine.NewFault("queue", vitrine.FaultDiskFull, nil, fmt.Sprintf("the disk of %s has less than %d MB left", q.settings.Dir, q.settings.MinFree>>20)).
		WithFix("make room on it, or name another folder with --state")
}

func address(o *server.Options, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err == nil {
		o.Port, err = strconv.Atoi(port)
	}
	if err != nil {
		return usage(fmt.Sprintf("%q is no address", listen), "write it as 127.0.0.1:4222")
	}
	if o.Host = host; o.Port == 0 {
		o.Port = server.RANDOM_PORT
		return nil
	}
	free, err := net.Listen("tcp", listen) // the server would not say why it does not start
	if err != nil {
		return vitrine.NewFault("queue", vitrine.FaultNoQueue, err, "the queue cannot listen").WithFix("look who has " + listen + ", or choose another address")
	}
	return free.Close()
}

// lockFolder makes the folder ours; the kernel takes the lock back from a process
// that ends.
func lockFolder(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, disk.Classify(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, disk.Classify(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, usage("another process has the queue in "+dir, "end it, name another folder, or connect to it with --nats URL")
	}
	return f, nil
}

func (n *node) stop() {
	n.server.Shutdown()
	n.server.WaitForShutdown()
	_ = n.lock.Close()
}

// connect opens the connection to the node inside or, if there is none, to the
// cluster. It comes back by itself for as long as the queue is open.
func connect(s Settings, n *node) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("vitrine"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.Timeout(5 * time.Second),
	}
	url := s.URL
	if n != nil {
		options = append(options, nats.InProcessServer(n.server), nats.Token(n.token))
		url = nats.DefaultURL
	} else if err := checkURLs(url); err != nil {
		return nil, err
	}
	shown, err := s.Auth.options()
	if err != nil {
		return nil, err
	}
	options = append(options, shown...)
	conn, err := nats.Connect(url, options...)
	if err != nil {
		return nil, unreachable(err)
	}
	return conn, nil
}

func unreachable(err error) error {
	return vitrine.NewFault("queue", vitrine.FaultNoQueue, err, "the queue's server cannot be reached").
		WithFix("look whether NATS runs there with JetStream, and whether the URL and the token, or whatever it wants to see, are right")
}
