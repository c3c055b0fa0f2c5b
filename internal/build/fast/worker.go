package fast

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/sandbox"
)

//go:embed worker.cjs
var workerSource string

const (
	workerJobs   = 200              // after which a worker is replaced: Tailwind keeps every configuration it saw
	jobTime      = 20 * time.Second // for one stylesheet, where nothing else is said
	idleWorkers  = 2                // kept warm, each for its own dependency set
	workerMemory = 2 << 30
	modulesAt    = "/deps/node_modules"
	maxReply     = 64 << 20
)

// A job asks the worker for one stylesheet, or for modules that are data.
type job struct {
	CSS     string          `json:"css,omitempty"`
	From    string          `json:"from,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Content []content       `json:"content,omitempty"`
	Prefix  bool            `json:"prefix,omitempty"`
	Modules []string        `json:"modules,omitempty"`
}

// content is a source that Tailwind looks for class names in.
type content struct {
	Raw       string `json:"raw"`
	Extension string `json:"extension"`
}

type reply struct {
	CSS     string                     `json:"css"`
	Modules map[string]json.RawMessage `json:"modules"`
	Error   string                     `json:"error"`
	Reason  string                     `json:"reason"`
	Line    int                        `json:"line"`
}

// workers keeps Node.js processes warm. Each has the packages of one dependency
// set and does one job at a time, so whatever a package does reaches no project of
// another set.
type workers struct {
	sandbox sandbox.Sandbox
	dir     string        // holds worker.cjs
	limit   time.Duration // for one job

	mu     sync.Mutex
	idle   []*worker // the one used last is at the end
	closed bool
}

// A worker is one sealed Node.js process.
type worker struct {
	set     string
	jobs    int
	process *sandbox.Process
	end     context.CancelFunc
	in      *os.File
	out     *os.File
	lines   *bufio.Reader
}

// do lets a worker do a job. One that crashes, or does not answer in time, costs
// this job and nothing else.
func (ws *workers) do(ctx context.Context, set build.Set, j job) (reply, error) {
	w, err := ws.take(set)
	if err != nil {
		return reply{}, err
	}
	type answer struct {
		reply
		err error
	}
	done := make(chan answer, 1)
	go func() {
		r, err := w.ask(j)
		done <- answer{r, err}
	}()
	timer := time.NewTimer(ws.limit)
	defer timer.Stop()
	select {
	case a := <-done:
		if a.err != nil {
			w.stop()
			return reply{}, cannot(CannotWorker, "the Node.js worker died: %v", a.err)
		}
		ws.giveBack(w)
		return a.reply, nil
	case <-timer.C:
		w.stop()
		<-done
		return reply{}, cannot(CannotTime, "Tailwind did not finish a stylesheet within %s", ws.limit)
	case <-ctx.Done():
		w.stop()
		<-done
		return reply{}, ctx.Err()
	}
}

func (ws *workers) take(set build.Set) (*worker, error) {
	ws.mu.Lock()
	for i := len(ws.idle) - 1; i >= 0; i-- {
		if w := ws.idle[i]; w.set == set.Key {
			ws.idle = append(ws.idle[:i], ws.idle[i+1:]...)
			ws.mu.Unlock()
			return w, nil
		}
	}
	ws.mu.Unlock()
	return ws.start(set)
}

func (ws *workers) giveBack(w *worker) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	w.jobs++
	if ws.closed || w.jobs >= workerJobs {
		go w.stop()
		return
	}
	ws.idle = append(ws.idle, w)
	if len(ws.idle) > idleWorkers {
		go ws.idle[0].stop()
		ws.idle = ws.idle[1:]
	}
}

// close ends the idle workers; busy ones end when they are given back.
func (ws *workers) close() {
	ws.mu.Lock()
	idle := ws.idle
	ws.idle, ws.closed = nil, true
	ws.mu.Unlock()
	for _, w := range idle {
		w.stop()
	}
}

func (ws *workers) start(set build.Set) (*worker, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, vitrine.NewFault("build", vitrine.FaultNoNode, err, "Node.js is not installed").WithFix("apt-get install nodejs npm (Node.js 18 or newer)")
	}
	ours, theirs, err := pipes()
	if err != nil {
		return nil, fmt.Errorf("make a worker: %w", err)
	}
	defer theirs[0].Close()
	defer theirs[1].Close()
	modules, script := modulesAt, "/worker/worker.cjs"
	if ws.sandbox.Unsafe {
		modules, script = set.Modules, filepath.Join(ws.dir, "worker.cjs")
	}
	binds := []sandbox.Bind{{Host: set.Modules, Inside: modules}, {Host: ws.dir, Inside: filepath.Dir(script)}}
	if real, err := filepath.EvalSymlinks(node); err == nil && !strings.HasPrefix(real, "/usr/") && !strings.HasPrefix(real, "/bin/") {
		prefix := filepath.Dir(filepath.Dir(node))
		binds = append(binds, sandbox.Bind{Host: prefix, Inside: prefix})
	}
	ctx, end := context.WithCancel(context.Background())
	p, err := ws.sandbox.Start(ctx, sandbox.Spec{
		Args: []string{node, "--max-old-space-size=1024", script, filepath.Join(filepath.Dir(modules), "package.json")},
		Dir:  "/", Binds: binds, Files: theirs,
		Env:    []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC", "NODE_ENV=production", "BROWSERSLIST_IGNORE_OLD_DATA=1"},
		Limits: sandbox.Limits{MemoryBytes: workerMemory, FileBytes: 1 << 20, Processes: 128},
	})
	if err != nil {
		end()
		return nil, errors.Join(fmt.Errorf("start a worker: %w", err), ours[0].Close(), ours[1].Close())
	}
	return &worker{set: set.Key, process: p, end: end, in: ours[1], out: ours[0], lines: bufio.NewReaderSize(ours[0], 64<<10)}, nil
}

// pipes makes the worker's input and output: ours to read and write, theirs to
// be descriptors 3 and 4.
func pipes() (ours, theirs []*os.File, err error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, inR.Close(), inW.Close())
	}
	return []*os.File{outR, inW}, []*os.File{inR, outW}, nil
}

func (w *worker) ask(j job) (reply, error) {
	b, err := json.Marshal(j)
	if err != nil {
		return reply{}, err
	}
	if _, err := w.in.Write(append(b, '\n')); err != nil {
		return reply{}, err
	}
	line, err := readLine(w.lines)
	if err != nil {
		return reply{}, err
	}
	var r reply
	return r, json.Unmarshal(line, &r)
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxReply {
			return nil, errors.New("the answer is too long")
		}
	}
}

// stop ends the process and waits until it is gone.
func (w *worker) stop() {
	w.end()
	_ = w.process.Wait()
	_ = w.in.Close()
	_ = w.out.Close()
}
