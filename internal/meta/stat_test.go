package meta

import (
	"bytes"
	"strings"
	"testing"
)

// Whatever a table is, each statistic has a number, or a reason, or says what is wrong.
func FuzzStat(f *testing.F) {
	f.Add("x,y\n1,2\n2,3\n")
	f.Add("a,b\n1,0\n,1\nno,yes\n")
	f.Add("\ufeffhit\ntrue\n0\n")
	f.Add("p\n0.01\n1.5\n")
	f.Add("x,y\n1e308,-1e308\n-1e308,1e308\n")
	f.Add("\"")
	f.Fuzz(func(t *testing.T, csv string) {
		if strings.Count(csv, "\n") > 30 || strings.Count(csv, ",") > 60 {
			t.Skip("permutations of many rows take long")
		}
		for _, name := range StatNames() {
			a, err := Stat(name, bytes.NewReader([]byte(csv)))
			if err == nil && a.Value == nil && a.Reason == "" {
				t.Errorf("%s has neither a value nor a reason", name)
			}
		}
	})
}

// A mean that is in range is given though the sum is not, and one that is not says why.
func TestErrorsAtTheEndOfTheRange(t *testing.T) {
	a, err := Stat("mae", strings.NewReader("x,y\n1e308,0\n1e308,0\n"))
	if err != nil || a.Value == nil || *a.Value != 1e308 {
		t.Errorf("%+v, %v", a, err)
	}
	a, err = Stat("mae", strings.NewReader("x,y\n1e308,-1e308\n"))
	if err != nil || a.Value != nil || !strings.Contains(a.Reason, "beyond") {
		t.Errorf("%+v, %v", a, err)
	}
}
