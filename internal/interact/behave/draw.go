package behave

import (
	"cmp"
	"context"
	"image"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var (
	penWords   = []string{"pen", "pencil", "brush", "draw", "marker", "freehand", "paintbrush", "paint", "start drawing", "start", "画笔", "铅笔"}
	clearWords = []string{"clear", "clear canvas", "clear all", "erase all", "clear board", "reset", "new", "清空", "清除"}
	undoWords  = []string{"undo", "undo last", "step back", "撤销"}

	clearAsked  = regexp.MustCompile(`(?i)\bclear(ing)? (the |your |all |whole |entire )*(canvas|board|whiteboard|drawing|all|everything|screen|button|function|signature|pad|grid)\b|\b(a|and|or) clear (button|option|function)|清空|清除`)
	undoAsked   = regexp.MustCompile(`(?i)\bundo\b|撤销`)
	colorsAsked = regexp.MustCompile(`(?i)\b(brush|pen|pencil|stroke|line|ink|paint|pick|choose|select|chang\w+|different|several|multiple|custom)\W+(\w+\W+){0,2}colou?rs?\b|\bcolou?r (picker|palette|swatches|selection|options?)\b|(,|\band|\bwith) colou?rs\b|\bpalette\b|颜色`)
	colorNamed  = regexp.MustCompile(`(?i)\b(colou?r|swatch|palette|red|green|blue|yellow|orange|purple|pink)s?\b|#[0-9a-f]{6}\b|颜色`)
)

// draw proves that a person can draw: where the pointer is dragged over an area, or clicked on the
// fields of one, something is painted along its way, most of what changes lies there, and it is still
// there after another stroke; moving the pointer paints nothing. Where the instruction asks for colors
// and they can be chosen, another one paints in another color; for undoing, that takes back the last
// stroke alone; for clearing, that takes back both. It cheats who paints whatever is done, wherever, or
// lets it fade.
func draw(ctx context.Context, p *prover) answer {
	best := absent("no area to draw on is shown")
	var tried []vitrine.Box
	for _, pl := range p.site.places {
		for _, area := range top(drawAreas(p.open(ctx, pl)), 2) {
			if slices.Contains(tried, area.box) || len(tried) == 4 {
				continue
			}
			tried = append(tried, area.box)
			for _, mode := range p.drawModes(pl, area) {
				a := p.drawOn(ctx, pl, area, mode)
				if a.verdict == vitrine.VerdictWorks || p.err != nil || p.spent {
					return a
				}
				if rank(a.verdict) > rank(best.verdict) {
					best = a
				}
			}
		}
	}
	return best
}

// drawOn draws on an area, which is brought into the window where it lies below.
func (p *prover) drawOn(ctx context.Context, pl *place, area drawArea, mode drawMode) answer {
	const leastShown = 60
	p.open(ctx, pl)
	window := p.window(ctx)
	if window == nil {
		return unclear("the page was lost before it was drawn on")
	}
	frame := window.Bounds()
	if area.path != "" && area.box.Y+area.box.H > float64(frame.Dy()) {
		mode.scrollTo = area.path
		p.do(ctx, vitrine.Action{Kind: vitrine.ActScroll, Target: at(area.path)})
		for _, again := range drawAreas(p.look(ctx)) {
			if again.path == area.path {
				area = again
			}
		}
	}
	first, second := p.stroke(frame, area.box, 0.3), p.stroke(frame, area.box, 0.6)
	if first.area.Dx() < leastShown || first.area.Dy() < leastShown {
		return absent("no area to draw on is shown")
	}
	return drawing{p, pl, frame, first, second, mode}.prove(ctx)
}

// A drawArea is a part of the window that may be drawn on.
type drawArea struct {
	path   string // of the element; empty for fields
	box    vitrine.Box
	fields bool // a board of small elements
}

// drawAreas are the drawing areas of a view, the largest first, large elements that listen, and boards
// of fields that do.
func drawAreas(v *view) (all []drawArea) {
	const leastW, leastH, mostField, leastFields = 120, 60, 60, 36
	take := func(a drawArea) {
		if a.box.W >= leastW && a.box.H >= leastH && !slices.ContainsFunc(all, func(o drawArea) bool { return o.box == a.box }) {
			all = append(all, a)
		}
	}
	for _, c := range v.survey.Canvases {
		take(drawArea{path: c.Path, box: c.Box})
	}
	fields, board := 0, vitrine.Box{}
	for _, c := range v.Controls {
		if c.Tag == "svg" || c.Role == "clickable" || c.Role == "img" || c.Role == "canvas" {
			take(drawArea{path: c.Path, box: c.Box})
		}
		if clickable(c) && c.Name == "" && c.Box.W <= mostField && c.Box.H <= mostField {
			if fields++; fields == 1 {
				board = c.Box
			}
			x, y := min(board.X, c.Box.X), min(board.Y, c.Box.Y)
			board = vitrine.Box{X: x, Y: y, W: max(board.X+board.W, c.Box.X+c.Box.W) - x, H: max(board.Y+board.H, c.Box.Y+c.Box.H) - y}
		}
	}
	if fields >= leastFields {
		take(drawArea{box: board, fields: true})
	}
	slices.SortStableFunc(all, func(a, b drawArea) int { return cmp.Compare(b.box.W*b.box.H, a.box.W*a.box.H) })
	return all
}

// A drawMode is how a stroke is made: with the tool that is chosen, or after another one is; by
// dragging, or by clicking along its way.
type drawMode struct {
	tool     string // path
	clicks   bool
	scrollTo string // path of an area that lies below the window
}

// fieldsAsked are instructions for something that is drawn field by field.
var fieldsAsked = regexp.MustCompile(`(?i)\b(pixels?|grids?|cells?|tiles?|mosaic)\b|像素|格子`)

// drawModes are dragging with the tool that is chosen, clicking where there are fields, and dragging
// after a tool that is called a pen was chosen.
func (p *prover) drawModes(pl *place, area drawArea) []drawMode {
	modes := []drawMode{{}}
	if area.fields || fieldsAsked.MatchString(p.instruction) {
		modes = append(modes, drawMode{clicks: true})
	}
	pens := 0
	for _, h := range p.find(penWords, nil) {
		if h.place == pl && h.score > 30 && pens < 2 {
			modes, pens = append(modes, drawMode{tool: h.control.Path}), pens+1
		}
	}
	return modes
}

// A drawing is two strokes on a place.
type drawing struct {
	*prover
	place *place
	frame image.Rectangle // the window
	a, b  stroke
	mode  drawMode
}

func (s drawing) prove(ctx context.Context) answer {
	blank := s.begin(ctx)
	for _, part := range []float64{0, 0.5, 1} {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: s.point(s.a.at(part))})
	}
	idle := s.picture(ctx)
	s.draw(ctx, s.a)
	one := s.picture(ctx)
	if blank == nil || idle == nil || one == nil {
		return unclear("the page was lost while it was drawn on")
	}
	switch {
	case s.a.painted(blank, idle):
		return fails("moving the pointer paints before it is pressed")
	case !s.a.painted(idle, one):
		return fails("nothing is painted along the way of the pointer")
	}
	s.draw(ctx, s.b)
	s.wait(ctx, 2500)
	two := s.picture(ctx)
	switch {
	case two == nil:
		return unclear("the page was lost while it was drawn on")
	case !s.b.painted(one, two):
		return fails("a second stroke paints nothing along the way of the pointer")
	case s.b.stray(s.a, one, two):
		return fails("what a stroke paints lies mostly elsewhere")
	case !s.a.painted(blank, two):
		return fails("a stroke is gone after the next one")
	}
	asked := s.instruction
	if undoAsked.MatchString(asked) {
		if last := s.undone(ctx); last == nil || s.b.painted(one, last) || !s.a.painted(blank, last) {
			return fails("undoing does not take back the last stroke alone")
		}
	}
	if clearAsked.MatchString(asked) {
		if last := s.pressed(ctx, clearWords); last == nil || s.a.painted(blank, last) || s.b.painted(blank, last) {
			return fails("clearing leaves what was painted")
		}
	}
	if colorsAsked.MatchString(asked) && s.oneColor(ctx, blank, one) {
		return fails("whatever color is chosen, the same is painted")
	}
	return works("strokes are painted along the way of the pointer, and stay")
}

