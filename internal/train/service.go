package train

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/subprocess"
)

// A service is a vitrine serve that a training started. It is started again at the same
// address when it ends, so that a training outlives it: clients ask until they are answered.
type service struct {
	url     string
	cancel  context.CancelFunc
	stopped chan struct{}
}

// anyPort is where a service is started first.
const anyPort = "127.0.0.1:0"

var servingOn = regexp.MustCompile(`serving on http://(\S+)`)

func startService(ctx context.Context, args []string, logFile string) (*service, error) {
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, disk.Classify(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &service{cancel: cancel, stopped: make(chan struct{})}
	at := make(chan string, 1)
	go func() {
		defer close(s.stopped)
		defer log.Close()
		listen := anyPort
		for ctx.Err() == nil {
			address := serveOnce(ctx, append(args[:len(args):len(args)], "--listen", listen), log, at)
			if address == "" && listen == anyPort {
				break // it never served
			}
			listen = cmp.Or(address, listen)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
				fmt.Fprintln(log, "the service has ended and is started again")
			}
		}
		close(at)
	}()
	address, ok := <-at
	if !ok {
		cancel()
		<-s.stopped
		return nil, vitrine.NewFault("train", vitrine.FaultInternal, nil, "the service does not start").WithFix("see " + logFile + "; vitrine doctor says what this machine lacks")
	}
	s.url = "http://" + address
	return s, nil
}

// serveOnce runs the service until it ends, and gives the address at which it served. The
// first address goes to at.
func serveOnce(ctx context.Context, args []string, log io.Writer, at chan<- string) (address string) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.SysProcAttr = subprocess.Group()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	out, err := cmd.StderrPipe()
	if err != nil || cmd.Start() != nil {
		return ""
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		fmt.Fprintln(log, lines.Text())
		if m := servingOn.FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
			select {
			case at <- address:
			default: // it was known
			}
		}
	}
	_, _ = io.Copy(log, out) // what is behind a line that is too long
	_ = cmd.Wait()
	return address
}

func (s *service) stop() {
	s.cancel()
	<-s.stopped
}
