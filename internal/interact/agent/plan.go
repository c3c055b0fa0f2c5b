package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/model"
	"vitrine/internal/model/answer"
	"vitrine/internal/model/dialog"
	"vitrine/internal/model/fence"
)

// A candidate is an interaction that a plan lists.
type candidate struct {
	Task       string `json:"task"`
	Expect     string `json:"expect"`
	Importance int    `json:"importance"`
	Network    bool   `json:"network"`
}

// A plan is what the model would try, and what of it is tried.
type plan struct {
	Candidates []candidate `json:"candidates"`
	chosen     []candidate
}

const maxCandidates = 20

var planShape = answer.Object(
	thoughtField(),
	answer.Field{Name: "candidates", Shape: answer.List(answer.Object(
		answer.Field{Name: "task", Shape: answer.Text(500)},
		answer.Field{Name: "expect", Shape: answer.Text(500)},
		answer.Field{Name: "importance", Shape: answer.Integer(0, 100)},
		answer.Field{Name: "network", Shape: answer.Bool()},
	), maxCandidates)},
)

// plan asks for candidates from the first window and takes the n most important
// that work without a network.
func (r *run) plan(ctx context.Context, n int) (*plan, ending, error) {
	template, err := load("plan")
	if err != nil {
		return nil, ending{}, err
	}
	seen, err := r.look(ctx)
	if err != nil {
		return nil, ending{}, err
	}
	f := fence.New([]string{r.brief.instruction, r.brief.topic, seen.words})
	system, body, err := template.render(brief{instruction: r.brief.instruction, most: maxCandidates, published: r.brief.published, topic: r.brief.topic}, f)
	if err != nil {
		return nil, ending{}, err
	}
	p := &plan{}
	parts := append([]model.Part{model.Text(body)}, seen.parts(f)...)
	e, err := r.put(ctx, dialog.Question{
		Request: r.agent.wrap(model.Request{System: system, Messages: []model.Message{model.User(parts...)}}, "plan", planShape.Schema()),
		Prompt:  template.hash,
		Read:    func(text string) error { *p = plan{}; return read(text, planShape, p) },
	})
	if err != nil || e.reason != "" {
		return nil, e, err
	}
	p.choose(n)
	return p, ending{}, nil
}

// choose takes the n candidates of the greatest importance; equal ones stay in the
// model's order.
func (p *plan) choose(n int) {
	offline := slices.DeleteFunc(slices.Clone(p.Candidates), func(c candidate) bool { return c.Network })
	slices.SortStableFunc(offline, func(a, b candidate) int { return b.Importance - a.Importance })
	p.chosen = offline[:min(n, len(offline))]
}

// words is the list of what is tried.
func (p *plan) words() string {
	var b strings.Builder
	for i, c := range p.chosen {
		fmt.Fprintf(&b, "%d. %s\n   expected: %s\n", i+1, oneLine(c.Task), oneLine(c.Expect))
	}
	return strings.TrimSpace(b.String())
}
