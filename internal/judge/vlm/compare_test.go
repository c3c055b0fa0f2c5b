package vlm

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/model/dialog"
	"vitrine/internal/model/modeltest"
)

func TestPairsEndToEnd(t *testing.T) {
	t.Parallel()
	for _, protocol := range Protocols(true) {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			want := rightPair[protocol]
			server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
				return modeltest.Answer{Text: "```json\n" + want.answer + "\n```"}
			})
			j := Judge{Asker: server.Client(t, model.Settings{}), Settings: settings(protocol)}
			got, err := j.Compare(t.Context(), site(), otherSite())
			if err != nil || got.Verdict != vitrine.VerdictA || got.Far != (protocol == "static-pair") || len(got.Calls) != 1 || got.Cost.TokensIn == 0 {
				t.Fatalf("%+v, %v", got, err)
			}
			for key, w := range want.a {
				if diff := cmp.Diff(w, got.A[key], close); diff != "" {
					t.Errorf("A %s: %s", key, diff)
				}
			}
			for key, w := range want.b {
				if diff := cmp.Diff(w, got.B[key], close); diff != "" {
					t.Errorf("B %s: %s", key, diff)
				}
			}
		})
	}
}

// forTea is what a model says to which [site] is better, wherever it stands.
func forTea(first bool) string {
	if first {
		return rightPair["static-pair"].answer
	}
	return `{"feedback":"B is richer.","a":` + thirdsB + `,"b":` + thirdsA + `,"verdict":"A<<B"}`
}

// One pair in both orders and with its sites swapped, through the real client and
// every provider's wire. A verdict comes of two answers that can be used, or there is
// none and a cause.
func TestBothOrdersOverEveryWire(t *testing.T) {
	t.Parallel()
	says := func(text string) modeltest.Answer { return modeltest.Answer{Text: text} }
	refused := modeltest.Answer{Finish: model.FinishRefused, Refusal: "I do not compare people's work."}
	cutOff := modeltest.Answer{Finish: model.FinishLength, Text: forTea(true)[:40]}
	const even = `{"feedback":"Both.","a":` + thirdsA + `,"b":` + thirdsA + `,"verdict":"A=B"}`
	for name, c := range map[string]struct {
		answer     func(teaFirst bool, call int) modeltest.Answer
		calls      int
		verdict    vitrine.Verdict // of tea against coffee
		tea, other float64         // totals
		cause      dialog.Cause    // why there is no verdict
	}{
		"one opinion":  {func(tea bool, _ int) modeltest.Answer { return says(forTea(tea)) }, 2, vitrine.VerdictA, 70.5, 60, ""},
		"doubled":      {func(tea bool, _ int) modeltest.Answer { return says(forTea(tea) + "\n" + forTea(tea)) }, 2, vitrine.VerdictA, 70.5, 60, ""},
		"always first": {func(bool, int) modeltest.Answer { return says(forTea(true)) }, 2, vitrine.VerdictTie, 65.25, 65.25, ""},
		"a tie":        {func(bool, int) modeltest.Answer { return says(even) }, 2, vitrine.VerdictTie, 70.5, 70.5, ""},
		"a tie in one order": {func(tea bool, _ int) modeltest.Answer {
			if tea {
				return says(even)
			}
			return says(forTea(tea))
		}, 2, vitrine.VerdictTie, 70.5, 65.25, ""},
		"garbage, then mended": {func(tea bool, call int) modeltest.Answer {
			if call == 1 {
				return says("The first, by far.")
			}
			return says(forTea(tea))
		}, 3, vitrine.VerdictA, 70.5, 60, ""},
		"cut off, then with room": {func(tea bool, call int) modeltest.Answer {
			if call == 2 {
				return cutOff
			}
			return says(forTea(tea))
		}, 3, vitrine.VerdictA, 70.5, 60, ""},
		"garbage":             {func(bool, int) modeltest.Answer { return says("The first, by far.") }, 2, "", 0, 0, dialog.CauseInvalid},
		"doubled and at odds": {func(bool, int) modeltest.Answer { return says(forTea(true) + forTea(false)) }, 2, "", 0, 0, dialog.CauseInvalid},
		"out of range": {func(tea bool, _ int) modeltest.Answer {
			return says(strings.Replace(forTea(tea), `"alignment":30`, `"alignment":41`, 1))
		}, 2, "", 0, 0, dialog.CauseInvalid},
		"cut off": {func(bool, int) modeltest.Answer { return cutOff }, 2, "", 0, 0, dialog.CauseCutOff},
		"refused": {func(bool, int) modeltest.Answer { return refused }, 1, "", 0, 0, dialog.CauseRefused},
		"refused in the other order": {func(tea bool, call int) modeltest.Answer {
			if call == 2 {
				return refused
			}
			return says(forTea(tea))
		}, 2, "", 0, 0, dialog.CauseRefused},
	} {
		for wire, protocol := range wires {
			t.Run(name+" "+wire, func(t *testing.T) {
				t.Parallel()
				compare := func(a, b Subject) (vitrine.Comparison, error) {
					server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
						if q.Protocol != protocol || len(q.Images) == 0 {
							t.Errorf("asked by %s with %d pictures", q.Protocol, len(q.Images))
							return modeltest.Answer{}
						}
						return c.answer(!strings.HasPrefix(string(q.Images[0].Data), png+"other"), q.Call)
					})
					j := Judge{Asker: server.Client(t, model.Settings{}), Settings: Settings{Protocol: "static-pair", Model: wire, Position: PositionBoth}}
					return j.Compare(t.Context(), a, b)
				}
				ab, errAB := compare(site(), otherSite())
				ba, errBA := compare(otherSite(), site())
				if len(ab.Calls) != c.calls || len(ba.Calls) != c.calls || ab.Cost.TokensIn == 0 {
					t.Fatalf("%d and %d calls, want %d; %d tokens", len(ab.Calls), len(ba.Calls), c.calls, ab.Cost.TokensIn)
				}
				if c.cause != "" {
					unjudged(t, errAB, c.cause)
					unjudged(t, errBA, c.cause)
					if ab.Verdict != "" || ab.A != nil || ab.B != nil || ab.Orders != nil || ab.Calls[c.calls-1].Problem == "" {
						t.Errorf("unjudged, and yet %+v", ab)
					}
					return
				}
				if errAB != nil || errBA != nil || ab.Verdict != c.verdict || ab.Far != (c.verdict == vitrine.VerdictA) || ab.A["total"] != c.tea || ab.B["total"] != c.other {
					t.Errorf("%+v, %v, %v; want %+v", ab, errAB, errBA, c)
				}
				if ba.Verdict != swapVerdict(ab.Verdict) || ba.Far != ab.Far || !cmp.Equal(ba.A, ab.B) || !cmp.Equal(ba.B, ab.A) {
					t.Errorf("swapped it is\n%+v, not\n%+v", ba, ab)
				}
			})
		}
	}
}

