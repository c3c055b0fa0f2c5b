package measured

import (
	"math"

	"vitrine"
)

// lab is a color in CIE L*a*b* under D65: equal distances look about equal.
type lab struct{ l, a, b float64 }

func toLab(c vitrine.Color) lab {
	r, g, b := linear[c.R], linear[c.G], linear[c.B]
	x := labCurve((0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047)
	y := labCurve(0.2126729*r + 0.7151522*g + 0.0721750*b)
	z := labCurve((0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883)
	return lab{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// linear undoes the sRGB transfer curve (IEC 61966-2-1).
var linear = func() (curve [256]float64) {
	for v := range curve {
		c := float64(v) / 255
		curve[v] = c / 12.92
		if c > 0.04045 {
			curve[v] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return curve
}()

func labCurve(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

// chroma is how far a color is from grey: below about 10 the eye calls it grey,
// above 60 loud.
func (p lab) chroma() float64 { return math.Hypot(p.a, p.b) }

// hue is in degrees, [0,360).
func (p lab) hue() float64 {
	h := math.Atan2(p.b, p.a) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}

// hueGap is the angle between two hues, [0,180].
func hueGap(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}

// deltaE is the color difference CIEDE2000 (CIE 142:2001): 1 is just visible, 10
// is plainly another shade, 50 another color.
func deltaE(p, q lab) float64 {
	mean := math.Pow((p.chroma()+q.chroma())/2, 7)
	g := 0.5 * (1 - math.Sqrt(mean/(mean+math.Pow(25, 7))))
	p.a *= 1 + g
	q.a *= 1 + g
	cp, cq := p.chroma(), q.chroma()
	hp, hq := p.hue(), q.hue()
	dh, mh := hq-hp, (hp+hq)/2
	switch {
	case cp*cq == 0:
		dh, mh = 0, hp+hq
	case dh > 180:
		dh -= 360
		mh -= 180
	case dh < -180:
		dh += 360
		mh += 180
	}
	dH := 2 * math.Sqrt(cp*cq) * math.Sin(radians(dh/2))
	ml, mc := (p.l+q.l)/2, (cp+cq)/2
	t := 1 - 0.17*math.Cos(radians(mh-30)) + 0.24*math.Cos(radians(2*mh)) +
		0.32*math.Cos(radians(3*mh+6)) - 0.20*math.Cos(radians(4*mh-63))
	l50 := (ml - 50) * (ml - 50)
	sl := 1 + 0.015*l50/math.Sqrt(20+l50)
	sc, sh := 1+0.045*mc, 1+0.015*mc*t
	c7 := math.Pow(mc, 7)
	turn := math.Sin(radians(60*math.Exp(-math.Pow((mod360(mh)-275)/25, 2)))) * -2 * math.Sqrt(c7/(c7+math.Pow(25, 7)))
	l, c, h := (q.l-p.l)/sl, (cq-cp)/sc, dH/sh
	return math.Sqrt(max(0, l*l+c*c+h*h+turn*c*h))
}

func radians(deg float64) float64 { return deg * math.Pi / 180 }

func mod360(deg float64) float64 { return math.Mod(deg+360, 360) }

// luminance is the relative luminance of WCAG 2.
func luminance(c vitrine.Color) float64 {
	return 0.2126*linear[c.R] + 0.7152*linear[c.G] + 0.0722*linear[c.B]
}

// contrastRatio is the contrast of WCAG 2, from 1 to 21.
func contrastRatio(a, b vitrine.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// over paints a color of some opacity on an opaque backdrop.
func over(c, backdrop vitrine.Color, opacity float64) vitrine.Color {
	a := clamp(float64(c.A) / 255 * opacity)
	mix := func(top, bottom uint8) uint8 {
		return uint8(math.Round(float64(top)*a + float64(bottom)*(1-a)))
	}
	return vitrine.Color{R: mix(c.R, backdrop.R), G: mix(c.G, backdrop.G), B: mix(c.B, backdrop.B), A: 255}
}
