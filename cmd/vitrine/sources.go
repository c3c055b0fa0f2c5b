package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/runs"
)

// A sourced output knows the source that it is from.
type sourced struct {
	inputs.Item
	source string
	alone  bool // the source holds nothing else
	many   bool // there are others, of this source or another
}

// sources are what a command line names, surveyed.
type sources struct {
	*rendering
	names   []string
	inputs  []*inputs.Input
	outputs int
}

// survey opens every source. Without any output that can be shown there is nothing to
// do.
func (r *rendering) survey(ctx context.Context, names []string) (*sources, error) {
	if kind := vitrine.Kind(r.kind); r.kind != "" && !slices.Contains(vitrine.Kinds, kind) {
		return nil, usage(fmt.Sprintf("--kind: %q is not a kind", r.kind), "use page, project, component or svg")
	}
	s := &sources{rendering: r, names: names}
	for _, name := range names {
		in, err := r.open(ctx, r.common, name, true)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.inputs = append(s.inputs, in)
		s.outputs += in.Survey.Outputs
		if in.Survey.Outputs == 0 {
			return nil, errors.Join(nothingIn(name, in.Survey), s.Close())
		}
		for _, line := range in.Survey.Remarks() {
			r.say("%s", line)
		}
	}
	return s, nil
}

// nothingIn says why a source has no output.
func nothingIn(name string, s inputs.Survey) error {
	if len(s.First) == 0 {
		return usage(name+" is empty", "name a page, a folder, an archive or a file of outputs")
	}
	e := s.First[0]
	return usage(fmt.Sprintf("no output in %s: %s: found %s; wanted %s", name, e.Position, e.Found, e.Wanted), e.Fix)
}

func (s *sources) Close() error {
	var err error
	for _, in := range s.inputs {
		err = errors.Join(err, in.Close())
	}
	return err
}

// each works on one output after the other. What cannot be judged of several is said,
// and the others are worked on.
func (s *sources) each(work func(sourced) error) error {
	failed := 0
	for i, in := range s.inputs {
		for item, err := range in.Items() {
			if err == nil {
				item.Kind = vitrine.Kind(orElse(s.kind, string(item.Kind)))
				item.Instruction = orElse(s.instruction, item.Instruction)
				if s.outputs == 1 && item.From != "" {
					item.ID = "render"
				}
				err = work(sourced{Item: item, source: s.names[i], alone: in.Survey.Outputs == 1, many: s.outputs > 1})
			}
			var row *inputs.RowError
			var fault *vitrine.Fault
			switch {
			case err == nil:
			case errors.As(err, &row) && !row.Late:
			case errors.As(err, &row) && s.outputs == 1:
				return usage("cannot read the source: "+row.Error(), row.Fix)
			case errors.As(err, &row):
				failed++
				s.say("skipped %v", row)
			case errors.As(err, &fault) && s.outputs > 1 && exitCode(fault.Code) != exitEnvironment:
				failed++
				s.say("unjudged %s: %s %s: %s", item.ID, fault.Stage, fault.Code, fault.Message)
			default:
				return err
			}
		}
	}
	if failed > 0 {
		return exit(exitUnjudged)
	}
	return nil
}

func orElse(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

// folder names an evidence folder after what is shown in it.
func (s sourced) folder() string {
	name := runs.SourceName(s.source)
	if !s.alone {
		name += "~" + runs.FolderName(s.ID)
	}
	return name
}
