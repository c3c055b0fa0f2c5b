package exact

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
	"vitrine/internal/sandbox"
)

func TestEndlessBuildIsEnded(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Build.Wall = 6 * time.Second })
	site := mustBuild(t, p, artifact(map[string]string{"build.js": "console.log('warming up'); for (;;);"}))
	wantFailure(t, site, vitrine.FailureTimeout, "did not end within 6s")
	if !strings.Contains(site.Failure.Log, "warming up") {
		t.Errorf("the log is %q", site.Failure.Log)
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	small := func(s *Settings) { s.MaxBytes, s.Build.FileBytes, s.Build.DiskBytes = 1<<20, 1<<20, 10<<20 }
	for name, test := range map[string]struct{ script, message string }{
		"site":     {page("1") + "for (let i = 0; i < 5; i++) fs.writeFileSync('dist/' + i, Buffer.alloc(400e3))", "the built site is 1 MB, more than 1 MB"},
		"one file": {page("1") + "fs.writeFileSync('dist/big', Buffer.alloc(2e6))", "a file of more than 1 MB"},
		"endless":  {page("1") + "for (let i = 0;; i++) fs.writeFileSync('part' + i % 2000, Buffer.alloc(100e3))", "the build wrote more than 10 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFailure(t, mustBuild(t, builder(t, small), artifact(map[string]string{"build.js": test.script})), vitrine.FailureTooLarge, test.message)
		})
	}
	site := mustBuild(t, builder(t, small), artifact(map[string]string{"src/data.ts": strings.Repeat("x", 2<<20)}))
	wantFailure(t, site, vitrine.FailureTooLarge, "the project is 2 MB")
	if len(site.Steps) > 0 {
		t.Errorf("it was installed: %v", steps(site))
	}
}

func TestCancelledBuildEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "cancelled") })
	if _, err := New(ctx, p.settings); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := built(ctx, p, artifact(map[string]string{"build.js": page("1") + "for (;;);"}))
		done <- err
	}()
	waitFor(t, filepath.Join(p.settings.Store, "work", "build-*", projectDir, "dist", "index.html"))
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(p.settings.Store, "work", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// waitFor waits until a file is there.
func waitFor(t testing.TB, pattern string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(60 * time.Second)
	for {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("the test ended")
		case <-late:
			t.Fatalf("%s does not come to be", pattern)
		}
	}
}

func TestWithoutTheSandbox(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) {
		s.Sandbox = sandbox.Sandbox{Unsafe: true}
		s.Store = t.TempDir() // what it writes belongs to us, not to the users of sandboxes
	})
	if _, err := New(t.Context(), p.settings); err != nil {
		t.Fatal(err)
	}
	site := mustBuild(t, p, artifact(map[string]string{"package.json": depends("tiny", "1.0.0"), "build.js": page("require('tiny')")}))
	if got := served(t, site)["index.html"]; got != "1.0.0" {
		t.Errorf("served %q", got)
	}
}

func TestMissingNodeSaysTheFix(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	empty, onlyNode := t.TempDir(), t.TempDir()
	if err := os.Symlink(node, filepath.Join(onlyNode, "node")); err != nil {
		t.Fatal(err)
	}
	for path, message := range map[string]string{empty: "Node.js is not installed", onlyNode: "npm is not installed"} {
		t.Setenv("PATH", path)
		_, err := New(t.Context(), Settings{Store: t.TempDir()})
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoNode || f.Message != message || !strings.Contains(f.Fix, "apt-get install nodejs npm") {
			t.Errorf("got %+v", f)
		}
	}
}

func TestStoreThatCannotBeMade(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := New(t.Context(), Settings{Store: filepath.Join(file, "store")})
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUnwritable || !strings.Contains(f.Fix, "--cache-dir") {
		t.Errorf("got %v, fix %q", err, f.Fix)
	}
}
