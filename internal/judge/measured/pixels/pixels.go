// Package pixels judges the looks of a page from a bare screenshot: no document, no
// styles, no text. It is what is left of the measured judge where only a picture
// is there. The same picture always gives the same judgement.
//
// Its checks follow what is published on first impressions of websites: color and
// visual complexity (Reinecke et al. 2013, Hasler and Süsstrunk 2003), symmetry and
// balance (Ngo et al. 2003), white space, pictures against text. They look at the
// first screen: the part of the picture that is no higher than wide.
package pixels

import (
	"fmt"
	"image"
	"math"

	"vitrine"
	"vitrine/internal/judge/calibrate"
)

// Version is part of the judge's name: it changes whenever a score can change.
const Version = "2"

// Name is the name@version of the judge, as a calibration names it.
const Name = "pixels@" + Version

// mostAesthetics and mostAppearance are the ends of the scales of AesCoder G.2 and
// WebGen-R1 G.2.
const (
	mostAesthetics = 30
	mostAppearance = 5
)

// Judge says what can be measured of a screenshot: aesthetics from 0 to 30 and
// appearance from 0 to 5. With a calibration, appearance is the place of the fitted
// rating on the scale 0 to 5, and the rating itself is the score "calibrated".
// An image too small to be a page gets no scores.
func Judge(img image.Image, calibration *calibrate.Calibration) vitrine.Judgement {
	j := vitrine.Judgement{Judge: Name, Cost: vitrine.Free(), Scores: map[string]float64{}, Unknown: []string{
		"whether the page is what was asked for",
		"whether its parts work, and what they are called",
		"what its words say and its pictures show",
	}}
	if calibration != nil {
		j.Judge += "+" + calibration.ID()
	}
	f := newFacts(img)
	if f == nil {
		j.Unknown = append(j.Unknown, fmt.Sprintf("everything: an image of %d × %d pixels shows no page", img.Bounds().Dx(), img.Bounds().Dy()))
		return j
	}
	var sum, weights float64
	for _, c := range panel {
		finding := c.find(f)
		j.Findings = append(j.Findings, finding)
		if finding.Score != nil {
			sum += c.weight * *finding.Score
			weights += c.weight
		}
	}
	hand := sum / weights
	j.Scores["aesthetics"] = round2(mostAesthetics * hand)
	j.Scores["appearance"] = round2(mostAppearance * hand)
	if calibration != nil {
		rating := calibration.Rating(Hand(j), j.Findings)
		j.Scores["calibrated"] = round2(rating)
		j.Scores["appearance"] = round2(5 * calibration.Position(rating))
	}
	return j
}

// Hand is the hand-set roll-up of a judgement, in [0,1]; NaN if it has none.
func Hand(j vitrine.Judgement) float64 {
	s, ok := j.Scores["aesthetics"]
	if !ok {
		return math.NaN()
	}
	return s / mostAesthetics
}

// Checks returns the id of every check in panel order.
func Checks() []string {
	ids := make([]string, len(panel))
	for i, c := range panel {
		ids[i] = c.id
	}
	return ids
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }
