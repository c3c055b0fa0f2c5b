package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A canary is what no sample may touch: a folder, servers that must not be asked, and
// all places where a mark could be left.
type canary struct {
	dir    string
	hosts  []string // host:port
	calls  atomic.Int64
	before map[string]string
}

const mark = "vitrine-hostile-mark"

func newCanary(t *testing.T) *canary {
	t.Helper()
	c := &canary{dir: t.TempDir()}
	must(t, os.Chmod(c.dir, 0o777))
	must(t, os.WriteFile(filepath.Join(c.dir, "index.html"), []byte("<h1>not yours</h1>"), 0o666))
	addresses := []string{"127.0.0.1"}
	all, err := net.InterfaceAddrs()
	must(t, err)
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			addresses = append(addresses, ip.IP.String())
		}
	}
	for _, address := range addresses {
		c.listen(t, address)
	}
	c.before = c.tree(t)
	return c
}

// listen counts connections and packets that come to an address.
func (c *canary) listen(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp4", address+":0")
	must(t, err)
	udp, err := net.ListenPacket("udp4", l.Addr().String())
	must(t, err)
	c.hosts = append(c.hosts, l.Addr().String())
	var both sync.WaitGroup
	both.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.calls.Add(1)
			_ = conn.Close()
		}
	})
	both.Go(func() {
		for b := make([]byte, 100); ; {
			if _, _, err := udp.ReadFrom(b); errors.Is(err, net.ErrClosed) {
				return
			}
			c.calls.Add(1)
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		_ = udp.Close()
		both.Wait()
	})
}

// arm puts the canary's addresses into a hostile file.
func (c *canary) arm(source string) string {
	hosts, _ := json.Marshal(c.hosts)
	source = strings.NewReplacer("CANARY_DIR", fmt.Sprintf("%q", c.dir), "CANARY_PATH", c.dir, "CANARY_HOST", c.hosts[0], "VITRINE_CANARY", "VITRINE_CANARY").Replace(source)
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(source, "VITRINE_CANARY", "\x00"), "CANARY", string(hosts)), "\x00", "VITRINE_CANARY")
}

func (c *canary) tree(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		info, _ := d.Info()
		b, _ := os.ReadFile(name)
		files[name] = fmt.Sprint(info.Mode(), info.ModTime(), string(b))
		return err
	}))
	return files
}

// check looks for every trace that a hostile output could have left.
func (c *canary) check(t *testing.T, cache string) {
	t.Helper()
	if n := c.calls.Load(); n > 0 {
		t.Errorf("%d connections or packets came from pages and builds", n)
	}
	if diff := cmp.Diff(c.before, c.tree(t)); diff != "" {
		t.Errorf("a folder of the host was changed:\n%s", diff)
	}
	home, _ := os.UserHomeDir()
	for _, dir := range []string{"/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/usr", "/etc", "/bin", "/home", home, os.TempDir(), cache, cache + "/*", cache + "/*/*", cache + "/packages/deps/*/node_modules", cache + "/packages/deps/*/node_modules/.bin"} {
		if found, _ := filepath.Glob(filepath.Join(dir, mark+"*")); len(found) > 0 {
			t.Errorf("written outside: %v", found)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "packages", "work", "*")); len(left) > 0 {
		t.Errorf("left of builds: %v", left)
	}
	if running := processesBelow(os.Getpid()); len(running) > 0 {
		t.Errorf("processes are left: %v", running)
	}
}

// processesBelow are the command lines of all descendants; those that lost their
// parent are ours by adoption.
func processesBelow(pid int) (found []string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for field := range strings.FieldsSeq(string(pids)) {
			if args, _ := os.ReadFile("/proc/" + field + "/cmdline"); len(args) > 0 { // the dead have none
				found = append(found, strings.ReplaceAll(string(args), "\x00", " "))
			}
		}
	}
	return found
}
