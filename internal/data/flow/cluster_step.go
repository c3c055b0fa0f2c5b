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

// Cluster keeps rows that stand for others: instructions become vectors, these become
// clusters by k-means, and of each cluster the row nearest to the centre stays (AesCoder,
// appendix B).
type Cluster struct {
	Keep  string `yaml:"keep" json:"keep"` // half, rounded down and at least one row
	Seed  int64  `yaml:"seed" json:"seed"`
	Table string `yaml:"table" json:"table,omitempty"` // name of an input, a folder with a table; empty: the default table
}

// A Represented row is a line of dropped.jsonl: another row stands for it.
type Represented struct {
	Dropped
	By string `json:"represented_by"`
}

func (c *Cluster) check(p *Pipeline) error {
	if c.Keep = cmp.Or(c.Keep, "half"); c.Keep != "half" {
		return errors.New("keep: only half is known")
	}
	if c.Table == "" {
		return nil
	}
	return known(p, "table", c.Table)
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
	vectors, err := c.open(w.inputs, w.embedders)
	if err != nil {
		return err
	}
	var texts, ids []string
	quiet := &work{ctx: w.ctx, say: func(string, ...any) {}}
	err = quiet.each(w.in, func(r inputs.Record) error {
		if r.Instruction != "" {
			texts, ids = append(texts, r.Instruction), append(ids, r.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var of []int32
	if len(texts) > 0 {
		x, err := vectors.EmbedAll(w.ctx, texts)
		if err != nil {
			return err
		}
		began := time.Now()
		r, err := cluster.Run(w.ctx, x, vectors.Dim, cluster.Settings{Keep: max(1, len(texts)/2), Seed: c.Seed})
		if err != nil {
			return err
		}
		w.say("%d clusters of %d instructions in %d cells, inertia %.4f, %.1f s", r.Clusters, len(texts), r.Cells, r.Inertia, time.Since(began).Seconds())
		w.Figures, of = map[string]float64{"clusters": float64(r.Clusters), "inertia": r.Inertia}, r.Kept
	}
	return c.write(w, ids, of)
}

// write reads the rows once more: of has the place of the row that stands for each.
func (c *Cluster) write(w *work, ids []string, of []int32) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	at := 0
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		if r.Instruction == "" {
			w.drop(noText)
			return files.Writers[1].Write(Dropped{r.ID, noText})
		}
		by := int(of[at])
		if at++; by != at-1 {
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
