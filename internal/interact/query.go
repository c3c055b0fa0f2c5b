package interact

import (
	"context"
	"errors"
	"fmt"

	"vitrine"
)

// An Element is anything on a page, visible or not.
type Element struct {
	Path    string            `json:"path"` // as of a control
	Role    string            `json:"role"`
	Name    string            `json:"name"`
	Tag     string            `json:"tag"`
	Type    string            `json:"type"` // of an input
	Text    string            `json:"text"` // bounded
	Visible bool              `json:"visible"`
	Enabled bool              `json:"enabled"`
	Checked bool              `json:"checked"` // or selected, or pressed
	Value   string            `json:"value"`
	Focused bool              `json:"focused"`
	Box     vitrine.Box       `json:"box"`
	States  []string          `json:"states"`
	Attrs   map[string]string `json:"attrs"` // those asked for that it has
	Styles  map[string]string `json:"style"` // computed, those asked for
}

// Wants are attributes and style properties that a query reads besides.
type Wants struct {
	Attrs, Styles []string
}

const maxFound = 200

// ErrSelector means that a CSS selector is not valid. It does not say whether the page has
// such an element.
var ErrSelector = errors.New("not a CSS selector")

// Query lists every element that a target describes, visible ones first, at most 200.
// Names and texts are compared without case and with white space collapsed: equal ones,
// else those that begin with what is wanted, else those that contain it. A selector that
// does not parse is an [ErrSelector].
func (s *Session) Query(ctx context.Context, t vitrine.Target, wants ...Wants) ([]Element, error) {
	if t.Mark > 0 {
		path, err := s.marked(t.Mark)
		if err != nil {
			return nil, nil
		}
		t = vitrine.Target{CSS: path}
	}
	attrs, styles := []string{}, []string{}
	for _, w := range wants {
		attrs, styles = append(attrs, w.Attrs...), append(styles, w.Styles...)
	}
	var answer struct {
		Bad   bool      `json:"bad"`
		Found []Element `json:"found"`
	}
	if err := s.probe(ctx, &answer, "query", t, attrs, styles, maxFound); err != nil {
		return nil, fmt.Errorf("query the page: %w", err)
	}
	if answer.Bad {
		return nil, fmt.Errorf("%w: %s", ErrSelector, t.CSS)
	}
	return answer.Found, nil
}

// marked is the path of the control with a mark of the scene that was looked at last.
func (s *Session) marked(mark int) (string, error) {
	if s.scene == nil || mark < 1 || mark > len(s.scene.Controls) {
		return "", fmt.Errorf("no control has the mark %d", mark)
	}
	return s.scene.Controls[mark-1].Path, nil
}
