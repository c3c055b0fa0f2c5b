package measured

import (
	"math"

	"vitrine"
	"vitrine/internal/judge/calibrate"
)

// JudgeWith judges with weights that were fitted to ratings; without a calibration it
// is [Judge]. The score "calibrated" is the rating that people would give, on
// their own scale; "total" and "appearance" are its place on theirs, from the
// lowest rating that was given to the highest. The scores of the three dimensions
// stay hand-set: ratings say nothing of them apart. An invalid render has the
// lowest rating.
func JudgeWith(ev *vitrine.Evidence, p *calibrate.Calibration) vitrine.Judgement {
	j := Judge(ev)
	if p == nil {
		return j
	}
	j.Judge = NameWith(p)
	hand := Hand(j)
	if math.IsNaN(hand) {
		return j
	}
	rating := p.FittedOn.Low
	if ev != nil && ev.Validity.Valid {
		rating = p.Rating(hand, j.Findings)
	}
	j.Scores["calibrated"] = round2(rating)
	j.Scores["total"] = round2(100 * p.Position(rating))
	j.Scores["appearance"] = round2(5 * p.Position(rating))
	return j
}

// NameWith is the name@version of the judge with a calibration, nil for none. It is
// another name for another calibration, as cache keys need it.
func NameWith(p *calibrate.Calibration) string {
	if p == nil {
		return Name
	}
	return Name + "+" + p.ID()
}

// Hand is the hand-set roll-up of a judgement without a calibration, in [0,1]; NaN if
// it has none.
func Hand(j vitrine.Judgement) float64 {
	total, ok := j.Scores["total"]
	if !ok {
		return math.NaN()
	}
	return total / 100
}
