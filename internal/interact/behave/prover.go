package behave

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A prover carries out one relation. Its operations do nothing once one has failed: err is
// then why the page was lost, or the budget is spent, and what is read is empty. A relation
// therefore checks nothing of it.
type prover struct {
	session     *interact.Session
	site        *sitemap
	need        vitrine.Requirement
	others      []vitrine.Requirement // all of the site
	instruction string
	tokens      *tokens
	steps       []vitrine.Step    // of this try
	left        *int              // actions that may still be carried out on this site
	spent       bool              // the budget ended in this try
	dayBack     int               // days between the last possible day and the one that was entered last, plus one; 0: none was
	figures     bool              // fields of text are filled with numbers
	obeyed      map[string]string // examples that the page gave of what fields take, by placeOfField; empty: numbers
	fixed       map[string]string // what fields get, by keyOfField, instead of tokens
	player      string            // who plays, the same in each run of a game
	resets      []opening         // fresh states of this try
	edited      bool              // a row was edited by an editor of its own in this try
	err         error
}

// maxSteps bounds the actions of one try of a relation: a long quiz takes most, 150.
const maxSteps = 200

// A moment is a state of the page: the place that was opened afresh, how many actions were
// left when it was, and what was read. Without an action it stays, as page time does.
type moment struct {
	at    *place
	left  int
	view  *view
	texts string
}

// An answer is what came of a relation.
type answer struct {
	verdict vitrine.CaseVerdict
	why     string
}

func works(format string, args ...any) answer {
	return answer{vitrine.VerdictWorks, fmt.Sprintf(format, args...)}
}

// fails says what did not hold.
func fails(format string, args ...any) answer {
	return answer{vitrine.VerdictFail, fmt.Sprintf(format, args...)}
}

// absent says that the site has no control for it.
func absent(format string, args ...any) answer {
	return answer{vitrine.VerdictAbsent, fmt.Sprintf(format, args...)}
}

// unclear is for causes that the page did not choose: a network, a second user. What the
// page makes undecidable fails.
func unclear(format string, args ...any) answer {
	return answer{vitrine.VerdictUnclear, fmt.Sprintf(format, args...)}
}

// do carries out an action. A step that cannot be carried out has Failed.
func (p *prover) do(ctx context.Context, a vitrine.Action) vitrine.Step {
	p.spent = p.spent || len(p.steps) >= maxSteps
	if p.err != nil || p.spent {
		return vitrine.Step{Action: a, Failed: "not tried"}
	}
	if *p.left <= 0 {
		p.spent = true
		return vitrine.Step{Action: a, Failed: "not tried: the budget of actions is used up"}
	}
	*p.left--
	step, err := p.session.Do(ctx, a)
	p.err = err
	p.steps = append(p.steps, step)
	return step
}

func at(path string) *vitrine.Target { return &vitrine.Target{CSS: path} }

func (p *prover) click(ctx context.Context, path string) vitrine.Step {
	return p.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: at(path)})
}

// write replaces what is in a field.
func (p *prover) write(ctx context.Context, path, text string) vitrine.Step {
	return p.do(ctx, vitrine.Action{Kind: vitrine.ActType, Target: at(path), Text: text})
}

func (p *prover) choose(ctx context.Context, path, option string) vitrine.Step {
	return p.do(ctx, vitrine.Action{Kind: vitrine.ActSelect, Target: at(path), Text: option})
}

// press presses a key at a control, or where the focus is if path is empty.
func (p *prover) press(ctx context.Context, path, key string) vitrine.Step {
	a := vitrine.Action{Kind: vitrine.ActPress, Text: key}
	if path != "" {
		a.Target = at(path)
	}
	return p.do(ctx, a)
}

// wait lets page time pass, in milliseconds.
func (p *prover) wait(ctx context.Context, ms int) vitrine.Step {
	return p.do(ctx, vitrine.Action{Kind: vitrine.ActWait, MS: ms})
}

// look reads the page, and where the given texts stand on it. It is never nil.
func (p *prover) look(ctx context.Context, texts ...string) *view {
	none := &view{&interact.Scene{}, &interact.Survey{}}
	if p.err != nil {
		return none
	}
	key := strings.Join(texts, "\x00")
	if last := p.site.last; last.view != nil && last.left == *p.left && last.texts == key {
		return last.view // nothing was done since
	}
	v, err := read(ctx, p.session, texts...)
	if p.err = err; err != nil {
		return none
	}
	for i, f := range v.survey.Found {
		if f.Editable && !p.typedAt(f.Path) { // the page put it there
			v.survey.Found[i].Where = "text"
		}
	}
	if p.site.last.left != *p.left {
		p.site.last.at = nil
	}
	p.site.last = moment{p.site.last.at, *p.left, v, key}
	return v
}

// typedAt reports whether something was typed in at a path in this try, since the document was loaded.
func (p *prover) typedAt(path string) bool {
	for _, s := range slices.Backward(p.steps) {
		switch {
		case s.Action.Kind == vitrine.ActReload:
			return false
		case s.Action.Kind == vitrine.ActType && s.Action.Target != nil && s.Action.Target.CSS == path:
			return true
		}
	}
	return false
}

func read(ctx context.Context, s *interact.Session, texts ...string) (*view, error) {
	scene, err := s.Look(ctx)
	if err != nil {
		return nil, err
	}
	survey, err := s.Survey(ctx, texts...)
	if err != nil {
		return nil, err
	}
	return &view{scene, survey}, nil
}

// open goes to a place from a fresh state of the site.
func (p *prover) open(ctx context.Context, to *place, texts ...string) *view {
	if last := p.site.last; last.at == to && last.left == *p.left && p.err == nil && !p.spent {
		return p.look(ctx, texts...)
	}
	if p.err == nil && !p.spent {
		p.site.last = moment{}
		p.err = p.session.Reset(ctx, to.route)
		p.resets = append(p.resets, opening{to.route, len(p.steps), len(p.steps)})
	}
	for _, a := range to.way {
		p.do(ctx, a)
	}
	if n := len(p.resets); n > 0 {
		p.resets[n-1].by = len(p.steps)
	}
	p.site.inside = to
	p.site.last = moment{at: to, left: *p.left}
	return p.look(ctx, texts...)
}

// walk carries out the way to a place from where the page stands: nothing that was
// entered before is lost.
func (p *prover) walk(ctx context.Context, way []vitrine.Action, texts ...string) *view {
	for _, a := range way {
		p.do(ctx, a)
	}
	return p.look(ctx, texts...)
}

// reload loads the document again; what is stored stays.
func (p *prover) reload(ctx context.Context, texts ...string) *view {
	p.do(ctx, vitrine.Action{Kind: vitrine.ActReload})
	return p.look(ctx, texts...)
}

// number reads a numeral; commas separate thousands.
func number(s string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(s, ",", ""), "−", "-"), 64)
	return n, err == nil
}
