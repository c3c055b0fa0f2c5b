package dedup

import (
	"context"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"vitrine/internal/data/near"
	"vitrine/internal/digest"
	"vitrine/internal/inputs"
	"vitrine/internal/parse"

	"vitrine"
)

// The ways of comparing, which users choose of.
const (
	ByText = "text"
	ByDOM  = "dom"
	ByCode = "code"
)

// Ways lists them.
var Ways = []string{ByText, ByDOM, ByCode}

// batch is how many records are read, or compared with what was kept, side by side.
const batch = 64

// kinds of what is compared of a record, as bits.
const (
	kindText = 1 << iota
	kindPages
)

// features are what is compared of one record.
type features struct {
	exact string // equal for equal records; empty where there is nothing to compare
	kinds uint8
	text  []near.Counted
	page
}

// A collection is the records of all inputs, by what is compared of them.
type collection struct {
	by               []string // empty: pages where there are any, else texts
	ids, exact       []string
	kinds            []uint8
	text, dom, code  []near.Bag
	shapes           []*near.Shape
	texts, doms, cds *near.Space
}

func newCollection(by []string) *collection {
	return &collection{by: by, texts: near.NewSpace(), doms: near.NewSpace(), cds: near.NewSpace()}
}

// add reads records, the features of a batch side by side, and tells of rows that cannot
// be read.
func (c *collection) add(ctx context.Context, records *inputs.Records, bad func(error)) (n int, err error) {
	var waiting []inputs.Record
	flush := func() error {
		made := make([]features, len(waiting))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, r := range waiting {
			g.Go(func() error {
				made[i] = c.features(r)
				return ctx.Err()
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for i, f := range made {
			c.intern(waiting[i].ID, f)
		}
		n += len(made)
		waiting = waiting[:0]
		return nil
	}
	for r, err := range records.All() {
		if err != nil {
			if err := only(err, bad); err != nil {
				return n, err
			}
			continue
		}
		if waiting = append(waiting, r); len(waiting) == batch {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	return n, flush()
}

// features works out what is compared of a record.
func (c *collection) features(r inputs.Record) features {
	var f features
	site := r.Artifact
	if site == nil && strings.TrimSpace(r.Text) != "" {
		site = parse.Output(vitrine.Output{Text: r.Text})
	}
	pages := site != nil && len(site.Files) > 0
	if c.with(ByText, !pages) && r.Instruction != "" {
		f.text, f.exact, f.kinds = near.Trigrams(r.Instruction), squeeze(r.Instruction), kindText
	}
	if pages && (c.with(ByDOM, true) || c.with(ByCode, true)) {
		f.page, f.kinds = readPage(site), f.kinds|kindPages
		for _, file := range site.Files {
			f.exact += "\x00" + file.Path + "\x00" + squeeze(file.Content)
		}
	}
	if f.exact != "" {
		f.exact = digest.Text(f.exact)
	}
	return f
}

// with reports whether records are compared in a way.
func (c *collection) with(way string, otherwise bool) bool {
	if len(c.by) == 0 {
		return otherwise
	}
	for _, one := range c.by {
		if one == way {
			return true
		}
	}
	return false
}

// squeeze makes each run of white space one blank.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// intern numbers the features of a record.
func (c *collection) intern(id string, f features) {
	c.ids, c.exact, c.kinds = append(c.ids, id), append(c.exact, f.exact), append(c.kinds, f.kinds)
	dom := f.dom
	if f.tree != nil || !c.with(ByDOM, true) {
		dom = nil
	}
	if !c.with(ByDOM, true) {
		f.tree = nil
	}
	if !c.with(ByCode, true) {
		f.code = nil
	}
	c.text = append(c.text, c.texts.Add(f.text, false))
	c.dom = append(c.dom, c.doms.Add(dom, true))
	c.code = append(c.code, c.cds.Add(f.code, true))
	c.shapes = append(c.shapes, f.tree)
}

// comparable are the kinds that the first n records have; all where n is 0, since records are
// compared among themselves then.
func (c *collection) comparable(n int) (kinds uint8) {
	if n == 0 {
		return kindText | kindPages
	}
	for _, k := range c.kinds[:n] {
		kinds |= k
	}
	return kinds
}

// views are the ways of comparing what was read, in the order in which they are asked.
func (c *collection) views(t Thresholds) []view {
	c.texts.Rank(c.text)
	c.doms.Rank(c.dom)
	c.cds.Rank(c.code)
	code := near.NewJaccard(c.code, t.Code)
	overlap := func(a, b int) bool { return code.Similarity(a, b) >= t.Overlap }
	return []view{
		{near.NewCosine(c.texts, c.text, t.Review), ReasonText, t.Text, t.Review, nil},
		{near.NewJaccard(c.dom, t.DOM), ReasonDOM, t.DOM, 0, overlap},
		{&trees{shapes: c.shapes, t: t.DOM}, ReasonTree, t.DOM, 0, overlap},
		{code, ReasonCode, t.Code, 0, nil},
	}
}
