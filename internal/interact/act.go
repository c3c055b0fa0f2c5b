package interact

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"vitrine"
	"vitrine/internal/page"
)

// aimed is what scripts/aim.js says of a target.
type aimed struct {
	X, Y    float64
	Box     vitrine.Box
	Missing bool
	Hidden  bool
	Outside bool
	Off     bool   // disabled
	Covered string // path of what lies on top
}

// why says why a person cannot operate it.
func (a aimed) why() string {
	switch {
	case a.Missing:
		return "no such element"
	case a.Off:
		return "it is disabled"
	case a.Hidden:
		return "it is not visible"
	case a.Outside:
		return "it cannot be scrolled into the window"
	case a.Covered != "":
		return "it is covered by " + a.Covered
	}
	return ""
}

// prepare finds the target of an action and puts the pointer on it. Whatever is wrong
// with the action is failed, in words.
func (s *Session) prepare(ctx context.Context, a vitrine.Action) (d *preparedAction, failed string, err error) {
	d = &preparedAction{}
	switch a.Kind {
	case vitrine.ActWait:
		d.pageMS = min(max(a.MS, 0), maxWaitMS)
		d.act = func(context.Context) (string, error) { return "", nil }
		return d, "", nil
	case vitrine.ActBack:
		d.act = s.back
		return d, "", nil
	case vitrine.ActReload:
		d.act = s.reload
		return d, "", nil
	case vitrine.ActAnswer:
		d.act = func(ctx context.Context) (string, error) {
			return "", s.page.Ask(ctx, "__vitrineRecorder.answer("+page.Literal(a.Text)+")", nil)
		}
		return d, "", nil
	case vitrine.ActFinish:
		d.act = func(context.Context) (string, error) { return "", nil }
		return d, "", nil
	case vitrine.ActPress:
		return s.preparePress(ctx, a)
	case vitrine.ActScroll:
		return s.prepareScroll(ctx, a)
	}
	if a.Target == nil {
		return d, "the action needs a target", nil
	}
	if len(a.Target.Point) == 2 && (a.Kind == vitrine.ActClick || a.Kind == vitrine.ActDoubleClick || a.Kind == vitrine.ActRightClick || a.Kind == vitrine.ActHover || a.Kind == vitrine.ActDrag) {
		return s.prepareAt(ctx, a)
	}
	el, path, failed, err := s.target(ctx, *a.Target)
	if err != nil || failed != "" {
		return d, failed, err
	}
	d.control = el
	return s.prepareOn(ctx, a, d, path)
}

// maxWaitMS bounds the page time of one wait.
const maxWaitMS = 60_000

// target finds the element that a target describes: the first that is visible, or the
// one that Nth asks for.
func (s *Session) target(ctx context.Context, t vitrine.Target) (c *vitrine.Control, path, failed string, err error) {
	if t.Mark > 0 {
		path, err := s.marked(t.Mark)
		if err != nil {
			return nil, "", err.Error(), nil
		}
		c := s.scene.Controls[t.Mark-1]
		return &c, path, "", nil
	}
	found, err := s.Query(ctx, t)
	if errors.Is(err, ErrSelector) {
		return nil, "", err.Error(), nil
	}
	if err != nil {
		return nil, "", "", err
	}
	if len(found) == 0 {
		return nil, "", "nothing on the page is " + describe(t), nil
	}
	e := found[0]
	for _, f := range found { // of several that fit, one that can be operated
		if f.Visible && f.Enabled && !e.Enabled {
			e = f
			break
		}
	}
	return &vitrine.Control{Role: e.Role, Name: e.Name, Tag: e.Tag, Type: e.Type, Value: e.Value, States: e.States, Box: e.Box, Path: e.Path}, e.Path, "", nil
}

// describe says a target in words.
func describe(t vitrine.Target) string {
	var parts []string
	add := func(format, v string) {
		if v != "" {
			parts = append(parts, fmt.Sprintf(format, v))
		}
	}
	add("a %s", t.Role)
	add("named %q", t.Name)
	add("with the text %q", t.Text)
	add("labelled %q", t.Label)
	add("with the placeholder %q", t.Placeholder)
	add("at %s", t.CSS)
	if t.Nth > 0 {
		parts = append(parts, fmt.Sprintf("number %d", t.Nth))
	}
	if len(t.Point) == 2 {
		parts = append(parts, fmt.Sprintf("at the point %g, %g", t.Point[0], t.Point[1]))
	}
	return strings.Join(parts, " ")
}

