package webbench

import (
	"context"
	"fmt"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
)

// parts are those of what was passed, and of how much of it at the first answer.
func (k *walk) parts(passed []step, once int) bench.Parts {
	all := bench.Parts{}
	for _, s := range stepsOf(k.task) {
		if s.ID != first {
			add(all, "pass2", 0)
			add(all, s.Level, 0)
		}
	}
	for _, s := range passed {
		all["pass2"].Sum++
		all[s.Level].Sum++
	}
	all["pass1"] = &bench.Part{Sum: float64(once), Of: all["pass2"].Of}
	if k.second {
		for _, key := range append([]string{"pass2"}, levels...) {
			if all[key] != nil {
				all[key] = nil // there was one answer each
			}
		}
	}
	return all
}

// add adds a task to a part.
func add(all bench.Parts, key string, sum float64) {
	if all[key] == nil {
		all[key] = &bench.Part{}
	}
	all[key].Sum += sum
	all[key].Of++
}

// testsOf is how many of all tests passed.
func testsOf(t tested) *bench.Part {
	p := &bench.Part{}
	for _, s := range t.Specs {
		p.Sum += float64(s.Passed)
		p.Of += float64(s.Total)
	}
	return p
}

// unjudged is of a project whose steps have no answers.
func (k *walk) unjudged(f *vitrine.Fault) bench.Measured {
	return bench.Measured{Outcome: "unjudged", Error: f, Strict: bench.Parts{"pass1": nil, "pass2": nil}, Compat: bench.Parts{}}
}

// alone is how often a spec of a reference that fails is run again alone; where no test
// could run at all, the whole is run again once.
const alone = 3

// Reference implements [bench.Walker]: all specs at once on the solution that comes with
// the benchmark, and those that fail again, each alone. A task passes if it does once.
func (w *walker) Reference(ctx context.Context, t vitrine.Task, j *bench.Journal) (bench.Measured, error) {
	k := &walk{walker: w, task: t, journal: j}
	files, err := w.filesIn(t.ID, "src")
	if err != nil {
		return bench.Measured{}, err
	}
	var specs []string
	for _, s := range stepsOf(t) {
		if s.ID != first {
			specs = append(specs, s.ID)
		}
	}
	all, err := k.tested(ctx, files, specs[len(specs)-1], specs)
	if f := lacking(err); f != nil {
		return k.unjudged(f), nil
	}
	if err != nil {
		return bench.Measured{}, err
	}
	if all.Message != "" {
		if all, err = k.again(ctx, files, specs, 0); err != nil {
			return bench.Measured{}, err
		}
	}
	var passed []step
	var why []string
	for _, s := range stepsOf(t) {
		if s.ID == first {
			continue
		}
		r, n := all, 0
		for ; n < alone && !r.pass([]string{s.ID}) && all.Message == ""; n++ {
			if r, err = k.again(ctx, files, []string{s.ID}, n); err != nil {
				return bench.Measured{}, err
			}
		}
		switch {
		case !r.pass([]string{s.ID}):
			why = append(why, fmt.Sprintf("%s, %s: %s", s.ID, r.cause(), r.why([]string{s.ID})))
			continue
		case n > 0:
			why = append(why, fmt.Sprintf("%s passes in run %d alone", s.ID, n))
		}
		passed = append(passed, s)
	}
	m := bench.Measured{Outcome: "passed", Why: strings.Join(why, "\n"), Strict: k.parts(passed, len(passed)), Compat: bench.Parts{}}
	if len(passed) < len(specs) {
		m.Outcome = "failed"
	}
	if part := testsOf(all); part.Of > 0 {
		m.Strict["tests"] = part
	}
	return m, nil
}

// again tests the same for another time.
func (k *walk) again(ctx context.Context, files map[string]string, specs []string, n int) (t tested, err error) {
	key := fmt.Sprintf("%s %s %s again %d", driver, k.task.ID, strings.Join(specs, " "), n)
	if k.journal.Get(key, &t) {
		return t, nil
	}
	if t, err = k.test(ctx, k.task.ID, files, specs[len(specs)-1], specs); err != nil {
		return t, err
	}
	return t, k.journal.Put(key, t)
}
