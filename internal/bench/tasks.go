package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"vitrine"
	"vitrine/internal/inputs"
)

// ReadTasks reads a file of tasks, one JSON object a line. Lacks names a field that a task
// needs and does not have; it is empty for a whole one.
func ReadTasks(data fs.FS, name string, lacks func(vitrine.Task) string) ([]vitrine.Task, error) {
	f, err := data.Open(name)
	if err != nil {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, err, "there is no "+name)
	}
	defer f.Close()
	tasks, err := inputs.ListTasks(f)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i, t := range tasks {
		if seen[t.ID] {
			return nil, usage(fmt.Sprintf("%s: two tasks have the id %q", name, t.ID), "give each task an id of its own")
		}
		seen[t.ID] = true
		if field := lacks(t); field != "" {
			return nil, usage(fmt.Sprintf("%s: task %d, %q, has no %s", name, i+1, t.ID, field), "use the file as it was published, or add the field to each line")
		}
	}
	return tasks, nil
}

// EachRow gives each line of a file of JSON lines that is not blank, however long, to do. A
// file that is not there, and a line that do refuses, are faults of usage with the name and
// the number.
func EachRow(data fs.FS, name string, do func(line []byte) error) error {
	refuse := func(err error, message string) error {
		return vitrine.NewFault("command", vitrine.FaultUsage, err, message).WithFix("write the rows as they were published, one JSON object a line")
	}
	f, err := data.Open(name)
	if err != nil {
		return refuse(err, "there is no "+name)
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if bad := do(line); bad != nil {
				return refuse(nil, fmt.Sprintf("%s line %d: %v", name, n, bad))
			}
		}
		if err != nil {
			return nil
		}
	}
}

// OfSample is what a sample of the pipeline says whatever the benchmark.
func OfSample(s vitrine.Sample) Measured {
	return Measured{Outcome: cmp.Or(string(s.Outcome), string(s.Status)), Why: s.Why, Error: s.Error, Strict: Parts{}, Compat: Parts{}}
}

// Seconds is how long a sample took in all stages.
func Seconds(s vitrine.Sample) float64 {
	t := s.TimingMS
	return (t.Parse + t.Build + t.Capture + t.Interact + t.Judge) / 1000
}

// OnePage is the system prompt of benchmarks whose answer is one page.
const OnePage = `You build websites. Answer with one complete HTML document in a single fenced block that begins with ` + "```html" + `.
Put all CSS and JavaScript into the document. It must work when it is opened without a server.
Everything that the request asks for must be there and work: no placeholders, and nothing left for later.`

// MethodOf is the method by which the sites of a run were exercised, as its header names it.
func MethodOf(interact string) string {
	method, _, _ := strings.Cut(interact, " ")
	return strings.TrimSuffix(method, ",")
}
