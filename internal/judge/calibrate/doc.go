// Package calibrate fits a measured judge to people's ratings and keeps the fit as
// a calibration.
//
// A measured judge gives each check a score in [0,1] and rolls the scores up by
// weights that were set by hand. A calibration has weights that were fitted:
//
//	rating = map(intercept + hand·h + Σ wᵢ·sᵢ)   hand, wᵢ ≥ 0
//
// with the checks' scores sᵢ, the hand-set roll-up h, both in [0,1], and a map that
// never falls. No weight is negative, so a page that does better at a check never
// gets a lower rating for it. The weights of the checks are kept small by ridge
// regression, that of the hand-set roll-up is not: a fit on few ratings says what
// the hand-set judge says, on the scale of the ratings.
//
// What a calibration is worth is measured out of fold: each rating is compared with
// what a fit on the other folds says.
package calibrate
