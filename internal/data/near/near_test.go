package near_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/data/near"
)

// search is what both ways of comparing have.
type search interface {
	Keep(int)
	Best(int, *near.Scratch, func(int) bool) (int, float64)
	Similarity(int, int) float64
}

// collection is n texts, many of them like an earlier one.
func collection(r *rand.Rand, n int) []string {
	words := strings.Fields("please make a web site page shop for lamps teas books with red blue search cart list form user login chart game score board tiny large grid menu footer")
	var texts []string
	for i := range n {
		var own []string
		if i > 0 && r.IntN(2) == 0 {
			own = strings.Fields(texts[r.IntN(i)])
			for range r.IntN(4) {
				own[r.IntN(len(own))] = words[r.IntN(len(words))]
			}
		} else {
			for range 5 + r.IntN(40) {
				own = append(own, words[r.IntN(len(words))])
			}
		}
		texts = append(texts, strings.Join(own, " "))
	}
	return texts
}

func searches(texts []string, t float64) map[string]search {
	grams, tokens := near.NewSpace(), near.NewSpace()
	var bags, sets []near.Bag
	for _, text := range texts {
		bags = append(bags, grams.Add(near.Trigrams(text), false))
		sets = append(sets, tokens.Add(near.Tokens(text), true))
	}
	grams.Rank(bags)
	tokens.Rank(sets)
	return map[string]search{"cosine": near.NewCosine(grams, bags, t), "jaccard": near.NewJaccard(sets, t)}
}

// TestWhatIsFoundIsWhatComparingAllFinds holds the searches against all pairs, at
// thresholds from loose to strict.
func TestWhatIsFoundIsWhatComparingAllFinds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		threshold := rapid.SampledFrom([]float64{0.3, 0.5, 0.8, 0.85, 0.9, 1}).Draw(rt, "t")
		texts := append(collection(r, 60), "", "a", "")
		for name, s := range searches(texts, threshold) {
			var scratch near.Scratch
			for i := range texts {
				want, similarity := -1, 0.0
				for j := range i {
					if v := s.Similarity(i, j); v >= threshold && v > similarity {
						want, similarity = j, v
					}
				}
				got, v := s.Best(i, &scratch, nil)
				if got != want || v != similarity {
					rt.Fatalf("%s at %v: item %d is most like %d (%v), want %d (%v)", name, threshold, i, got, v, want, similarity)
				}
				s.Keep(i)
			}
		}
	})
}

// A feature that weighs nearly all of an item is in the index, and a light one after it must
// be, too: (19, 6) and (16, 10) are 364 / √(397 · 356) alike.
func TestAHeavyFeatureHidesNoOther(t *testing.T) {
	space := near.NewSpace()
	var bags []near.Bag
	for _, counts := range [][2]uint32{{19, 6}, {16, 10}} {
		bags = append(bags, space.Add([]near.Counted{{Feature: 1, Count: counts[0]}, {Feature: 2, Count: counts[1]}}, false))
	}
	space.Rank(bags)
	s := near.NewCosine(space, bags, 0.9)
	s.Keep(0)
	if got, v := s.Best(1, &near.Scratch{}, nil); got != 0 || math.Abs(v-364/math.Sqrt(397*356)) > 1e-6 {
		t.Errorf("most like %d (%v), want 0 (0.968)", got, v)
	}
}

// TestCosineIsThatOfTheUsualVectors works two vectors out by hand.
func TestCosineIsThatOfTheUsualVectors(t *testing.T) {
	s := searches([]string{"abcd", "ABC", "xyz"}, 0.1)["cosine"]
	abc, bcd := math.Log(4.0/3)+1, math.Log(4.0/2)+1
	want := abc / math.Sqrt(abc*abc+bcd*bcd)
	if got := s.Similarity(0, 1); math.Abs(got-want) > 1e-6 {
		t.Errorf("similarity %v, want %v", got, want)
	}
	if got := s.Similarity(0, 2); got != 0 {
		t.Errorf("texts with nothing in common are %v alike", got)
	}
}

func TestTreesAreAsFarApartAsTheirEdits(t *testing.T) {
	leaf := func(name string, children ...*near.Tree) *near.Tree {
		return &near.Tree{Name: name, Children: children}
	}
	// Zhang and Shasha's example: distance 2.
	a := leaf("f", leaf("d", leaf("a"), leaf("c", leaf("b"))), leaf("e"))
	b := leaf("f", leaf("c", leaf("d", leaf("a"), leaf("b"))), leaf("e"))
	x, y := near.NewShape(a), near.NewShape(b)
	if got := x.Alike(y, 0); math.Abs(got-(1-2.0/6)) > 1e-9 {
		t.Errorf("alike %v, want 4/6", got)
	}
	if got := x.Alike(x, 0.9); got != 1 {
		t.Errorf("a tree is %v like itself", got)
	}
	if got := x.Alike(near.NewShape(leaf("z")), 0.9); got != 0 {
		t.Errorf("trees with nothing in common are %v alike", got)
	}
	wide := leaf("ul")
	for range near.MaxTree {
		wide.Children = append(wide.Children, leaf("li"))
	}
	if near.NewShape(wide) != nil {
		t.Error("a tree of more nodes than MaxTree has a shape")
	}
}

func FuzzFeatures(f *testing.F) {
	for _, seed := range []string{"", "a", "ab", "a  b\n c", "\xff\xfe\x00", "let x=1", "日本語です"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, features := range map[string][]near.Counted{"trigrams": near.Trigrams(text), "tokens": near.Tokens(text), "bigrams": near.Bigrams(strings.Fields(text))} {
			for i, one := range features {
				if one.Count == 0 || i > 0 && features[i-1].Feature >= one.Feature {
					t.Fatalf("%s: feature %d is not sorted, or there no time", name, i)
				}
			}
		}
	})
}

func BenchmarkBest(b *testing.B) {
	texts := collection(rand.New(rand.NewPCG(1, 2)), 2000)
	for name, s := range searches(texts, 0.8) {
		for i := range texts {
			s.Keep(i)
		}
		var scratch near.Scratch
		b.Run(fmt.Sprintf("%s of %d", name, len(texts)), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.Best(i%len(texts), &scratch, nil)
			}
		})
	}
}
