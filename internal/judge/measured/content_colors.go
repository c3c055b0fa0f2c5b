package measured

import "vitrine"

// lightTolerance is how far (ΔE by CIEDE2000) a light background may be from the named one: plain
// white is 4 from mint cream, and 9 from lavender.
const lightTolerance = 2.5

// contentColors is requestedColors without its tolerance for light backgrounds: a page that is
// left white has not the background that was asked for.
func contentColors(in *input) vitrine.Finding { return heldColors(in, colorAsk.holdStrictly) }

// holdStrictly is holdAgainst, but 0 for a light background that lies behind no large part of the
// page. Everyday words cover many shades, and are held as they are there.
func (a colorAsk) holdStrictly(areas []colorArea) (score float64, why string) {
	score, why = a.holdAgainst(areas)
	if a.role != roleBackground || a.lab.l <= 90 || a.broad {
		return score, why
	}
	for _, c := range areas {
		if c.background && deltaE(a.lab, c.lab) <= lightTolerance {
			return score, why
		}
	}
	return 0, why + ", and so light a background must be that one"
}
