package behave

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/png"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// pointing are words of instructions that ask for a scene that answers to the pointer.
var pointing = regexp.MustCompile(`(?i)\b(drag\w*|mouse|pointer|cursor|hover\w*|orbit ?controls?|wheel|interactive(ly)?|click\w*|rotate(d|s)? (it|the|by|with))\b|拖|鼠标|悬停|点击|交互`)

// leastMotion is the share of the window that differs, at least, where a scene moves: about
// a thousand points, more than a dot.
const leastMotion = 0.001

// leastCells is how many parts of the window, of 32 pixels a side, must each move: more than
// what turns while something is said to load covers. What is smaller must go as far as leastWay of
// them.
const (
	leastCells = 10
	leastWay   = 8
	cellSide   = 32
)

// scene proves that a drawing moves: outside of texts the picture differs, and not by a
// dot alone or in one small place, between three moments of the page's clock; where the instruction asks for the
// pointer, clicking, dragging or hovering shows another picture at the same moment than doing
// nothing does. What does not move by itself must move where it is dragged, or go on moving once
// it is started. It cheats who
// changes the title, a text, a dot or the look of a button, or says that it loads. (Relation 28.)
func scene(ctx context.Context, p *prover) answer {
	start := p.site.places[0]
	moves := p.movesItself(ctx, start)
	if moves && !p.pointed() {
		return works("the picture differs from moment to moment")
	}
	if !moves {
		if how := p.started(ctx, start); how != "" {
			return works("%s makes it move", how)
		}
	}
	if how := p.answers(ctx, start); how != "" {
		return works("%s shows another picture", how)
	}
	if p.err == nil && moves && !p.repeats(ctx, start) {
		return works("the picture differs from moment to moment, and otherwise each time")
	}
	if moves {
		return fails("it moves by itself, and the pointer changes nothing")
	}
	return fails("nothing moves, by itself or under the pointer")
}

// moments are the intervals of page time between which pictures are compared, in milliseconds: what
// plays once may be over soon, and planets may need seconds to go as far as a person sees.
var moments = []int{400, 400, 400, 800, 1000, 4000, 4000}

// movesItself reports whether the picture differs in two intervals, and not in one small place
// alone.
func (p *prover) movesItself(ctx context.Context, start *place) bool {
	m := p.motionFrom(p.open(ctx, start), p.window(ctx))
	for _, ms := range moments {
		p.wait(ctx, ms)
		if m.add(p.look(ctx), p.window(ctx)); p.err == nil && m.seen(2) {
			return true
		}
	}
	return false
}

// A motion is what differs between pictures that are taken one after the other.
type motion struct {
	last  image.Image
	texts []interact.TextBox
	n     int // pictures that differ from the one before
	cells map[image.Point]bool
}

func (p *prover) motionFrom(v *view, first image.Image) *motion {
	return &motion{last: first, texts: v.Texts, cells: map[image.Point]bool{}}
}

// add compares the next picture with the last one, outside of texts. What is drawn with
// pictures of the font moves like any other picture.
func (m *motion) add(v *view, next image.Image) {
	words := slices.DeleteFunc(slices.Concat(m.texts, v.Texts), func(t interact.TextBox) bool { return !wordy.MatchString(t.Text) })
	share, moved := differing(m.last, next, words)
	if share >= leastMotion {
		m.n++
	}
	for c, points := range moved {
		if points >= cellSide/4 {
			m.cells[c] = true
		}
	}
	m.last, m.texts = next, v.Texts
}

// seen reports whether so many pictures differ, in many places or in some that lie far apart.
func (m *motion) seen(least int) bool {
	box := image.Rectangle{}
	for c := range m.cells {
		box = box.Union(image.Rectangle{c, c.Add(image.Pt(1, 1))})
	}
	return m.n >= least && (len(m.cells) >= leastCells || max(box.Dx(), box.Dy()) >= leastWay)
}

// started says what a person clicks so that the scene begins to move, and goes on for longer than
// what opens or fades in; empty for nothing. Buttons that say so come first, then the middle of
// the window.
func (p *prover) started(ctx context.Context, start *place) string {
	var buttons []hit
	for _, c := range start.view.Controls {
		if c.Role == "button" && clickable(c) && !off(c) && !c.Covered {
			buttons = append(buttons, hit{control: c, score: matches(c.Name, p.labels(sceneWords))})
		}
	}
	slices.SortStableFunc(buttons, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	for _, h := range top(buttons, 2) {
		if p.startedBy(ctx, start, at(h.control.Path)) {
			return clip(h.control.Name)
		}
	}
	if p.startedBy(ctx, start, &vitrine.Target{Point: []vitrine.Coord{520, 610}}) {
		return "a click on it"
	}
	return ""
}

func (p *prover) startedBy(ctx context.Context, start *place, t *vitrine.Target) bool {
	m := p.motionFrom(p.open(ctx, start), p.window(ctx))
	if p.err != nil {
		return false
	}
	p.session.Brisk = true // what plays once is seen from its beginning
	defer func() { p.session.Brisk = false }()
	p.do(ctx, vitrine.Action{Kind: vitrine.ActClick, Target: t})
	p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: nowhere()}) // what lies below the pointer looks otherwise
	for _, ms := range moments[:5] {
		if m.add(p.look(ctx), p.window(ctx)); p.err == nil && m.seen(3) {
			return true
		}
		p.wait(ctx, ms)
	}
	return false
}

var sceneWords = []string{"start", "play", "animate", "launch", "begin", "run", "go", "replay", "restart", "throw", "开始", "播放"}

