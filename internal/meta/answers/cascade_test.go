package answers

import (
	"fmt"
	"math"
	"testing"
)

// The cheap judge is right where it says so, the dear one always: asking on where the cheap
// one is unsure costs half and is as right.
func TestCascadeWorkedByHand(t *testing.T) {
	var lines []string
	for n := range 40 {
		sure, said := 0.9, "true"
		if n%2 == 1 {
			sure, said = 0.3, "false"
		}
		lines = append(lines,
			fmt.Sprintf(`{"item":{"id":"%d","kind":"unit","truth":true}}`, n),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"cheap","value":%s,"confidence":%v,"usd":0.01}}`, n, said, sure),
			fmt.Sprintf(`{"answer":{"item":"%d","judge":"dear","value":true,"usd":1}}`, n))
	}
	f := Cascades(read(t, lines...), "cheap", "dear", 1)
	const of = "cheap, then dear"
	want(t, f, of, "", "asks on below 0.3: agreement", 0.5)
	want(t, f, of, "", "asks on below 0.9: agreement", 1)
	want(t, f, of, "", "asks on below 0.9: asked on", 0.5)
	want(t, f, of, "", "asks on below 0.9: USD an item", 0.51)
	want(t, f, of, "", "asks on below 0.9: agreement of the first alone where it is sure", 1)
	want(t, f, of, "", "dear alone: USD an item", 1)
	want(t, f, of, "", "threshold to use", 0.9)
	if reversed := Cascades(read(t, lines...), "dear", "cheap", 1); len(reversed.Figures) == 0 {
		t.Error("the other way round there is nothing")
	}
}

// An answer that does not say what it cost makes the cost unknown, and with it which
// threshold is the cheapest.
func TestCascadesOfUnknownCost(t *testing.T) {
	f := Cascades(read(t, `{"item":{"id":"1","kind":"unit","truth":true}}`, `{"item":{"id":"2","kind":"unit","truth":true}}`,
		`{"answer":{"item":"1","judge":"cheap","value":true,"usd":0.1}}`, `{"answer":{"item":"2","judge":"cheap","value":true}}`,
		`{"answer":{"item":"1","judge":"dear","value":true,"usd":1}}`, `{"answer":{"item":"2","judge":"dear","value":true,"usd":1}}`), "cheap", "dear", 1)
	want(t, f, "cheap, then dear", "", "asks on below 1: USD an item", math.NaN())
	want(t, f, "cheap, then dear", "", "dear alone: USD an item", 1)
	for _, one := range f.Figures {
		if one.Name == "threshold to use" {
			t.Errorf("%+v", one)
		}
	}
}
