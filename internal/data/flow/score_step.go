package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/evidence"
	"vitrine/internal/inputs"
)

// Score has the outputs of rows built, seen, and given a reward, as vitrine score does.
// Each row gets reward, outcome, why, screenshot and, where there are any, scores. The run
// folder with the evidence stays beside the steps, in runs/.
type Score struct {
	Recipe   string          `yaml:"recipe" json:"recipe"`                    // by its name, or a file
	Model    string          `yaml:"model" json:"model,omitempty"`            // role that looks, or tries out; empty: none
	Judge    string          `yaml:"judge" json:"judge,omitempty"`            // protocols of the model; empty: those that the recipe reads
	Profile  vitrine.Profile `yaml:"profile" json:"profile,omitempty"`        // of questions to models; empty: that of the recipe
	Interact string          `yaml:"interact" json:"interact,omitempty"`      // as --interact of vitrine score has it; empty: as the recipe reads it
	Unjudged bool            `yaml:"keep_unjudged" json:"unjudged,omitempty"` // rows that could not be judged stay, with a reward of null
}

// Scoring is by what outputs are scored.
type Scoring struct {
	Recipe, Judge, Interact string
	Profile                 vitrine.Profile
	Model                   string // by which it is asked; empty: none
}

// Sites build, see, try out and judge what models wrote.
type Sites interface {
	// By names all that can change what comes of a scoring.
	By(ctx context.Context, s Scoring) (string, error)
	// Score scores the outputs of files of rows into a run folder, or goes on with it: what
	// is scored there is not scored again. The samples are by the ids of the rows; traces
	// lie in their evidence.
	Score(ctx context.Context, s Scoring, files []string, dir string) (map[string]vitrine.Sample, error)
}

func (s *Score) asks() []string {
	if s.Model == "" {
		return nil
	}
	return []string{s.Model}
}

func (s *Score) check(*Pipeline) error {
	if s.Recipe == "" {
		return errors.New("recipe: name one, such as looks")
	}
	return nil
}

// scoring is what the sites are told.
func (s *Score) scoring(a *Asking) Scoring {
	return Scoring{Recipe: s.Recipe, Judge: s.Judge, Interact: s.Interact, Profile: s.Profile, Model: a.Models[s.Model].Ask}
}

func (s *Score) run(w *work) error {
	samples, err := w.sites.Score(w.ctx, s.scoring(&w.asking), w.in, w.runs)
	if err != nil {
		return err
	}
	if err := w.unfinished(samples); err != nil {
		return err
	}
	if err := w.judged(samples); err != nil {
		return err
	}
	var failed error
	err = w.change(func(r inputs.Record) (json.RawMessage, string) {
		sample, there := samples[r.ID]
		if !there {
			return nil, "no output"
		}
		if sample.Reward == nil && !s.Unjudged {
			return nil, "unjudged: " + cause(sample)
		}
		row, err := setAll(r.Row, w.seen(&sample))
		failed = errors.Join(failed, err)
		return row, ""
	})
	return errors.Join(err, failed)
}

// judged counts what judges and who tried sites out asked models, by the evidence. Samples
// that share an evidence folder were worked for once.
func (w *work) judged(samples map[string]vitrine.Sample) error {
	seen := map[string]bool{}
	for _, s := range samples {
		if s.Evidence == "" || seen[s.Evidence] {
			continue
		}
		seen[s.Evidence] = true
		dir := filepath.Join(w.runs, filepath.FromSlash(s.Evidence))
		opinions, err := evidence.LoadOpinions(dir)
		if err != nil {
			return err
		}
		trace, err := evidence.LoadTrace(dir)
		if err != nil {
			return err
		}
		var calls []vitrine.Call
		for _, o := range opinions {
			calls = append(calls, o.Calls...)
		}
		if trace != nil {
			calls = append(calls, trace.Calls...)
			for _, c := range trace.Cases {
				calls = append(calls, c.Calls...)
			}
		}
		for _, c := range calls {
			w.count("calls", 1)
			w.count("tokens_in", float64(c.Cost.TokensIn))
			w.count("tokens_out", float64(c.Cost.TokensOut))
		}
	}
	return nil
}

func cause(s vitrine.Sample) string {
	if s.Error == nil {
		return "no reward"
	}
	return string(s.Error.Code)
}

// mostTries is how many runs try an output that no judgement comes of. Then it is unjudged.
const mostTries = 3

// unfinished says which samples may be judged when they are tried again. A model without a
// usable answer is none of these: its answers are kept. How often each was tried is kept
// beside the run folder.
func (w *work) unfinished(samples map[string]vitrine.Sample) error {
	causes, n := map[vitrine.FaultCode]int{}, 0
	name, before, tries := w.runs+".tries.json", map[string]int{}, map[string]int{}
	if err := disk.ReadJSON(name, &before); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for id, s := range samples {
		if s.Error == nil || !s.Error.Code.Retryable() || s.Error.Code == vitrine.FaultJudge {
			continue
		}
		if tries[id] = before[id]; s.Error.Code != vitrine.FaultRateLimited && s.Error.Code != vitrine.FaultRegistry { // these are not its own
			tries[id]++
		}
		if tries[id] < mostTries {
			causes[s.Error.Code]++
			n++
		}
	}
	if n == 0 {
		return nil
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), disk.WriteJSON(name, tries)); err != nil {
		return disk.Fault(err)
	}
	var all []string
	for _, code := range slices.Sorted(maps.Keys(causes)) {
		all = append(all, fmt.Sprintf("%s %d", code, causes[code]))
	}
	first := slices.Sorted(maps.Keys(causes))[0]
	return vitrine.NewFault("data", first, nil, fmt.Sprintf("%d of %d outputs could not be judged yet: %s", n, len(samples), strings.Join(all, ", "))).
		WithFix(fmt.Sprintf("run the same command again: what was scored is not scored again; what fails %d times is left unjudged", mostTries))
}

// seen are the fields that a row gets.
func (w *work) seen(s *vitrine.Sample) map[string]any {
	fields := map[string]any{"reward": s.Reward, "outcome": s.Outcome, "why": s.Why}
	if s.Reward == nil {
		fields["why"] = cause(*s)
	}
	if len(s.Scores) > 0 {
		fields["scores"] = s.Scores
	}
	if s.Evidence == "" {
		return fields
	}
	at := path.Join("runs", filepath.Base(w.runs), s.Evidence)
	fields["evidence"] = at
	ev, err := evidence.Load(filepath.Join(w.runs, filepath.FromSlash(s.Evidence)))
	if err == nil && len(ev.Views) > 0 && len(ev.Views[0].Frames) > 0 { // else nothing was to be seen
		fields["screenshot"] = path.Join(at, ev.Views[0].Frames[0].File)
	}
	return fields
}
