package metarun

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
	"vitrine/internal/model/dialog"
	"vitrine/internal/setup"
)

// Model is a language model that judges by a protocol.
type Model struct {
	Asker    dialog.Asker
	Settings vlm.Settings
	Tree     *rubric.Tree // of items that have none of their own; may be nil
	Score    string       // of ratings; empty: the main one of the protocol
	Sites    *Sites
	// Withheld asks without the instruction.
	Withheld bool
}

// Name is protocol@version model, with what else is not as it is by default.
func (m *Model) Name(i answers.Item) (string, error) {
	s, err := m.settings(i)
	if err != nil {
		return "", err
	}
	about, err := s.About(i.Kind == answers.Pair)
	if err != nil {
		return "", err
	}
	name := about.Judge
	add := func(set bool, format string, args ...any) {
		if set {
			name += ", " + fmt.Sprintf(format, args...)
		}
	}
	add(s.Observation != "", "observe %s", s.Observation)
	add(s.Temperature != nil, "temperature %v", deref(s.Temperature))
	add(i.Kind == answers.Pair && s.Position == vlm.PositionAlone, "each alone")
	add(i.Kind == answers.Rating && m.Score != "", "%s", m.Score)
	add(s.Protocol == "alignment" && s.Condition != "" && s.Condition != "variant", "%s", s.Condition)
	add(s.Protocol == "rubric" && m.Tree != nil, "rubric %.8s", digest.Of(m.Tree))
	add(m.Withheld, "without instruction")
	return name, nil
}

func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// settings are those of questions about an item. Of units that are judged by what was done
// on a site, feasibility is asked as trajectory.
func (m *Model) settings(i answers.Item) (vlm.Settings, error) {
	s := m.Settings
	if s.Observation == "trajectory" {
		s.Observation = ""
		if s.Protocol != "feasibility" {
			return s, lacks("--observe trajectory is for units by the protocol feasibility, not "+s.Protocol, "say --judge feasibility")
		}
		s.Protocol = "trajectory"
	}
	switch unit := s.Protocol == "feasibility" || s.Protocol == "trajectory"; {
	case i.Kind == answers.Class:
		return s, lacks("no protocol answers questions about categories", "ask pairs, units or ratings")
	case i.Kind == answers.Unit && !unit:
		return s, lacks("units are judged by feasibility or behave, not by "+s.Protocol, "say --judge feasibility")
	case i.Kind != answers.Unit && unit:
		return s, lacks(s.Protocol+" judges units alone", "say --judge direct or likert")
	}
	if n, ok := strings.CutPrefix(i.Template, "alignment-"); ok && s.Protocol == "alignment" {
		if _, err := fmt.Sscan(n, &s.Variant); err != nil {
			return s, lacks("there is no template "+i.Template, "name templates alignment-1 to alignment-5")
		}
	}
	return s, nil
}

// Answer asks the model once.
func (m *Model) Answer(ctx context.Context, q answers.Question) (a answers.Answer, err error) {
	s, err := m.settings(q.Item)
	if err != nil {
		return a, err
	}
	pair := q.Item.Kind == answers.Pair
	about, err := s.About(pair)
	if err != nil {
		return a, err
	}
	subjects, err := m.subjects(ctx, q.Item, about)
	if err != nil {
		return a, err
	}
	s.Repeat = q.Repeat - 1
	if !pair {
		s.ScreenshotFirst = q.Swapped
	}
	judge := &vlm.Judge{Asker: m.Asker, Settings: s}
	if pair {
		return compared(ctx, judge, subjects, q.Swapped)
	}
	j, err := judge.Judge(ctx, subjects[0])
	a = spent(j.Calls, j.Cost)
	if err != nil {
		return a, err
	}
	v, err := score(j, cmp.Or(m.Score, about.Main))
	switch {
	case err != nil:
		return a, err
	case q.Item.Kind == answers.Unit:
		a.Value = answers.Bool(v == 1)
	default:
		a.Value = answers.Number(v)
	}
	return a, nil
}

// subjects are what is shown, with the task, the rubric and the test case.
func (m *Model) subjects(ctx context.Context, i answers.Item, about vlm.About) ([]vlm.Subject, error) {
	tree, err := m.treeOf(i)
	if err != nil {
		return nil, err
	}
	subjects := make([]vlm.Subject, len(i.Shown))
	for n, t := range i.Shown {
		sub, err := m.Sites.subject(ctx, i, t, about)
		if err != nil {
			return nil, err
		}
		sub.Tree = tree
		if sub.Instruction == "" && i.Kind == answers.Unit || m.Withheld {
			sub.Instruction = "(The request is not known.)"
		}
		if i.Asks != "" {
			sub.Cases = []vitrine.TestCase{{Task: i.Asks}}
		}
		subjects[n] = sub
	}
	return subjects, nil
}

// treeOf is the rubric tree of an item.
func (m *Model) treeOf(i answers.Item) (*rubric.Tree, error) {
	var file string
	switch {
	case len(i.Rubric) == 0:
		return m.Tree, nil
	case json.Unmarshal(i.Rubric, &file) == nil:
		return setup.ReadTree(file)
	}
	return rubric.Parse(i.Rubric)
}

// compared asks about a pair in one order; the value is of the item's own A and B.
func compared(ctx context.Context, j *vlm.Judge, of []vlm.Subject, swapped bool) (answers.Answer, error) {
	first, second := of[0], of[1]
	if swapped {
		first, second = second, first
	}
	c, err := j.Compare(ctx, first, second)
	a := spent(c.Calls, c.Cost)
	if err != nil {
		return a, err
	}
	verdict := c.Verdict
	if swapped {
		switch verdict {
		case vitrine.VerdictA:
			verdict = vitrine.VerdictB
		case vitrine.VerdictB:
			verdict = vitrine.VerdictA
		}
	}
	a.Value = answers.Text(string(verdict))
	return a, nil
}

// spent is an answer without a value, with what its calls took.
func spent(calls []vitrine.Call, cost vitrine.Cost) answers.Answer {
	a := answers.Answer{USD: cost.USD}
	if len(calls) > 0 {
		seconds := 0.0
		for _, c := range calls {
			seconds += c.LatencyMS / 1000
		}
		a.Seconds = &seconds
	}
	return a
}
