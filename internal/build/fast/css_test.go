package fast

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sheetOf is the stylesheet of a site.
func sheetOf(t *testing.T, files map[string]string) string {
	t.Helper()
	b, set := store(t)
	site, err := built(t.Context(), b, project1(files), set, false)
	if err != nil || site.Failure != nil {
		t.Fatalf("%v, %+v", err, site)
	}
	names, err := filepath.Glob(filepath.Join(site.Root, "assets", "*.css"))
	if err != nil || len(names) != 1 {
		t.Fatalf("the stylesheets are %v, %v", names, err)
	}
	css, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(css)
}

func TestStylesheetsAreReadAsBrowsersDo(t *testing.T) {
	t.Parallel()
	const picture, font = "data:image/svg+xml,%3Csvg%2F%3E", "https://fonts.example/css2?family=Inter:wght@400;500&display=swap"
	for name, test := range map[string]struct{ css, want string }{
		"by an address":               {`@import url('./b.css');a{color:red}`, `.b{color:teal}a{color:red}`},
		"by an address without a dot": {`@import url(b.css);a{color:red}`, `.b{color:teal}a{color:red}`},
		"without spaces":              {`@import'./b.css';@import url(./c.css)screen;`, `.b{color:teal}@media screen{.c{color:tan}}`},
		"in capitals":                 {`@IMPORT URL('./b.css');a{background:URL(./x.svg)}`, `.b{color:teal}a{background:url(` + picture + `)}`},
		"at the end of the file":      {`@import './b.css'`, `.b{color:teal}`},
		"with a comment":              {`@import /* ; */ './b.css' /* "c.css" */ screen;`, `@media screen{.b{color:teal}}`},
		"without an end":              {`@import './gone.css' a{color:red} b{color:red}`, `@import "./gone.css" a{color:red}b{color:red}`},
		"of a package, by an address": {`@import 'icons/all.css';`, `.icon{background:url(data:image/svg+xml,`},
		"in a comment":                {`/* @import './gone.css'; url(./gone.svg) */a{color:red}`, `a{color:red}`},
		"in a text":                   {`@import './b.css';a{content:"@import './gone.css';"}`, `.b{color:teal}a{content:"@import './gone.css';"}`},
		"an address in a text":        {`a{content:'url(./x.svg)'}`, `a{content:"url(./x.svg)"}`},
		"a comment in a text":         {`@import './b.css';a{content:'/*'}p{color:red}/* */`, `.b{color:teal}a{content:"/*"}p{color:red}`},
		"an address with escapes":     {`a{background:url(./x\.svg)}`, `a{background:url(` + picture + `)}`},
		"an address with marks":       {`a{background:url("./it's (1).svg")}`, `a{background:url(` + picture + `)}`},
		"an address of nothing":       {`a{background:url()}`, `a{background:url()}`},
		"an address cut off":          {`a{background:url(./x.svg`, `a{background:url(` + picture + `)}`},
		"of another host":             {`@import url(` + font + `);@import './b.css';`, `@import"` + font + `";.b{color:teal}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sheetOf(t, map[string]string{
				"src/main.tsx": `import './a.css'`, "src/a.css": test.css, "src/b.css": ".b{color:teal}", "src/c.css": ".c{color:tan}", "src/x.svg": "<svg/>", "src/it's (1).svg": "<svg/>",
			})
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// An address of another host may have semicolons, as those of several weights of a font do.
func TestImportsOfOtherHostsComeFirst(t *testing.T) {
	t.Parallel()
	const font = `@import"https://fonts.example/css2?family=Inter:wght@400;500&display=swap";`
	got := sheetOf(t, map[string]string{"src/main.tsx": `import './a.css'; import './b.css'`, "src/a.css": "a{color:red}", "src/b.css": font + "b{color:red}"})
	if want := font + "a{color:red}\nb{color:red}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
