package vlm

import (
	"fmt"
	"strings"

	"vitrine/internal/model"
	"vitrine/internal/model/answer"
	"vitrine/internal/model/fence"
)

// A block is a kind of data and the data.
type block struct{ kind, data string }

// material is all that a call shows: of the task, and of each site.
type material struct {
	instruction, topic, items string
	sites                     []exhibit
}

// An exhibit is what is shown of one site.
type exhibit struct {
	name   string // "the site", "site A", "site B"
	blocks []block
	images []model.Image
	left   []string
}

// maxPageText bounds the visible text of one page, in bytes.
const maxPageText = 8000

// maxTrajectory bounds the record of what was done on a site, in bytes.
const maxTrajectory = 100_000

func (q *question) material() (*material, error) {
	m := &material{instruction: q.sites[0].instruction(), topic: q.sites[0].Topic}
	if q.items != nil {
		m.items = q.items(q)
	}
	for i := range q.sites {
		name := "the site"
		if q.pair {
			name = "site " + string(rune('A'+i))
		}
		if q.name == plot.name {
			name = "the drawn plot"
		}
		e, err := q.exhibit(name, &q.sites[i])
		if err != nil {
			return nil, err
		}
		m.sites = append(m.sites, e)
	}
	if q.name == plot.name {
		m.sites = append(m.sites, exhibit{name: "the true plot", images: q.sites[0].Truth})
	}
	return m, nil
}

func (q *question) exhibit(name string, s *Subject) (exhibit, error) {
	e := exhibit{name: name}
	if q.Observation.image() {
		if err := e.look(q.pictures(s.Evidence), s.Frames); err != nil {
			return e, err
		}
	}
	if q.Observation.code() {
		p := packCode(s.Files, q.CodeTokens)
		e.blocks, e.left = append(e.blocks, block{"code of " + name, p.text}), p.leftOut
	}
	if q.name == trajectory.name {
		e.blocks = append(e.blocks, block{"record of what was done on " + name, beginning(s.Trajectory, maxTrajectory)})
	}
	if q.logged {
		e.blocks = append(e.blocks, block{"log of " + name, s.log()})
	}
	if q.PageText && s.Evidence != nil {
		for i := range s.Evidence.Views {
			if v := &s.Evidence.Views[i]; v.Viewport == s.Evidence.Views[0].Viewport && v.Text != "" {
				e.blocks = append(e.blocks, block{"visible text of " + name, "route " + v.Route + "\n" + v.Text[:runeCut(v.Text, maxPageText)]})
			}
		}
	}
	return e, nil
}

// look adds frames. A tall one may come as several pictures.
func (e *exhibit) look(pictures []picture, frames frameSource) error {
	if len(pictures) == 0 {
		return usage("the evidence of "+e.name+" has no frame to look at", "Capture the site again.")
	}
	var list strings.Builder
	for _, p := range pictures {
		images, err := frames(p.frame)
		if err != nil {
			return fmt.Errorf("frame %s: %w", p.frame.File, err)
		}
		for i, image := range images {
			e.images = append(e.images, image)
			fmt.Fprintf(&list, "%d: %s", len(e.images), p)
			if len(images) > 1 {
				fmt.Fprintf(&list, ", part %d of %d from the top", i+1, len(images))
			}
			list.WriteByte('\n')
		}
	}
	e.blocks = append(e.blocks, block{"list of the screenshots of " + e.name, strings.TrimSpace(list.String())})
	return nil
}

// leftOut names the files that are not shown.
func (m *material) leftOut() []string {
	var names []string
	for _, e := range m.sites {
		for _, file := range e.left {
			if len(m.sites) > 1 {
				file = e.name + ": " + file
			}
			names = append(names, file)
		}
	}
	return names
}

// fence is the mark around all data of the call.
func (m *material) fence() fence.Fence {
	data := []string{m.instruction, m.topic, m.items}
	for _, e := range m.sites {
		for _, b := range e.blocks {
			data = append(data, b.data)
		}
	}
	return fence.New(data)
}

// compose writes the call: the prompt, then for each site its data and pictures.
func (q *question) compose(m *material) (system string, parts []model.Part, err error) {
	f := m.fence()
	w := words{Fence: string(f), Shown: q.shown(), Instruction: f.Around("instruction", m.instruction), Conditions: conditions[q.Condition]}
	w.ScreenshotFirst = q.name == alignment.name && q.ScreenshotFirst
	if m.topic != "" {
		w.Topic = f.Around("topic", m.topic)
	}
	if m.items != "" {
		w.Items = f.Around("items to judge", m.items)
	}
	system, body, err := q.prompt.render(w)
	if err != nil {
		return "", nil, err
	}
	for _, e := range m.sites {
		parts = append(parts, e.parts(f)...)
	}
	if w.ScreenshotFirst {
		return system, append(parts, model.Text(body)), nil
	}
	return system, append([]model.Part{model.Text(body)}, parts...), nil
}

func (e exhibit) parts(f fence.Fence) []model.Part {
	var parts []model.Part
	for _, b := range e.blocks {
		parts = append(parts, model.Text(f.Around(b.kind, b.data)))
	}
	for i := range e.images {
		parts = append(parts, model.Text(fmt.Sprintf("Screenshot %d of %s, which is data:", i+1, e.name)), model.Part{Image: &e.images[i]})
	}
	return parts
}

// shown says in words what the model is given.
func (q *question) shown() string {
	var things []string
	if q.Observation.image() {
		things = append(things, "screenshots")
	}
	if q.Observation.code() {
		things = append(things, "source code")
	}
	return strings.Join(things, " and ")
}

// understand reads an answer: one object of the shape, and what the protocol makes
// of it.
func (q *question) understand(text string) (result, error) {
	raw, err := answer.Extract(text)
	if err != nil {
		return result{}, err
	}
	if err := q.shape(q).Check(raw); err != nil {
		return result{}, err
	}
	return q.read(q, raw)
}

// schemaName is a protocol's name in the letters that providers allow.
func schemaName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// beginning is a text, or as much of it as may be shown and how much that is not.
func beginning(text string, most int) string {
	cut := runeCut(text, most)
	if cut == len(text) {
		return text
	}
	return fmt.Sprintf("%s\n(%d further bytes are left out)", text[:cut], len(text)-cut)
}

// runeCut is the largest index up to limit at which a text can be cut.
func runeCut(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return limit
}