func TestPairsWithUnusableAnswersAreUnjudged(t *testing.T) {
	t.Parallel()
	for _, protocol := range Protocols(true) {
		for _, text := range []string{"", "A is better.", "model_a", `{"winner":"A is better","reason":"x"}`, rightPair[protocol].answer[1:]} {
			j := Judge{Asker: says(text), Settings: settings(protocol)}
			j.Settings.Position = PositionBoth
			got, err := j.Compare(t.Context(), site(), otherSite())
			unjudged(t, err, dialog.CauseInvalid)
			if got.Verdict != "" || got.A != nil || len(got.Calls) != 2 || got.Calls[1].Answer != text {
				t.Errorf("%s, %q: %+v", protocol, text, got)
			}
		}
	}
}

func TestAVerdictMustAgreeWithItsTotals(t *testing.T) {
	t.Parallel()
	for verdict, fits := range map[string]bool{"A>>B": true, "A>B": true, "A=B": false, "A<B": false, "A<<B": false, "B": false} {
		answer := strings.Replace(rightPair["static-pair"].answer, `"A>>B"`, `"`+verdict+`"`, 1)
		_, err := (&Judge{Asker: says(answer), Settings: settings("static-pair")}).Compare(t.Context(), site(), otherSite())
		if (err == nil) != fits {
			t.Errorf("%s with 70.5 against 60: %v", verdict, err)
		}
	}
}

// opinion answers a pair by the order in which it is shown: whatever a model might
// say, as long as it says the same to the same question.
func opinion(seed int) *script {
	return &script{answer: func(_ int, r model.Request) model.Reply {
		h := fnv.New64a()
		fmt.Fprint(h, seed, pictures(r), sent(r))
		n := h.Sum64()
		verdict := func(shift uint) string { return []string{"A", "B", "tie"}[n>>shift%3] }
		switch r.Schema.Name {
		case "direct_pair":
			return reply(fmt.Sprintf(`{"reason":"x","winner":%q}`, verdict(0)))
		case "likert_pair":
			return reply(fmt.Sprintf(`{"analysis":"x","a":%s,"b":%s}`, ratings(3, fmt.Sprint(n>>8%5+1), fmt.Sprint(n>>16%5+1)), ratings(3, fmt.Sprint(n>>24%5+1))))
		case "rubric_pair":
			return reply(fmt.Sprintf(`{"analysis":"x","leaves":{"intention.1":%q,"static.1":%q,"static.2":%q,"dynamic.1.1":%q,"dynamic.1.2":%q,"dynamic.2.1":%q}}`, verdict(0), verdict(8), verdict(16), verdict(24), verdict(32), verdict(40)))
		}
		a, b := n>>8%31, n>>16%31
		five := []string{"A>B", "A>>B"}[n>>3%2]
		if a == b {
			five = "A=B"
		} else if a < b {
			five = []string{"A<B", "A<<B"}[n>>3%2]
		}
		one := func(x uint64) string {
			return fmt.Sprintf(`{"alignment":1,"aesthetics":%d,"structure":2,"total":%d}`, x, x+3)
		}
		return reply(fmt.Sprintf(`{"feedback":"x","a":%s,"b":%s,"verdict":%q}`, one(a), one(b), five))
	}}
}

