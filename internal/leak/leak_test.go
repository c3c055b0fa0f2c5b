package leak

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const scene = "LEAK_TEST_SCENE"

// TestMain runs the scene that a test asks for in a process of its own.
func TestMain(m *testing.M) {
	if name := os.Getenv(scene); name != "" {
		os.Exit(Run(tests(scenes[name])))
	}
	os.Exit(m.Run())
}

type tests func() int

func (t tests) Run() int { return t() }

var scenes = map[string]func() int{
	"clean": func() int {
		dir, _ := os.MkdirTemp("", "vitrine-")
		_ = exec.Command("true").Run()
		_ = os.RemoveAll(dir)
		return 0
	},
	"failing": func() int { return 7 },
	"goroutine": func() int {
		go func() { select {} }()
		return 0
	},
	"folder":   func() int { _, _ = os.MkdirTemp("", "vitrine-left-"); return 0 },
	"child":    func() int { _ = exec.Command("sleep", "60").Start(); return 0 },
	"orphan":   func() int { _ = exec.Command("sh", "-c", "setsid sleep 61 & exit 0").Run(); return 0 },
	"unwaited": func() int { _ = exec.Command("true").Start(); return 0 },
}

func TestRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code int
		says string
	}{
		"clean":     {0, ""},
		"failing":   {7, ""},
		"goroutine": {1, "found unexpected goroutines"},
		"folder":    {1, "temporary file vitrine-left-"},
		"child":     {1, "sleep 60"},
		"orphan":    {1, "sleep 61"},
		"unwaited":  {0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), scene+"="+name, "TMPDIR="+t.TempDir())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != test.code || !strings.Contains(stderr.String(), test.says) {
				t.Errorf("got exit code %d and %q, want %d and %q", code, stderr.String(), test.code, test.says)
			}
		})
	}
}
