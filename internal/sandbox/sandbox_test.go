package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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
		spec.Limits.Wall = 20 * time.Second
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
