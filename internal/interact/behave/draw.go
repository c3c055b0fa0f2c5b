package behave

import (
	"cmp"
	"context"
	"image"
	"math"
	"regexp"
	"slices"

	"vitrine"
)

var (
	penWords   = []string{"pen", "pencil", "brush", "draw", "marker", "freehand", "paintbrush", "paint", "start drawing", "start", "画笔", "铅笔"}
	clearWords = []string{"clear", "clear canvas", "clear all", "erase all", "clear board", "reset", "new", "清空", "清除"}
	undoWords  = []string{"undo", "undo last", "step back", "撤销"}

	clearAsked  = regexp.MustCompile(`(?i)\bclear(ing)? (the |your |all |whole |entire )*(canvas|board|whiteboard|drawing|all|everything|screen|page|button|function|signature|pad|grid|area|it)\b|\b(a|and|or) clear (button|option|function)|清空|清除`)
	undoAsked   = regexp.MustCompile(`(?i)\bundo\b|撤销`)
	colorsAsked = regexp.MustCompile(`(?i)\bcolou?rs?\b|\bpalette\b|颜色`)
	colorNamed  = regexp.MustCompile(`(?i)\b(colou?r|swatch|palette|red|green|blue|yellow|orange|purple|pink)s?\b|#[0-9a-f]{6}\b|颜色`)
)

// draw proves that a person can draw: where the pointer is dragged over an area, or clicked on the
// fields of one, something is painted along its way and little elsewhere, and it is still there
// after another stroke; moving the pointer paints nothing. Where the instruction asks for colors,
// another color paints in another one; for undoing, that takes back the last stroke alone; for
// clearing, that takes back both. It cheats who paints whatever is done, wherever, or lets it fade.
func draw(ctx context.Context, p *prover) answer {
	best := absent("no area to draw on is shown")
	for _, pl := range p.site.places {
		boxes := sheets(p.open(ctx, pl))
		window := p.window(ctx)
		if window == nil || len(boxes) == 0 {
			continue
		}
		hands := []hand{{}, {clicks: true}}
		for _, h := range p.find(penWords, nil) {
			if h.place == pl && h.score > 30 && len(hands) < 4 {
				hands = append(hands, hand{tool: h.control.Path})
			}
		}
		for _, box := range top(boxes, 2) {
			for _, hand := range hands {
				s := sketch{p, pl, window.Bounds(), p.stroke(window.Bounds(), box, 0.3), p.stroke(window.Bounds(), box, 0.6), hand}
				a := s.prove(ctx)
				if a.verdict == vitrine.VerdictWorks || p.err != nil || p.spent {
					return a
				}
				if rank(a.verdict) > rank(best.verdict) {
					best = a
				}
			}
		}
		return best // the same area is shown by other places, too
	}
	return best
}

// sheets are the parts of the window that may be an area to draw on, the largest first: drawing
// areas, large elements that listen, and boards of fields that do.
func sheets(v *view) (all []vitrine.Box) {
	const leastW, leastH, mostField = 120, 60, 60
	take := func(b vitrine.Box) {
		if b.W >= leastW && b.H >= leastH && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	for _, c := range v.survey.Canvases {
		take(c.Box)
	}
	fields, board := 0, vitrine.Box{}
	for _, c := range v.Controls {
		if c.Tag == "svg" || c.Role == "clickable" || c.Role == "img" || c.Role == "canvas" {
			take(c.Box)
		}
		if clickable(c) && c.Name == "" && c.Box.W <= mostField && c.Box.H <= mostField {
			if fields++; fields == 1 {
				board = c.Box
			}
			x, y := min(board.X, c.Box.X), min(board.Y, c.Box.Y)
			board = vitrine.Box{X: x, Y: y, W: max(board.X+board.W, c.Box.X+c.Box.W) - x, H: max(board.Y+board.H, c.Box.Y+c.Box.H) - y}
		}
	}
	if fields >= 36 {
		take(board)
	}
	slices.SortStableFunc(all, func(a, b vitrine.Box) int { return cmp.Compare(b.W*b.H, a.W*a.H) })
	return all
}

// A hand is how a stroke is made: with the tool that is chosen, or after another one is; by
// dragging, or by clicking along its way.
type hand struct {
	tool   string // path
	clicks bool
}

// A sketch is two strokes on a place.
type sketch struct {
	*prover
	place *place
	frame image.Rectangle // the window
	a, b  stroke
	hand  hand
}

func (s sketch) prove(ctx context.Context) answer {
	blank := s.begin(ctx)
	for _, part := range []float64{0, 0.5, 1} {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: s.point(s.a.at(part))})
	}
	idle := s.picture(ctx)
	s.make(ctx, s.a)
	one := s.picture(ctx)
	if blank == nil || idle == nil || one == nil {
		return unclear("the page was lost while it was drawn on")
	}
	switch {
	case s.a.painted(blank, idle):
		return fails("moving the pointer paints before it is pressed")
	case !s.a.painted(idle, one):
		return fails("nothing is painted where the pointer was dragged")
	}
	s.make(ctx, s.b)
	s.wait(ctx, 2500)
	two := s.picture(ctx)
	switch {
	case two == nil:
		return unclear("the page was lost while it was drawn on")
	case !s.b.painted(one, two):
		return fails("a second stroke paints nothing where the pointer was dragged")
	case s.b.stray(s.a, one, two):
		return fails("what a stroke paints lies mostly elsewhere")
	case !s.a.painted(blank, two):
		return fails("a stroke is gone after the next one")
	}
	asked := s.instruction
	if undoAsked.MatchString(asked) {
		if last := s.after(ctx, undoWords); last == nil || s.b.painted(one, last) || !s.a.painted(blank, last) {
			return fails("undoing does not take back the last stroke alone")
		}
	}
	if clearAsked.MatchString(asked) {
		if last := s.after(ctx, clearWords); last == nil || s.a.painted(blank, last) || s.b.painted(blank, last) {
			return fails("clearing leaves what was painted")
		}
	}
	if colorsAsked.MatchString(asked) && s.oneColor(ctx, blank, one) {
		return fails("whatever color is chosen, the same is painted")
	}
	return works("strokes are painted where the pointer is dragged, and stay")
}

