package report

import (
	"testing"

	"vitrine"
)

func TestRequestsSayWhatStoodIn(t *testing.T) {
	t.Parallel()
	fixture := func(url string, f vitrine.Fixture) vitrine.Request {
		return vitrine.Request{URL: url, Result: "fixture", Fixture: &f}
	}
	lines, _ := requestLines([]vitrine.Request{
		{URL: "/a.js", Result: "site"},
		fixture("three", vitrine.Fixture{Name: "three", Asked: "0.150", Given: "0.160.1"}),
		fixture("three", vitrine.Fixture{Name: "three", Asked: "0.150", Given: "0.160.1"}),
		fixture("exact", vitrine.Fixture{Name: "d3", Asked: "7.9.0", Given: "7.9.0"}),
		fixture("photo", vitrine.Fixture{Name: "photo", StandIn: true}),
		fixture("fonts", vitrine.Fixture{Name: "fonts", Missing: []string{"Foo", "Bar"}}),
	})
	want := []string{"three 0.160.1, asked for 0.150", "d3 7.9.0", "photo, a stand-in", "fonts, without Foo, Bar", ""}
	if len(lines) != len(want) || lines[0].Times != 2 {
		t.Fatalf("got %+v", lines)
	}
	for i, l := range lines {
		if l.Given() != want[i] {
			t.Errorf("%s: got %q, want %q", l.URL, l.Given(), want[i])
		}
	}
}