// Swapping A and B mirrors the whole result, whatever the model thinks.
func TestSwappingAPairInBothOrdersChangesNothing(t *testing.T) {
	t.Parallel()
	for _, protocol := range Protocols(true) {
		for _, position := range []Position{PositionBoth, PositionRandom} {
			verdicts := map[vitrine.Verdict]int{}
			for seed := range 60 {
				j := Judge{Asker: opinion(seed), Settings: settings(protocol)}
				j.Settings.Position, j.Settings.Seed = position, int64(seed)
				ab, err := j.Compare(t.Context(), site(), otherSite())
				if err != nil {
					t.Fatal(err)
				}
				ba, err := j.Compare(t.Context(), otherSite(), site())
				if err != nil {
					t.Fatal(err)
				}
				if ab.Verdict != swapVerdict(ba.Verdict) || ab.Far != ba.Far || !cmp.Equal(ab.A, ba.B) || !cmp.Equal(ab.B, ba.A) {
					t.Fatalf("%s, %s, seed %d:\n%+v\n%+v", protocol, position, seed, ab, ba)
				}
				verdicts[ab.Verdict]++
			}
			if len(verdicts) != 3 {
				t.Errorf("%s, %s: only verdicts %v came up, so that little was tested", protocol, position, verdicts)
			}
		}
	}
}

func TestBothOrdersGiveAVerdictOnlyWhereTheyAgree(t *testing.T) {
	t.Parallel()
	first := says(rightPair["static-pair"].answer) // always the first one shown
	j := Judge{Asker: first, Settings: settings("static-pair")}
	j.Settings.Position = PositionBoth
	got, err := j.Compare(t.Context(), site(), otherSite())
	if err != nil || got.Verdict != vitrine.VerdictTie || got.Far {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.A["total"] != 65.25 || got.B["total"] != 65.25 {
		t.Errorf("totals %v and %v, want the mean 65.25 of both orders", got.A["total"], got.B["total"])
	}
	if len(got.Orders) != 2 || got.Orders[0].Verdict != vitrine.VerdictA || got.Orders[1].Verdict != vitrine.VerdictB || !got.Orders[1].Swapped {
		t.Errorf("orders %+v", got.Orders)
	}
	if a, b := pictures(first.asked[0]), pictures(first.asked[1]); a[0] != b[1] || a[1] != b[0] {
		t.Errorf("shown %v, then %v", a, b)
	}
}

func TestRandomPositionUsesBothOrders(t *testing.T) {
	t.Parallel()
	n := 0
	for seed := range 100 {
		j := Judge{Asker: says(rightPair["direct-pair"].answer), Settings: settings("direct")}
		j.Settings.Position, j.Settings.Seed = PositionRandom, int64(seed)
		got, err := j.Compare(t.Context(), site(), otherSite())
		if err != nil {
			t.Fatal(err)
		}
		if got.Orders[0].Swapped {
			n++
		}
	}
	if n < 25 || n > 75 {
		t.Errorf("%d of 100 seeds show B first", n)
	}
}

func TestAnInvalidRenderLoses(t *testing.T) {
	t.Parallel()
	asker := says("never")
	for _, c := range []struct {
		a, b Subject
		want vitrine.Verdict
	}{{site(), broken(), vitrine.VerdictA}, {broken(), site(), vitrine.VerdictB}, {broken(), broken(), vitrine.VerdictTie}} {
		for _, protocol := range Protocols(true) {
			for _, profile := range vitrine.Profiles {
				c.a.Tree, c.b.Tree = tree(), tree()
				j := Judge{Asker: asker, Settings: settings(protocol)}
				j.Settings.Profile = profile
				got, err := j.Compare(t.Context(), c.a, c.b)
				if err != nil || got.Verdict != c.want || len(asker.asked) > 0 || len(got.Findings) == 0 {
					t.Errorf("%s, %s: %+v, %v; want %s", protocol, profile, got, err, c.want)
				}
			}
		}
	}
}

func TestARubricPairKeepsItsLeaves(t *testing.T) {
	t.Parallel()
	j := Judge{Asker: says(rightPair["rubric-pair"].answer), Settings: settings("rubric")}
	j.Settings.Position = PositionBoth
	got, err := j.Compare(t.Context(), site(), otherSite())
	if err != nil || got.Orders[0].Leaves["static.2"] != vitrine.VerdictB || got.Orders[1].Leaves["static.2"] != vitrine.VerdictA {
		t.Errorf("%+v, %v", got.Orders, err)
	}
}
