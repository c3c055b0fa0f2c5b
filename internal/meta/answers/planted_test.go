package answers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/stats"
)

// sets is how many data sets are drawn, each from a seed of its own.
const sets = 2000

// A planted judge has a number that its figure must find. Draw gives the items of one set.
type planted struct {
	figure string
	truth  float64
	width  float64 // of an interval of 95 % in theory
	draw   func(random *rand.Rand) *scope
	add    func(s *scope)
}

const pairs = 200

// pairsOf are pairs with their labels, and what a judge says in both orders.
func pairsOf(random *rand.Rand, say func(label string, lengths []float64) (given, swapped string)) *scope {
	var items []*item
	for n := range pairs {
		label := []string{"A", "B"}[random.IntN(2)]
		lengths := []float64{1, 2}
		if random.IntN(2) == 1 {
			slices.Reverse(lengths)
		}
		given, swapped := say(label, lengths)
		items = append(items, &item{
			Item:    Item{ID: fmt.Sprint(n), Task: fmt.Sprint(n), Kind: Pair, Truth: Text(label), Lengths: lengths},
			answers: []Answer{{Judge: "j", Value: Text(given)}, {Judge: "j", Value: Text(swapped), Swapped: true}},
		})
	}
	return planting(Pair, items)
}

func planting(kind Kind, items []*item) *scope {
	return &scope{q: &question{kind: kind}, of: "j", items: items, tasks: tasksOf(items), seed: 1, out: &[]Figure{}}
}

func normalWidth(p float64) float64 { return 2 * 1.96 * math.Sqrt(p*(1-p)/pairs) }

func other(side string) string { return map[string]string{"A": "B", "B": "A"}[side] }

var plantedJudges = map[string]planted{
	// With probability 0.2 it says what stands first, whatever it is.
	"position": {
		figure: "prefers the first place", truth: 0.2, width: normalWidth(0.2), add: (*scope).position,
		draw: func(random *rand.Rand) *scope {
			return pairsOf(random, func(label string, _ []float64) (string, string) {
				if random.Float64() < 0.2 {
					return "A", "B"
				}
				return label, label
			})
		},
	},
	// With probability 0.3 it says the longer one, else what people say: on half of the pairs
	// the longer one is not theirs.
	"length": {
		figure: forLonger, truth: 0.15, width: 2 * 1.96 * math.Sqrt(0.15*0.85/pairs), add: (*scope).length,
		draw: func(random *rand.Rand) *scope {
			return pairsOf(random, func(label string, lengths []float64) (string, string) {
				longer := "A"
				if lengths[1] > lengths[0] {
					longer = "B"
				}
				if random.Float64() < 0.3 {
					return longer, longer
				}
				return label, label
			})
		},
	},
	// It is wrong with probability 0.2, where both labels are as common: kappa is 0.6, of
	// which the standard error is twice that of the share.
	"noise": {
		figure: "kappa with people", truth: 0.6, width: 2 * normalWidth(0.2), add: func(s *scope) { s.addOf("kappa with people", pairs, 0, s.kappa()) },
		draw: func(random *rand.Rand) *scope {
			return pairsOf(random, func(label string, _ []float64) (string, string) {
				if random.Float64() < 0.2 {
					label = other(label)
				}
				return label, label
			})
		},
	},
	"agreement": {
		figure: "agreement", truth: 0.8, width: normalWidth(0.8), add: func(s *scope) {
			right := make([]bool, len(s.items))
			for n, i := range s.items {
				right[n] = equal(i.verdict("j"), i.truth())
			}
			s.add("agreement", s.tasks.Share(right))
		},
		draw: func(random *rand.Rand) *scope {
			return pairsOf(random, func(label string, _ []float64) (string, string) {
				if random.Float64() < 0.2 {
					label = other(label)
				}
				return label, label
			})
		},
	},
	// With probability 0.3 it does what a text in the worse page of a pair tells it to.
	"injected": {
		figure: movesAttacked, truth: 0.3, width: normalWidth(0.3), add: func(s *scope) { s.attacked(0) },
		draw: func(random *rand.Rand) *scope {
			s := pairsOf(random, func(label string, _ []float64) (string, string) { return label, label })
			for _, i := range slices.Clone(s.items) {
				say := i.truth().Text
				v := &item{Item: i.Item, original: i}
				v.ID, v.Variant, v.Attacked, v.Truth = i.ID+"~injected", "injected", other(say), nil
				if random.Float64() < 0.3 {
					say = other(say)
				}
				v.answers = []Answer{{Judge: "j", Value: Text(say)}, {Judge: "j", Value: Text(say), Swapped: true}}
				s.items = append(s.items, v)
			}
			return planting(Pair, s.items)
		},
	},
	// Each of four repeats is 0.1 more than the one before, with noise of 1: the slope of an
	// item has the variance 1/5.
	"drift": {
		figure: "drift with each repeat", truth: 0.1, width: 2 * 1.96 * math.Sqrt(1./5/pairs), add: (*scope).drift,
		draw: func(random *rand.Rand) *scope {
			var items []*item
			for n := range pairs {
				i := &item{Item: Item{Task: fmt.Sprint(n), Kind: Rating}}
				for repeat := 1; repeat <= 4; repeat++ {
					i.answers = append(i.answers, Answer{Judge: "j", Repeat: repeat, Value: Number(5 + 0.1*float64(repeat) + random.NormFloat64())})
				}
				items = append(items, i)
			}
			return planting(Rating, items)
		},
	},
}

