package fast

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/sandbox"
)

const maxReply = 64 << 20 // bytes

// A program is what a process of a pool runs.
type program struct {
	key    string   // of what it is started with: a process of one key can do any job of it
	flags  []string // of Node.js
	script string   // below a bind's Inside
	binds  []sandbox.Bind
	limits sandbox.Limits
	wall   time.Duration // for a job, see [sandbox.Allowance]
	cpu    time.Duration // for a job; 0: no limit
}

// A pool runs each job in a sealed Node.js process of its own, which ends with it: whatever
// a job does to its process reaches no other. Processes of programs that come again and
// again are started ahead, since to start one takes longer than most jobs.
type pool struct {
	sandbox sandbox.Sandbox
	ahead   int           // processes that wait for a job, at most
	slots   chan struct{} // has room for the processes of all pools that share it

	mu       sync.Mutex
	ready    []*worker // the newest at the end
	starting int
	recent   []string       // keys of the last jobs
	tasks    sync.WaitGroup // what goes on without a job
	closed   bool
}

// A worker is one sealed Node.js process that waits for its job.
type worker struct {
	key     string
	process *sandbox.Process
	end     context.CancelFunc
	in, out *os.File
	slots   chan struct{}
}

// Why a process gave no answer.
var (
	errDied  = errors.New("its process died")
	errSpent = errors.New("it used up its time")
)

// do has a process do a job and reads its answer into reply. An error is errDied or
// errSpent where that is the job's own doing, a fault where the machine had no time for it.
// One that dies may have been ended by others, while it waited or when the machine ran out
// of memory; only who dies twice did it itself.
func (p *pool) do(ctx context.Context, run program, job, reply any) error {
	w, err := p.take(ctx, run)
	if err != nil {
		return err
	}
	if err = p.once(ctx, w, run, job, reply); !errors.Is(err, errDied) {
		return err
	}
	if w, err = p.claim(ctx, run); err != nil {
		return err
	}
	return p.once(ctx, w, run, job, reply)
}

func (p *pool) once(ctx context.Context, w *worker, run program, job, reply any) error {
	defer p.finish(w, run)
	allowed := w.process.Allow(run.wall)
	limited, end := allowed.Context(ctx)
	defer end()
	if run.cpu > 0 {
		limited, end = w.process.LimitCPU(limited, run.cpu)
		defer end()
	}
	done := make(chan error, 1)
	go func() { done <- w.ask(job, reply) }()
	select {
	case err := <-done:
		return err
	case <-limited.Done():
	}
	w.end()
	<-done
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(limited), context.DeadlineExceeded) && allowed.Starved():
		return sandbox.StarvedFault("build")
	}
	return errSpent
}

