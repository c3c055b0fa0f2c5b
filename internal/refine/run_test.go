package refine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/refine"
)

// A script is a policy and a critic that do as they are told.
type script struct {
	scores  []float64 // of turn 1 and so on
	last    int       // the turn that does not ask
	faults  int       // so many outputs cannot be judged at first
	asked   []refine.Request
	written int
	judged  int // outputs that were assessed
}

func (s *script) Answer(_ context.Context, r refine.Request) (refine.Answer, error) {
	s.asked = append(s.asked, r)
	s.written++
	return refine.Answer{Text: output(r.Turn, r.Turn != s.last), Tokens: new(10)}, nil
}

var errBrowser = errors.New("the browser died")

func (s *script) Assess(_ context.Context, output string) (refine.Assessment, error) {
	s.judged++
	if s.faults > 0 {
		s.faults--
		return refine.Assessment{}, errBrowser
	}
	var turn int
	if _, err := fmt.Sscanf(output, "Version %d.", &turn); err != nil {
		return refine.Assessment{}, err
	}
	return *assess(s.scores[turn-1], true), nil
}

func forget(*refine.Session) error { return nil }

func TestRun(t *testing.T) {
	s, who := open(t, nil), &script{scores: []float64{0.3, 0.2, 0.5, 0.7}}
	if err := refine.Run(t.Context(), s, who, who, forget); err != nil {
		t.Fatal(err)
	}
	if r := s.Result(); s.Why != refine.EndRounds || r.BestTurn != 4 || *r.Reward != 0.7 {
		t.Errorf("got %s, %+v", s.Why, r)
	}
	if who.judged != len(s.Turns) || who.judged != 4 {
		t.Errorf("%d assessments of %d turns, want one of each of 4", who.judged, len(s.Turns))
	}
	if diff := cmp.Diff(who.asked[1].Messages, who.asked[2].Messages); diff != "" || who.asked[1].Turn == who.asked[2].Turn {
		t.Errorf("a resample is asked of the same messages, as another turn: %s", diff)
	}
}

func TestRunGoesOnWhereItStopped(t *testing.T) {
	s, who := open(t, nil), &script{scores: []float64{0.3, 0.5}, last: 2, faults: 1}
	if err := refine.Run(t.Context(), s, who, who, forget); !errors.Is(err, errBrowser) {
		t.Fatalf("got %v", err)
	}
	if len(s.Turns) != 0 || s.Result().Reward != nil {
		t.Errorf("what could not be judged counts: %+v", s.Turns)
	}
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var again refine.Session
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if err := refine.Run(t.Context(), &again, who, who, forget); err != nil {
		t.Fatal(err)
	}
	if who.written != 2 || again.Why != refine.EndNotAsked || *again.Result().Reward != 0.5 {
		t.Errorf("%d outputs were written, want 2; %s", who.written, again.Why)
	}
}

// Whenever a run is killed, what was kept last goes on to the same end, and the policy
// is asked only for what is missing.
func TestRunGoesOnFromEveryPointThatWasKept(t *testing.T) {
	scores := []float64{0.3, 0.2, 0.5, 0.7}
	var kept [][]byte
	whole, who := open(t, nil), &script{scores: scores}
	err := refine.Run(t.Context(), whole, who, who, func(s *refine.Session) error {
		b, err := json.Marshal(s)
		kept = append(kept, b)
		return err
	})
	if err != nil || len(kept) != 2*len(scores) {
		t.Fatalf("kept %d times, want with each draft and after each of %d turns: %v", len(kept), len(scores), err)
	}
	for i, b := range kept {
		var s refine.Session
		if err := json.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		rest := &script{scores: scores}
		if err := refine.Run(t.Context(), &s, rest, rest, forget); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, &s); diff != "" || rest.written != len(scores)-1-i/2 {
			t.Errorf("from point %d: %d outputs are written, want %d (-want +got):\n%s", i, rest.written, len(scores)-1-i/2, diff)
		}
	}
}

