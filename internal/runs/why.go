package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/evidence"
)

// subjects say, by stage, what an answer is about: a part of its key.
var subjects = map[string]string{"build": "files", "capture": "site", "judgement": "evidence"}

// A StageAnswer says where a sample had the answer of one stage from.
type StageAnswer struct {
	Stage  string `json:"stage"`
	Cached bool   `json:"cached"`
	// Nearest is the kept answer on the same subject with the fewest differences.
	Nearest *cache.NearMiss `json:"nearest,omitempty"`
}

// Why says of each stage of a sample whether it was answered from the cache, and of those
// that were not, what is kept that comes nearest to what was asked for.
func Why(dir, id string, results cache.Results) ([]StageAnswer, error) {
	sample, err := find(dir, id)
	if err != nil {
		return nil, err
	}
	if sample.Evidence == "" {
		return nil, usage(fmt.Sprintf("%s has no evidence: it could not be judged", id), "vitrine report "+dir+" tells why")
	}
	folder := filepath.Join(dir, filepath.FromSlash(sample.Evidence))
	asked, err := os.Stat(filepath.Join(folder, "keys.json"))
	if err != nil {
		return nil, usage(folder+" does not say what the cache was asked for", "score it again with this version of Vitrine")
	}
	keys, err := evidence.LoadKeys(folder)
	if err != nil {
		return nil, err
	}
	all := []StageAnswer{}
	for _, k := range keys {
		a, err := why(k, sample.Cached, results, asked.ModTime())
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

func usage(message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, message).WithFix(fix)
}

// find is the newest line of a sample.
func find(dir, id string) (vitrine.Sample, error) {
	_, samples, err := Read(dir)
	if err != nil {
		return vitrine.Sample{}, err
	}
	for _, s := range Newest(samples) {
		if s.ID == id {
			return s, nil
		}
	}
	return vitrine.Sample{}, usage(fmt.Sprintf("%s has no sample %q", dir, id), "jq -r .id "+filepath.Join(dir, "samples.jsonl")+" lists them")
}

func why(k cache.Key, cached vitrine.Cached, results cache.Results, asked time.Time) (StageAnswer, error) {
	a := StageAnswer{Stage: k.Stage, Cached: map[string]bool{"build": cached.Build, "capture": cached.Capture, "judgement": cached.Judge}[k.Stage]}
	if a.Cached {
		return a, nil
	}
	near, found, err := results.Nearest(k, subjects[k.Stage], asked)
	if found {
		a.Nearest = &near
	}
	return a, err
}
