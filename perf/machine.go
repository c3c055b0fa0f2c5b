package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
)

// machine describes what was measured on.
func machine() string {
	model := "unknown processor"
	b, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range bytes.Lines(b) {
			if name, ok := bytes.CutPrefix(line, []byte("model name")); ok {
				model = string(bytes.TrimSpace(bytes.TrimLeft(name, " \t:")))
				break
			}
		}
	}
	return fmt.Sprintf("%d × %s, %s", runtime.NumCPU(), model, runtime.GOOS)
}
