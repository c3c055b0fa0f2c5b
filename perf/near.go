package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/data/near"
	"vitrine/internal/inputs"
)

// neighbours compares the search for near duplicates with comparing all pairs.
type neighbours struct {
	from  string
	limit int
	t     float64
}

func nearCommand() *cobra.Command {
	n := &neighbours{}
	cmd := command("near --from FILE", "Compare the search for near duplicates of instructions with comparing all pairs: recall, seconds", n.run)
	cmd.Flags().StringVar(&n.from, "from", "", "file of instructions")
	cmd.Flags().IntVar(&n.limit, "limit", 20_000, "instructions that are read, at most")
	cmd.Flags().Float64Var(&n.t, "threshold", 0.80, "cosine from which on a pair counts")
	return cmd
}

func (n *neighbours) run(ctx context.Context, w io.Writer) error {
	bags, space, err := n.read()
	if err != nil {
		return err
	}
	search := near.NewCosine(space, bags, n.t)
	began := time.Now()
	var scratch near.Scratch
	best := make([]int, len(bags))
	for i := range bags {
		best[i], _ = search.Best(i, &scratch, nil)
		search.Keep(i)
	}
	fast := time.Since(began)
	began = time.Now()
	pairs, found := 0, 0
	for i := range bags {
		if err := ctx.Err(); err != nil {
			return err
		}
		want, highest := -1, 0.0
		for j := range i {
			if s := search.Similarity(i, j); s >= n.t && s > highest {
				want, highest = j, s
			}
		}
		if want >= 0 {
			pairs++
			if best[i] == want {
				found++
			}
		}
	}
	slow := time.Since(began)
	fmt.Fprintf(w, "instructions              %d\nwith one as alike as %.2f  %d\nof these found            %d (recall %.4f)\n", len(bags), n.t, pairs, found, float64(found)/float64(max(1, pairs)))
	_, err = fmt.Fprintf(w, "search                    %.1f s\nall pairs                 %.1f s (%.0f times)\n", fast.Seconds(), slow.Seconds(), slow.Seconds()/fast.Seconds())
	return err
}

func (n *neighbours) read() ([]near.Bag, *near.Space, error) {
	records, err := inputs.OpenRecords([]string{n.from}, inputs.Settings{})
	if err != nil {
		return nil, nil, err
	}
	defer records.Close()
	space := near.NewSpace()
	var bags []near.Bag
	for r, err := range records.All() {
		if err != nil {
			return nil, nil, err
		}
		if bags = append(bags, space.Add(near.Trigrams(r.Instruction), false)); len(bags) == n.limit {
			break
		}
	}
	space.Rank(bags)
	return bags, space, nil
}
