package reward_test

import (
	"math"
	"strconv"
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

// Eq. 4 of WebGen-R1 to the letter is a copy of its recipe without the gate on the code
// format. The ten pairs of γ and λ are those of Table 6.
func TestEquation4AndTheWeightsOfTable6(t *testing.T) {
	t.Parallel()
	head, rest, there := strings.Cut(shipped(t, "webgen-r1"), "  # A manifest that is not as asked")
	_, tail, more := strings.Cut(rest, "  # A site that does not show")
	if !there || !more {
		t.Fatal("the recipe does not begin with the gate on the code format")
	}
	before, parts, _ := strings.Cut(head+"  #"+tail, "\n  code:\n")
	code, cot, _ := strings.Cut(parts, "\n  cot:\n")
	for _, weights := range [][2]string{
		{"0.0", "0.0"}, {"0.0", "0.1"}, {"0.0", "1.0"}, {"0.1", "0.0"}, {"0.1", "0.1"},
		{"0.1", "1.0"}, {"1.0", "0.0"}, {"1.0", "0.1"}, {"0.5", "0.5"}, {"1.0", "1.0"},
	} {
		copied := parse(t, before+"\n  code:\n"+strings.Replace(code, "weight: 0.1", "weight: "+weights[0], 1)+
			"\n  cot:\n"+strings.Replace(cot, "weight: 0.1", "weight: "+weights[1], 1))
		gamma, lambda := number(t, weights[0]), number(t, weights[1])
		for format, want := range map[[2]float64]float64{{0, 0}: 4, {1, 0}: 4 + gamma, {0, 1}: 4 + lambda, {1, 1}: 4 + gamma + lambda} {
			got, err := copied.Reward(reward.Signals{Values: map[string]float64{"render.valid": 1, "vision.appearance": 4, "format.code": format[0], "format.cot": format[1]}})
			if err != nil || math.Abs(got.Value-want) > 1e-12 {
				t.Errorf("γ, λ %v with s_code, s_cot %v: %v, %v; want %v", weights, format, got.Value, err, want)
			}
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
