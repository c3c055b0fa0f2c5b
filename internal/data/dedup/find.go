package dedup

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"vitrine/internal/data/near"
)

// A verdict is what becomes of a record.
type verdict struct {
	reason string // empty: it stays
	review bool   // it stays, and a person is to look
	match
}

// find decides on every record of a collection from first on. Those before first are what
// records are compared with; where first is 0, records are compared with those before them
// that stayed.
func find(ctx context.Context, c *collection, t Thresholds, first int) ([]verdict, error) {
	f := &finder{collection: c, views: c.views(t), among: first == 0, least: t.Overlap, exactly: map[string]int{}}
	for i := range first {
		f.keep(i)
	}
	verdicts := make([]verdict, len(c.ids)-first)
	scratch := make([]near.Scratch, runtime.GOMAXPROCS(0)*len(f.views))
	for from := first; from < len(c.ids); from += batch {
		to := min(from+batch, len(c.ids))
		found, err := f.search(ctx, from, to, scratch)
		if err != nil {
			return nil, err
		}
		var stayed []int
		for i := from; i < to; i++ {
			v := f.decide(i, found[i-from], stayed)
			verdicts[i-first] = v
			if f.among && v.reason == "" {
				f.keep(i)
				stayed = append(stayed, i)
			}
		}
	}
	return verdicts, nil
}

type finder struct {
	*collection
	views   []view
	among   bool           // records are compared among themselves
	least   float64        // overlap of structures
	exactly map[string]int // what was kept
}

func (f *finder) keep(i int) {
	if _, there := f.exactly[f.exact[i]]; !there && f.exact[i] != "" {
		f.exactly[f.exact[i]] = i
	}
	for _, v := range f.views {
		v.Keep(i)
	}
}

// search finds the best match of each record of a batch in each view, among what was kept
// before the batch.
func (f *finder) search(ctx context.Context, from, to int, scratch []near.Scratch) ([][]match, error) {
	found := make([][]match, to-from)
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			for i := from + w; i < to && ctx.Err() == nil; i += workers {
				for k, v := range f.views {
					var accept func(int) bool
					if v.accept != nil {
						accept = func(other int) bool { return v.accept(i, other) }
					}
					other, s := v.Best(i, &scratch[w*len(f.views)+k], accept)
					found[i-from] = append(found[i-from], match{other, s})
				}
			}
			return ctx.Err()
		})
	}
	return found, g.Wait()
}

// decide holds a record against its matches and against those of its batch that stayed.
func (f *finder) decide(i int, found []match, stayed []int) verdict {
	if other, there := f.exactly[f.exact[i]]; there && f.exact[i] != "" {
		return verdict{ReasonExact, false, match{other, 1}}
	}
	var band match
	for k, v := range f.views {
		m := found[k]
		for _, other := range stayed {
			if n := (match{other, v.Similarity(i, other)}); n.similarity > m.similarity && (v.accept == nil || v.accept(i, other)) {
				m = n
			}
		}
		switch {
		case m.similarity > v.above:
			return verdict{v.reason, false, m}
		case v.review > 0 && m.similarity >= v.review:
			band = m
		}
	}
	if band.similarity > 0 && f.overlap(i, band.other) {
		return verdict{"", true, band}
	}
	return verdict{match: match{other: -1}}
}

// overlap reports whether two records overlap in their structure. Records that are texts
// alone have none: then a person decides.
func (f *finder) overlap(a, b int) bool {
	if len(f.code[a].IDs)+len(f.dom[a].IDs) == 0 || len(f.code[b].IDs)+len(f.dom[b].IDs) == 0 {
		return true
	}
	for _, v := range f.views {
		if v.review == 0 && v.Similarity(a, b) >= f.least {
			return true
		}
	}
	return false
}
