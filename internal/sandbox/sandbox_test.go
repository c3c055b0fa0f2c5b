package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine"
)

func sealed(t *testing.T) Sandbox {
	t.Helper()
	var s Sandbox
	if err := s.Available(t.Context()); err != nil {
		t.Fatalf("the tests need bubblewrap: %v", err)
	}
	return s
}

func output(t *testing.T, s Sandbox, spec Spec) (string, error) {
	t.Helper()
	var out strings.Builder
	spec.Stdout, spec.Stderr = &out, &out
	if spec.Dir == "" {
		spec.Dir = "/"
	}
	spec.Env = append(spec.Env, "PATH=/usr/bin:/bin")
	if spec.Limits.Wall == 0 {
		spec.Limits.Wall = 2 * time.Minute // for what never ends; a busy machine must not come near it
	}
	err := s.Run(t.Context(), spec)
	return out.String(), err
}

func TestSealedCommandSeesNothingOfTheHost(t *testing.T) {
	t.Setenv("VITRINE_CANARY", "secret")
	s := sealed(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"environment":  `test -z "$VITRINE_CANARY"`,
		"temp files":   `! test -e ` + secret,
		"home":         `! test -e /root && ! test -e /home`,
		"etc":          `! test -e /etc/passwd && ! test -e /etc/shadow`,
		"root is kept": `! touch /usr/x 2>/dev/null && ! touch /x.txt 2>/dev/null || ! test -e /usr/x`,
		"no network":   `test "$(ls /sys/class/net 2>/dev/null | grep -v '^lo$' | wc -l)" = 0 && ! (exec 3<>/dev/tcp/127.0.0.1/22) 2>/dev/null`,
		"own pids":     `test "$(ls -d /proc/[0-9]* | wc -l)" -lt 8`,
	} {
		if out, err := output(t, s, Spec{Args: []string{"bash", "-c", script}}); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	if _, err := os.Stat("/x.txt"); err == nil {
		t.Error("the sandbox wrote to the host's root")
	}
}

func TestBindsAndWorkingDirectory(t *testing.T) {
	s := sealed(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	spec := Spec{
		Args:  []string{"bash", "-c", "echo made > here.txt && pwd"},
		Dir:   "/inside",
		Binds: []Bind{{Host: dir, Inside: "/inside", Write: true}},
	}
	out, err := output(t, s, spec)
	if err != nil || strings.TrimSpace(out) != "/inside" {
		t.Fatalf("got %q, %v", out, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "here.txt")); err != nil || string(b) != "made\n" {
		t.Errorf("the written file: %q, %v", b, err)
	}
	spec.Binds[0].Write = false
	if out, err := output(t, s, spec); err == nil {
		t.Errorf("a read-only bind was written: %s", out)
	}
}

// A file of the command's own is there, read-only, and its descriptor is not one of the command's files.
func TestDataInside(t *testing.T) {
	holding := func(text string) *os.File {
		r, w, err := os.Pipe()
		if err == nil {
			_, err = w.WriteString(text)
		}
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	script := `test "$(cat /new/folder/file)" = data && test "$(cat <&3)" = three && ! echo x 2>/dev/null >/new/folder/file && ! test -e /proc/self/fd/4`
	spec := Spec{Args: []string{"bash", "-c", script}, Files: []*os.File{holding("three")}, Binds: []Bind{{Data: holding("data"), Inside: "/new/folder/file"}}}
	if out, err := output(t, sealed(t), spec); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLimits(t *testing.T) {
	s := sealed(t)
	if _, err := output(t, s, Spec{Args: []string{"sleep", "60"}, Limits: Limits{Wall: 200 * time.Millisecond}}); !errors.Is(err, ErrTimeout) {
		t.Errorf("wall time: got %v, want ErrTimeout", err)
	}
	_, err := output(t, s, Spec{Args: []string{"bash", "-c", "head -c 2000000 /dev/zero > /tmp/big"}, Limits: Limits{FileBytes: 1 << 20}})
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Errorf("file size: got %v, want a failed command", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx, Spec{Args: []string{"sleep", "60"}, Dir: "/"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// Each limit ends the whole command with an error of its own.
func TestEachLimitHasItsError(t *testing.T) {
	t.Parallel()
	s := sealed(t)
	for name, test := range map[string]struct {
		script string
		limits Limits
		want   error
	}{
		"wall":       {"sleep 600", Limits{Wall: 200 * time.Millisecond}, ErrTimeout},
		"processor":  {"for i in 1 2 3; do (while :; do :; done) & done; wait", Limits{CPU: time.Second}, ErrCPU},
		"fork bomb":  {"bomb() { bomb | bomb & }; bomb; sleep 600", Limits{Processes: 50}, ErrProcesses},
		"shell bomb": {"sh -c 'bomb() { bomb | bomb & }; bomb; sleep 600'", Limits{Processes: 150}, ErrProcesses},
		// Less than the kernel refuses it, twice the limit: it has it until somebody looks.
		"memory":             {"(head -c 160000000 /dev/zero; sleep 600) | tail -c 150000000", Limits{MemoryBytes: 100 << 20}, ErrMemory},
		"memory of many":     {"for i in 1 2 3 4; do (head -c 20000000 /dev/zero; sleep 600) | tail -c 19000000 & done; wait", Limits{MemoryBytes: 60 << 20}, ErrMemory},
		"folder in memory":   {"head -c 40000000 /dev/zero > /tmp/big; head -c 40000000 /dev/zero > /dev/shm/big; sleep 600", Limits{MemoryBytes: 50 << 20}, ErrMemory},
		"large folder":       {"for i in $(seq 100); do head -c 1000000 /dev/zero > $i; done; sleep 600", Limits{DiskBytes: 20 << 20}, ErrDisk},
		"many files":         {"for i in $(seq 1000); do : > $i; done; sleep 600", Limits{DiskFiles: 500}, ErrDisk},
		"many files, at end": {"for i in $(seq 1000); do : > $i; done", Limits{DiskFiles: 500}, ErrDisk},
		"hidden files":       {"mkdir a; cd a; for i in $(seq 1000); do : > $i; done; chmod 0 .; sleep 600", Limits{DiskFiles: 500}, ErrDisk},
		"deep folders":       {"for i in $(seq 60); do mkdir " + strings.Repeat("d", 200) + "; cd " + strings.Repeat("d", 200) + "; done", Limits{DiskFiles: 500}, ErrDisk},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			out, err := output(t, s, Spec{Args: []string{"bash", "-c", test.script}, Dir: "/inside", Binds: []Bind{{Host: dir, Inside: "/inside", Write: true}}, Limits: test.limits})
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v\n%.500s", err, test.want, out)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Errorf("the folder is not ours again: %v", err)
			}
		})
	}
}

// What wants a processor and has none is told from what wants none.
func TestStarved(t *testing.T) {
	if runDelayOf(os.Getpid()) == 0 {
		t.Skip("the kernel does not count how long processes wait")
	}
	s := sealed(t)
	run := func(script string) *Process {
		p, err := s.Start(t.Context(), Spec{Args: []string{"bash", "-c", script}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}, Limits: Limits{Processes: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = p.kill()
			_ = p.Wait()
		})
		return p
	}
	idle, busy := run("sleep 600"), run("for i in $(seq "+strconv.Itoa(4*runtime.NumCPU())+"); do (while :; do :; done) & done; wait")
	until := func(starved time.Duration) {
		t.Helper()
		for late := time.Now().Add(time.Minute); busy.Ration().Starved < starved; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(late) {
				t.Fatalf("four for each processor have starved %s", busy.Ration().Starved)
			}
		}
	}
	until(time.Second) // both have started
	before := idle.Ration().Starved
	until(3 * time.Second)
	if asleep := idle.Ration().Starved - before; asleep > time.Second {
		t.Errorf("in two seconds of starvation one that sleeps has starved %s", asleep)
	}
	// Beside the busy ones the last of all to get a processor, be it among groups or among processes.
	const last = `echo 19 >/proc/self/autogroup; exec nice -n 19 bash -c "while :; do :; done"`
	_, err := output(t, s, Spec{Args: []string{"bash", "-c", last}, Limits: Limits{Wall: 2 * time.Second, Processes: 100}})
	if !errors.Is(err, ErrStarved) {
		t.Errorf("one that had no processor: got %v, want ErrStarved", err)
	}
}

// Before bubblewrap has left it, a sandbox is still at the root of the host, whose processes
// and folders in memory are not its own.
func TestTheHostIsNotCounted(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "sleep 60 & echo; wait")
	started, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	if _, err := started.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if root := rootOf(cmd.Process.Pid); root != "" {
		t.Errorf("%s is taken for the root of a sandbox", root)
	}
}

// A process that is too big is ended alone. The sandbox may have more memory: else the kernel
// refuses it to the process before it is seen to be too big.
func TestBigProcessEndsAlone(t *testing.T) {
	t.Parallel()
	script := `bash -c "x=\$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 60"; echo "went on after $?"`
	out, err := output(t, sealed(t), Spec{Args: []string{"bash", "-c", script}, Limits: Limits{MemoryBytes: 1 << 30, ProcessBytes: 50 << 20}})
	if err != nil || !strings.Contains(out, "went on after 137") {
		t.Errorf("got %q, %v", out, err)
	}
}

// What runs beside a sandbox is out of its reach, another sandbox too.
func TestSandboxesCannotTouchEachOther(t *testing.T) {
	t.Parallel()
	s := sealed(t)
	inside := Spec{Args: []string{"sleep", "60"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	victim, err := s.Start(ctx, inside)
	if err != nil {
		t.Fatal(err)
	}
	out, err := output(t, s, Spec{Args: []string{"bash", "-c", "kill -9 -1; kill -9 1; for i in $(seq 2 400000); do kill -9 $i; done 2>/dev/null; echo done"}})
	if !strings.Contains(out, "done") && err == nil {
		t.Errorf("the killer said %q", out)
	}
	select {
	case <-victim.done:
		t.Errorf("a sandbox was ended by another: %v", victim.Wait())
	default:
	}
	cancel()
	if err := victim.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Nothing is left of a sandbox when Wait returns, whatever it left behind.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	mark := "vitrine-left-" + strconv.Itoa(os.Getpid())
	for _, limits := range []Limits{{}, {Wall: 300 * time.Millisecond}} {
		script := "for i in 1 2 3; do (exec -a " + mark + " setsid sleep 61) & done; disown -a"
		if limits.Wall > 0 {
			script += "; sleep 60"
		}
		_, _ = output(t, sealed(t), Spec{Args: []string{"bash", "-c", script}, Limits: limits})
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range lines {
			if args, _ := os.ReadFile(file); strings.Contains(string(args), mark) {
				t.Errorf("%s is left: %q", file, args)
			}
		}
	}
}

// The thread that started a command may end for reasons of its own.
func TestCommandOutlivesItsThread(t *testing.T) {
	t.Parallel()
	s := sealed(t)
	var p *Process
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocks: the thread ends with the goroutine
		p, err = s.Start(context.WithoutCancel(t.Context()), Spec{Args: []string{"sleep", "0.5"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}})
	}()
	<-done
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with its thread: %v", err)
	}
}

func TestMissingBubblewrapSaysTheFix(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Sandbox{}.Available(t.Context())
	f := vitrine.AsFault("x", err)
	if f.Code != vitrine.FaultNoSandbox || !strings.Contains(f.Fix, "apt-get install bubblewrap") {
		t.Errorf("got %+v", f)
	}
	if err := (Sandbox{Unsafe: true}).Available(t.Context()); err != nil {
		t.Errorf("unsafe: %v", err)
	}
}

func TestTailKeepsBothEnds(t *testing.T) {
	tail := Tail{Keep: 10}
	for range 1000 {
		if n, err := tail.Write([]byte("abcdefg")); n != 7 || err != nil {
			t.Fatal(n, err)
		}
	}
	got := tail.String()
	if !strings.HasPrefix(got, "abcdefgabc\n… 6980 bytes left out …\n") || !strings.HasSuffix(got, "efgabcdefg") {
		t.Errorf("got %q", got)
	}
	short := Tail{Keep: 10}
	_, _ = short.Write([]byte("0123456789abc"))
	if got := short.String(); got != "0123456789abc" {
		t.Errorf("got %q", got)
	}
}

// Processor time counts from the call on, that of all processes together, and to wait costs
// none of it.
func TestLimitCPU(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]error{"while :; do :; done": ErrCPU, "sleep 1": nil} {
		p, err := Sandbox{}.Start(t.Context(), Spec{Args: []string{"sh", "-c", script}, Dir: "/"})
		if err != nil {
			t.Fatal(err)
		}
		limited, end := p.LimitCPU(t.Context(), 300*time.Millisecond)
		context.AfterFunc(limited, func() { _ = p.kill() })
		_ = p.Wait()
		if got := context.Cause(limited); got != want {
			t.Errorf("%s: got %v, want %v", script, got, want)
		}
		end()
	}
}
