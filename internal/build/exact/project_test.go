package exact

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
)

// writes is a build script that writes a page to a folder, with a script that the page names.
func writes(dir, html string, scripts ...string) string {
	s := fmt.Sprintf("const fs = require('fs'); fs.mkdirSync('%[1]s/assets', {recursive: true}); fs.writeFileSync('%[1]s/index.html', %[2]q)\n", dir, html)
	for _, name := range scripts {
		s += fmt.Sprintf("fs.writeFileSync('%s/%s', '')\n", dir, name)
	}
	return s
}

// Where the configuration does not tell, what was built does.
func TestTheBuildTellsTheBaseAndTheFolder(t *testing.T) {
	t.Parallel()
	const code = "import fs from 'fs'; export default fs.readFileSync('x')"
	for name, test := range map[string]struct{ config, dir, page, base string }{
		"a constant":              {"const base = '/app/'; export default { base }", "dist", `<script src="/app/assets/a.js"></script>`, "/app"},
		"a function":              {"export default ({ mode }) => ({ base: mode === 'production' ? '/x/' : '/' })", "dist", `<script src="/x/assets/a.js"></script>`, "/x"},
		"an icon elsewhere":       {code, "dist", `<link rel="icon" href="/images/assets/a.js"><script src="/assets/a.js"></script>`, "/"},
		"most of the names":       {code, "dist", `<link rel="icon" href="/images/assets/a.js"><script src="/z/assets/a.js"></script><link href="/z/assets/a.js">`, "/z"},
		"a path of many folders":  {code, "dist", `<script src="` + strings.Repeat("/a", 200_000) + `"></script>`, "/"},
		"code":                    {code, "dist", `<link rel="icon" href="/none.svg"><script type="module" src="/a/b/assets/a.js"></script>`, "/a/b"},
		"code, at the root":       {code, "dist", `<script src="/assets/a.js"></script>`, "/"},
		"code, relative":          {code, "dist", `<script src="./assets/a.js"></script>`, "/"},
		"code, another host":      {code, "dist", `<script src="//cdn.example/assets/a.js"></script>`, "/"},
		"code, with a page":       {code, "dist", `<link rel="canonical" href="/x/index.html"><script src="/y/assets/a.js">`, "/y"},
		"code, with a comment":    {code, "dist", `<!-- <script src="/x/assets/a.js"></script> --><script src="/y/assets/a.js"></script>`, "/y"},
		"code, in another folder": {code, "public/site", `<script src="/b/assets/a.js"></script>`, "/b"},
		"code, beside":            {code, "../server/www", `<p>`, "/"},
		"a root":                  {"export default { root: 'client' }", "client/dist", `<p>`, "/"},
		"a root and a folder":     {"export default { root: 'client', build: { outDir: '../site' } }", "site", `<p>`, "/"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := mustBuild(t, builder(t, nil), artifact(map[string]string{
				"vite.config.ts": test.config, "index.html": "source", "client/index.html": "source", "build.js": writes(test.dir, test.page, "assets/a.js"),
			}))
			if got := served(t, site)["index.html"]; got != test.page || site.Base != test.base {
				t.Errorf("served %q below %s, want %q below %s", got, site.Base, test.page, test.base)
			}
		})
	}
}

// A folder that the project brought is taken only where the build made none.
func TestABroughtSiteIsNoBuiltOne(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{writes("www", "made"): "made", "": "brought"} {
		site := mustBuild(t, builder(t, nil), artifact(map[string]string{
			"vite.config.ts": "import fs from 'fs'; export default fs.readFileSync('x')", "index.html": "source", "build/index.html": "brought", "build.js": script,
		}))
		if got := served(t, site)["index.html"]; got != want {
			t.Errorf("served %q, want %q", got, want)
		}
	}
}

// A folder that is looked for is no link, and none of a package.
func TestAFolderThatIsLookedForIsOfTheBuild(t *testing.T) {
	t.Parallel()
	victim := t.TempDir()
	if err := os.WriteFile(filepath.Join(victim, "index.html"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"a link":         fmt.Sprintf("require('fs').symlinkSync(%q, 'site')", victim),
		"a packet":       "const fs = require('fs'); fs.mkdirSync('deep/node_modules/x', {recursive: true}); fs.writeFileSync('deep/node_modules/x/index.html', 'x')",
		"the project's":  "",
		"too deep":       writes("a/b/c/d/e", "x"),
		"a linked page":  fmt.Sprintf("const fs = require('fs'); fs.mkdirSync('site'); fs.symlinkSync(%q, 'site/index.html')", filepath.Join(victim, "index.html")),
		"a page of pipe": "const fs = require('fs'); fs.mkdirSync('site/index.html', {recursive: true})",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := mustBuild(t, builder(t, nil), artifact(map[string]string{"vite.config.ts": "for (;;) {}", "index.html": "source", "build.js": script}))
			wantFailure(t, site, vitrine.FailureBuild, "no folder with an index.html")
		})
	}
}

// A dependency that is the project itself, or lies in it, is linked from the project's files.
func TestDependenciesInTheProject(t *testing.T) {
	t.Parallel()
	const build = `"scripts":{"build":"node build.js"}`
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"itself": {map[string]string{
			"package.json": `{"name":"shop",` + build + `,"dependencies":{"shop":"file:."}}`, "build.js": page("require('shop/part.js')"), "part.js": "module.exports = 'own part'",
		}, "own part"},
		"a folder and what it needs": {map[string]string{
			"package.json": `{` + build + `,"dependencies":{"@own/ui":"file:packages/ui"}}`, "build.js": page("require('@own/ui')"),
			"packages/ui/package.json": `{"name":"@own/ui","dependencies":{"tiny":"1.0.0"}}`, "packages/ui/index.js": "module.exports = 'ui of ' + require('tiny')",
		}, "ui of 1.0.0"},
		"a workspace, with a lock file": {map[string]string{
			"package.json": `{"workspaces":["packages/*"],` + build + `,"dependencies":{"ui":"workspace:^","tiny":"1.0.0"}}`, "build.js": page("require('ui') + require('tiny')"),
			"packages/ui/package.json": `{"name":"ui"}`, "packages/ui/index.js": "module.exports = 'ui '",
			"package-lock.json": `{"lockfileVersion":3,"packages":{"":{"workspaces":["packages/*"],"dependencies":{"ui":"*","tiny":"1.0.0"}},"node_modules/ui":{"resolved":"packages/ui","link":true},"packages/ui":{}}}`,
		}, "ui 1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := served(t, mustBuild(t, builder(t, nil), artifact(test.files)))["index.html"]; got != test.want {
				t.Errorf("served %q, want %q", got, test.want)
			}
		})
	}
}

// Where another package needs the registry's package of the name, that would be found first.
func TestALocalDependencyIsNotHidden(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{
		"package.json": `{"scripts":{"build":"node build.js"},"dependencies":{"tiny":"file:./fork","wants-old-tiny":"1.0.0"}}`, "build.js": page("require('tiny')"),
		"fork/package.json": `{"name":"tiny"}`, "fork/index.js": "module.exports = 'fork'",
	}))
	wantFailure(t, site, vitrine.FailureInstall, `"tiny" lies in the project`)
}
