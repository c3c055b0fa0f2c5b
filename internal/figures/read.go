package figures

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/runs"
)

// A record is what the figures need of one sample.
type record struct {
	model string
	task  vitrine.Task // empty where it is not known
	// judged: what became of the site is known. Without it there is no figure of the
	// sample but that it could not be judged.
	judged   bool
	rendered bool
	// appearance is the grade of a vision model and measured that of the measured judge,
	// both 0 to 5; nil for a sample without one.
	appearance, measured *float64
	project              bool
	lint                 *float64       // 1 or 0 of a project that was linted
	cases                []vitrine.Case // test cases that were tried
	// missing are test cases of the task without a verdict, since the sample is unjudged.
	missing []vitrine.TestCase
	// lost: test cases were tried, or were to be, and it is not known which.
	lost bool
}

// Read computes the figures of run folders. Tasks, by id, tell the categories of
// instructions; without them there are none. Faults are those of usage: a folder that
// holds no run, a sample that is in two of them, tasks of which no sample has one.
func Read(dirs []string, tasks map[string]vitrine.Task) (Table, error) {
	var t Table
	var records []record
	var first vitrine.Provenance
	from, known := map[[2]string]string{}, false
	for i, dir := range dirs {
		header, samples, err := runs.Read(dir)
		if err != nil {
			return Table{}, err
		}
		samples = runs.Newest(samples)
		if i == 0 {
			first = header.Provenance
		} else if d := first.Differences(header.Provenance); len(d) > 0 {
			t.Differ = append(t.Differ, fmt.Sprintf("%s was made with another %s than %s", dir, strings.Join(d, ", another "), dirs[0]))
		}
		t.Runs = append(t.Runs, Source{dir, header.Recipe, header.Judge, header.Interact, len(samples)})
		for _, s := range samples {
			key := [2]string{s.Model, s.ID}
			if before, twice := from[key]; twice {
				return Table{}, usage(fmt.Sprintf("the sample %q of the model %q is in %s and in %s", s.ID, s.Model, before, dir), "name each run once, and runs of other samples or models")
			}
			from[key] = dir
			_, has := tasks[s.TaskID]
			known = known || has
		}
		of, err := recordsOf(dir, samples, tasks)
		if err != nil {
			return Table{}, err
		}
		records = append(records, of...)
	}
	if tasks != nil && !known {
		return Table{}, usage("no sample has a task_id that is in --tasks", "name the file of tasks that the samples were made of")
	}
	t.Rows = table(records)
	return t, nil
}

// recordsOf reads the samples of one run.
func recordsOf(dir string, samples []vitrine.Sample, tasks map[string]vitrine.Task) ([]record, error) {
	records := make([]record, len(samples))
	tried := false
	for i := range samples {
		s := &samples[i]
		r, err := read(dir, s)
		if err != nil {
			return nil, fmt.Errorf("sample %s: %w", s.ID, err)
		}
		r.task = tasks[s.TaskID]
		records[i] = r
		tried = tried || len(r.cases) > 0 || r.lost
	}
	for i := range records {
		if r := &records[i]; tried && !r.judged {
			_, known := tasks[samples[i].TaskID]
			r.cases, r.missing, r.lost = nil, r.task.TestCases, !known
		}
	}
	return records, nil
}

// read reads one sample, with its test cases where its evidence has any.
func read(dir string, s *vitrine.Sample) (record, error) {
	r := record{
		model: s.Model, judged: s.Status == vitrine.SampleScored && s.Reward != nil,
		rendered: s.Outcome == vitrine.OutcomeRendered, appearance: score(s, "vision.appearance"), measured: score(s, "appearance"),
		project: s.Kind == vitrine.KindProject,
	}
	folder := filepath.Join(dir, filepath.FromSlash(s.Evidence))
	if _, err := os.Stat(folder); s.Evidence == "" || errors.Is(err, fs.ErrNotExist) {
		r.lost = score(s, "interact.fsr") != nil
		return r, nil
	}
	linted, err := evidence.LoadLint(folder)
	if err != nil {
		return r, err
	}
	if linted != nil {
		r.lint = linted.Score
	}
	if s.Outcome == vitrine.OutcomeBuildFailed {
		ev, err := evidence.Load(folder)
		if err != nil {
			return r, err
		}
		if f := ev.Site.Failure; f != nil && f.Code == vitrine.FailureStopped { // it is not known whether it renders
			r.judged = false
			return r, nil
		}
	}
	t, err := evidence.LoadTrace(folder)
	if err == nil && t != nil && t.By != vitrine.ByExplore && t.By != vitrine.ByBehave && t.Of == "" {
		r.cases = t.Cases
	}
	return r, err
}

// score is a score of a sample, nil where it has none.
func score(s *vitrine.Sample, name string) *float64 {
	if v, ok := s.Scores[name]; ok {
		return &v
	}
	return nil
}

func usage(message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, message).WithFix(fix)
}
