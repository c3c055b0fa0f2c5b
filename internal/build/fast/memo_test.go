package fast

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAMemoIsBounded(t *testing.T) {
	m := newMemo[int](8)
	m.put("often", -1)
	for i := range 1000 {
		m.put(fmt.Sprint(i), i)
		if v, ok := m.get("often"); !ok || v != -1 {
			t.Fatalf("after %d others, what is asked for again and again is lost", i+1)
		}
		if m.count() > 8 {
			t.Fatalf("%d are kept", m.count())
		}
	}
	if v, ok := m.get("999"); !ok || v != 999 {
		t.Error("the newest is lost")
	}
	if _, ok := m.get("0"); ok {
		t.Error("the oldest is kept")
	}
}

// Whatever projects import, no more is looked up and kept than any real one needs.
func TestImportsOfPackagesAreBounded(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	var missing, written strings.Builder
	for i := range maxAsked + 1 {
		fmt.Fprintf(&missing, "import 'missing-%d';", i)
	}
	for _, path := range []string{"lodash//template.js", "lodash/./template.js", "lodash/x/../template.js", "lodash/", `lodash\\template.js`, "lodash/" + strings.Repeat("a", 300)} {
		fmt.Fprintf(&written, "import '%s';\n", path)
	}
	for name, c := range map[string]struct {
		source string
		code   Code
	}{
		"more than any project has": {missing.String(), CannotSize},
		"ways of writing one":       {written.String(), CannotImport},
	} {
		before := b.lookups.count()
		_, err := built(t.Context(), b, project1(map[string]string{"src/main.tsx": c.source}), set, false)
		var refusal *Cannot
		if !errors.As(err, &refusal) || refusal.Reasons[0].Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if n := b.lookups.count() - before; n > maxAsked+10 || c.code == CannotImport && n > 10 {
			t.Errorf("%s: %d import paths were looked up", name, n)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(written.String()), "\n") {
		_, err := built(t.Context(), b, project1(map[string]string{"src/main.tsx": line}), set, false)
		if !isCannot(err) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
