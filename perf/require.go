package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/require"
	"vitrine/internal/stats"
)

// A doing is a behaviour with what it acts on.
type doing struct {
	Behavior vitrine.Behavior `json:"behavior"`
	Object   string           `json:"object"`
}

// A truth is what a person read in one instruction: the actions that its words ask for,
// and what only the kind of site suggests.
type truth struct {
	ID   string `json:"id"` // the set and the line or name of the task in it
	Half string `json:"half"`
	// Instruction is its text, where the readings have it; else it is in the sets.
	Instruction string  `json:"instruction"`
	Actions     []doing `json:"actions"`
	Implied     []doing `json:"implied"`
}

// readings compares what the rules read in instructions with readings by hand.
type readings struct {
	truth, from string
	half        []string
	verbose     bool

	tasks       map[string]vitrine.Task // of the sets in from, once one is needed
	once, pairs found
}

// found counts what was read: right, read though not asked for, asked for and not read.
type found struct{ right, extra, missed int }

func requireCommand() *cobra.Command {
	r := &readings{}
	cmd := command("require --truth FILE [--from DIR]", "Compare what the rules read in instructions with readings by hand: precision, recall, F1", r.run)
	flags := cmd.Flags()
	flags.StringVar(&r.truth, "truth", "testdata/truth/instructions.jsonl", "readings by hand, JSON lines")
	flags.StringVar(&r.from, "from", "", "folder with webgen-bench*.jsonl, opendesign*.jsonl and artifactsbench*.jsonl, for readings without their texts")
	flags.StringSliceVar(&r.half, "half", []string{"dev", "gold"}, "which readings: dev, gold, held, dev2, check2, said-dev, said-check; comma-separated")
	flags.BoolVar(&r.verbose, "verbose", false, "print what was missed (-) and what was read too much (+)")
	return cmd
}

func (r *readings) run(_ context.Context, w io.Writer) error {
	raw, err := os.ReadFile(r.truth)
	if err != nil {
		return err
	}
	n := 0
	for line := range bytes.Lines(raw) {
		var t truth
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &t); err != nil {
			return fmt.Errorf("%s: %w", r.truth, err)
		}
		if !slices.Contains(r.half, t.Half) {
			continue
		}
		task, err := r.task(t)
		if err != nil {
			return err
		}
		n++
		r.one(w, t, named(require.Read(task.Instruction, nil, task.Topic)))
	}
	fmt.Fprintf(w, "%d instructions (%s)\n", n, strings.Join(r.half, ", "))
	r.once.print(w, "behaviours, once an instruction")
	r.pairs.print(w, "behaviours with their objects")
	return nil
}

// task is what was read: the reading's own text, or the task of a set.
func (r *readings) task(t truth) (task vitrine.Task, err error) {
	if t.Instruction != "" {
		return vitrine.Task{Instruction: t.Instruction}, nil
	}
	if r.tasks == nil {
		if r.tasks, err = realTasks(r.from); err != nil {
			return task, err
		}
	}
	task, ok := r.tasks[t.ID]
	if !ok {
		return task, fmt.Errorf("read instructions: no text of %s in --from %s", t.ID, r.from)
	}
	return task, nil
}

// realTasks are the tasks of the sets in a folder by the ids of the readings: WebGen-Bench
// by its own ids, the others by lines from 0.
func realTasks(dir string) (map[string]vitrine.Task, error) {
	tasks := map[string]vitrine.Task{}
	for set, pattern := range map[string]string{"webgen": "webgen-bench*.jsonl", "opendesign": "opendesign*.jsonl", "artifacts": "artifactsbench*.jsonl"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(names) != 1 {
			return nil, fmt.Errorf("read tasks: --from needs one %s in %q, found %d", pattern, dir, len(names))
		}
		raw, err := os.ReadFile(names[0])
		if err != nil {
			return nil, err
		}
		n := 0
		for line := range bytes.Lines(raw) {
			some, err := inputs.ReadTasks(bytes.NewReader(line))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", names[0], err)
			}
			for id, task := range some {
				if set != "webgen" {
					id = fmt.Sprint(n)
				}
				tasks[set+":"+id] = task
			}
			n++
		}
	}
	return tasks, nil
}

