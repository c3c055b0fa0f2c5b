package live

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestFindModules(t *testing.T) {
	t.Parallel()
	site := &vitrine.Site{Base: "/shop/", Files: map[string][]byte{"app.js": []byte("app"), "a/b.js": []byte("deep")}}
	for page, want := range map[string]map[string]int{
		`<script type="module" src="/app.js"></script>`:                    {"http://localhost/app.js": 3},
		`<SCRIPT crossorigin SRC='/shop/app.js' TYPE=module>`:              {"http://localhost/shop/app.js": 3},
		`<link rel="modulepreload" crossorigin href="b.js?v=1&amp;w=2">`:   {"http://localhost/a/b.js?v=1&w=2": 4},
		"<script\ntype = 'module'\nsrc=../app.js></script>":                {"http://localhost/app.js": 3},
		`<script type="module" src="/gone.js"></script>`:                   nil,
		`<script type="module" src="https://cdn.example/app.js"></script>`: nil,
		`<script type="module">import "/app.js"</script>`:                  nil,
		`<script src="/app.js"></script>`:                                  nil,
		`<script type="modules" src="/app.js"></script>`:                   nil,
		`<script data-type="module" src="/app.js"></script>`:               nil,
		`<link rel="preload" as="script" href="/app.js">`:                  nil,
		`<script type="module" src="http://[">`:                            nil,
	} {
		n := &Network{page: &Page{Site: site}}
		n.findModules("http://localhost/a/", []byte(page))
		if diff := cmp.Diff(want, n.modules); diff != "" {
			t.Errorf("%s (-want +got):\n%s", page, diff)
		}
	}
}
