package flow

import (
	"cmp"
	"errors"
	"path/filepath"
	"time"

	"vitrine/internal/data/cluster"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/table"
	"vitrine/internal/inputs"
)

// Cluster keeps rows that stand for others: instructions become vectors, by a table or by a
// model, these become clusters by k-means, and of each cluster the row nearest to the centre stays (AesCoder,
// appendix B).
type Cluster struct {
	Keep  string `yaml:"keep" json:"keep"` // half (default), or a share such as 0.25; rounded down, and at least one row
	Seed  int64  `yaml:"seed" json:"seed"`
	Table string `yaml:"table" json:"table,omitempty"` // name of an input, a folder with a table; empty: the default table
	Embed string `yaml:"embed" json:"embed,omitempty"` // role of a model that makes the vectors; empty: a table does
	share float64
}

// A Represented row is a line of dropped.jsonl: another row stands for it.
type Represented struct {
	Dropped
	By string `json:"represented_by"`
}

func (c *Cluster) check(p *Pipeline) error {
	c.Keep, c.share = cmp.Or(c.Keep, "half"), 0.5
	if c.Keep != "half" {
		var is bool
		if c.share, is = number(c.Keep); !is || c.share <= 0 || c.share >= 1 {
			return errors.New("keep: half, or a share above 0 and below 1")
		}
	}
	switch {
	case c.Table == "":
		return nil
	case c.Embed != "":
		return errors.New("table and embed are two ways to vectors: give one of them")
	}
	return known(p, "table", c.Table)
}

func (c *Cluster) asks() []string {
	if c.Embed == "" {
		return nil
	}
	return []string{c.Embed}
}

// open reads the table of vectors.
func (c *Cluster) open(files map[string][]string, dir string) (*embed.Table, error) {
	if c.Table == "" {
		return embed.Open(embed.Default(dir))
	}
	if len(files[c.Table]) != 1 {
		return nil, refuse("the input "+c.Table+" is more than one folder", "give one with --with "+c.Table+"=DIR")
	}
	return embed.Open(files[c.Table][0])
}

const (
	noText   = "no instruction"
	isOthers = "another row is nearer to the centre"
)

func (c *Cluster) run(w *work) error {
	var texts, ids []string
	quiet := &work{ctx: w.ctx, say: func(string, ...any) {}}
	err := quiet.each(w.in, func(r inputs.Record) error {
		if r.Instruction != "" {
			texts, ids = append(texts, r.Instruction), append(ids, r.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	x, dim, refused, err := c.vectors(w, texts)
	if err != nil {
		return err
	}
	var asked []int32 // places of the texts that have vectors
	for i := range texts {
		if _, is := refused[i]; !is {
			copy(x[len(asked)*dim:], x[i*dim:(i+1)*dim])
			asked = append(asked, int32(i))
		}
	}
	of := make([]int32, len(texts))
	if n := len(asked); n > 0 {
		began := time.Now()
		r, err := cluster.Run(w.ctx, x[:n*dim], dim, cluster.Settings{Keep: max(1, int(c.share*float64(n))), Seed: c.Seed})
		if err != nil {
			return err
		}
		w.say("%d clusters of %d instructions in %d cells, inertia %.4f, %.1f s", r.Clusters, n, r.Cells, r.Inertia, time.Since(began).Seconds())
		w.Figures = map[string]float64{"clusters": float64(r.Clusters), "inertia": r.Inertia}
		for i, by := range r.Kept {
			of[asked[i]] = asked[by]
		}
	}
	return c.write(w, ids, of, refused)
}

// vectors are those of texts, one after the other; refused are the places of those that have
// none, with the reason.
func (c *Cluster) vectors(w *work, texts []string) (x []float32, dim int, refused map[int]string, err error) {
	if c.Embed != "" {
		e := &embedding{asking: &w.asking, by: w.asking.Models[c.Embed], texts: texts}
		err := e.run(w.ctx)
		return e.x, e.dim, e.refused, err
	}
	t, err := c.open(w.inputs, w.embedders)
	if err != nil {
		return nil, 0, nil, err
	}
	x, err = t.EmbedAll(w.ctx, texts)
	return x, t.Dim, nil, err
}

// write reads the rows once more: of has the place of the row that stands for each.
func (c *Cluster) write(w *work, ids []string, of []int32, refused map[int]string) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	gone := func(r inputs.Record, reason string) error {
		w.drop(reason)
		return files.Writers[1].Write(Dropped{r.ID, reason})
	}
	at := -1
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		if r.Instruction == "" {
			return gone(r, noText)
		}
		at++
		if reason, is := refused[at]; is {
			return gone(r, reason)
		}
		if by := int(of[at]); by != at {
			w.drop(isOthers)
			return files.Writers[1].Write(Represented{Dropped{r.ID, isOthers}, ids[by]})
		}
		w.Kept++
		return files.Writers[0].Line(r.Row)
	})
	if err != nil {
		return err
	}
	return files.Commit()
}
