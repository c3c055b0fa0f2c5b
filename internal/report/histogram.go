package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A histogram counts rewards in bins of equal width over the scale.
type histogram struct {
	Span span
	Bins []bin
	Most int // in one bin
}

// A bin counts rewards in [Low, High); the last one holds its upper end too.
type bin struct {
	Low, High float64
	N         int
}

const bins = 25

func newHistogram(values []float64, over span) *histogram {
	if len(values) == 0 {
		return nil
	}
	for _, v := range values {
		over = over.with(v)
	}
	if over.High == over.Low {
		over = span{over.Low - 0.5, over.High + 0.5}
	}
	h := &histogram{Span: over, Bins: make([]bin, bins)}
	width := (over.High - over.Low) / bins
	for i := range h.Bins {
		h.Bins[i].Low, h.Bins[i].High = over.Low+float64(i)*width, over.Low+float64(i+1)*width
	}
	for _, v := range values {
		b := &h.Bins[min(bins-1, int(math.Floor((v-over.Low)/width)))]
		b.N++
		h.Most = max(h.Most, b.N)
	}
	return h
}

// Words is the histogram for who cannot see it.
func (h *histogram) Words() string {
	var parts []string
	for _, b := range h.Bins {
		if b.N > 0 {
			parts = append(parts, fmt.Sprintf("%d from %s to %s", b.N, number(b.Low), number(b.High)))
		}
	}
	return "Rewards: " + strings.Join(parts, ", ") + "."
}

// The drawing is 100 wide and 40 high.
const (
	plotHeight = 40
	plotGap    = 0.6 // between two bars
)

// X is the left edge of bar i.
func (h *histogram) X(i int) string { return coordinate(float64(i)*100/bins + plotGap/2) }

// Width is that of every bar.
func (h *histogram) Width() string { return coordinate(100./bins - plotGap) }

// Height is that of a bar for n rewards; one reward can be seen beside any number.
func (h *histogram) Height(n int) string { return coordinate(h.height(n)) }

// Y is the upper edge of a bar for n rewards.
func (h *histogram) Y(n int) string { return coordinate(plotHeight - h.height(n)) }

func (h *histogram) height(n int) float64 {
	return max(1, float64(n)/float64(h.Most)*(plotHeight-2))
}

// At is where a reward lies.
func (h *histogram) At(v float64) string { return coordinate(h.Span.At(v) * 100) }

func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
