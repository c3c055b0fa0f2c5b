package measured

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/judge/calibrate"
)

// twoToOne is a calibration in which one check counts twice as much as the hand-set
// roll-up, on a scale from 1 to 7.
func twoToOne() *calibrate.Calibration {
	return &calibrate.Calibration{
		Version: calibrate.Version, Judge: Name, FittedOn: calibrate.FittedOn{Count: 50, Mean: 4, Low: 1, High: 7},
		Intercept: 1, Hand: 2, Checks: []calibrate.Weight{{ID: "contrast", Weight: 4, Typical: 0.5}},
		Map: []calibrate.Point{{Sum: 1, Rating: 1}, {Sum: 7, Rating: 7}},
	}
}

func TestWithoutACalibrationNothingChanges(t *testing.T) {
	ev := evidence(manyElements(60)...)
	if diff := cmp.Diff(Judge(ev), JudgeWith(ev, nil)); diff != "" {
		t.Errorf("judged without a calibration (-Judge +JudgeWith):\n%s", diff)
	}
	if NameWith(nil) != Judge(ev).Judge {
		t.Errorf("the name is %s", NameWith(nil))
	}
}

func TestCalibrationMovesTotalAndAppearance(t *testing.T) {
	ev := evidence(text("Bread, baked at night", 100, 100))
	plain, fitted := Judge(ev), JudgeWith(ev, twoToOne())
	contrast := *finding(t, ev, "contrast").Score
	want := maps.Clone(plain.Scores)
	rating := 1 + 2*plain.Scores["total"]/100 + 4*contrast
	want["calibrated"], want["total"], want["appearance"] = round2(rating), round2(100*(rating-1)/6), round2(5*(rating-1)/6)
	if diff := cmp.Diff(want, fitted.Scores); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(plain.Findings, fitted.Findings); diff != "" {
		t.Errorf("a calibration changed findings:\n%s", diff)
	}
	if !strings.HasPrefix(fitted.Judge, Name+"+") || fitted.Judge != NameWith(twoToOne()) {
		t.Errorf("the judge is called %s", fitted.Judge)
	}
}

func TestCalibrationOfWhatCannotBeSeen(t *testing.T) {
	invalid := evidence(text("left over", 0, 0))
	invalid.Validity = vitrine.Validity{Reason: vitrine.InvalidBlank}
	j := JudgeWith(invalid, twoToOne())
	if j.Scores["calibrated"] != 1 || j.Scores["total"] != 0 || j.Scores["appearance"] != 0 {
		t.Errorf("an invalid render has %v, want the lowest rating", j.Scores)
	}
	if j := JudgeWith(&vitrine.Evidence{Validity: vitrine.Validity{Valid: true}}, twoToOne()); len(j.Scores) != 0 {
		t.Errorf("nothing to measure, but %v", j.Scores)
	}
	if j := JudgeWith(nil, twoToOne()); j.Scores["calibrated"] != 1 {
		t.Errorf("no evidence has %v", j.Scores)
	}
}
