package describe

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"vitrine/internal/data/embed"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/tsne"
	"vitrine/internal/inputs"
)

const (
	mostDots  = 2000
	mapWidth  = 800
	mapHeight = 600
	mapEdge   = 12 // around the points
	mapSeed   = 1  // of the rows that are drawn
)

// palette is for the most frequent values: safe for colour blindness, on light and on dark
// backgrounds (Okabe and Ito 2008, but for two). All others are grey.
var palette = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a63c8", "#8a8b1c"}

const grey = "#8f959d"

// A Map is rows as points: those whose texts are alike are near to each other.
type Map struct {
	Field      string // that colours the points
	Groups     []Group
	Dots       []Dot
	Rows       int // that have a text; of more than 2,000, as many are drawn by chance
	Perplexity string
	KL         string
}

// A Group is the rows of one colour.
type Group struct {
	Name, Color string
	Dots        int
}

// A Dot is one row on a map 800 wide and 600 high.
type Dot struct {
	X, Y, Color, Text string
}

// A sampled row is one that is drawn unless it is replaced.
type sampled struct {
	at              int // which row it is
	id, text, group string
}

// A reservoir samples rows uniformly (reservoir sampling).
type reservoir struct {
	field  string // empty: there is no map
	rows   int
	sample []sampled
	random *rand.Rand
}

func (s *reservoir) add(r inputs.Record) {
	text := cmp.Or(r.Instruction, r.Text)
	if s.field == "" || text == "" {
		return
	}
	one := sampled{s.rows, r.ID, text, cmp.Or(flow.Field(r.Row, s.field), "(none)")}
	if s.rows++; len(s.sample) < mostDots {
		s.sample = append(s.sample, one)
	} else if i := s.random.IntN(s.rows); i < mostDots {
		s.sample[i] = one
	}
}

// draw lays the rows out; nil where there are none.
func (s *reservoir) draw(ctx context.Context, t *embed.Table) (*Map, error) {
	if len(s.sample) == 0 {
		return nil, nil
	}
	slices.SortFunc(s.sample, func(a, b sampled) int { return cmp.Compare(a.at, b.at) })
	var texts []string
	for _, o := range s.sample {
		texts = append(texts, o.text)
	}
	x, err := t.EmbedAll(ctx, texts)
	if err != nil {
		return nil, err
	}
	l, err := tsne.Run(ctx, x, t.Dim)
	if err != nil {
		return nil, err
	}
	m := &Map{Field: s.field, Groups: s.groups(), Rows: s.rows, Perplexity: number(l.Perplexity), KL: number(l.KL)}
	colors := map[string]string{}
	for _, g := range m.Groups {
		colors[g.Name] = g.Color
	}
	place := projection(l.Points)
	for i, o := range s.sample {
		x, y := place(l.Points[i])
		text := []rune(o.text)
		m.Dots = append(m.Dots, Dot{x, y, cmp.Or(colors[o.group], grey), o.id + ", " + o.group + ": " + string(text[:min(len(text), 100)])})
	}
	return m, nil
}

// groups are the most frequent values, each with a colour, and all others as one.
func (s *reservoir) groups() (all []Group) {
	counts, others := map[string]int{}, 0
	for _, o := range s.sample {
		counts[o.group]++
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		if i < len(palette) {
			all = append(all, Group{name, palette[i], counts[name]})
		} else {
			others += counts[name]
		}
	}
	if others > 0 {
		all = append(all, Group{fmt.Sprintf("%d others", len(names)-len(palette)), grey, others})
	}
	return all
}

// projection maps points to the drawing, centred, with one scale for both axes.
func projection(points [][2]float64) func([2]float64) (x, y string) {
	low, high := points[0], points[0]
	for _, p := range points {
		for k := range 2 {
			low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
		}
	}
	scale := min((mapWidth-2*mapEdge)/max(1e-9, high[0]-low[0]), (mapHeight-2*mapEdge)/max(1e-9, high[1]-low[1]))
	return func(p [2]float64) (x, y string) {
		return fmt.Sprintf("%.1f", mapWidth/2+scale*(p[0]-(low[0]+high[0])/2)), fmt.Sprintf("%.1f", mapHeight/2+scale*(p[1]-(low[1]+high[1])/2))
	}
}
