package fast

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"vitrine"
)

// What grows in this process beyond its source, and may end it, is left to the exact
// builder. Each is here at a size that a test can bear and that an attack multiplies.
func TestWhatGrowsIsNotBuiltHere(t *testing.T) { // alone: it counts what the process allocates
	long := strings.Repeat("a", 100_000)
	sheets := map[string]string{"src/main.tsx": "import './s0.css'", "src/s7.css": "." + strings.Repeat("b", 500) + "{color:red}"}
	for i := range 7 {
		sheets[fmt.Sprintf("src/s%d.css", i)] = strings.Repeat(fmt.Sprintf("@import './s%d.css';\n", i+1), 6)
	}
	many, tailwind := map[string]string{}, map[string]string{
		"postcss.config.js": "export default { plugins: { tailwindcss: {} } }",
	}
	for i := range maxFiles {
		many[fmt.Sprintf("src/m%d.ts", i)] = ""
	}
	for i := range maxSheets + 1 {
		tailwind[fmt.Sprintf("src/t%d.css", i)] = "@tailwind utilities;"
		tailwind["src/main.tsx"] += fmt.Sprintf("import './t%d.css';", i)
	}
	for name, files := range map[string]map[string]string{
		"an enum that doubles":         {"src/main.tsx": "enum E { A = 'aaaaaaaa', B = `${A}${A}` }; document.title = E.B"},
		"an enum that is inlined":      {"src/main.ts": "enum E { A = '" + long[:1000] + "' }; document.title = E.A", "src/main.tsx": "import './main.ts'"},
		"stylesheets that multiply":    sheets,
		"stylesheets without end":      tailwind,
		"files without end":            many,
		"sources without end":          {"src/a.json": strings.Repeat(" ", maxText)},
		"a value in a script":          {".env": "VITE_A=" + long, "src/main.tsx": strings.Repeat("import.meta.env.VITE_A;", 300)},
		"a defined value":              {"vite.config.ts": "export default { define: { A: JSON.stringify('" + long[:50_000] + "') } }", "src/main.tsx": strings.Repeat("A;", 2000)},
		"a value in the page":          {".env": "VITE_A=" + long, "index.html": strings.Repeat("%VITE_A%", 300)},
		"an environment in each chunk": {".env": "VITE_A=" + strings.Repeat(long, 10), "src/a.ts": "", "src/b.ts": "", "src/c.ts": "", "src/d.ts": "", "src/e.ts": "", "src/f.ts": "", "src/g.ts": "", "src/h.ts": "", "src/i.ts": "", "src/j.ts": "", "src/k.ts": "", "src/l.ts": "", "src/m.ts": ""},
		"an address in the page":       {"index.html": strings.Repeat(`<img src="/a.svg">`, 8000), "a.svg": "<svg><text>" + long[:4000]},
		"an address in a stylesheet":   {"src/main.tsx": "import './a.css'", "src/a.css": strings.Repeat("p{background:url(a.svg)}", 5000), "src/a.svg": "<svg><text>" + long[:4000]},
		"blocks in each other":         {"src/main.tsx": strings.Repeat("{", 32<<10) + strings.Repeat("}", 32<<10)},
		"functions in each other":      {"src/main.tsx": "export default " + strings.Repeat("a=>", 40_000) + "1"},
		"lists in each other":          {"src/main.tsx": "import './a.json'", "src/a.json": strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000)},
		"rules in each other":          {"src/main.tsx": "import './a.css'", "src/a.css": strings.Repeat(".a,.b{", 10_000) + strings.Repeat("}", 10_000)},
		"blocks in a script of a page": {"index.html": "<script type=module>" + strings.Repeat("{let a=b;", 5000) + strings.Repeat("}", 5000) + "</script>"},
		"a page without end":           {"index.html": strings.Repeat("<p>", 50_000)},
	} {
		t.Run(name, func(t *testing.T) {
			b, set := store(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			site, err := built(t.Context(), b, project1(files), set, false)
			runtime.ReadMemStats(&after)
			var cannot *Cannot
			if !errors.As(err, &cannot) || cannot.Reasons[0].Code != CannotSize {
				t.Errorf("got %v, %+v", err, failureOf(site))
			}
			if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 600 {
				t.Errorf("%d MB were taken to refuse it", taken)
			}
		})
	}
}

func failureOf(site *vitrine.Site) *vitrine.BuildFailure {
	if site == nil {
		return nil
	}
	return site.Failure
}

// Comments that never end are read once.
func TestCommentsInAPage(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	for source, want := range map[string]string{
		"<!-- <script src='/no.js'></script> --><p>":         "<!-- <script src='/no.js'></script> --><p>",
		"<p><!-- open <b title='x'>":                         "<p><!-- open <b title='x'>",
		"<!--><p>--><i>":                                     "<!--><p>--><i>",
		"<p title='<!--'>a</p><!-- b --><i>c</i><!-- d":      "<p title='<!--'>a</p><!-- b --><i>c</i><!-- d",
		strings.Repeat("<!--<a>", 10_000) + "<b>the end</b>": "<b>the end</b>",
	} {
		site, err := built(t.Context(), b, project1(map[string]string{"index.html": source}), set, false)
		if err != nil {
			t.Fatal(err)
		}
		if all := everything(t, site); !strings.Contains(all, want) {
			t.Errorf("%.80q became %.300q", source, all)
		}
	}
}

// Names inside each other are found without going through all others for each.
func TestNestedNamesAreFoundAtOnce(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	nested := strings.Repeat("{let a=b;", 250) + strings.Repeat("}", 250)
	functions := "export default " + strings.Repeat("a=>", 250) + "1;"
	files := map[string]string{
		"vite.config.ts": strings.Repeat(nested, 20) + "export default { base: '/here/' }", "src/main.tsx": "import './nested'; import './functions'",
		"src/nested.ts": strings.Repeat(nested, 40), "src/functions.ts": functions + strings.Repeat("b = "+functions[15:], 100),
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	site, err := built(t.Context(), b, project1(files), set, false)
	runtime.ReadMemStats(&after)
	var refusal *Cannot
	if err != nil && !errors.As(err, &refusal) || failureOf(site) != nil {
		t.Errorf("%v, %+v", err, failureOf(site))
	}
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 400 {
		t.Errorf("%d MB were taken", taken)
	}
}

// A configuration that is nested too deep is neither read nor evaluated.
func TestNestedConfigurationsAreNotRead(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	for name, source := range map[string]string{
		"functions": "export default " + strings.Repeat("a=>", 20_000) + "({})", "blocks": strings.Repeat("{", 900) + strings.Repeat("}", 900) + "export default {}",
	} {
		_, err := built(t.Context(), b, project1(map[string]string{"vite.config.ts": source}), set, false)
		var refusal *Cannot
		if !errors.As(err, &refusal) || refusal.Reasons[0].Code != CannotConfig || !strings.Contains(err.Error(), "nested") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
