package flow

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/data/dedup"
)

// Dedup takes near duplicates out.
type Dedup struct {
	By []string `yaml:"by" json:"by,omitempty"` // of dedup.Ways
	// Thresholds are text, review, dom, code and overlap: those of the command where a key
	// is not there, which check adds.
	Thresholds map[string]float64 `yaml:"thresholds" json:"thresholds"`
	limits     dedup.Thresholds
}

// Decontaminate takes out what is like the tasks of benchmarks.
type Decontaminate struct {
	Dedup   `yaml:",inline"`
	Against []string `yaml:"against" json:"against"` // names of inputs
}

func (d *Dedup) check(*Pipeline) error {
	for _, way := range d.By {
		if !slices.Contains(dedup.Ways, way) {
			return fmt.Errorf("by: %q is none of %v", way, dedup.Ways)
		}
	}
	d.limits = dedup.Defaults
	t := &d.limits
	keys := map[string]*float64{"text": &t.Text, "review": &t.Review, "dom": &t.DOM, "code": &t.Code, "overlap": &t.Overlap}
	for key, v := range d.Thresholds {
		if keys[key] == nil {
			return fmt.Errorf("thresholds: %q is none of %s", key, strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
		}
		if !(v > 0 && v <= 1) && !(key == "overlap" && v == 0) {
			return fmt.Errorf("thresholds: %s is %v; give a number above 0, at most 1", key, v)
		}
		*keys[key] = v
	}
	if t.Review > t.Text {
		return errors.New("thresholds: review is above text")
	}
	d.Thresholds = map[string]float64{}
	for key, v := range keys {
		d.Thresholds[key] = *v
	}
	return nil
}

func (d *Dedup) run(w *work) error { return d.against(w, nil) }

func (d *Dedup) against(w *work, benchmarks []string) error {
	sum, err := dedup.Run(w.ctx, dedup.Settings{Files: w.in, Against: benchmarks, Out: w.dir, By: d.By, Thresholds: d.limits, Say: w.say})
	if err != nil {
		return err
	}
	w.Counts = Counts{Read: sum.Read, Kept: sum.Kept, Dropped: sum.Dropped, Review: sum.Review, Reasons: maps.Clone(sum.Reasons)}
	w.count("kept with nothing to compare", float64(sum.Without))
	return nil
}

func (d *Decontaminate) check(p *Pipeline) error {
	if len(d.Against) == 0 {
		return errors.New("against: name inputs that are benchmarks")
	}
	for _, name := range d.Against {
		if err := known(p, "against", name); err != nil {
			return err
		}
	}
	return d.Dedup.check(p)
}

func (d *Decontaminate) run(w *work) error {
	var files []string
	for _, name := range d.Against {
		files = append(files, w.inputs[name]...)
	}
	return d.against(w, files)
}

// known reports whether a name is that of an input other than the rows.
func known(p *Pipeline, key, name string) error {
	if _, ok := p.Inputs[name]; !ok || name == "in" {
		return fmt.Errorf("%s: inputs has no %q besides the rows", key, name)
	}
	return nil
}
