package review

import (
	"fmt"
	"testing"

	"vitrine/internal/meta/answers"
)

// TestTheSideOfAPairDoesNotFollowFromItsPlace: as many are swapped as not, and the side
// changes from one pair to the next as often as not.
func TestTheSideOfAPairDoesNotFollowFromItsPlace(t *testing.T) {
	var items []Item
	for n := range 400 {
		items = append(items, Item{Item: answers.Item{ID: fmt.Sprint(n), Kind: answers.Pair, Question: "better site"}})
	}
	s, err := OpenStore(t.TempDir(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	swapped, changes := 0, 0
	swap := NewServer(items, s, 1).swap
	for n, b := range swap {
		if b {
			swapped++
		}
		if n > 0 && b != swap[n-1] {
			changes++
		}
	}
	if swapped < 150 || swapped > 250 || changes < 150 || changes > 250 {
		t.Errorf("of 400 pairs %d are swapped, and the side changes %d times: want about 200 of both", swapped, changes)
	}
}
