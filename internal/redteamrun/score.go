package redteamrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/parse"
	"vitrine/internal/pipeline"
)

// A Scorer scores pages by a pipeline. It keeps no evidence.
type Scorer struct {
	Pipeline *pipeline.Pipeline
	// Unjudged is told of each page that could not be judged; nil: of none.
	Unjudged func(id string, why *vitrine.Fault)
	Journal  *Journal // of rewards that are known; nil: none is kept
}

// Score gives each output its reward, nil where it could not be judged. What keeps all
// pages from being judged, such as a missing browser, is an error.
func (s *Scorer) Score(ctx context.Context, outputs []vitrine.Output) ([]*float64, error) {
	rewards := make([]*float64, len(outputs))
	dir, err := os.MkdirTemp("", "redteam-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var telling sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.Pipeline.Concurrency())
	for i, o := range outputs {
		if rewards[i] = s.Journal.reward(o); rewards[i] != nil {
			continue
		}
		group.Go(func() error {
			folder := filepath.Join(dir, fmt.Sprint(i))
			defer os.RemoveAll(folder)
			scored, err := s.Pipeline.ScoreArtifact(ctx, o, artifact(o), folder)
			if err != nil {
				return err
			}
			rewards[i] = scored.Sample.Reward
			if err := s.Journal.add(o, &scored.Sample); err != nil {
				return err
			}
			if f := scored.Sample.Error; f != nil {
				if f.Code.Stops() {
					return f
				}
				if s.Unjudged != nil {
					telling.Lock()
					defer telling.Unlock()
					s.Unjudged(o.ID, f)
				}
			}
			return nil
		})
	}
	return rewards, group.Wait()
}

// artifact is the page as it is: one in which there are fences or other marks of a model's
// answer is not cut.
func artifact(o vitrine.Output) *vitrine.Artifact {
	a := parse.Output(o)
	if len(a.Files) != 1 || a.Files[0].Content != o.Text {
		a.Kind, a.Files = vitrine.KindPage, []vitrine.File{{Path: "index.html", Content: o.Text}}
	}
	return a
}