// take returns a process that waits for a job, and starts one if no process waits.
func (p *pool) take(ctx context.Context, run program) (*worker, error) {
	p.mu.Lock()
	i := slices.IndexFunc(p.ready, func(w *worker) bool { return w.key == run.key })
	if i >= 0 {
		w := p.ready[i]
		p.ready = slices.Delete(p.ready, i, i+1)
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	return p.claim(ctx, run)
}

// claim starts a process as soon as there may be one more. The time of its job begins
// then.
func (p *pool) claim(ctx context.Context, run program) (*worker, error) {
	select {
	case p.slots <- struct{}{}:
		return p.start(run)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// finish ends the process of a job. If one of the last jobs was of the same program, too, it
// then starts a process for the next one.
func (p *pool) finish(w *worker, run program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.end()
	there := p.starting
	for _, r := range p.ready {
		if r.key == run.key {
			there++
		}
	}
	more := slices.Contains(p.recent, run.key) && there < p.ahead && !p.closed
	p.recent = append([]string{run.key}, p.recent[:min(len(p.recent), p.ahead)]...)
	if p.closed {
		w.stop()
		return
	}
	if more {
		p.starting++
	}
	p.tasks.Go(func() {
		w.stop()
		if more {
			p.startAhead(run)
		}
	})
}

// startAhead starts a process, if there may be one more. The one that waited longest makes
// room.
func (p *pool) startAhead(run program) {
	var w *worker
	select {
	case p.slots <- struct{}{}:
		w, _ = p.start(run) // whoever needs one sees the error
	default:
	}
	p.mu.Lock()
	p.starting--
	if w != nil {
		p.ready = append(p.ready, w)
	}
	var surplus []*worker
	if n := len(p.ready) - p.ahead; n > 0 {
		surplus = slices.Clone(p.ready[:n])
		p.ready = slices.Delete(p.ready, 0, n)
	}
	p.mu.Unlock()
	for _, w := range surplus {
		w.stop()
	}
}

// close ends the processes that wait; busy ones end with their jobs.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.tasks.Wait()
	p.mu.Lock()
	ready := p.ready
	p.ready = nil
	p.mu.Unlock()
	for _, w := range ready {
		w.stop()
	}
}

// start starts a process in a slot, which it gives back when it ends, or does not start.
func (p *pool) start(run program) (w *worker, err error) {
	defer func() {
		if err != nil {
			<-p.slots
		}
	}()
	node, err := findNode()
	if err != nil {
		return nil, err
	}
	ours, theirs, err := pipes()
	if err != nil {
		return nil, fmt.Errorf("make a worker: %w", err)
	}
	defer theirs[0].Close()
	defer theirs[1].Close()
	ctx, end := context.WithCancel(context.Background())
	spec := node.spec(p.sandbox, run)
	spec.Files = theirs
	process, err := p.sandbox.Start(ctx, spec)
	if err != nil {
		end()
		return nil, errors.Join(fmt.Errorf("start a worker: %w", err), ours[0].Close(), ours[1].Close())
	}
	return &worker{key: run.key, process: process, end: end, in: ours[1], out: ours[0], slots: p.slots}, nil
}

// A nodeProgram is where Node.js is.
type nodeProgram struct{ path string }

func findNode() (nodeProgram, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		err = vitrine.NewFault("build", vitrine.FaultNoNode, err, "Node.js is not installed").WithFix("apt-get install nodejs npm (Node.js 18 or newer)")
	}
	return nodeProgram{path}, err
}

// spec is the sealed command that runs a program.
func (n nodeProgram) spec(s sandbox.Sandbox, run program) sandbox.Spec {
	binds, script := slices.Clone(run.binds), run.script
	if s.Unsafe {
		script = outside(binds, script)
	}
	if real, err := filepath.EvalSymlinks(n.path); err == nil && !strings.HasPrefix(real, "/usr/") && !strings.HasPrefix(real, "/bin/") {
		prefix := filepath.Dir(filepath.Dir(n.path))
		binds = append(binds, sandbox.Bind{Host: prefix, Inside: prefix})
	}
	args := []string{n.path}
	for _, f := range run.flags {
		if name, file, ok := strings.Cut(f, "="); ok && s.Unsafe && strings.HasPrefix(file, "/") {
			f = name + "=" + outside(binds, file)
		}
		args = append(args, f)
	}
	return sandbox.Spec{
		Args: append(args, script), Dir: "/", Binds: binds, Limits: run.limits,
		Env: []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC", "NODE_ENV=production", "BROWSERSLIST_IGNORE_OLD_DATA=1"},
	}
}

// outside is where a file inside lies on the host.
func outside(binds []sandbox.Bind, name string) string {
	for _, b := range binds {
		if rest, ok := strings.CutPrefix(name, b.Inside+"/"); ok {
			return filepath.Join(b.Host, rest)
		}
	}
	return name
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

// ask gives the process its job, which ends its input, and reads the answer.
func (w *worker) ask(job, reply any) error {
	b, err := json.Marshal(job)
	if err != nil {
		return err
	}
	if _, err := w.in.Write(append(b, '\n')); err != nil {
		return errDied
	}
	_ = w.in.Close()
	line, err := readLine(bufio.NewReaderSize(w.out, 64<<10))
	if err != nil || json.Unmarshal(line, reply) != nil {
		return errDied
	}
	return nil
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
	<-w.slots
}
