package plots

import (
	"image"
	"math"

	"golang.org/x/image/draw"
)

// The size to which pictures are scaled before they are compared, and the windows in which
// they are.
const (
	wide, high   = 320, 240
	window, step = 8, 4
)

// similarity is the mean structural similarity of two pictures in grey (Wang et al., 2004),
// each scaled to one size: 1 for the same picture, 0 and below, which is 0 here, for
// pictures that have nothing in common. Windows that are empty in both have nothing to
// compare and are left out: most of a plot is paper.
func similarity(a, b image.Image) float64 {
	x, y := grey(a), grey(b)
	sum, n := 0.0, 0
	for top := 0; top+window <= high; top += step {
		for left := 0; left+window <= wide; left += step {
			if v, something := ssim(x, y, left, top); something {
				sum += v
				n++
			}
		}
	}
	if n == 0 {
		return 1 // both are of one colour
	}
	return math.Max(0, sum/float64(n))
}

// ssim is that of one window, and whether either picture has anything in it.
func ssim(x, y *image.Gray, left, top int) (v float64, something bool) {
	const n, c1, c2 = window * window, (0.01 * 255) * (0.01 * 255), (0.03 * 255) * (0.03 * 255)
	var sx, sy, sxx, syy, sxy float64
	for j := top; j < top+window; j++ {
		for i := left; i < left+window; i++ {
			p, q := float64(x.Pix[j*x.Stride+i]), float64(y.Pix[j*y.Stride+i])
			sx, sy, sxx, syy, sxy = sx+p, sy+q, sxx+p*p, syy+q*q, sxy+p*q
		}
	}
	mx, my := sx/n, sy/n
	vx, vy, cov := sxx/n-mx*mx, syy/n-my*my, sxy/n-mx*my
	if vx < 1 && vy < 1 && math.Abs(mx-my) < 1 {
		return 0, false
	}
	return (2*mx*my + c1) * (2*cov + c2) / ((mx*mx + my*my + c1) * (vx + vy + c2)), true
}

// grey is a picture on white, scaled, in grey.
func grey(img image.Image) *image.Gray {
	paper := image.NewRGBA(image.Rect(0, 0, wide, high))
	draw.Draw(paper, paper.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(paper, paper.Bounds(), img, img.Bounds(), draw.Over, nil)
	g := image.NewGray(paper.Bounds())
	draw.Draw(g, g.Bounds(), paper, image.Point{}, draw.Src)
	return g
}
