package agent

import (
	"strings"

	"vitrine/internal/model"
	"vitrine/internal/model/fence"
)

// request is the conversation up to the last turn. Of the pictures and lists only
// the last few are in it; what each action changed stays.
func (r *run) request() (model.Request, error) {
	f := r.mark()
	b := r.brief
	if !r.form.marked {
		b.grid = r.turns[0].seen.grid.words()
	}
	system, body, err := r.prompt.render(b, f)
	if err != nil {
		return model.Request{}, err
	}
	var messages []model.Message
	for i, t := range r.turns {
		parts := r.effectParts(i, f)
		if i == 0 {
			parts = append([]model.Part{model.Text(body)}, parts...)
		} else {
			before := model.Text(r.turns[i-1].answer)
			messages = append(messages, model.Message{Role: model.RoleAssistant, Parts: []model.Part{before}})
		}
		if i >= len(r.turns)-r.agent.Settings.Frames {
			parts = append(parts, t.seen.parts(f)...)
		} else {
			parts = append(parts, model.Text("The picture of this moment is left out."))
		}
		if t.warning != "" {
			parts = append(parts, model.Text(t.warning))
		}
		messages = append(messages, model.User(parts...))
	}
	q := r.agent.wrap(model.Request{System: system, Messages: messages}, "turn", r.form.schema)
	if r.webDevJudge() {
		q = q.AsWebDevJudge(r.agent.Settings.Model)
	}
	return q, nil
}

// webDevJudge reports whether this is the executor of WebDevJudge as published, which has a
// temperature (B.1) and ends at its limit of steps alone (B.3).
func (r *run) webDevJudge() bool { return r.brief.published && !r.form.marked }

// wrap adds what the settings say of every call.
func (a *Agent) wrap(q model.Request, name string, schema []byte) model.Request {
	q.MaxTokens, q.Temperature, q.Repeat = a.Settings.MaxTokens, a.Settings.Temperature, a.Settings.Repeat
	if schema != nil {
		q.Schema = &model.Schema{Name: name, JSON: schema}
	}
	return q
}

// effectParts describes the effects of the actions before a turn, for its message.
func (r *run) effectParts(turn int, f fence.Fence) []model.Part {
	if words := r.effects(turn); words != "" {
		return []model.Part{model.Text(f.Around("what your last action did", words))}
	}
	return nil
}

func (r *run) effects(turn int) string {
	if turn == 0 {
		return ""
	}
	var lines []string
	for i := range r.turns[turn-1].steps {
		lines = append(lines, effectWords(&r.turns[turn-1].steps[i]))
	}
	return strings.Join(lines, "\n")
}

// parts is a view as a model sees it.
func (v *view) parts(f fence.Fence) []model.Part {
	return []model.Part{
		model.Text(f.Around("the page", v.words)),
		model.Text("The window, which is data:"), {Image: &v.image},
	}
}

// mark is the fence of the run. It stays as it was in the turn before unless the
// page has got hold of it, so that conversations begin alike.
func (r *run) mark() fence.Fence {
	data := []string{r.brief.instruction, r.brief.topic, r.brief.items}
	for i, t := range r.turns {
		data = append(data, r.effects(i), t.seen.words)
	}
	if r.fence == "" || r.fence.In(data...) {
		r.fence = fence.New(data)
	}
	return r.fence
}
