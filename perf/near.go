package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/data/near"
)

// neighbours measures the search for near duplicates.
type neighbours struct {
	from []string
	rows int
	seed int64
	t    float64
	out  string
}

func nearCommand() *cobra.Command {
	n := &neighbours{}
	cmd := command("near --from FILE", "Search instructions for near duplicates: seconds; perf/peers/near.py compares with all pairs and with datasketch", n.run)
	cmd.Flags().StringArrayVar(&n.from, "from", nil, "file of instructions; again for each")
	cmd.Flags().IntVar(&n.rows, "rows", 0, "as many instructions, more than there are by exchanging sentences (default: those there are)")
	cmd.Flags().Int64Var(&n.seed, "seed", 1, "of the exchange")
	cmd.Flags().Float64Var(&n.t, "threshold", 0.80, "cosine from which on a pair counts")
	cmd.Flags().StringVar(&n.out, "out", "", "file for the texts and what was found, which near.py reads")
	return cmd
}

// nearest is what near.py reads of a search.
type nearest struct {
	Texts     []string `json:"texts"`
	Threshold float64  `json:"threshold"`
	// Best is of each text the most similar earlier one, the first of several; -1 where
	// none is as similar as the threshold.
	Best    []int   `json:"best"`
	Seconds float64 `json:"seconds"` // of processor time
}

// run searches as data dedup does, but keeps every text. Seconds are those of the
// processor, which a busy machine does not lengthen.
func (n *neighbours) run(_ context.Context, w io.Writer) error {
	texts, err := instructions(n.from, n.rows, n.seed)
	if err != nil {
		return err
	}
	began, wall := ownProcessorTime(), time.Now()
	space := near.NewSpace()
	bags := make([]near.Bag, len(texts))
	for i, text := range texts {
		bags[i] = space.Add(near.Trigrams(text), false)
	}
	space.Rank(bags)
	search := near.NewCosine(space, bags, n.t)
	var scratch near.Scratch
	f, pairs := nearest{Texts: texts, Threshold: n.t, Best: make([]int, len(texts))}, 0
	for i := range texts {
		if f.Best[i], _ = search.Best(i, &scratch, nil); f.Best[i] >= 0 {
			pairs++
		}
		search.Keep(i)
	}
	f.Seconds = ownProcessorTime() - began
	fmt.Fprintf(w, "instructions %d, with an earlier one as alike as %.2f %d, %.1f s of processor time, %.1f s\n", len(texts), n.t, pairs, f.Seconds, time.Since(wall).Seconds())
	if n.out == "" {
		return nil
	}
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Clean(n.out), b, 0o644)
}
