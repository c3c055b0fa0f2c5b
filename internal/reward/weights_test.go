package reward_test

import (
	"math"
	"strings"
	"testing"

	"vitrine/internal/reward"
)

// The five divisions of AesCoder's Table 7, as copies of its recipe, on the cases of App. I.3
// and I.4, in which the parts are 1, -0.64, -1 and 1, 0.62, 0.
func TestWeightsOfTable7(t *testing.T) {
	t.Parallel()
	for weights, want := range map[[2]string][2]float64{
		{"0.0", "0.9"}: {-0.8, 0.1}, {"0.2", "0.7"}: {-0.728, 0.224}, {"0.4", "0.5"}: {-0.656, 0.348},
		{"0.6", "0.3"}: {-0.584, 0.472}, {"0.9", "0.0"}: {-0.476, 0.658},
	} {
		head, interact, _ := strings.Cut(shipped(t, "aescoder"), "\n  interact:\n")
		copied := parse(t, strings.Replace(head, "weight: 0.8", "weight: "+weights[0], 1)+"\n  interact:\n"+strings.Replace(interact, "weight: 0.1", "weight: "+weights[1], 1))
		for i, known := range []map[string]float64{{"vision.total": 18, "interact.score": 0}, {"vision.total": 81, "interact.score": 1}} {
			known["html.present"], known["hint.pass"], known["render.valid"] = 1, 1, 1
			got, err := copied.Reward(reward.Signals{Values: known})
			if err != nil || math.Abs(got.Value-want[i]) > 1e-12 {
				t.Errorf("weights %v of App. I.%d: %v, %v; want %v", weights, i+3, got.Value, err, want[i])
			}
		}
	}
}
