package main

import (
	"context"
	"strings"

	"github.com/spf13/pflag"

	"vitrine/internal/inputs"
)

// reading are the flags of commands that take outputs.
type reading struct{ fields []string }

func (r *reading) add(flags *pflag.FlagSet) {
	fields := strings.Join(inputs.Fields, ", ")
	flags.StringArrayVar(&r.fields, "map", nil, "where in a row a field is, as FIELD=COLUMN or FIELD=PATH.TO.IT; again for each of "+fields)
}

// open surveys an input. With anyText it may be a text of any kind. The end of ctx does
// not wait for an input that is large or never ends.
func (r *reading) open(ctx context.Context, c *common, name string, anyText bool) (*inputs.Input, error) {
	m, err := inputs.ParseMapping(r.fields)
	if err != nil {
		return nil, err
	}
	type surveyed struct {
		input *inputs.Input
		err   error
	}
	done := make(chan surveyed, 1)
	go func() {
		in, err := inputs.Open(name, inputs.Settings{Stdin: c.in, Map: m, AnyText: anyText})
		done <- surveyed{in, err}
	}()
	select {
	case s := <-done:
		return s.input, s.err
	case <-ctx.Done():
		return nil, exit(exitInterrupted)
	}
}
