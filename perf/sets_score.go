package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"vitrine"
)

// throughput lets programs score the same projects in turns. The sets are there from
// a round that does not count; the sources differ from round to round.
func (s *setting) throughput(ctx context.Context, w io.Writer, files map[string]string) error {
	seconds := make([][]float64, len(s.binaries))
	rewards := make([]float64, len(s.binaries))
	for round := range s.rounds + 1 {
		input, err := s.outputs(files, round)
		if err != nil {
			return err
		}
		for i := range s.binaries {
			i = (i + round) % len(s.binaries) // each goes first in its turn
			took, reward, err := s.score(ctx, i, input, round)
			if err != nil {
				return err
			}
			say("round %d: %s took %.1f s, mean reward %.4f", round, s.binaries[i], took.Seconds(), reward)
			rewards[i] = reward
			if round > 0 {
				seconds[i] = append(seconds[i], took.Seconds())
			}
		}
	}
	n := float64(s.lists * s.each)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%d projects, %d dependency lists\tper second\tmedian of %d rounds\tmean reward\n", s.lists*s.each, s.lists, s.rounds)
	for i, name := range s.binaries {
		slices.Sort(seconds[i])
		median := seconds[i][len(seconds[i])/2]
		fmt.Fprintf(table, "%s\t%.2f\t%.1f s\t%.4f\n", name, n/median, median, rewards[i])
	}
	return table.Flush()
}

// outputs writes the projects of a round as a file of outputs.
func (s *setting) outputs(files map[string]string, round int) (string, error) {
	name := filepath.Join(s.cache, fmt.Sprintf("round-%d.jsonl", round))
	if err := os.MkdirAll(s.cache, 0o755); err != nil {
		return "", err
	}
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	enc := json.NewEncoder(f)
	for k := range s.each {
		for i := range s.lists {
			own := maps.Clone(files)
			if own["package.json"], err = dependencyList(files["package.json"], i); err != nil {
				return "", err
			}
			own["src/main.tsx"] += fmt.Sprintf("\ndocument.documentElement.dataset.edit = '%d-%d-%d'\n", round, i, k)
			o := vitrine.Output{ID: fmt.Sprintf("list-%d-%d", i, k), Text: artifactText(own), Kind: vitrine.KindProject}
			if err := enc.Encode(o); err != nil {
				return "", err
			}
		}
	}
	return name, nil
}

// artifactText writes the files of a project as a model does.
func artifactText(files map[string]string) string {
	var b strings.Builder
	b.WriteString(`<webArtifact id="project" title="A project">`)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, `<webAction type="file" filePath="%s">%s</webAction>`, name, files[name])
	}
	b.WriteString(`</webArtifact>`)
	return b.String()
}

// score runs one program on a file of outputs, with a cache of its own. The mean
// reward tells whether the programs did the same work.
func (s *setting) score(ctx context.Context, i int, input string, round int) (took time.Duration, reward float64, err error) {
	out := filepath.Join(s.cache, fmt.Sprintf("run-%d-%d", i, round))
	if err := os.RemoveAll(out); err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(out)
	cache := filepath.Join(s.cache, fmt.Sprintf("of-program-%d", i))
	cmd := exec.CommandContext(ctx, s.binaries[i], "score", input, "--out", out, "--times", "0", "--max-routes", "1", "--cache-dir", cache)
	start := time.Now()
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w\n%s", s.binaries[i], err, text)
	}
	took = time.Since(start)
	reward, err = meanReward(filepath.Join(out, "samples.jsonl"))
	return took, reward, err
}

func meanReward(name string) (float64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var sum, n float64
	for dec := json.NewDecoder(f); ; n++ {
		var sample vitrine.Sample
		switch err := dec.Decode(&sample); {
		case errors.Is(err, io.EOF):
			return sum / n, nil
		case err != nil:
			return 0, err
		case sample.Error != nil:
			return 0, sample.Error
		case sample.Reward != nil:
			sum += *sample.Reward
		}
	}
}
