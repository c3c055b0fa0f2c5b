package metarun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/measured/pixels"
	"vitrine/internal/meta/answers"
	"vitrine/internal/picture"
)

// measuredTie is by how many of 100 points the measured judge has to like one site better, as
// in vitrine compare. A picture alone has at most 30 points, and pictureTie is as much of these.
const (
	measuredTie = 1
	pictureTie  = 0.3 * measuredTie
)

// Measured is the measured judge: of a rating the total of 0 to 100, of a picture alone the
// aesthetics of 0 to 30, and of a pair the better of the two.
type Measured struct{ Sites *Sites }

// Name is that of the judge of evidence, or of pictures.
func (m Measured) Name(i answers.Item) (string, error) {
	switch {
	case i.Kind != answers.Rating && i.Kind != answers.Pair:
		return "", lacks("the measured judge answers neither units nor classes", "ask another judge, such as behave")
	case byPicture(i.Shown):
		return pixels.Name, nil
	}
	return measured.Name, nil
}

// byPicture says that things are shown by a picture and nothing else.
func byPicture(shown []answers.Thing) bool {
	for _, t := range shown {
		if t.Evidence != "" || t.Page != "" || t.Code != "" {
			return false
		}
	}
	return true
}

// Answer measures.
func (m Measured) Answer(ctx context.Context, q answers.Question) (answers.Answer, error) {
	grades := make([]float64, len(q.Item.Shown))
	for n, t := range q.Item.Shown {
		var err error
		if grades[n], err = m.grade(ctx, q, t); err != nil {
			return answers.Answer{}, err
		}
	}
	if q.Item.Kind == answers.Rating {
		return free(answers.Number(grades[0])), nil
	}
	verdict, tie := vitrine.VerdictTie, float64(measuredTie)
	if byPicture(q.Item.Shown) {
		tie = pictureTie
	}
	switch difference := grades[0] - grades[1]; {
	case difference > tie:
		verdict = vitrine.VerdictA
	case difference < -tie:
		verdict = vitrine.VerdictB
	}
	return free(answers.Text(string(verdict))), nil
}

func free(v *answers.Value) answers.Answer { return answers.Answer{Value: v, USD: new(float64)} }

func (m Measured) grade(ctx context.Context, q answers.Question, t answers.Thing) (float64, error) {
	if byPicture([]answers.Thing{t}) {
		return m.Sites.looks(t.Picture)
	}
	dir, err := m.Sites.evidence(ctx, t, look{instruction: q.Item.Instruction, repeat: q.Repeat})
	if err != nil {
		return 0, err
	}
	ev, err := evidence.Load(dir)
	if err != nil {
		return 0, unseen(dir, err)
	}
	return score(measured.Judge(ev), "total")
}

// looks is the grade of a picture, which stands in many pairs and is decoded once.
func (s *Sites) looks(file string) (float64, error) {
	if known, ok := s.graded.Load(file); ok {
		return known.(float64), nil
	}
	img, err := picture.ReadFile(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return 0, unseen(file, err)
	}
	grade, err := score(pixels.Judge(img, nil), "aesthetics")
	if err == nil {
		s.graded.Store(file, grade)
	}
	return grade, err
}

func unseen(what string, err error) error {
	return vitrine.NewFault("judge", vitrine.FaultUsage, err, "cannot see "+what+": "+err.Error())
}

func score(j vitrine.Judgement, name string) (float64, error) {
	v, ok := j.Scores[name]
	if !ok {
		return 0, vitrine.NewFault("judge", vitrine.FaultJudge, nil, "there is no score "+name)
	}
	return v, nil
}

// Behave proves by relations what was asked for, in a browser: of a rating the share of the
// behaviours that work, 0 to 1, and of a unit whether what it asks does.
type Behave struct{ Sites *Sites }

// Name is behave's.
func (b Behave) Name(i answers.Item) (string, error) {
	if i.Kind != answers.Rating && i.Kind != answers.Unit {
		return "", lacks("behave answers neither pairs nor classes", "ask another judge, such as measured")
	}
	return string(vitrine.ByBehave), nil
}

// Answer tries the site.
func (b Behave) Answer(ctx context.Context, q answers.Question) (answers.Answer, error) {
	asks := q.Item.Instruction
	if q.Item.Kind == answers.Unit {
		asks = q.Item.Asks
	}
	if asks == "" {
		return answers.Answer{}, lacks("the item does not say what is asked of the site", "give it instruction, and of a unit asks")
	}
	thing, err := triedFor(q.Item.Shown[0], asks)
	if err != nil {
		return answers.Answer{}, err
	}
	dir, err := b.Sites.evidence(ctx, thing, look{instruction: asks, exercised: true, repeat: q.Repeat})
	if err != nil {
		return answers.Answer{}, err
	}
	trace, err := evidence.LoadTrace(dir)
	if err != nil {
		return answers.Answer{}, unseen(dir, err)
	}
	if trace == nil || trace.By != vitrine.ByBehave {
		return answers.Answer{}, lacks(dir+" has no trace of behave", "score the page with --interact behave, or show the page itself")
	}
	seconds := trace.WallMS / 1000
	a := free(nil)
	a.Seconds = &seconds
	switch {
	case q.Item.Kind == answers.Unit:
		a.Value, a.Error = proved(trace)
	case trace.Function == nil:
		a.Error = "the site could not be tried"
	case len(trace.Cases) == 0 && trace.Validity.Valid: // its 1 is of nothing
		a.Error = nothingAsked
	default:
		a.Value = answers.Number(*trace.Function)
	}
	return a, nil
}

// triedFor is a thing without its evidence where that was made for something else than is asked
// and the page is there to be tried anew. The trace of it would answer another question.
func triedFor(t answers.Thing, asks string) (answers.Thing, error) {
	if t.Evidence == "" {
		return t, nil
	}
	ev, err := evidence.Load(t.Evidence)
	switch {
	case err != nil:
		return t, unseen(t.Evidence, err)
	case strings.TrimSpace(ev.Instruction) == strings.TrimSpace(asks):
		return t, nil
	case t.Page == "" && t.Code == "":
		return t, lacks("the site in "+t.Evidence+" was tried for another instruction than is asked about", "show the page itself, or its evidence by vitrine score --interact behave with that as the instruction")
	}
	t.Evidence = ""
	return t, nil
}

// nothingAsked is why behave has no answer about a site that asks for nothing to operate.
const nothingAsked = "behave reads no behaviour out of what is asked"

// proved says whether all that was asked for works; nothing where behave reads nothing out of
// what is asked, or cannot tell.
func proved(t *vitrine.Trace) (*answers.Value, string) {
	if len(t.Cases) == 0 {
		if !t.Validity.Valid {
			return answers.Bool(false), ""
		}
		return nil, nothingAsked
	}
	for _, c := range t.Cases {
		switch c.Verdict {
		case vitrine.VerdictWorks:
		case vitrine.VerdictUnclear:
			return nil, fmt.Sprintf("it cannot be told whether %s: %s", c.Task, c.Why)
		default:
			return answers.Bool(false), ""
		}
	}
	return answers.Bool(true), ""
}