// begin opens the place, takes the tool, and is what is seen then.
func (s drawing) begin(ctx context.Context) image.Image {
	s.open(ctx, s.place)
	if s.mode.scrollTo != "" {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActScroll, Target: at(s.mode.scrollTo)})
	}
	if s.mode.tool != "" {
		s.click(ctx, s.mode.tool)
	}
	return s.picture(ctx)
}

// picture is the window with the pointer out of the way.
func (s drawing) picture(ctx context.Context) image.Image {
	s.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()})
	s.wait(ctx, 400)
	return s.window(ctx)
}

// point is a target in the window, of pixels.
func (s drawing) point(x, y float64) *vitrine.Target {
	return &vitrine.Target{Point: []vitrine.Coord{1000 * x / float64(s.frame.Dx()), 1000 * y / float64(s.frame.Dy())}}
}

func (s drawing) draw(ctx context.Context, way stroke) {
	if !s.mode.clicks {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActDrag, Target: s.point(way.at(0)), To: s.point(way.at(1))})
		return
	}
	for i := range clicksOfStroke {
		s.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: s.point(way.at(float64(i) / (clicksOfStroke - 1)))})
	}
}

const clicksOfStroke = 8

// undone is what is seen after the last stroke was undone, which may have been several clicks.
func (s drawing) undone(ctx context.Context) (last image.Image) {
	times := 1
	if s.mode.clicks {
		times = clicksOfStroke
	}
	for range times {
		last = s.pressed(ctx, undoWords)
	}
	return last
}

// pressed is what is seen after the likeliest control with one of these labels; nil where there is
// none. A question that the page asks then is answered.
func (s drawing) pressed(ctx context.Context, words []string) image.Image {
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
func (s drawing) oneColor(ctx context.Context, blank, one image.Image) bool {
	var ways []vitrine.Action
	for i, c := range s.place.view.Controls {
		f := s.place.view.Facts[i]
		said := c.Name + " " + identifier(c.Path) + " " + f.Context
		if strings.TrimSpace(c.Name) == "" { // classes of a button with a label say how that looks
			said += " " + f.Look
		}
		switch {
		case c.Type == "color":
			ways = slices.Insert(ways, 0, vitrine.Action{Kind: vitrine.ActType, Target: at(c.Path), Text: "#12b35f"})
		case c.Tag == "select" && len(f.Options) > 1 && colorNamed.MatchString(said+" "+strings.Join(f.Options, " ")):
			ways = append(ways, vitrine.Action{Kind: vitrine.ActSelect, Target: at(c.Path), Text: f.Options[len(f.Options)-1]})
		case clickable(c) && !off(c) && colorNamed.MatchString(said):
			ways = append(ways, vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)})
		}
	}
	was, _ := s.color(blank, one)
	for _, act := range top(ways, 5) {
		s.begin(ctx)
		s.do(ctx, act)
		start := s.picture(ctx)
		s.draw(ctx, s.a)
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
func (s drawing) color(before, after image.Image) (mean [3]float64, ok bool) {
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
