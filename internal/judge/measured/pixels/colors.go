package pixels

import (
	"math"
	"slices"
)

// colors are what a picture's colors are as a whole.
type colors struct {
	fulness    float64 // Hasler and Süsstrunk 2003, metric M(3); 0 to about 110
	saturation float64 // mean of HSV saturation × value, [0,1]
	pure       float64 // share of screen primaries, which designers do not use
	link       float64 // share of the blue of unstyled links
	ground     float64 // share of the most frequent color, at 4 bits a channel
	white      float64 // share that is all but white
	main       int     // colors that cover half a percent or more
	tones      float64 // binary logarithm of the distinct colors, at 5 bits a channel
	hues       int     // families of hue with a percent or more of what is colored
	entropy    float64 // of luma in 64 steps, bits
	spread     float64 // standard deviation of luma
}

func (p *picture) colors() colors {
	var c colors
	var rg, yb, luma sums
	var bins [4096]int
	var levels [64]int
	var hues [36]float64
	tones := make([]bool, 1<<15)
	n := float64(p.w * p.h)
	for i := range p.luma {
		r, g, b := p.rgb[3*i], p.rgb[3*i+1], p.rgb[3*i+2]
		R, G, B := float64(r), float64(g), float64(b)
		rg.add(R - G)
		yb.add((R+G)/2 - B)
		luma.add(p.luma[i])
		high, low := max(r, g, b), min(r, g, b)
		strength := float64(high-low) / 255
		c.saturation += strength / n
		c.pure += oneIf(pure(r, g, b)) / n
		c.link += oneIf(b >= 180 && r <= 30 && g <= 40) / n
		c.white += oneIf(low >= 245) / n
		bins[p.bin(i)]++
		levels[int(p.luma[i])>>2]++
		tones[int(r)>>3<<10|int(g)>>3<<5|int(b)>>3] = true
		if strength > 0.12 {
			hues[hue(R, G, B)] += strength
		}
	}
	c.fulness = math.Hypot(rg.deviation(), yb.deviation()) + 0.3*math.Hypot(rg.mean(), yb.mean())
	c.spread = luma.deviation()
	c.ground = float64(slices.Max(bins[:])) / n
	for _, k := range bins {
		c.main += int(oneIf(float64(k) >= 0.005*n))
	}
	for _, k := range levels {
		if k > 0 {
			c.entropy -= float64(k) / n * math.Log2(float64(k)/n)
		}
	}
	distinct := 0
	for _, seen := range tones {
		distinct += int(oneIf(seen))
	}
	c.tones = math.Log2(float64(distinct))
	c.hues = families(hues[:])
	return c
}

// pure: every channel is off or full, and the color is no grey.
func pure(r, g, b uint8) bool {
	off := oneIf(r <= 12) + oneIf(g <= 12) + oneIf(b <= 12)
	full := oneIf(r >= 243) + oneIf(g >= 243) + oneIf(b >= 243)
	return off+full == 3 && off > 0 && full > 0
}

// hue is the part of ten degrees, of 36, in which a color lies.
func hue(r, g, b float64) int {
	angle := math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b) / (2 * math.Pi)
	return int(36*(angle+1)) % 36
}

// families counts runs of neighbouring hues that have a percent each of what is
// colored.
func families(hues []float64) int {
	var all float64
	for _, h := range hues {
		all += h
	}
	n := 0
	for i, h := range hues {
		before := hues[(i+len(hues)-1)%len(hues)]
		n += int(oneIf(h > 0.01*all && !(before > 0.01*all)))
	}
	return n
}

// sums are what mean and deviation need.
type sums struct{ n, sum, squares float64 }

func (s *sums) add(x float64) { s.n, s.sum, s.squares = s.n+1, s.sum+x, s.squares+x*x }

func (s *sums) mean() float64 { return s.sum / max(s.n, 1) }

func (s *sums) deviation() float64 {
	return math.Sqrt(max(0, s.squares/max(s.n, 1)-s.mean()*s.mean()))
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
