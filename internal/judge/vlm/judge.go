package vlm

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/dialog"
)

// A Judge asks one model by one protocol.
type Judge struct {
	Asker    dialog.Asker
	Settings Settings
}

// question is one protocol with the one or two sites that it asks about.
type question struct {
	Settings
	*protocol
	prompt *prompt
	sites  []Subject
}

func newQuestion(s Settings, pair bool, sites ...Subject) (*question, error) {
	p, err := find(s.Protocol, pair)
	if err != nil {
		return nil, err
	}
	p = p.in(s.Profile)
	q := &question{Settings: s.withDefaults(p), protocol: p, sites: sites}
	if err := q.check(p); err != nil {
		return nil, err
	}
	if q.prompt, err = load(q.promptName(), s.Template, q.isPublished); err != nil {
		return nil, err
	}
	return q, q.lacks()
}

// promptName is the name of the prompt: that of the protocol, except that alignment has
// a prompt for each of its five variants.
func (q *question) promptName() string {
	if q.name == alignment.name {
		return fmt.Sprintf("%s-%d", q.name, q.Variant)
	}
	return q.name
}

// lacks returns an error that names what the protocol needs and a subject does not have.
func (q *question) lacks() error {
	for i := range q.sites {
		s := &q.sites[i]
		switch {
		case s.instruction() == "":
			return usage(q.name+" needs the instruction", "Give it with the sample, or with its task.")
		case q.Observation.image() && s.Evidence == nil:
			return usage(q.name+" looks at screenshots, and there is no evidence", "Capture the site first.")
		case q.Observation.image() && s.invalid() == "" && s.Frames == nil:
			return usage(q.name+" looks at screenshots, and the subject has no frames", "")
		case q.Observation.code() && len(s.Files) == 0 && (s.invalid() == "" || !q.Observation.image()):
			return usage(q.name+" reads code, and there is none", "Give the sample's files, or say observation image.")
		}
	}
	if q.needs != nil {
		return q.needs(q)
	}
	return nil
}

// Judge asks about one site. With an error, the judgement has no scores but lists every
// call that was made.
func (j *Judge) Judge(ctx context.Context, s Subject) (vitrine.Judgement, error) {
	q, err := newQuestion(j.Settings, false, s)
	if err != nil {
		return vitrine.Judgement{Cost: vitrine.Free()}, err
	}
	r := vitrine.Judgement{
		Judge: judgeName(q.protocol, q.prompt, q.Model), Protocol: q.name,
		Findings: []vitrine.Finding{}, Cost: vitrine.Free(),
	}
	if why := q.unseen(&q.sites[0]); why != "" {
		r.Scores = q.worst(q)
		r.Findings = []vitrine.Finding{q.finding(r.Scores[q.main], "No model was asked, since the render is invalid: "+why+".")}
		return r, nil
	}
	a, err := q.ask(ctx, j.Asker)
	r.Calls, r.LeftOut, r.Cost = a.calls, a.leftOut, dialog.Cost(a.calls)
	if err != nil {
		return r, err
	}
	r.Scores, r.Feedback = a.result.scores, a.result.feedback
	r.Findings = append(r.Findings, q.finding(r.Scores[q.main], a.result.feedback))
	r.Findings = append(r.Findings, a.result.findings...)
	r.Findings = append(r.Findings, Injection(s.Evidence, s.Files)...)
	return r, nil
}

// unseen says why a site gets the lowest score without asking the model; empty if the
// protocol does not use the render, or the render is valid.
func (q *question) unseen(s *Subject) string {
	if q.worst == nil || !q.Observation.image() {
		return ""
	}
	if why := s.invalid(); why != "" {
		return why
	}
	if q.name == visual.name && len(q.pictures(s.Evidence)) < moments {
		return fmt.Sprintf("the page has only %d of %d frames", len(q.pictures(s.Evidence)), moments)
	}
	return ""
}

// finding is the main score, scaled to [0, 1].
func (q *question) finding(score float64, why string) vitrine.Finding {
	low, high := q.scale(q)
	share := (score - low) / (high - low)
	if why == "" {
		why = fmt.Sprintf("The model says %g on a scale from %g to %g.", score, low, high)
	}
	return vitrine.Finding{Check: q.name, Status: vitrine.StatusScored, Score: &share, Why: why}
}

// asked is the outcome of one question.
type asked struct {
	result  result
	calls   []vitrine.Call
	leftOut []string
}

// ask sends the question and parses the answer.
func (q *question) ask(ctx context.Context, asker dialog.Asker) (asked, error) {
	request, leftOut, err := q.request()
	if err != nil {
		return asked{}, err
	}
	a := asked{leftOut: leftOut}
	a.calls, err = dialog.Ask(ctx, asker, dialog.Question{
		Model: q.Model, Request: request, Prompt: q.prompt.hash,
		Read: func(text string) (err error) {
			a.result, err = q.understand(text)
			return err
		},
	})
	return a, err
}

// request returns the request to the model and the names of files that it leaves out.
func (q *question) request() (model.Request, []string, error) {
	m, err := q.material()
	if err != nil {
		return model.Request{}, nil, err
	}
	system, parts, err := q.compose(m)
	if err != nil {
		return model.Request{}, nil, err
	}
	schema := q.shape(q).Schema()
	r := model.Request{
		System: system, Messages: []model.Message{model.User(parts...)},
		Schema:    &model.Schema{Name: schemaName(q.name), JSON: schema},
		MaxTokens: q.MaxTokens, Temperature: q.Temperature, Repeat: q.Repeat,
	}
	if q.webDevJudge {
		r = r.AsWebDevJudge(q.Model)
	}
	return r, m.leftOut(), nil
}

// Paraphrase asks for the instruction in other words (WebGen-R1 G.6). It ignores
// Settings.Protocol.
func (j *Judge) Paraphrase(ctx context.Context, instruction string) (string, []vitrine.Call, error) {
	paraphraser := *j
	paraphraser.Settings.Protocol = paraphrase.name
	r, err := paraphraser.Judge(ctx, Subject{Instruction: instruction})
	return r.Feedback, r.Calls, err
}

// swapped is the result with A and B exchanged, for a pair that was shown in reverse order.
func (r result) swapped() result {
	r.a, r.b, r.verdict = r.b, r.a, swapVerdict(r.verdict)
	leaves := maps.Clone(r.leaves)
	for id, v := range leaves {
		leaves[id] = swapVerdict(v)
	}
	r.leaves = leaves
	return r
}

// swapVerdict is a verdict with A and B exchanged.
func swapVerdict(v vitrine.Verdict) vitrine.Verdict {
	switch v {
	case vitrine.VerdictA:
		return vitrine.VerdictB
	case vitrine.VerdictB:
		return vitrine.VerdictA
	}
	return v
}

// reversed is the question with its two sites in reverse order.
func (q *question) reversed() *question {
	r := *q
	r.sites = slices.Clone(q.sites)
	slices.Reverse(r.sites)
	return &r
}
