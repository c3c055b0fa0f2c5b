package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// A part is one process of the service, started again whenever it ends.
type part struct {
	name    string
	args    []string
	process atomic.Pointer[os.Process] // nil: it does not run
	killed  atomic.Bool                // by us
}

// layOut finds free ports and names the parts, each with folders of its own.
func (c *chaos) layOut() error {
	api, queue := freeAddress(), freeAddress()
	c.url = "http://" + api
	c.add("server", "serve", "--listen", api, "--listen-pages", "none", "--listen-queue", queue, "--no-worker", "--state", filepath.Join(c.dir, "state"))
	c.add("worker-1", "worker", "--nats", "nats://"+queue)
	c.add("worker-2", "worker", "--nats", "nats://"+queue)
	return os.MkdirAll(filepath.Join(c.dir, "tmp"), 0o700)
}

func (c *chaos) add(name string, args ...string) {
	c.parts = append(c.parts, &part{name: name, args: append(args, "--cache-dir", filepath.Join(c.dir, name))})
}

// freeAddress is below those that the kernel gives to outgoing connections: it must
// still be free when the server comes back.
func freeAddress() string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000))
		if l, err := net.Listen("tcp", address); err == nil {
			_ = l.Close()
			return address
		}
	}
}

// command is vitrine beside this program. It ends by SIGTERM when ctx ends.
func (c *chaos) command(ctx context.Context, p *part, log io.Writer) *exec.Cmd {
	own, _ := os.Executable()
	cmd := exec.CommandContext(ctx, filepath.Join(filepath.Dir(own), "vitrine"), p.args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 90 * time.Second
	cmd.Stderr, cmd.Env = log, append(os.Environ(), "TMPDIR="+filepath.Join(c.dir, "tmp"), "VITRINE_AUTH_TOKEN=", "VITRINE_QUEUE_TOKEN=chaos", "VITRINE_NATS_TOKEN=chaos")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on
	return cmd
}

// keep runs a part until ctx ends, again whenever it has ended.
func (c *chaos) keep(ctx context.Context, p *part) {
	log, err := os.Create(filepath.Join(c.dir, p.name+".log"))
	for err == nil && ctx.Err() == nil {
		cmd := c.command(ctx, p, log)
		p.killed.Store(false)
		if err = cmd.Start(); err != nil {
			break
		}
		p.process.Store(cmd.Process)
		ended := cmd.Wait()
		p.process.Store(nil)
		switch {
		case ctx.Err() != nil && !cmd.ProcessState.Success():
			c.count(fmt.Sprintf("ended badly: %s: %v", p.name, cmd.ProcessState))
		case ctx.Err() == nil && !p.killed.Load():
			c.count(fmt.Sprintf("ended by itself: %s: %v", p.name, ended))
			rest(ctx, time.Second)
		}
	}
	if err != nil {
		say("%s does not run: %v", p.name, err)
	}
	_ = log.Close() // nil is no file, either
}

func (p *part) pid() int {
	if process := p.process.Load(); process != nil {
		return process.Pid
	}
	return 0
}

func (p *part) kill() string {
	process := p.process.Load()
	if process == nil {
		return "nothing: " + p.name + " does not run"
	}
	p.killed.Store(true)
	_ = process.Kill() // it may just have ended
	return p.name
}

// killAll kills one thing after the other: a process of a browser, a worker, the
// server, each once in three, in any order.
func (c *chaos) killAll(ctx context.Context) {
	for order := rand.Perm(3); rest(ctx, c.every); order = order[1:] {
		var killed string
		switch worker := c.parts[1+rand.IntN(2)]; order[0] {
		case 0:
			killed = killBrowser(worker.pid())
		case 1:
			killed = worker.kill()
		case 2:
			killed = c.parts[0].kill()
		}
		say("%s killed: %s", time.Now().Format(time.TimeOnly), killed)
		c.count("killed: " + killed)
		if len(order) == 1 {
			order = append(order, rand.Perm(3)...)
		}
	}
}

// killBrowser kills a process of Chromium below a worker and says which.
func killBrowser(worker int) string {
	kinds := map[int]string{}
	if worker != 0 {
		for _, p := range descendants(worker) {
			if line := commandLine(p.PID); strings.HasPrefix(p.Comm, "chrom") && line != "" {
				_, kind, _ := strings.Cut(line+" ", "--type=")
				kind, _, _ = strings.Cut(kind, " ")
				kinds[p.PID] = "browser's " + cmp.Or(kind, "main process")
			}
		}
	}
	for pid, kind := range kinds { // in any order
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return kind
	}
	return "nothing: no browser runs"
}

// watch writes down, every few seconds, what the parts have.
func (c *chaos) watch(ctx context.Context) error {
	out, err := os.Create(cmp.Or(c.csv, os.DevNull))
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = fmt.Fprintln(out, "seconds,process,pid,what,value")
	for start := time.Now(); err == nil && rest(ctx, 5*time.Second); {
		for _, p := range c.parts {
			pid := p.pid()
			for what, value := range c.weigh(ctx, p, pid) {
				c.mu.Lock()
				c.series[p.name+" "+what] = append(c.series[p.name+" "+what], value)
				c.mu.Unlock()
				_, err = fmt.Fprintf(out, "%.0f,%s,%d,%s,%.1f\n", time.Since(start).Seconds(), p.name, pid, what, value)
			}
		}
	}
	return err
}

// weigh is what a process has; nothing if it does not run.
func (c *chaos) weigh(ctx context.Context, p *part, pid int) map[string]float64 {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return nil
	}
	stat, err := proc.Stat()
	if err != nil {
		return nil
	}
	files, _ := proc.FileDescriptorsLen()
	found := map[string]float64{"rss_mb": float64(stat.ResidentMemory()) / (1 << 20), "open_files": float64(files)}
	if p != c.parts[0] {
		return found // only the server tells more
	}
	_, _, text, _ := c.send(ctx, http.MethodGet, "/metrics", nil)
	_, after, _ := strings.Cut(string(text), "\ngo_goroutines ")
	if n, err := strconv.ParseFloat(strings.SplitN(after, "\n", 2)[0], 64); err == nil {
		found["goroutines"] = n
	}
	return found
}

