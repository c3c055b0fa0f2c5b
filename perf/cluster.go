package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/cache"
	"vitrine/internal/data/cluster"
	"vitrine/internal/data/embed"
)

// clustering measures vectors and clusters of instructions.
type clustering struct {
	from []string
	rows int
	seed int64
	out  string
}

func clusterCommand() *cobra.Command {
	c := &clustering{}
	cmd := command("cluster --from FILE", "Turn instructions into vectors and keep half by clusters: inertia, seconds; perf/peers/cluster.py compares", c.run)
	cmd.Flags().StringArrayVar(&c.from, "from", nil, "file of instructions; again for each")
	cmd.Flags().IntVar(&c.rows, "rows", 0, "as many instructions, more than there are by exchanging sentences (default: those there are)")
	cmd.Flags().Int64Var(&c.seed, "seed", 1, "of the exchange and the first centres")
	cmd.Flags().StringVar(&c.out, "out", "", "folder for the texts, tokens, vectors and result, which cluster.py reads")
	return cmd
}

// clustered is what cluster.py reads of a clustering.
type clustered struct {
	Rows    int     `json:"rows"`
	Keep    int     `json:"keep"`
	Dim     int     `json:"dim"`
	Inertia float64 `json:"inertia"`
	Rounds  int     `json:"rounds"`
	Kept    []int32 `json:"kept"`
	Seconds float64 `json:"seconds"` // of processor time
}

func (c *clustering) run(ctx context.Context, w io.Writer) error {
	table, err := embed.Open(embed.Default(filepath.Join(cacheDir(), cache.EmbedderDir)))
	if err != nil {
		return err
	}
	texts, err := instructions(c.from, c.rows, c.seed)
	if err != nil {
		return err
	}
	began := time.Now()
	x, err := table.EmbedAll(ctx, texts)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "instructions %d, vectors in %.2f s\n", len(texts), time.Since(began).Seconds())
	began, used := time.Now(), ownProcessorTime()
	r, err := cluster.Run(ctx, x, table.Dim, cluster.Settings{Keep: len(texts) / 2, Seed: c.seed})
	if err != nil {
		return err
	}
	took := ownProcessorTime() - used
	fmt.Fprintf(w, "clusters %d of %d asked for, cells %d, rounds %d, inertia %.4f, %.2f s of processor time, %.2f s\n", r.Clusters, len(texts)/2, r.Cells, r.Rounds, r.Inertia, took, time.Since(began).Seconds())
	if c.out == "" {
		return nil
	}
	return c.write(texts, table, x, clustered{len(texts), len(texts) / 2, table.Dim, r.Inertia, r.Rounds, r.Kept, took})
}

func (c *clustering) write(texts []string, table *embed.Table, x []float32, result clustered) error {
	rows := make([]map[string]any, len(texts))
	for i, text := range texts {
		rows[i] = map[string]any{"text": text, "tokens": table.Tokens(text)}
	}
	raw := make([]byte, 0, 4*len(x))
	for _, v := range x {
		bits := math.Float32bits(v)
		raw = append(raw, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	if err := os.MkdirAll(c.out, 0o755); err != nil {
		return err
	}
	for name, v := range map[string]any{"rows.json": rows, "result.json": result} {
		b, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(filepath.Join(c.out, name), b, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(c.out, "vectors.f32"), raw, 0o644)
}
