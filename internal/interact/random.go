package interact

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"vitrine/internal/digest"
)

//go:embed scripts/random.js
var randomScript string

// Events that come at once, and the page time after them, in milliseconds.
const (
	randomAtOnce = 10
	randomMS     = 100
)

// Random carries out random events on the page as it stands, drawn by seed, ten at once and then 100 ms of
// page time. It returns the digest of what a person could notice meanwhile: text and fields after
// each event, dialogs, windows, what is stored, and the picture at the end. The same page gives
// the same digest.
func (s *Session) Random(ctx context.Context, seed uint32, events int) (string, error) {
	s.fresh = false
	ctx, cancel := s.tab.Allow(actionTimeout).Context(ctx)
	defer cancel()
	all := ""
	for i := 0; i < events; i += randomAtOnce {
		var read string
		ask := fmt.Sprintf("(%s)(%d, %d)", randomScript, seed+uint32(i)*7919, min(randomAtOnce, events-i))
		if err := s.page.AskIsolated(ctx, ask, &read); err != nil {
			return "", err
		}
		if err := s.pass(ctx, randomMS); err != nil {
			return "", err
		}
		all += read + " "
	}
	if err := s.recorder.sync(ctx, s.page, "true", nil); err != nil {
		return "", err
	}
	said, err := json.Marshal(s.recorder.said())
	if err != nil {
		return "", err
	}
	frame, err := s.shoot(ctx)
	if err != nil {
		return "", err
	}
	return digest.Text(all + "\x00" + string(said) + "\x00" + frame.sum), nil
}

// said are the dialogs and windows of the page so far.
func (r *recorder) said() (all []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.all {
		if e.Dialog != nil || e.Popup != "" {
			all = append(all, []any{e.Dialog, e.Popup})
		}
	}
	return all
}
