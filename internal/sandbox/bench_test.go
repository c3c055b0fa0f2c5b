package sandbox

import (
	"os"
	"testing"
	"time"
)

// BenchmarkRun is what the seal adds to every command.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		spec := Spec{Args: []string{"true"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}, Limits: Limits{Wall: time.Minute, MemoryBytes: 1 << 30, Processes: 100}}
		if err := (Sandbox{}).Run(b.Context(), spec); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMeasure is one look at a process tree, of this test and what it runs.
func BenchmarkMeasure(b *testing.B) {
	p, err := Sandbox{}.Start(b.Context(), Spec{Args: []string{"sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		measure(os.Getpid(), false, nil)
	}
	_ = p.kill()
	_ = p.Wait()
}