// differing is the share of points that differ between two pictures of the same part of the
// window, outside of texts, and how many of those that were looked at lie in each cell.
func differing(a, b image.Image, texts []interact.TextBox) (share float64, cells map[image.Point]int) {
	cells = map[image.Point]int{}
	if a == nil || b == nil || a.Bounds() != b.Bounds() {
		return 0, cells
	}
	const step = 2
	n, all := 0, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y += step {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x += step {
			all++
			if r, g, bl, _ := a.At(x, y).RGBA(); !alike(r, g, bl, b, x, y) && !slices.ContainsFunc(texts, func(t interact.TextBox) bool { return within(t.Box, x, y) }) {
				n++
				cells[image.Pt(x/cellSide, y/cellSide)]++
			}
		}
	}
	return float64(n) / float64(max(all, 1)), cells
}

// alike reports whether a point of a picture has a colour, but for what cannot be seen.
func alike(r, g, b uint32, in image.Image, x, y int) bool {
	r2, g2, b2, _ := in.At(x, y).RGBA()
	const seen = 8 << 8
	return max(r, r2)-min(r, r2) < seen && max(g, g2)-min(g, g2) < seen && max(b, b2)-min(b, b2) < seen
}

func within(b vitrine.Box, x, y int) bool {
	return float64(x) >= b.X && float64(x) < b.X+b.W && float64(y) >= b.Y && float64(y) < b.Y+b.H
}

// answers says what a person can do under which the scene shows another picture than at the
// same moment without; empty for nothing. What is dragged is a drawing, and the picture must
// differ in it. Where the instruction asks for the pointer, a click on it, or hovering over anything, may move
// the scene, outside of what shows that it can be pressed, while the texts stay as they are.
func (p *prover) answers(ctx context.Context, start *place) string {
	v := p.open(ctx, start)
	drawn := slices.DeleteFunc(slices.Clone(v.Controls), func(c vitrine.Control) bool { return c.Tag != "canvas" && c.Role != "clickable" && c.Role != "img" })
	for _, c := range top(drawn, 3) {
		left, lines := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: -120, DY: -30})
		right, texts := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: 120, DY: 30})
		drawing := crop(left, c.Box)
		share, _ := differing(drawing, crop(right, c.Box), slices.Concat(lines, texts, v.Texts))
		if p.err == nil && drawing != nil && share*area(drawing) >= leastMotion/4*area(left) {
			return "dragging " + c.Path
		}
	}
	if !p.pointed() {
		return ""
	}
	if dragged.MatchString(p.need.Quote+" "+p.need.Verb+" "+p.instruction) && p.dragsMoving(ctx, start) {
		return "dragging what moves"
	}
	for _, point := range [][]vitrine.Coord{{400, 500}, {620, 380}} {
		beside, before := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActClick, Target: nowhere()})
		clicked, after := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Point: point}})
		if share, _ := differing(beside, clicked, nil); p.err == nil && slices.Equal(before, after) && share >= leastMotion/4 {
			return "clicking on it"
		}
	}
	for _, c := range top(v.Controls, 4) {
		idle, before := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActWait, MS: 100})
		over, after := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActHover, Target: at(c.Path)})
		if share, _ := differing(idle, over, append(lit(c), v.Texts...)); p.err == nil && slices.Equal(before, after) && share >= leastMotion/4 {
			return "hovering over " + strings.TrimSpace(c.Name+" "+c.Path)
		}
	}
	return ""
}

// pointed reports whether the instruction asks for a scene that answers to the pointer.
func (p *prover) pointed() bool { return pointing.MatchString(p.need.Quote + " " + p.need.Verb) }

// crop is the part of a picture of the window that lies in a box; nil without a picture.
func crop(img image.Image, b vitrine.Box) image.Image {
	part, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		return nil
	}
	return part.SubImage(image.Rect(int(b.X), int(b.Y), int(b.X+b.W), int(b.Y+b.H)))
}

// area is the number of points of a picture.
func area(img image.Image) float64 { return float64(img.Bounds().Dx() * img.Bounds().Dy()) }

// lit is what may change below the pointer without being a scene: a control, with its shadow,
// that shows that it can be pressed.
func lit(c vitrine.Control) []interact.TextBox {
	if c.Tag == "canvas" || c.Tag == "svg" || c.Role == "img" {
		return nil
	}
	const shadow = 24
	return []interact.TextBox{{Box: vitrine.Box{X: c.Box.X - shadow, Y: c.Box.Y - shadow, W: c.Box.W + 2*shadow, H: c.Box.H + 2*shadow}}}
}

// repeats reports whether the scene shows the same picture at the same moment each time.
func (p *prover) repeats(ctx context.Context, start *place) bool {
	idle := vitrine.Action{Kind: vitrine.ActWait, MS: 100}
	first, _ := p.after(ctx, start, idle)
	second, _ := p.after(ctx, start, idle)
	share, _ := differing(first, second, nil)
	return share == 0
}

// after is the window two seconds of page time after a fresh start, with an act in between,
// and the texts that stand in it.
func (p *prover) after(ctx context.Context, start *place, a vitrine.Action) (image.Image, []interact.TextBox) {
	p.open(ctx, start)
	used := p.do(ctx, a).PageMS
	p.wait(ctx, max(2000-used, 100))
	return p.window(ctx), p.look(ctx).Texts
}

// window is the window as it stands; nil where it cannot be taken.
func (p *prover) window(ctx context.Context) image.Image {
	if p.err != nil {
		return nil
	}
	data, err := p.session.Picture(ctx)
	if p.err = err; err != nil {
		return nil
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return img
}
