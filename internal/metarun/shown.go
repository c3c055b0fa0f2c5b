package metarun

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/inputs"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
	"vitrine/internal/model"
	"vitrine/internal/setup"
	"vitrine/internal/tracetext"
)

// Sites are the things that items show, rendered where a judge needs it. It is safe for
// concurrent use. Close it.
type Sites struct {
	Looking setup.Looking // how pages are rendered
	Here    setup.Machine
	Dir     string // evidence of what is rendered

	mu     sync.Mutex
	opened map[way]opening

	graded sync.Map // of pictures, by file, by the measured judge
}

// A look is what is to be seen of a thing.
type look struct {
	instruction string
	exercised   bool // by behave
	repeat      int  // of the question; each after the first sees the page anew
}

// A way is how a pipeline sees things.
type way struct{ exercised, anew bool }

// An opening is an opened pipeline, with the fingerprint of what it is made with.
type opening struct {
	*setup.Pipeline
	made string
}

// Close ends what was opened.
func (s *Sites) Close() {
	for _, p := range s.opened {
		p.Close()
	}
}

// evidence is the folder of what is seen of a thing. Without one it is rendered, and where it
// is to be exercised, by behave; once for each page, instruction and repeat, and again where
// what it is rendered with is another version.
func (s *Sites) evidence(ctx context.Context, t answers.Thing, l look) (string, error) {
	if t.Evidence != "" {
		return t.Evidence, nil
	}
	output, artifact, err := outputOf(t)
	if err != nil {
		return "", err
	}
	output.Instruction = l.instruction
	s.mu.Lock()
	defer s.mu.Unlock() // one browser does
	p, err := s.pipeline(ctx, way{l.exercised, l.repeat > 1})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(s.Dir, contentName(output, artifact, l, p.made))
	if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err == nil {
		return dir, nil
	}
	scored, err := p.ScoreArtifact(ctx, output, artifact, dir)
	if err == nil && scored.Sample.Error != nil && scored.Sample.Error.Stage != "reward" {
		err = scored.Sample.Error
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

func (s *Sites) pipeline(ctx context.Context, w way) (opening, error) {
	if p, ok := s.opened[w]; ok {
		return p, nil
	}
	how := s.Looking
	how.Judging, how.NoCache = setup.Judging{}, how.NoCache || w.anew
	if how.Interacting.By = "none"; w.exercised {
		how.Interacting.By = string(vitrine.ByBehave)
	}
	p, err := how.Open(s.Here, nil)
	if err != nil {
		return opening{}, err
	}
	made, err := p.Provenance(ctx)
	if err != nil {
		p.Close()
		return opening{}, err
	}
	if s.opened == nil {
		s.opened = map[way]opening{}
	}
	s.opened[w] = opening{p, made.Fingerprint()}
	return s.opened[w], nil
}

// outputOf is a page as the pipeline takes it.
func outputOf(t answers.Thing) (vitrine.Output, *vitrine.Artifact, error) {
	if t.Code != "" {
		return vitrine.Output{ID: "shown", Text: t.Code}, nil, nil
	}
	if t.Page == "" {
		return vitrine.Output{}, nil, lacks("the item shows neither a page nor its evidence", "give its thing a page, code or evidence, see docs/meta-data.md")
	}
	in, err := inputs.Open(t.Page, inputs.Settings{AnyText: true})
	if err != nil {
		return vitrine.Output{}, nil, err
	}
	defer in.Close()
	for item, err := range in.Items() {
		return item.Output, item.Artifact, err
	}
	return vitrine.Output{}, nil, lacks(t.Page+" holds no page", "name a page, a project or a file of one output")
}

func lacks(message, fix string) error {
	return vitrine.NewFault("judge", vitrine.FaultUsage, nil, message).WithFix(fix)
}

func contentName(o vitrine.Output, a *vitrine.Artifact, l look, made string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%v\x00%d\x00%s", o.Kind, o.Instruction, o.Text, l.exercised, max(1, l.repeat), made)
	if a != nil {
		for _, f := range a.Files {
			fmt.Fprintf(h, "\x00%s\x00%s", f.Path, f.Content)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// subject is what a model gets to see of a thing.
func (s *Sites) subject(ctx context.Context, i answers.Item, t answers.Thing, a vlm.About) (sub vlm.Subject, err error) {
	sub.Instruction = i.Instruction
	dir := t.Evidence
	if dir == "" && t.Picture == "" && a.Looks {
		if dir, err = s.evidence(ctx, t, look{instruction: i.Instruction}); err != nil {
			return sub, err
		}
	}
	switch {
	case dir != "":
		if err := seen(&sub, dir); err != nil {
			return sub, err
		}
	case t.Picture != "":
		pictured(&sub, t.Picture)
	}
	if a.Reads && len(sub.Files) == 0 && (t.Code != "" || t.Page != "") {
		if sub.Files, err = codeOf(t); err != nil {
			return sub, err
		}
	}
	sub.Trajectory, err = trajectory(t, dir)
	return sub, err
}

// seen fills in what an evidence folder holds.
func seen(sub *vlm.Subject, dir string) (err error) {
	if sub.Evidence, err = evidence.Load(dir); err != nil {
		return err
	}
	sub.Instruction = cmp.Or(sub.Instruction, sub.Evidence.Instruction)
	if a, err := evidence.LoadArtifact(dir); err == nil {
		sub.Files = a.Files
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sub.Frames = framesOf(func(f vitrine.Frame) string { return filepath.Join(dir, filepath.FromSlash(f.File)) })
	return nil
}

// pictured makes evidence of a picture alone.
func pictured(sub *vlm.Subject, file string) {
	valid := vitrine.Validity{Valid: true}
	sub.Evidence = &vitrine.Evidence{Validity: valid, Views: []vitrine.View{{
		Route: "/", Viewport: vitrine.Desktop, Validity: valid, Frames: []vitrine.Frame{{File: file}},
	}}}
	sub.Frames = framesOf(func(f vitrine.Frame) string { return f.File })
}

func framesOf(path func(vitrine.Frame) string) func(vitrine.Frame) ([]model.Image, error) {
	return func(f vitrine.Frame) ([]model.Image, error) {
		raw, err := os.ReadFile(path(f))
		if err != nil {
			return nil, err
		}
		return model.FitEncoded(raw, model.ImageBudget{})
	}
}

// codeOf are the files of a page that is not rendered.
func codeOf(t answers.Thing) ([]vitrine.File, error) {
	if t.Code != "" {
		name := "index.html"
		if strings.Contains(t.Code, "export default") && !strings.Contains(strings.ToLower(t.Code), "<!doctype") {
			name = "page.tsx" // a component, as web arenas show them
		}
		return []vitrine.File{{Path: name, Content: t.Code}}, nil
	}
	o, a, err := outputOf(t)
	switch {
	case err != nil:
		return nil, err
	case a != nil:
		return a.Files, nil
	}
	return []vitrine.File{{Path: filepath.Base(t.Page), Content: o.Text}}, nil
}

// trajectory is what was done on a site, in words, without what whoever did it made of it.
func trajectory(t answers.Thing, dir string) (string, error) {
	if t.Trajectory != "" {
		b, err := os.ReadFile(t.Trajectory)
		return string(b), err
	}
	if dir == "" {
		return "", nil
	}
	trace, err := evidence.LoadTrace(dir)
	if err != nil || trace == nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range trace.Cases {
		fmt.Fprintf(&b, "Tried: %s\n", c.Task)
		for n, step := range c.Steps {
			came := tracetext.Effect(step.Effect)
			if step.Failed != "" {
				came = "could not be done: " + step.Failed
			}
			fmt.Fprintf(&b, "%d. %s: %s\n", n+1, tracetext.Action(step.Action), came)
		}
	}
	return b.String(), nil
}