// begin opens the place, takes the tool, and is what is seen then.
func (s sketch) begin(ctx context.Context) image.Image {
	s.open(ctx, s.place)
	if s.hand.tool != "" {
		s.click(ctx, s.hand.tool)
	}
	return s.picture(ctx)
}

// picture is the window with the pointer out of the way.
func (s sketch) picture(ctx context.Context) image.Image {
	s.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()})
	s.wait(ctx, 400)
	return s.window(ctx)
}

// point is a target in the window, of pixels.
func (s sketch) point(x, y float64) *vitrine.Target {
	return &vitrine.Target{Point: []vitrine.Coord{1000 * x / float64(s.frame.Dx()), 1000 * y / float64(s.frame.Dy())}}
}

func (s sketch) make(ctx context.Context, way stroke) {
	if !s.hand.clicks {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActDrag, Target: s.point(way.at(0)), To: s.point(way.at(1))})
		return
	}
	for i := range 8 {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: s.point(way.at(float64(i) / 7))})
	}
}

// after is what is seen after the likeliest control with one of these labels; nil where there is
// none. A question that the page asks then is answered.
func (s sketch) after(ctx context.Context, words []string) image.Image {
	v := s.look(ctx)
	best, score := "", 0.0
	for _, c := range v.Controls {
		if n := max(matches(c.Name, words), 0.6*matches(identifier(c.Path), words)); clickable(c) && !off(c) && n > score {
			best, score = c.Path, n
		}
	}
	if best == "" {
		return nil
	}
	s.click(ctx, best)
	s.confirm(ctx, s.look(ctx), v, words)
	return s.picture(ctx)
}

// oneColor reports whether none of the colors that can be chosen paints the first stroke in
// another one than it was; not where none can be.
func (s sketch) oneColor(ctx context.Context, blank, one image.Image) bool {
	var ways []vitrine.Action
	for i, c := range s.place.view.Controls {
		f := s.place.view.Facts[i]
		switch said := c.Name + " " + identifier(c.Path) + " " + f.Look + " " + f.Context; {
		case c.Type == "color":
			ways = slices.Insert(ways, 0, vitrine.Action{Kind: vitrine.ActType, Target: at(c.Path), Text: "#12b35f"})
		case clickable(c) && !off(c) && colorNamed.MatchString(said):
			ways = append(ways, vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)})
		}
	}
	was, _ := s.color(blank, one)
	for _, act := range top(ways, 5) {
		s.begin(ctx)
		s.do(ctx, act)
		start := s.picture(ctx)
		s.make(ctx, s.a)
		end := s.picture(ctx)
		if start == nil || end == nil {
			return false
		}
		is, ok := s.color(start, end)
		if ok && max(math.Abs(is[0]-was[0]), math.Abs(is[1]-was[1]), math.Abs(is[2]-was[2])) > 24 {
			return false
		}
	}
	return len(ways) > 0
}

// color is the mean color of what a stroke painted.
func (s sketch) color(before, after image.Image) (mean [3]float64, ok bool) {
	n := 0.0
	for i := range 20 {
		x, y := s.a.at(float64(i) / 19)
		if c, painted := around(before, after, int(x), int(y)); painted {
			n++
			for k := range mean {
				mean[k] += (c[k] - mean[k]) / n
			}
		}
	}
	return mean, n > 0
}
