package webbench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/digest"
)

// tries is how often a step may be answered: pass@2 is the published figure.
const tries = 2

// A walk is the way of one model through the steps of a project.
type walk struct {
	*walker
	task    vitrine.Task
	ask     bench.Ask
	journal *bench.Journal
	files   map[string]string // of the model, as they are now
	good    map[string]string // as they were when a step passed last
	passed  []step            // of the 20, in order
	once    int               // how many of them came before the first whose first answer failed
	erred   bool              // a first answer failed
	second  bool              // a second answer was wanted and is not there
}

// Walk implements [bench.Walker]. It ends at the first step with no answer that passes, as
// published; first files that do not pass give way to the benchmark's.
func (w *walker) Walk(ctx context.Context, t vitrine.Task, ask bench.Ask, j *bench.Journal) (bench.Measured, error) {
	steps := stepsOf(t)
	initial, err := w.filesIn(t.ID, "src-init")
	if err != nil {
		return bench.Measured{}, err
	}
	k := &walk{walker: w, task: t, ask: ask, journal: j, files: initial}
	if steps[0].ID == first {
		if k.files, err = w.filesIn(t.ID, ""); err != nil {
			return bench.Measured{}, err
		}
	}
	for _, s := range steps {
		v, err := k.step(ctx, s)
		switch f := lacking(err); {
		case f != nil:
			return k.unjudged(f), nil
		case err != nil:
			return bench.Measured{}, err
		case v.absent != nil:
			return k.unjudged(v.absent), nil
		case v.passed && s.ID != first:
			k.passed = append(k.passed, s)
		case !v.passed && s.ID == first:
			k.files = initial
		case !v.passed:
			return k.measured(ctx, fmt.Sprintf("%s, %s: %s", s.ID, v.cause, v.why))
		}
		k.good = k.files
	}
	return k.measured(ctx, "")
}

// A verdict is what came of a step.
type verdict struct {
	passed     bool
	cause, why string         // of the last answer
	absent     *vitrine.Fault // there is no answer
}

// step has a step answered until an answer passes. The second answer is asked for with the
// files of the first, and its errors.
func (k *walk) step(ctx context.Context, s step) (v verdict, err error) {
	for try := range tries {
		p := k.prompt(s, v.why)
		o, err := k.ask(ctx, vitrine.Task{ID: stepID(k.task, s), Instruction: p.Text}, try, p)
		switch {
		case unanswered(err):
			v.absent = vitrine.AsFault("judge", err)
			return v, nil
		case err != nil:
			return v, err
		case o == nil && try == 0:
			v.absent = vitrine.NewFault("input", vitrine.FaultInvalidInput, nil, "there is no output for "+stepID(k.task, s)).WithFix("add the answers up to the first that fails")
			return v, nil
		case o == nil:
			k.second = s.ID != first
			return v, nil
		}
		k.files = written(k.files, filesOf(o.Text))
		specs := k.specs(s)
		r, err := k.tested(ctx, k.files, s.ID, specs)
		if err != nil {
			return v, err
		}
		v = verdict{passed: r.pass(specs), cause: r.cause(), why: r.why(specs)}
		if s.ID != first && try == 0 && v.passed && !k.erred {
			k.once++
		}
		if v.passed {
			return v, nil
		}
		k.erred = k.erred || s.ID != first
	}
	return v, nil
}

// lacking is the fault of a project that needs what this machine does not have; else nil.
func lacking(err error) *vitrine.Fault {
	var f *vitrine.Fault
	if errors.As(err, &f) && f.Code == vitrine.FaultUnsupportedKind {
		return f
	}
	return nil
}

// unanswered reports whether a model gave no answer to this, though it may to others.
func unanswered(err error) bool {
	var f *vitrine.Fault
	return errors.As(err, &f) && slices.Contains([]vitrine.FaultCode{vitrine.FaultModelError, vitrine.FaultRateLimited, vitrine.FaultModelRequest}, f.Code)
}

// specs are what a step is tested by: its own, or as published those of all steps so far.
func (k *walk) specs(s step) []string {
	if !k.asPublished {
		return []string{s.ID}
	}
	var specs []string
	if _, err := os.Stat(filepath.Join(k.data, projectsDir, k.task.ID, "test", first+".spec.js")); err == nil && s.ID != first {
		specs = append(specs, first)
	}
	for _, p := range k.passed {
		specs = append(specs, p.ID)
	}
	return append(specs, s.ID)
}

// tested tests files, or says what came of the same before.
func (k *walk) tested(ctx context.Context, files map[string]string, at string, specs []string) (t tested, err error) {
	key := driver + " " + k.task.ID + " " + strings.Join(specs, " ") + " " + digest.Of(files)
	if k.journal.Get(key, &t) {
		return t, nil
	}
	if t, err = k.test(ctx, k.task.ID, files, at, specs); err != nil {
		return t, err
	}
	return t, k.journal.Put(key, t)
}

// measured measures what was passed. What passed when it was new is tested once more at the
// end, with the files of the last step that passed; what fails then does not count.
func (k *walk) measured(ctx context.Context, why string) (bench.Measured, error) {
	m := bench.Measured{Outcome: "passed", Why: why, Strict: bench.Parts{}, Compat: bench.Parts{}}
	if why != "" {
		m.Outcome = "failed"
	}
	var specs []string
	for _, s := range k.passed {
		specs = append(specs, s.ID)
	}
	end := tested{}
	if len(specs) > 0 {
		var err error
		if end, err = k.atEnd(ctx, specs); err != nil {
			return m, err
		}
	}
	var kept []step
	once := 0
	for i, s := range k.passed {
		if !end.pass([]string{s.ID}) {
			m.Outcome = "failed"
			m.Why = strings.TrimSpace(fmt.Sprintf("%s\n%s fails at the end: %s", m.Why, s.ID, cmp.Or(end.Message, end.Specs[s.ID].Message)))
			continue
		}
		kept = append(kept, s)
		if i < k.once {
			once++
		}
	}
	m.Strict = k.parts(kept, once)
	if len(specs) > 0 {
		m.Strict["kept"] = &bench.Part{Sum: float64(len(kept)), Of: float64(len(specs))}
	}
	if part := testsOf(end); part.Of > 0 {
		m.Strict["tests"] = part
	}
	if k.asPublished {
		m.Compat = k.parts(k.passed, k.once)
	}
	return m, nil
}

// atEnd tests all that was passed. Where they cannot all run together, such as within the
// one limit of time, each has a run of its own.
func (k *walk) atEnd(ctx context.Context, specs []string) (tested, error) {
	last := specs[len(specs)-1]
	end, err := k.tested(ctx, k.good, last, specs)
	if err != nil || end.Message == "" || end.Script != "" || len(specs) == 1 {
		return end, err
	}
	each := tested{Specs: map[string]spec{}}
	for _, s := range specs {
		one, err := k.tested(ctx, k.good, last, []string{s})
		if err != nil {
			return each, err
		}
		r := one.Specs[s]
		if one.Message != "" {
			r = spec{Total: r.Total, Message: one.Message}
		}
		each.Specs[s] = r
	}
	return each, nil
}
