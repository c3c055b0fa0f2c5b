package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"vitrine/internal/cache"
	"vitrine/internal/data/embed"
)

// embedderDir is where tables of vectors lie in the cache.
func (c *common) embedderDir() string { return filepath.Join(c.cacheDir, cache.EmbedderDir) }

func embedderCommand(c *common) *cobra.Command {
	var sync bool
	var wheel string
	cmd := &cobra.Command{
		Use:   "embedder",
		Short: "Bring in, or show, the table that turns texts into vectors",
		Long: `Bring in, or show, the table that turns texts into vectors, which the step cluster of
data pipelines needs: that of ` + embed.Package + ` (MIT), 19 MB, with pip. Nothing of the
package runs, and its files must have the hashes that were pinned.`,
		Example: `  vitrine data embedder --sync
  vitrine data embedder --wheel wordllama-0.4.0.post1-cp311-cp311-manylinux2014_x86_64.whl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			var t *embed.Table
			switch {
			case sync && wheel != "":
				return usage("--sync and --wheel are two ways", "give one of them")
			case wheel != "":
				t, err = embed.Take(wheel, c.embedderDir())
			case sync:
				t, err = embed.Sync(cmd.Context(), c.embedderDir())
			default:
				t, err = embed.Open(embed.Default(c.embedderDir()))
			}
			if err != nil {
				return err
			}
			return c.showEmbedder(t)
		},
	}
	cmd.Flags().BoolVar(&sync, "sync", false, "bring it in with pip where it is not here")
	cmd.Flags().StringVar(&wheel, "wheel", "", "take it from a wheel that is here")
	return cmd
}

func (c *common) showEmbedder(t *embed.Table) error {
	dir := embed.Default(c.embedderDir())
	if c.json {
		return c.printJSON(map[string]any{"dir": dir, "package": embed.Package, "tokens": t.Rows(), "dimensions": t.Dim, "hash": t.Hash})
	}
	c.say("%s: %d tokens of %d dimensions, in %s", embed.Package, t.Rows(), t.Dim, dir)
	return nil
}
