package reward

import (
	"os"
	"testing"
)

func TestRangeHoldsWhatTheRecipesGive(t *testing.T) {
	for name, want := range map[string][2]float64{
		"quality": {0, 1}, "looks": {0, 1}, "webgen-r1": {0, 5.2}, "aescoder": {-1, 1}, "relook": {0, 1},
	} {
		r, err := Load(name, os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := r.Range()
		if lo == nil || hi == nil || *lo < want[0]-1e-9 || *lo > want[0]+1e-9 || *hi < want[1]-1e-9 || *hi > want[1]+1e-9 {
			t.Errorf("%s: from %v to %v, want %v", name, deref(lo), deref(hi), want)
		}
	}
}

func TestRangeOfASignalWithoutABoundHasNone(t *testing.T) {
	r := &Recipe{Combine: CombineSum, Parts: map[string]Part{"t": {From: "output.tokens", Weight: 1}, "none": {From: "output.tokens"}}}
	if lo, hi := r.Range(); lo == nil || *lo != 0 || hi != nil {
		t.Errorf("from %v to %v, want from 0 without an end", deref(lo), deref(hi))
	}
}

func deref(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}