// prepareAt readies an action at a point of the window.
func (s *Session) prepareAt(ctx context.Context, a vitrine.Action) (*preparedAction, string, error) {
	at := s.pixel(a.Target.Point)
	d := &preparedAction{at: &vitrine.Box{X: at.x, Y: at.y}}
	if at.x < 0 || at.y < 0 || at.x >= float64(s.driver.Viewport.Width) || at.y >= float64(s.driver.Viewport.Height) {
		return d, "the point is outside of the window", nil
	}
	if found, err := s.Query(ctx, *a.Target); err != nil {
		return d, "", err
	} else if len(found) > 0 {
		e := found[0]
		d.control = &vitrine.Control{Role: e.Role, Name: e.Name, Tag: e.Tag, Type: e.Type, Value: e.Value, States: e.States, Box: e.Box, Path: e.Path}
	}
	if a.Kind != vitrine.ActHover {
		if err := s.point(ctx, at); err != nil {
			return d, "", err
		}
	}
	failed := ""
	d.act, failed = s.pointerAct(a, at)
	return d, failed, nil
}

func (s *Session) pixel(p []vitrine.Coord) point {
	return point{p[0] / 1000 * float64(s.driver.Viewport.Width), p[1] / 1000 * float64(s.driver.Viewport.Height)}
}

// prepareOn readies an action on an element.
func (s *Session) prepareOn(ctx context.Context, a vitrine.Action, d *preparedAction, path string) (*preparedAction, string, error) {
	if a.Kind == vitrine.ActUpload {
		d.act = func(ctx context.Context) (string, error) { return s.upload(ctx, path, a.Text, a.Body) }
		return d, "", nil
	}
	var to aimed
	if err := s.probe(ctx, &to, "aim", path, 0, true); err != nil {
		return d, "", err
	}
	d.at = &to.Box
	at := point{to.X, to.Y}
	if a.Kind == vitrine.ActHover && (a.DX != 0 || a.DY != 0) {
		at = point{to.Box.X + to.Box.W/2 + a.DX, to.Box.Y + to.Box.H/2 + a.DY}
	}
	why := to.why()
	if a.Kind == vitrine.ActHover && why == "it is disabled" {
		why = ""
	}
	if why != "" {
		return d, why, nil
	}
	if a.Kind != vitrine.ActHover { // of which it is the whole
		if err := s.point(ctx, at); err != nil {
			return d, "", err
		}
	}
	switch a.Kind {
	case vitrine.ActType, vitrine.ActClear:
		text := a.Text
		if a.Kind == vitrine.ActClear {
			text = ""
		}
		d.act = func(ctx context.Context) (string, error) { return s.typeInto(ctx, d.control, at, text) }
	case vitrine.ActSelect:
		d.act = func(ctx context.Context) (string, error) { return s.choose(ctx, d.control, a.Text) }
	case vitrine.ActCheck, vitrine.ActUncheck:
		d.act = func(ctx context.Context) (string, error) { return s.check(ctx, path, at, a.Kind == vitrine.ActCheck) }
	default:
		failed := ""
		d.act, failed = s.pointerAct(a, at)
		return d, failed, nil
	}
	return d, "", nil
}

// pointerAct is an action of the pointer at a point.
func (s *Session) pointerAct(a vitrine.Action, at point) (act func(context.Context) (string, error), failed string) {
	click := func(b button, count int) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) { return "", s.click(ctx, at, b, count) }
	}
	switch a.Kind {
	case vitrine.ActClick:
		return click(left, 1), ""
	case vitrine.ActDoubleClick:
		return click(left, 2), ""
	case vitrine.ActRightClick:
		return click(right, 1), ""
	case vitrine.ActHover:
		return func(ctx context.Context) (string, error) { return "", s.point(ctx, at) }, ""
	case vitrine.ActDrag:
		return func(ctx context.Context) (string, error) { return s.drag(ctx, a, at) }, ""
	}
	return nil, fmt.Sprintf("there is no action %q", a.Kind)
}

func (s *Session) prepareScroll(ctx context.Context, a vitrine.Action) (*preparedAction, string, error) {
	d := &preparedAction{}
	path := ""
	if a.Target != nil {
		c, p, failed, err := s.target(ctx, *a.Target)
		if err != nil || failed != "" {
			return d, failed, err
		}
		d.control, path = c, p
	}
	d.act = func(ctx context.Context) (string, error) {
		if path != "" && a.DX == 0 && a.DY == 0 { // into the window
			var to aimed
			return "", s.probe(ctx, &to, "aim", path, 0, true)
		}
		return s.scroll(ctx, path, a.DX, a.DY)
	}
	return d, "", nil
}

func (s *Session) back(ctx context.Context) (string, error) {
	can := false
	if err := s.page.Ask(ctx, "Boolean(window.navigation && navigation.canGoBack)", &can); err != nil {
		return "", err
	}
	if !can {
		return "there is no page to go back to", nil
	}
	return "", s.page.Ask(ctx, "history.back()", nil)
}

func (s *Session) reload(ctx context.Context) (string, error) {
	_, err := cdp.Call(ctx, s.tab, cdppage.Reload, cdppage.ReloadParams{})
	if err != nil {
		return "", err
	}
	return "", s.page.Wait(ctx, 15*time.Second)
}