// named are the requirements that the words of an instruction ask for: what is a default,
// or only suggested by the kind of site, is left out.
func named(q vitrine.Requirements) (all []doing) {
	for _, b := range q.Behaviors {
		if slices.ContainsFunc(b.Cues, func(c string) bool { return c != "default" && c != "kind" }) {
			all = append(all, doing{b.Behavior, b.Entity})
		}
	}
	return all
}

// one counts one instruction. What is implied is neither right nor wrong.
func (r *readings) one(w io.Writer, t truth, got []doing) {
	alike := func(a, b doing) bool { return a.Behavior == b.Behavior }
	missed, extra := r.once.compare(behavioursOf(t.Actions), behavioursOf(t.Implied), behavioursOf(got), alike)
	same := func(a, b doing) bool { return a.Behavior == b.Behavior && sameHead(a.Object, b.Object) }
	pairsMissed, pairsExtra := r.pairs.compare(t.Actions, t.Implied, got, same)
	if r.verbose && len(missed)+len(extra)+len(pairsMissed)+len(pairsExtra) > 0 {
		fmt.Fprintf(w, "%-16s %s | with objects: %s\n", t.ID, signs(missed, extra, false), signs(pairsMissed, pairsExtra, true))
	}
}

// behavioursOf are the behaviours of a list, each once.
func behavioursOf(list []doing) (once []doing) {
	for _, d := range list {
		if d = (doing{Behavior: d.Behavior}); !slices.Contains(once, d) {
			once = append(once, d)
		}
	}
	return once
}

// compare gives each action one of what was read and counts; it returns what is left.
func (f *found) compare(want, implied, got []doing, same func(a, b doing) bool) (missed, extra []doing) {
	left := slices.Clone(got)
	for _, a := range want {
		if i := slices.IndexFunc(left, func(d doing) bool { return same(a, d) }); i >= 0 {
			left = slices.Delete(left, i, i+1)
			f.right++
		} else {
			missed = append(missed, a)
		}
	}
	for _, d := range left {
		if !slices.ContainsFunc(implied, func(a doing) bool { return same(a, d) }) {
			extra = append(extra, d)
		}
	}
	f.missed += len(missed)
	f.extra += len(extra)
	return missed, extra
}

// sameHead reports whether the last words of two objects have one stem.
func sameHead(a, b string) bool { return stem(a) != "" && stem(a) == stem(b) }

// stem is the last word of an object, in lower case, without its plural and the ends by
// which verbs make nouns.
func stem(object string) string {
	words := strings.Fields(strings.ToLower(object))
	if len(words) == 0 {
		return ""
	}
	w := words[len(words)-1]
	for _, end := range []string{"ies", "ing", "ion", "es", "s", "y", "e"} {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) > 2 && !strings.HasSuffix(w, "ss") {
			return base
		}
	}
	return w
}

func signs(missed, extra []doing, objects bool) string {
	var parts []string
	add := func(sign string, list []doing) {
		for _, d := range list {
			name := sign + string(d.Behavior)
			if objects {
				name += "(" + d.Object + ")"
			}
			parts = append(parts, name)
		}
	}
	add("-", missed)
	add("+", extra)
	return strings.Join(parts, " ")
}

func (f *found) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\n", name)
	p, r := stats.Share(f.right, f.right+f.extra), stats.Share(f.right, f.right+f.missed)
	if p == nil || r == nil {
		fmt.Fprintln(w, "  nothing to compare")
		return
	}
	fmt.Fprintf(w, "  precision %.3f (%.3f to %.3f), %d of %d\n", p.Value, p.Low, p.High, f.right, f.right+f.extra)
	fmt.Fprintf(w, "  recall    %.3f (%.3f to %.3f), %d of %d\n", r.Value, r.Low, r.High, f.right, f.right+f.missed)
	fmt.Fprintf(w, "  F1        %.3f\n", 2*float64(f.right)/float64(2*f.right+f.extra+f.missed))
}
