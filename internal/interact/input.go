package interact

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"

	"vitrine"
)

// point is a place in the window, in CSS pixels.
type point struct{ x, y float64 }

// away is where the pointer touches nothing.
var away = point{-1, -1}

type button = input.MouseButton

const (
	left  = input.MouseButtonLeft
	right = input.MouseButtonRight
)

func (s *Session) mouse(ctx context.Context, kind input.DispatchMouseEventType, at point, b button, held int64, count int64) error {
	s.pointer = at
	_, err := cdp.Call(ctx, s.tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: kind, X: at.x, Y: at.y, Button: b, Buttons: held, ClickCount: count,
	})
	return err
}

// point moves the pointer.
func (s *Session) point(ctx context.Context, at point) error {
	return s.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, at, input.MouseButtonNone, 0, 0)
}

// hover tells the browser of the pointer again where something else came to lie under it. By
// itself the browser finds out when it next draws, in real time.
func (s *Session) hover(ctx context.Context) error {
	if s.pointer == away {
		return nil
	}
	stale := false
	if err := s.page.Ask(ctx, s.stale(), &stale); err != nil || !stale {
		return err
	}
	return s.point(ctx, s.pointer)
}

// stale is an expression: whether what is hovered is not what lies under the pointer.
func (s *Session) stale() string {
	return fmt.Sprintf("__vitrineRecorder.stale(%g, %g)", s.pointer.x, s.pointer.y)
}

func (s *Session) click(ctx context.Context, at point, b button, times int) error {
	held := int64(1)
	if b == right {
		held = 2
	}
	for n := range times {
		if err := s.mouse(ctx, input.DispatchMouseEventTypeMousePressed, at, b, held, int64(n+1)); err != nil {
			return err
		}
		if err := s.mouse(ctx, input.DispatchMouseEventTypeMouseReleased, at, b, 0, int64(n+1)); err != nil {
			return err
		}
	}
	return nil
}

// drag presses at one point and releases at another. Where the page starts a drag of
// its own kind (HTML5), the browser hands it to us and we carry it to its target.
func (s *Session) drag(ctx context.Context, a vitrine.Action, from point) (string, error) {
	to := point{from.x + a.DX, from.y + a.DY}
	if a.To != nil {
		if len(a.To.Point) == 2 {
			to = s.pixel(a.To.Point)
		} else {
			_, path, failed, err := s.target(ctx, *a.To)
			if err != nil || failed != "" {
				return failed, err
			}
			var end aimed
			if err := s.probe(ctx, &end, "aim", path, 0, false); err != nil {
				return "", err
			}
			if end.Missing || end.Hidden || end.Outside {
				return "where to drag: " + end.why(), nil
			}
			to = point{end.X, end.Y}
		}
	}
	return "", s.dragTo(ctx, from, to)
}

const (
	dragSteps = 6
	dragStart = 5 // pixels; browsers take less for a click that shook
)

func (s *Session) dragTo(ctx context.Context, from, to point) error {
	started := make(chan *input.DragData, 1)
	events, cancel := s.tab.Subscribe("Input.dragIntercepted")
	defer cancel()
	go func() {
		for raw := range events {
			var e input.EventDragIntercepted
			if jsonv2.Unmarshal(raw, &e) == nil {
				select {
				case started <- e.Data:
				default:
				}
			}
		}
	}()
	if _, err := cdp.Call(ctx, s.tab, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		return err
	}
	defer func() {
		_, _ = cdp.Call(context.WithoutCancel(ctx), s.tab, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	}()
	if err := s.mouse(ctx, input.DispatchMouseEventTypeMousePressed, from, left, 1, 1); err != nil {
		return err
	}
	html5, err := s.draggable(ctx, from)
	if err != nil {
		return err
	}
	for i := 1; i <= dragSteps; i++ {
		f := float64(i) / dragSteps
		at := point{from.x + (to.x-from.x)*f, from.y + (to.y-from.y)*f}
		if err := s.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, at, left, 1, 0); err != nil {
			return err
		}
		if html5 && math.Hypot(at.x-from.x, at.y-from.y) > dragStart {
			select {
			case data := <-started:
				return s.drop(ctx, data, from, to)
			case <-time.After(2 * time.Second): // the page refused it
				html5 = false
			}
		}
		if err := s.pass(ctx, stepMS/2); err != nil {
			return err
		}
	}
	return s.mouse(ctx, input.DispatchMouseEventTypeMouseReleased, to, left, 0, 1)
}

// draggable says whether pressing at a point starts a drag of the browser's.
func (s *Session) draggable(ctx context.Context, at point) (yes bool, err error) {
	err = s.probe(ctx, &yes, "draggable", at.x, at.y)
	return yes, err
}

func (s *Session) drop(ctx context.Context, data *input.DragData, from, to point) error {
	send := func(kind input.DispatchDragEventType, at point) error {
		_, err := cdp.Call(ctx, s.tab, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.x, Y: at.y, Data: data})
		return err
	}
	steps := []struct {
		kind input.DispatchDragEventType
		at   point
	}{
		{input.DispatchDragEventTypeDragEnter, from}, {input.DispatchDragEventTypeDragOver, point{(from.x + to.x) / 2, (from.y + to.y) / 2}},
		{input.DispatchDragEventTypeDragOver, to}, {input.DispatchDragEventTypeDragOver, to}, {input.DispatchDragEventTypeDrop, to},
	}
	for _, step := range steps {
		if err := send(step.kind, step.at); err != nil {
			return fmt.Errorf("drag and drop: %w", err)
		}
	}
	return s.mouse(ctx, input.DispatchMouseEventTypeMouseReleased, to, left, 0, 1)
}

// scroll scrolls the window, or the nearest element around path that scrolls. Where
// nothing moves and the page listens, a turn of the wheel is sent to it.
func (s *Session) scroll(ctx context.Context, path string, dx, dy float64) (string, error) {
	var by float64
	if err := s.probe(ctx, &by, "scrollBy", path, dx, dy); err != nil || by > 0 {
		return "", err
	}
	at := point{float64(s.driver.Viewport.Width) / 2, float64(s.driver.Viewport.Height) / 2}
	if path != "" {
		var to aimed
		if err := s.probe(ctx, &to, "aim", path, 0, true); err != nil {
			return "", err
		}
		at = point{to.X, to.Y}
	}
	// The command wants both distances, also where one is zero, which its type leaves out.
	turn := map[string]any{"type": input.DispatchMouseEventTypeMouseWheel, "x": at.x, "y": at.y, "deltaX": dx, "deltaY": dy}
	if err := s.tab.Call(ctx, "Input.dispatchMouseEvent", turn, &cdp.Empty{}); err != nil {
		return "", err
	}
	return "", s.page.Clock(ctx, "painted()", nil) // the page hears of it with its next frame
}