func (c *chaos) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[what]++
}

// note counts an answer and keeps its reward.
func (c *chaos) note(n int, answers []answered) {
	c.count("requests")
	switch {
	case len(answers) != 1:
		c.count("lost")
	case answers[0].Reward == nil:
		c.count("null: " + string(answers[0].Error.Code))
	default:
		c.count("with a reward")
		c.mu.Lock()
		defer c.mu.Unlock()
		c.answers[n] = append(c.answers[n], answers...)
	}
}

// lookBack compares the rewards of each output with each other, and with those of
// outputs that differ in their numbers alone; and it looks at what the parts left.
func (c *chaos) lookBack() {
	pages := map[int][]float64{}
	for n, all := range c.answers {
		rewards, evidence := map[float64]bool{}, map[string]bool{}
		for _, t := range all {
			rewards[*t.Reward], evidence[t.Evidence] = true, true
			pages[n%len(c.pages)] = append(pages[n%len(c.pages)], *t.Reward)
		}
		if len(rewards) > 1 {
			c.count("contradicting")
			say("contradicting: output %d: %v", n, rewards)
		} else if len(evidence) > 1 {
			c.count("judged twice")
		}
	}
	for n, all := range c.answers {
		usual := median(pages[n%len(c.pages)])
		if reward := *all[0].Reward; math.Abs(reward-usual) > 0.02 {
			c.count("strays")
			say("stray: output %d (%s) has %.3f, such pages %.3f: %s", n, c.pages[n%len(c.pages)].ID, reward, usual, all[0].Why)
		}
	}
	for pid, line := range leftOver(10 * time.Second) {
		c.count("left processes")
		say("left: %d %.100q", pid, line)
	}
	files, _ := os.ReadDir(filepath.Join(c.dir, "tmp"))
	c.counts["left files"] = len(files)
}

// leftOver are the command lines of the processes below this one that are still there
// when the limit is over. It returns as soon as there are none: the kernel ends what
// was in a sandbox a little later than the sandbox.
func leftOver(limit time.Duration) map[int]string {
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		left := map[int]string{}
		for _, p := range descendants(os.Getpid()) {
			if line := commandLine(p.PID); line != "" {
				left[p.PID] = line
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

func (c *chaos) print(w io.Writer) error {
	spans := map[string]map[string]float64{}
	for what, all := range c.series {
		spans[what] = map[string]float64{"first": all[0], "median": median(all), "most": slices.Max(all), "last": all[len(all)-1]}
	}
	if c.json {
		return printJSON(w, map[string]any{"counts": c.counts, "over_time": spans})
	}
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Fprintf(w, "%-36s%8d\n", what, c.counts[what])
	}
	fmt.Fprintf(w, "\n%-36s%8s%8s%8s%8s\n", "over time", "first", "median", "most", "last")
	for _, what := range slices.Sorted(maps.Keys(spans)) {
		s := spans[what]
		fmt.Fprintf(w, "%-36s%8.0f%8.0f%8.0f%8.0f\n", what, s["first"], s["median"], s["most"], s["last"])
	}
	return nil
}
