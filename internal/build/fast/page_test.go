package fast

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesAreReadAsBrowsersDo has pages that are not as their authors' editors format them.
func TestPagesAreReadAsBrowsersDo(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	const script = `<script type="module" src="/src/main.tsx"></script>`
	for name, test := range map[string]struct{ page, want string }{
		"no space between attributes":     {`<head></head><script type="module"src="/src/main.tsx"></script>`, `src="/assets/index-`},
		"a slash between attributes":      {`<head></head><script/type="module"/src="/src/main.tsx"></script>`, `src="/assets/index-`},
		"tags in a text field":            {`<head></head><textarea><script type="module" src="/gone.tsx"></script></textarea>` + script, `<textarea><script type="module" src="/gone.tsx"></script></textarea>`},
		"tags in a title":                 {`<head><title><base></title></head>` + script, `<title><base></title>`},
		"tags in a script":                {`<head></head><script>document.write('<img src="/logo.svg"><script type="module" src="/gone.tsx"><\/script>')</script>` + script, `src="/gone.tsx"><\/script>')</script>`},
		"tags in a comment":               {`<head></head><!-- <script type="module" src="/gone.tsx"></script> > -->` + script, `<!-- <script type="module" src="/gone.tsx"></script> > -->`},
		"capitals":                        {`<HEAD></HEAD><SCRIPT TYPE="module" SRC="/src/main.tsx"></SCRIPT>`, `src="/assets/index-`},
		"no quotes":                       {`<head></head><script type=module src=/src/main.tsx></script><p>Tea`, `<p>Tea`},
		"an address with an entity":       {`<head></head><img src=/logo.svg?a=1&amp;b=2 alt>` + script, `<img src="/shop/logo.svg?a=1&amp;b=2" alt="">`},
		"tags that work without scripts":  {`<head></head><noscript><img src="/logo.svg"></noscript>` + script, `<noscript><img src="/shop/logo.svg"></noscript>`},
		"neither head nor body":           {"<!doctype html><div id=root></div>" + script, `<!doctype html><script type="module" crossorigin`},
		"no head, and no body in sight":   {"<!doctype html><html lang=en><div id=root></div>" + script, `<html lang=en><script type="module" crossorigin`},
		"a tag that the page cuts off":    {`<head></head>` + script + `<p>Tea<img src="/logo.svg`, `<p>Tea<img src="/logo.svg`},
		"a script that the page cuts off": {`<head></head>` + script + `<p>Tea<script>let a = "`, `<p>Tea<script>let a = "`},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"index.html": test.page, "public/logo.svg": "<svg/>"}
			if strings.Contains(test.want, "/shop/") {
				files["vite.config.ts"] = "export default { base: '/shop/' }"
			}
			site, err := built(t.Context(), b, project1(files), set, false)
			if err != nil || site.Failure != nil {
				t.Fatalf("%v, %+v", err, site)
			}
			page, err := os.ReadFile(filepath.Join(site.Root, "index.html"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(page), test.want) || !strings.Contains(string(page), `crossorigin src="`) {
				t.Errorf("the page lacks %q:\n%s", test.want, page)
			}
			if strings.Contains(string(page), "main.tsx") {
				t.Errorf("the page still has its source:\n%s", page)
			}
		})
	}
}
