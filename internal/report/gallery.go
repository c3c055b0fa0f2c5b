package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"vitrine"
	"vitrine/internal/runs"
)

// maxRowText bounds the words of a card, in characters: the index of ten
// thousand samples is read as a whole.
const maxRowText = 160

// A row is one card of the gallery.
type row struct {
	id, page, model, outcome string
	reward                   *float64
	thumb                    string // URL as seen from report.html, or ""
	text                     string
}

func newRow(s *vitrine.Sample, k kept) row {
	r := row{id: s.ID, page: runs.FolderName(s.ID), model: s.Model, outcome: outcomeOf(s), text: s.Why}
	if judged(s) {
		r.reward = s.Reward
	}
	if s.Error != nil && r.text == "" {
		r.text = s.Error.Message
	}
	if k.evidence == nil {
		return r.short()
	}
	if k.evidence.Instruction != "" {
		r.text = k.evidence.Instruction
	}
	if len(k.evidence.Views) > 0 {
		r.thumb = k.fromRun(k.evidence.Views[0].Thumb)
	}
	return r.short()
}

func (r row) short() row {
	r.text = clip(strings.Join(strings.Fields(r.text), " "), maxRowText)
	return r
}

// clip cuts a text to n characters, at the end of which it says so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// An index is what the gallery script reads. Rows name models and outcomes by
// their place in these lists:
//
//	[id, page, model, outcome, reward or null, thumbnail or "", text]
type index struct {
	Digits   int         `json:"digits"`
	Models   []string    `json:"models"`
	Outcomes [][3]string `json:"outcomes"` // key, name, class
	Rows     [][7]any    `json:"rows"`
}

func writeIndex(w io.Writer, r *run, rows []row) error {
	ix := index{Digits: r.digits(), Models: []string{}, Rows: make([][7]any, len(rows))}
	models, kinds := map[string]int{}, map[string]int{}
	for i, x := range rows {
		m, ok := models[x.model]
		if !ok {
			m = len(ix.Models)
			models[x.model], ix.Models = m, append(ix.Models, x.model)
		}
		o, ok := kinds[x.outcome]
		if !ok {
			o = len(ix.Outcomes)
			kinds[x.outcome], ix.Outcomes = o, append(ix.Outcomes, [3]string{x.outcome, outcomeName(x.outcome), outcomeClass(x.outcome)})
		}
		ix.Rows[i] = [7]any{x.id, x.page, m, o, x.reward, x.thumb, x.text}
	}
	b, err := json.Marshal(ix) // escapes what could end a script
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "window.vitrineIndex = %s;\n", b)
	return err
}