func TestRunStopsWhereItCannotBeKept(t *testing.T) {
	full := errors.New("no space left")
	for at, written := range map[int]int{1: 1, 2: 1, 3: 2} {
		s, who, n := open(t, nil), &script{scores: []float64{0.3, 0.5, 0.7}}, 0
		err := refine.Run(t.Context(), s, who, who, func(*refine.Session) error {
			if n++; n == at {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || who.written != written {
			t.Errorf("the disk is full at point %d: %v after %d outputs, want %d", at, err, who.written, written)
		}
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, who := open(t, nil), &script{}
	if err := refine.Run(ctx, s, who, who, forget); !errors.Is(err, context.Canceled) || who.written != 0 {
		t.Errorf("got %v after %d outputs", err, who.written)
	}
}

func TestRunWithoutACritic(t *testing.T) {
	s, who := open(t, func(s *refine.Settings) { s.CriticFree = true }), &script{}
	if err := refine.Run(t.Context(), s, who, nil, forget); err != nil {
		t.Fatal(err)
	}
	r := s.Result()
	if len(s.Turns) != 3 || r.BestTurn != 3 || r.Reward != nil || r.BestScore != nil || r.Output != output(3, true) {
		t.Errorf("%d turns, %+v", len(s.Turns), r)
	}
	for _, q := range who.asked[1:] {
		if last := q.Messages[len(q.Messages)-1]; last.Role != "user" || !strings.Contains(last.Content, "Nobody has looked at this version. Read it as a stranger would see it") {
			t.Errorf("turn %d is asked for by %q", q.Turn, last.Content)
		}
	}
	s, who = open(t, func(s *refine.Settings) { s.CriticFree = true }), &script{last: 2}
	if err := refine.Run(t.Context(), s, who, nil, forget); err != nil || len(s.Turns) != 2 || s.Why != refine.EndNotAsked || s.Result().Output != output(2, false) {
		t.Errorf("a second version that does not ask: %d turns, %s, %v", len(s.Turns), s.Why, err)
	}
	settings := refine.Defaults()
	settings.CriticFree, settings.MaxRounds = true, 4
	if _, err := refine.New("", "", "", settings); err == nil {
		t.Error("there are four rounds without a critic")
	}
	if _, err := open(t, func(s *refine.Settings) { s.CriticFree = true }).Step(1, refine.Answer{}, assess(1, true)); err == nil {
		t.Error("an assessment without a critic is no error")
	}
}

// export runs a writer and reads its lines back.
func export[T any](t *testing.T, write func(*bytes.Buffer) (int, error)) []T {
	t.Helper()
	var b bytes.Buffer
	n, err := write(&b)
	if err != nil {
		t.Fatal(err)
	}
	var lines []T
	for line := range strings.Lines(b.String()) {
		var v T
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, v)
	}
	if len(lines) != n {
		t.Errorf("%d lines, said to be %d", len(lines), n)
	}
	return lines
}

func exported(t *testing.T) []*refine.Session {
	t.Helper()
	full, who := open(t, nil), &script{scores: []float64{0.3, 0.2, 0.5, 0.7}}
	if err := refine.Run(t.Context(), full, who, who, forget); err != nil {
		t.Fatal(err)
	}
	broken := open(t, func(s *refine.Settings) { s.MaxResamples = 0 })
	for i := range 2 {
		if _, err := broken.Step(i+1, refine.Answer{Text: output(i+1, true)}, assess(0, false)); err != nil {
			t.Fatal(err)
		}
	}
	going, empty := open(t, nil), open(t, nil)
	if _, err := going.Step(1, refine.Answer{Text: output(1, true)}, assess(0.4, true)); err != nil {
		t.Fatal(err)
	}
	empty.Finish()
	return []*refine.Session{full, broken, going, empty}
}

func TestExportForSFT(t *testing.T) {
	sessions := exported(t)
	sessions[2].Finish() // its critique is never answered
	got := export[refine.SFTExample](t, func(b *bytes.Buffer) (int, error) { return refine.WriteSFT(b, sessions) })
	if len(got) != 2 {
		t.Fatalf("%d examples, want those of the two sessions with a valid render", len(got))
	}
	if diff := cmp.Diff([]int{0, 1, 0, 1, 0, 1}, got[0].Train); diff != "" || *got[0].Reward != 0.7 {
		t.Errorf("%s, reward %v", diff, *got[0].Reward)
	}
	for i, m := range got[0].Messages {
		if (m.Role == "assistant") != (got[0].Train[i] == 1) || strings.Contains(m.Content, "Version 2") {
			t.Errorf("message %d: %+v", i, m)
		}
	}
	if diff := cmp.Diff([]int{0, 1}, got[1].Train); diff != "" {
		t.Error(diff)
	}
}

func TestExportForGRPO(t *testing.T) {
	got := export[refine.GRPOExample](t, func(b *bytes.Buffer) (int, error) { return refine.WriteGRPO(b, exported(t)) })
	if len(got) != 2 || *got[0].Reward != 0.7 || *got[1].Reward != 0 || got[0].Rule != refine.RewardBest {
		t.Fatalf("got %+v", got)
	}
	var shape []string
	for _, s := range got[0].Segments {
		if s.Kind != refine.KindText {
			shape = append(shape, fmt.Sprintf("%d %s %s %v %d", s.Turn, s.Owner, s.Kind, s.Accepted, s.Mask))
		}
	}
	want := []string{
		"1 policy code true 1", "1 critic feedback true 0", "2 policy code false 0", "2 critic feedback false 0",
		"3 policy code true 1", "3 critic feedback true 0", "4 policy code true 1",
	}
	if diff := cmp.Diff(want, shape); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExportForDistillation(t *testing.T) {
	got := export[refine.DistillationExample](t, func(b *bytes.Buffer) (int, error) { return refine.WriteDistillation(b, exported(t)) })
	if len(got) != 2 || got[0].Turn != 1 || got[1].Turn != 3 {
		t.Fatalf("got %+v, want the critiques of turns 1 and 3", got)
	}
	for _, e := range got {
		if last := e.Context[len(e.Context)-1]; last.Role != "assistant" || !strings.Contains(last.Content, fmt.Sprintf("Version %d.", e.Turn)) {
			t.Errorf("turn %d: the context ends with %+v", e.Turn, last)
		}
		if e.Target != "<mlm_feedback>\nThe heading is too small.\n</mlm_feedback>" {
			t.Errorf("turn %d: %q", e.Turn, e.Target)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestExportSaysWhyItStopped(t *testing.T) {
	for name, write := range map[string]func() (int, error){
		"sft":          func() (int, error) { return refine.WriteSFT(fullDisk{}, exported(t)) },
		"grpo":         func() (int, error) { return refine.WriteGRPO(fullDisk{}, exported(t)) },
		"distillation": func() (int, error) { return refine.WriteDistillation(fullDisk{}, exported(t)) },
	} {
		if n, err := write(); err == nil || n != 0 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}
