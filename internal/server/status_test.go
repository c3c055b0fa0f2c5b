package server

import (
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/grpo"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
)

func TestStatusPageWithAndWithoutEveryField(t *testing.T) {
	t.Parallel()
	value := 0.25
	full := status{
		Version: "1", Problem: &Problem{Detail: "no browser", Fix: "install one"}, Waiting: 1, Oldest: time.Second, Sessions: 2, Jobs: 3,
		Health: queue.Health{Workers: []queue.Worker{{ID: "w", Busy: 1, Slots: 2}}},
		Tally:  tallied{Scored: 1, Unjudged: 1, Mean: &value, Causes: []codeCount{{vitrine.FaultStarved, 1}}},
		Groups: grpo.Summary{Compared: 1, FlatShare: &value, RewardMean: &value, SpreadMean: &value, CopyShare: &value}, Recipes: []*reward.Recipe{{}},
	}
	for what, c := range map[string]struct {
		status status
		want   string
	}{"nothing": {status{}, `<td>mean reward<td class="n">–`}, "all": {full, `<td>mean reward<td class="n">0.25`}} {
		var out strings.Builder
		if err := statusPage.Execute(&out, c.status); err != nil {
			t.Fatal(err)
		}
		for _, slip := range []string{"%!", "nil", "NaN", "0x"} {
			if strings.Contains(out.String(), slip) {
				t.Errorf("%s: the page prints %q:\n%s", what, slip, out.String())
			}
		}
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: the page does not say %q:\n%s", what, c.want, out.String())
		}
	}
}
