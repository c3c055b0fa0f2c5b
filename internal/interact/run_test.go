package interact

import (
	"context"
	"testing"

	"vitrine"
)

// never is a method that must not begin.
type never struct{ t *testing.T }

func (n never) By() vitrine.TraceBy { return vitrine.ByAgent }

func (n never) Cases(given []vitrine.TestCase) ([]vitrine.TestCase, bool) { return given, true }

func (n never) Exercise(context.Context, *Driver, Subject) (*vitrine.Trace, error) {
	n.t.Error("it was exercised")
	return nil, nil
}

// A page that shows nothing is not exercised, and has the score 0.
func TestWhatDoesNotStartIsNotExercised(t *testing.T) {
	t.Parallel()
	trace, err := Run(t.Context(), &Driver{}, Settings{Method: never{t}}, Subject{Evidence: &vitrine.Evidence{}})
	if err != nil || trace == nil || trace.Score == nil || *trace.Score != 0 || len(trace.Cases) != 0 {
		t.Errorf("%+v, %v", trace, err)
	}
}
