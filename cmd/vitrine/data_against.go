package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/bench"
	"vitrine/internal/disk"
)

// everyBenchmark is the name of all benchmarks whose data is here.
const everyBenchmark = "all"

// against turns names of benchmarks into files of their tasks, which it keeps in the cache
// folder. What is there as a file or folder, and what is no benchmark, stays.
func (c *common) against(names []string) (files []string, err error) {
	for _, name := range names {
		if _, err := os.Stat(name); err == nil {
			files = append(files, name)
			continue
		}
		if name == everyBenchmark {
			all, err := c.allTasks()
			if err != nil {
				return nil, err
			}
			files = append(files, all...)
			continue
		}
		b, err := bench.Find(benchmarks, name)
		if err != nil {
			return nil, usage(fmt.Sprintf("there is no file and no benchmark %q", name), "name a file of tasks, a benchmark of vitrine bench ls, or "+everyBenchmark+" for those whose data is here")
		}
		file, err := c.tasksFile(b)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// allTasks are the files of tasks of all benchmarks whose data is here; a message names the others.
func (c *common) allTasks() (files []string, err error) {
	var absent []string
	for _, b := range benchmarks {
		if _, err := bench.Load(b, "", c.cacheDir); err != nil {
			absent = append(absent, b.Info().Name)
			continue
		}
		file, err := c.tasksFile(b)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, usage("no benchmark's data is here", "vitrine bench pull NAME says where to get it; or name a file of tasks")
	}
	if len(absent) > 0 {
		c.say("not compared with %s, whose data is not here (vitrine bench pull)", strings.Join(absent, ", "))
	}
	return files, nil
}

// tasksFile writes the tasks of a benchmark into a file of its name.
func (c *common) tasksFile(b bench.Benchmark) (string, error) {
	l, err := bench.Load(b, "", c.cacheDir)
	if err != nil {
		return "", err
	}
	lines, err := bench.Texts(b, l.Tasks)
	if err != nil {
		return "", err
	}
	file := filepath.Join(c.cacheDir, "bench", "tasks", b.Info().Name+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", disk.Fault(err)
	}
	return file, disk.Fault(disk.WriteFile(file, lines, 0o644))
}
