package vlm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
)

// votes answers each repeat with its own text.
type votes map[string][]string

func (v votes) Ask(ctx context.Context, name string, r model.Request) (model.Reply, error) {
	return says(v[name][r.Repeat]).Ask(ctx, name, r)
}

func grades(gs ...string) []string {
	out := make([]string, len(gs))
	for i, g := range gs {
		out[i] = fmt.Sprintf(`{"analysis":"grade %s","grade":%s}`, g, g)
	}
	return out
}

func TestPanelOfRepeats(t *testing.T) {
	t.Parallel()
	p := Panel{Asker: votes{"openai/judge": grades("2", "3", "4", "none")}, Members: Repeats(settings("appearance"), 4)}
	got, err := p.Judge(t.Context(), site())
	if err != nil {
		t.Fatal(err)
	}
	want := vitrine.Spread{N: 3, Mean: 3, SD: 1, Min: 2, Max: 4}
	if diff := cmp.Diff(want, got.Panel.Spread["appearance"], close); diff != "" || got.Scores["appearance"] != 3 {
		t.Errorf("score %v: %s", got.Scores, diff)
	}
	// Distances 1, 2 and 1 on a scale of 5.
	if a := got.Panel.Agreement; a == nil || math.Abs(*a-(1-4./3/5)) > 1e-9 {
		t.Errorf("agreement %v", a)
	}
	if m := got.Panel.Members; len(m) != 4 || m[3].Error == nil || m[3].Scores != nil || m[3].Error.Code != vitrine.FaultJudge {
		t.Errorf("members %+v", m)
	}
	if got.Feedback != "grade 3" || got.Judge != "appearance@1 openai/judge ×4" || len(got.Calls) != 5 || *got.Cost.USD != 1.25 {
		t.Errorf("%q, %q, %d calls, %v", got.Feedback, got.Judge, len(got.Calls), *got.Cost.USD)
	}
}

func TestPanelBelowItsQuorumIsUnjudged(t *testing.T) {
	t.Parallel()
	p := Panel{Asker: votes{"openai/judge": grades("2", "none", "none")}, Members: Repeats(settings("appearance"), 3)}
	got, err := p.Judge(t.Context(), site())
	if f := vitrine.AsFault("judge", err); err == nil || f.Code != vitrine.FaultJudge || !strings.Contains(f.Message, "1 of 3") {
		t.Errorf("got %v", err)
	}
	if got.Scores != nil || len(got.Calls) != 5 || len(got.Panel.Members) != 3 {
		t.Errorf("%+v", got)
	}
	p.Quorum = 1
	if got, err := p.Judge(t.Context(), site()); err != nil || got.Scores["appearance"] != 2 || got.Panel.Agreement != nil {
		t.Errorf("%v, %v", got.Scores, err)
	}
}

func TestPanelOfPairsVotes(t *testing.T) {
	t.Parallel()
	win := func(w string) string { return fmt.Sprintf(`{"reason":"x","winner":%q}`, w) }
	for _, c := range []struct {
		votes []string
		want  vitrine.Verdict
	}{{[]string{"A", "A", "B"}, "A"}, {[]string{"A", "B"}, "tie"}, {[]string{"A", "B", "tie"}, "tie"}, {[]string{"B", "B", "?"}, "B"}} {
		v := votes{}
		for _, w := range c.votes {
			v["openai/judge"] = append(v["openai/judge"], win(w))
		}
		p := Panel{Asker: v, Members: Repeats(settings("direct"), len(c.votes))}
		got, err := p.Compare(t.Context(), site(), otherSite())
		if err != nil || got.Verdict != c.want || len(got.Panel.Members) != len(c.votes) {
			t.Errorf("%v gave %s, %v; want %s", c.votes, got.Verdict, err, c.want)
		}
	}
}

type broke struct{}

func (broke) Ask(context.Context, string, model.Request) (model.Reply, error) {
	return model.Reply{}, vitrine.NewFault("judge", vitrine.FaultBudget, errors.New("spent"), "the budget is reached")
}

