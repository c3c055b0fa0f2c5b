package measured

import (
	"math"
	"testing"

	"vitrine"
)

// Pairs of the published test data of CIEDE2000 (Sharma, Wu and Dalal 2005).
func TestDeltaE(t *testing.T) {
	tests := []struct {
		p, q lab
		want float64
	}{
		{lab{50, 2.6772, -79.7751}, lab{50, 0, -82.7485}, 2.0425},
		{lab{50, 0, 0}, lab{50, -1, 2}, 2.3669},
		{lab{50, 2.49, -0.001}, lab{50, -2.49, 0.0009}, 7.1792},
		{lab{50, 2.5, 0}, lab{73, 25, -18}, 27.1492},
		{lab{50, 2.5, 0}, lab{58, 24, 15}, 19.4535},
		{lab{60.2574, -34.0099, 36.2677}, lab{60.4626, -34.1751, 39.4387}, 1.2644},
		{lab{22.7233, 20.0904, -46.6940}, lab{23.0331, 14.9730, -42.5619}, 2.0373},
		{lab{90.8027, -2.0831, 1.4410}, lab{91.1528, -1.6435, 0.0447}, 1.4441},
	}
	for _, tt := range tests {
		for _, got := range []float64{deltaE(tt.p, tt.q), deltaE(tt.q, tt.p)} {
			if math.Abs(got-tt.want) > 0.0001 {
				t.Errorf("deltaE(%v, %v) = %.4f, want %.4f", tt.p, tt.q, got, tt.want)
			}
		}
	}
}

func TestContrastRatio(t *testing.T) {
	grey := func(v uint8) vitrine.Color { return vitrine.Color{R: v, G: v, B: v, A: 255} }
	for _, tt := range []struct {
		a, b vitrine.Color
		want float64
	}{{black, white, 21}, {white, white, 1}, {grey(0x77), white, 4.48}, {grey(0x76), white, 4.54}} {
		if got := contrastRatio(tt.a, tt.b); math.Abs(got-tt.want) > 0.005 {
			t.Errorf("contrastRatio(%v, %v) = %.3f, want %.2f", tt.a, tt.b, got, tt.want)
		}
	}
	if got := over(vitrine.Color{A: 128}, white, 1); got != grey(127) {
		t.Errorf("half black over white is %v", got)
	}
}
