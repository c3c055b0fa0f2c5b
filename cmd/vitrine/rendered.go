package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
)

// evidenceOf gives the evidence folder that a source is, or renders what the source
// holds as vitrine render does without flags.
func evidenceOf(ctx context.Context, c *common, source string, how reading) (dirs []string, err error) {
	if _, err := os.Stat(filepath.Join(source, "manifest.json")); err == nil {
		return []string{source}, nil
	}
	r := &rendering{common: c, reading: how}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError) // for the defaults
	addRendering(&r.Looking, flags, lookingRecipe)
	addJudging(&r.Judging, c, flags)
	addInteracting(&r.Interacting, flags)
	from, err := r.survey(ctx, []string{source})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	p, err := r.Looking.Open(c.machine(), nil)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	err = from.each(func(item sourced) error {
		_, dir, err := r.show(ctx, p.Pipeline, item)
		if err == nil {
			dirs = append(dirs, dir)
		}
		return err
	})
	return dirs, err
}
