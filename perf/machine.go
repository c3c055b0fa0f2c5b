package main

import (
	"fmt"
	"runtime"

	"github.com/prometheus/procfs"
)

// machine describes what was measured on.
func machine() string {
	model := "unknown processor"
	if proc, err := procfs.NewDefaultFS(); err == nil {
		if cores, err := proc.CPUInfo(); err == nil && len(cores) > 0 {
			model = cores[0].ModelName
		}
	}
	return fmt.Sprintf("%d × %s, %s", runtime.NumCPU(), model, runtime.GOOS)
}
