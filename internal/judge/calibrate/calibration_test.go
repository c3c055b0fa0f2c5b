package calibrate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestCalibrationSurvivesItsFile(t *testing.T) {
	p := fitted(t, someRows(60, 1), testSettings)
	b, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse("calibration.yaml", b, "measured@2", testChecks)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, back); diff != "" {
		t.Errorf("read back (-written +read):\n%s", diff)
	}
	if p.ID() != back.ID() {
		t.Errorf("id %s became %s", p.ID(), back.ID())
	}
}

func TestIDFollowsWhatIsJudged(t *testing.T) {
	p := fitted(t, someRows(60, 1), testSettings)
	before := p.ID()
	p.Checks[0].Weight++
	if p.ID() == before {
		t.Error("another weight, the same id")
	}
}

const soundCalibration = `version: 1
judge: measured@2
fitted_on: {count: 40, mean: 4, low: 1, high: 9, hash: ab}
folds: 10
seed: 1
lambda: 0.1
calibrated: {n: 40, pearson: null, spearman: null, kendall_tau_b: null}
default: {n: 40, pearson: null, spearman: null, kendall_tau_b: null}
intercept: 1
hand: 2
checks:
  - {id: strong, weight: 3, typical: 0.5}
  - {id: weak, weight: 0, typical: 1}
map: [{sum: 0, rating: 1}, {sum: 4, rating: 5}, {sum: 6, rating: 9}]
`

func TestRating(t *testing.T) {
	p, err := Parse("p.yaml", []byte(soundCalibration), "measured@2", testChecks)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		hand   float64
		strong *float64
		want   float64
	}{
		"typical where it does not apply": {0.5, nil, 4.5},       // 1 + 1 + 1.5 = 3.5
		"between points":                  {1, ptr(0.8), 7.8},    // 1 + 2 + 2.4 = 5.4
		"low":                             {0, ptr(0), 2},        // 1
		"cut to the scale":                {40, ptr(1), 9},       // far above
		"goes by the last points":         {1.25, ptr(0.6), 7.6}, // 1 + 2.5 + 1.8 = 5.3
	} {
		got := p.Rating(tt.hand, []vitrine.Finding{{Check: "strong", Score: tt.strong}, {Check: "unknown", Score: ptr(1)}})
		if diff := got - tt.want; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: rating %v, want %v", name, got, tt.want)
		}
	}
	if got := p.Position(5); got != 0.5 {
		t.Errorf("5 lies at %v of 1 to 9, want 0.5", got)
	}
}

func ptr(v float64) *float64 { return &v }

func TestBadCalibrations(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, want string }{
		"empty":            {soundCalibration, "", "empty"},
		"no YAML":          {soundCalibration, "a: [", ""},
		"unknown key":      {"hand: 2", "hands: 2", "hands"},
		"text for number":  {"hand: 2", "hand: much", ""},
		"another version":  {"version: 1", "version: 2", "version is 2"},
		"another judge":    {"measured@2", "measured@1", `judge is "measured@1"`},
		"negative hand":    {"hand: 2", "hand: -2", "hand: want a weight of 0 or more"},
		"negative weight":  {"weight: 3", "weight: -3", "checks[0]: weight of strong"},
		"no number":        {"weight: 3", "weight: .nan", "checks[0]: weight of strong"},
		"infinite":         {"weight: 3", "weight: .inf", "checks[0]: weight of strong"},
		"typical":          {"typical: 0.5", "typical: 1.5", "typical of strong"},
		"unknown check":    {"id: strong", "id: stong", `no check "stong"`},
		"check twice":      {"id: weak", "id: strong", "strong is there twice"},
		"falling map":      {"{sum: 6, rating: 9}", "{sum: 6, rating: 4}", "map[2]: want ratings that never fall"},
		"map goes back":    {"sum: 6", "sum: 4", "map[2]: want rising sums"},
		"map of one":       {", {sum: 4, rating: 5}, {sum: 6, rating: 9}", "", "at least two points"},
		"point as a list":  {"{sum: 6, rating: 9}", "[6, 9]", ""},
		"no scale":         {"low: 1, high: 9", "low: 9, high: 9", "low below high"},
		"intercept":        {"intercept: 1", "intercept: .nan", "intercept"},
		"two documents":    {"map:", "---\nmap:", "document"},
		"an alias":         {"intercept: 1", "intercept: &a 1", "aliases"},
		"nested":           {"intercept: 1", "intercept: " + strings.Repeat("[", 10_000), "nested at most"},
		"longer than sane": {"hash: ab", "hash: " + strings.Repeat("a", maxFile), "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("p.yaml", []byte(strings.Replace(soundCalibration, tt.old, tt.new, 1)), "measured@2", testChecks)
			var f *vitrine.Fault
			if !errors.As(err, &f) || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want a usage fault with %q", err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(soundCalibration))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("p.yaml", data, "measured@2", testChecks)
		if err != nil {
			return
		}
		if r := p.Rating(0.5, nil); !(r >= p.FittedOn.Low && r <= p.FittedOn.High) {
			t.Errorf("rating %v is outside of %v to %v", r, p.FittedOn.Low, p.FittedOn.High)
		}
	})
}