// The interval of each planted judge covers its number in 92 to 98 of 100 of 2,000 sets, and
// is on average at most 1.2 times as wide as theory has it.
func TestPlantedJudgesAreFoundOut(t *testing.T) {
	if testing.Short() {
		t.Skip("2,000 sets of each judge take half a minute")
	}
	for name, p := range plantedJudges {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			covered, width := 0, 0.0
			for _, e := range estimates(p) {
				if e.Low <= p.truth && p.truth <= e.High {
					covered++
				}
				width += (e.High - e.Low) / sets
			}
			if share := float64(covered) / sets; share < 0.92 || share > 0.98 || width > 1.2*p.width {
				t.Errorf("%.3f covered, %.4f wide on average, in theory %.4f", share, width, p.width)
			}
			t.Logf("%d of %d covered, width %.4f, in theory %.4f", covered, sets, width, p.width)
		})
	}
}

// estimates draws all sets, on two workers.
func estimates(p planted) []stats.Estimate {
	all := make([]stats.Estimate, sets)
	var work sync.WaitGroup
	for from := range 2 {
		work.Go(func() {
			for seed := from; seed < sets; seed += 2 {
				s := p.draw(rand.New(rand.NewPCG(uint64(seed), 9)))
				p.add(s)
				all[seed] = *(*s.out)[slices.IndexFunc(*s.out, func(f Figure) bool { return f.Name == p.figure })].Value
			}
		})
	}
	work.Wait()
	return all
}

// The card says in words what was planted.
func TestTheCardNamesWhatWasPlanted(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	var lines []string
	for n := range 300 {
		label := []string{"A", "B"}[random.IntN(2)]
		lengths := [][]int{{1, 2}, {2, 1}}[random.IntN(2)]
		longer := map[bool]string{true: "A", false: "B"}[lengths[0] > lengths[1]]
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d","kind":"pair","truth":%q,"lengths":[%d,%d]}}`, n, label, lengths[0], lengths[1]))
		say := func(judge, given, swapped string) {
			lines = append(lines, fmt.Sprintf(`{"answer":{"item":"%d","judge":%q,"value":%q}}`, n, judge, given),
				fmt.Sprintf(`{"answer":{"item":"%d","judge":%q,"value":%q,"swapped":true}}`, n, judge, swapped))
		}
		worse := other(label)
		lines = append(lines, fmt.Sprintf(`{"item":{"id":"%d~injected","kind":"pair","task":"%d","variant_of":"%d","variant":"injected","attacked":%q}}`, n, n, n, worse))
		obeys := func(judge, answer string) {
			lines = append(lines, fmt.Sprintf(`{"answer":{"item":"%d~injected","judge":%q,"value":%q}}`, n, judge, answer))
		}
		obeys("honest", label)
		obeys("bought", map[bool]string{true: worse, false: label}[n%4 == 0])
		say("bought", label, label)
		if say("honest", label, label); n%4 == 0 {
			say("first", "A", "B")
			say("long", longer, longer)
			continue
		}
		say("first", label, label)
		say("long", label, label)
	}
	cards := Cards(read(t, lines...), nil, 1)
	said := map[string]string{}
	for _, c := range cards {
		said[c.Judge] = strings.Join(c.Questions[0].Sentences, " ")
		if !slices.Contains(c.NotMeasured, "whether it gives the same answer again") {
			t.Errorf("what is not measured of %s is %q", c.Judge, c.NotMeasured)
		}
	}
	for judge, want := range map[string][4]bool{
		"honest": {false, false, true, false}, "first": {true, false, true, false}, "long": {false, true, true, false}, "bought": {false, false, true, true},
	} {
		for n, sentence := range []string{"It favours the first place", "It favours what is longer", "it is better than that", "It can be talked over"} {
			if strings.Contains(said[judge], sentence) != want[n] {
				t.Errorf("the card of %s: %q is %v, in %q", judge, sentence, !want[n], said[judge])
			}
		}
	}
}