func TestABudgetEndsThePanelAndTheCascade(t *testing.T) {
	t.Parallel()
	p := Panel{Asker: broke{}, Members: Repeats(settings("appearance"), 2)}
	c := Cascade{Cheap: p, Strong: Panel{Asker: says("never"), Members: Repeats(settings("appearance"), 1)}}
	for _, judge := range []func(context.Context, Subject) (vitrine.Judgement, error){p.Judge, c.Judge} {
		if _, err := judge(t.Context(), site()); err == nil || vitrine.AsFault("judge", err).Code != vitrine.FaultBudget {
			t.Errorf("got %v", err)
		}
	}
}

func TestPanelsThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, p := range []Panel{{}, {Members: Repeats(settings("static"), 2), Quorum: 3}, {Members: []Settings{settings("static"), settings("visual")}}, {Members: []Settings{settings("x")}}} {
		p.Asker = says("never")
		if _, err := p.Judge(t.Context(), site()); err == nil || vitrine.AsFault("judge", err).Code != vitrine.FaultUsage {
			t.Errorf("%+v: %v", p.Members, err)
		}
	}
}

func TestCascadeAsksTheStrongJudgeWhereTheCheapOneIsUnsure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cheap  []string
		unsure Unsure
		asked  bool
		why    string
	}{
		"agrees":          {[]string{"3", "3", "3"}, Unsure{Spread: 0.5}, false, "sure"},
		"spreads":         {[]string{"1", "3", "5"}, Unsure{Spread: 0.5}, true, "standard deviation of its 3 answers is 2"},
		"at the margin":   {[]string{"3", "3", "3"}, Unsure{Threshold: 3.2, Margin: 0.25}, true, "within 0.25 of 3.2"},
		"off the margin":  {[]string{"3", "3", "3"}, Unsure{Threshold: 4, Margin: 0.25}, false, "sure"},
		"could not judge": {[]string{"x", "y", "3"}, Unsure{}, true, "could not judge"},
	} {
		cheap, strong := settings("appearance"), settings("appearance")
		strong.Model = "openai/strong"
		asker := votes{"openai/judge": grades(c.cheap...), "openai/strong": grades("5")}
		cascade := Cascade{Cheap: Panel{Asker: asker, Members: Repeats(cheap, 3)}, Strong: Panel{Asker: asker, Members: Repeats(strong, 1)}, Unsure: c.unsure}
		got, err := cascade.Judge(t.Context(), site())
		if err != nil || strings.Contains(got.Judge, "strong") != c.asked || !strings.Contains(got.Panel.Decided, c.why) {
			t.Errorf("%s: %s, %q, %v", name, got.Judge, got.Panel.Decided, err)
		}
		if c.asked && (got.Scores["appearance"] != 5 || len(got.Calls) < 4) {
			t.Errorf("%s: scores %v of %d calls", name, got.Scores, len(got.Calls))
		}
	}
}

func TestCascadeOfPairs(t *testing.T) {
	t.Parallel()
	near := fmt.Sprintf(`{"analysis":"x","a":%s,"b":%s}`, ratings(3, "5"), ratings(3))
	far := fmt.Sprintf(`{"analysis":"x","a":%s,"b":%s}`, ratings(5), ratings(1))
	for cheap, asked := range map[string]bool{near: true, far: false} {
		strong := settings("likert")
		strong.Model = "openai/strong"
		asker := votes{"openai/judge": {cheap}, "openai/strong": {far}}
		c := Cascade{Cheap: Panel{Asker: asker, Members: Repeats(settings("likert"), 1)}, Strong: Panel{Asker: asker, Members: []Settings{strong}}, Unsure: Unsure{Margin: 4}}
		got, err := c.Compare(t.Context(), site(), otherSite())
		if err != nil || strings.Contains(got.Judge, "strong") != asked || got.Verdict != vitrine.VerdictA {
			t.Errorf("%s, %s, %v", got.Judge, got.Verdict, err)
		}
	}
}
