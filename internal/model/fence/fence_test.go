package fence

import "testing"

func TestTheMarkDependsOnTheDataAlone(t *testing.T) {
	t.Parallel()
	a, b, c := New([]string{"x", "yz"}), New([]string{"x", "yz"}), New([]string{"xy", "z"})
	if a != b || a == c {
		t.Errorf("%s %s %s", a, b, c)
	}
	// Who knows the mark of a page and writes it in has another page.
	if d := New([]string{"x", "yz " + string(a)}); d == a {
		t.Error("the mark stays when it is written into the page")
	}
}
