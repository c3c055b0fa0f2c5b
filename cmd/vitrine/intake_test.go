package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"vitrine/internal/server/intake"
)

// The most that the resident memory of the service may grow by under an attack.
const mostGrowth = 1536 << 20

// attackers are the addresses from which an attack comes: that of the honest client, and
// another one.
var attackers = []string{"127.0.0.1", "127.0.0.2"}

// resident is a figure of a process's memory in bytes, such as VmRSS or VmHWM.
func (p *servingProcess) resident(t *testing.T, name string) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	must(t, err)
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			must(t, err)
			return kb << 10
		}
	}
	t.Fatalf("no %s in %s", name, status)
	return 0
}

// released builds the program as users have it. The race detector takes several times the
// memory, which is what these tests measure.
var released = sync.OnceValues(func() (string, error) {
	program := filepath.Join(os.Getenv("VITRINE_CACHE"), "released", "vitrine")
	if out, err := exec.Command("go", "build", "-race=false", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return program, nil
})

// measured is how much the resident memory grew at most while something was done.
func (p *servingProcess) measured(t *testing.T, do func()) int64 {
	t.Helper()
	must(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.Process.Pid), []byte("5"), 0)) // VmHWM begins here
	before := p.resident(t, "VmRSS")
	do()
	return p.resident(t, "VmHWM") - before
}

// honest asks for the reward of an answer without a site, as clients do: again where the
// service says so. It must be there within ten seconds.
func (p *servingProcess) honest(t *testing.T, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, "POST", p.url+"/v1/score", strings.NewReader(fmt.Sprintf(`{"items":[{"output":"I cannot do that, %d."}]}`, n)))
		must(t, err)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("honest request %d: %v", n, err)
			return
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		switch {
		case resp.StatusCode == 200 && strings.Contains(string(text), `"reward":0`):
			return
		case resp.Header.Get("Retry-After") == "":
			t.Errorf("honest request %d: %d %s", n, resp.StatusCode, text)
			return
		}
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
		}
	}
}

// unfinished sends all of a body but its last bytes, and then nothing more. It returns
// when all was taken, or the service would not have it.
func unfinished(ctx context.Context, address, from string, size int) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(conn, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n{\"items\":[{\"output\":\"", size)
	chunk := []byte(strings.Repeat("<p>words</p>", 4096))
	for sent := 0; err == nil && sent < size-len(chunk)-100; sent += len(chunk) {
		_, err = conn.Write(chunk)
	}
	return conn, nil // that it is refused in between is fine
}

// A hundred bodies that never end take a bounded memory, and an honest client is answered
// meanwhile and afterwards.
func TestUnfinishedBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program, err := released()
	must(t, err)
	for _, from := range attackers {
		t.Run("from "+from, func(t *testing.T) {
			p := serveWith(t, program, "--state", t.TempDir())
			p.honest(t, 0)
			grew := p.measured(t, func() {
				besieged(t, p, 100, func() (io.Closer, error) {
					return unfinished(t.Context(), strings.TrimPrefix(p.url, "http://"), from, 62<<20)
				})
			})
			t.Logf("the memory grew by %d MB", grew>>20)
			if grew > mostGrowth {
				t.Errorf("the memory grew by %d MB, want at most %d", grew>>20, mostGrowth>>20)
			}
			p.ends(t)
		})
	}
}

// sending is how many of the attackers send at once: all of them would take the
// processors, which are those of the service and of the honest client, too.
const sending = 400

// ends asks a service to end well.
func (p *servingProcess) ends(t *testing.T) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	must(t, p.Process.Signal(syscall.SIGTERM))
	if err := p.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.said())
	}
}

// besieged opens n connections, each of which takes what it can get and stays, and asks
// honestly while they open and while they are there. Open gives nil where it is refused.
func besieged(t *testing.T, p *servingProcess, n int, open func() (io.Closer, error)) {
	t.Helper()
	var all errgroup.Group
	var asking sync.WaitGroup
	all.SetLimit(sending + 1)
	conns := make(chan io.Closer, n)
	all.Go(func() error {
		for range n {
			all.Go(func() error {
				conn, err := open()
				if conn != nil {
					conns <- conn
				}
				return err
			})
		}
		return nil
	})
	for i := range 4 {
		asking.Go(func() { p.honest(t, 1+i) })
	}
	asking.Wait()
	if err := all.Wait(); err != nil {
		t.Errorf("an attacker: %v", err)
	}
	for i := range 4 {
		p.honest(t, 5+i)
	}
	close(conns)
	if len(conns) < n/4 {
		t.Errorf("%d of %d attackers were let in: that is no attack", len(conns), n)
	}
	for conn := range conns {
		_ = conn.Close()
	}
}

// A socket that sends a message which never ends.
type endlessMessage struct{ *websocket.Conn }

func (m endlessMessage) Close() error { return m.CloseNow() }

// Thousands of sockets, each with a message of 16 MB that never ends, take a bounded
// memory, and an honest client is answered meanwhile and afterwards.
func TestUnfinishedMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	const sockets = 4096
	program, err := released()
	must(t, err)
	for _, from := range attackers {
		t.Run("from "+from, func(t *testing.T) {
			p := serveWith(t, program, "--state", t.TempDir())
			p.honest(t, 0)
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
			client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
			message := []byte(`{"type":"step","data":{"message":"` + strings.Repeat("<p>words</p>", (16<<20)/12-10))
			grew := p.measured(t, func() {
				besieged(t, p, sockets, func() (io.Closer, error) {
					conn, _, err := websocket.Dial(t.Context(), strings.Replace(p.url, "http", "ws", 1)+"/openenv/ws", &websocket.DialOptions{HTTPClient: client})
					if err != nil {
						return nil, nil // refused
					}
					w, err := conn.Writer(t.Context(), websocket.MessageText)
					if err == nil {
						_, _ = w.Write(message) // it may be refused in between
					}
					return endlessMessage{conn}, err
				})
			})
			t.Logf("the memory grew by %d MB", grew>>20)
			if grew > mostGrowth {
				t.Errorf("the memory grew by %d MB, want at most %d", grew>>20, mostGrowth>>20)
			}
			p.ends(t)
		})
	}
}

// What a body is charged is what it costs, read and parsed. Its item is not judged: what that
// costs is bounded by the slots of the worker.
func TestABodyCostsWhatItIsCharged(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	const size, otherwise = 30 << 20, 128 << 20 // what the service takes meanwhile
	program, err := released()
	must(t, err)
	p := serveWith(t, program, "--state", t.TempDir())
	p.honest(t, 0)
	body := `{"items":[{"task_id":"none","output":"` + strings.Repeat("I cannot do that. ", size/18) + `"}]}`
	grew := p.measured(t, func() { ask[scoredItems](t, "POST", p.url+"/v1/score", body) })
	t.Logf("%d bytes took %d MB, %.1f for each", len(body), grew>>20, float64(grew)/float64(len(body)))
	if most := int64(intake.Cost*len(body)) + otherwise; grew > most {
		t.Errorf("the memory grew by %d MB, want at most %d", grew>>20, most>>20)
	}
	p.ends(t)
}
