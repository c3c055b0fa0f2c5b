package fast

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/build"
)

func styled(css string) *vitrine.Artifact {
	return project1(map[string]string{
		"src/main.tsx": "import './a.css'", "src/a.css": "@tailwind base; /* " + css + " */", "postcss.config.js": "export default { plugins: { tailwindcss: {} } }",
		"tailwind.config.js": "import colors from 'tailwindcss/colors'\nimport theme from 'tailwindcss/defaultTheme'\n" +
			"export default { content: ['./src/**/*.{ts,tsx}'], theme: { colors: { note: colors.amber }, font: theme.fontFamily.sans }, safelist: [{ pattern: /^bg-/ }] }",
	})
}

func TestTailwindGetsTheConfigurationAsData(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	site, err := built(t.Context(), b, styled(""), set, false)
	if err != nil {
		t.Fatal(err)
	}
	got := everything(t, site)
	for _, want := range []string{"#f59e0b", "made-up-sans", "a.css"} {
		if !strings.Contains(got, want) {
			t.Errorf("Tailwind did not get %q:\n%s", want, got)
		}
	}
}

func TestABrokenWorkerCostsOneBuild(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	b.styleTime = 3 * time.Second
	for _, test := range []struct {
		css  string
		want Code
	}{{"crash", CannotWorker}, {"", ""}, {"endless", CannotTime}, {"", ""}} {
		site, err := built(t.Context(), b, styled(test.css), set, false)
		var got *Cannot
		if test.want == "" {
			if err != nil || site.Failure != nil {
				t.Errorf("after a broken worker: %v", err)
			}
		} else if !errors.As(err, &got) || got.Reasons[0].Code != test.want {
			t.Errorf("%s: got %v", test.css, err)
		}
	}
	site, err := built(t.Context(), b, styled("wrong"), set, false)
	if err != nil || site.Failure == nil || !strings.Contains(site.Failure.Message, "the class wrong does not exist") {
		t.Errorf("a class that does not exist: %+v, %v", site, err)
	}
}

// withTailwind is a project with a stylesheet for Tailwind, and a configuration.
func withTailwind(css, config string) *vitrine.Artifact {
	return project1(map[string]string{
		"src/main.tsx": "import './a.css'", "src/a.css": "@tailwind base; /* " + css + " */",
		"postcss.config.js": "export default { plugins: { tailwindcss: {} } }", "tailwind.config.js": config,
	})
}

// A configuration cannot choose a function by its name: only data is passed to the process
// of Tailwind.
func TestPluginsOfTailwindAreOfAList(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	site, err := built(t.Context(), b, withTailwind("", "import animate from 'tailwindcss-animate'\nexport default { plugins: [animate, require('@tailwindcss/forms')({ strategy: 'class' })] }"), set, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := everything(t, site); !strings.Contains(got, `{"animated":true},{"formed":{"strategy":"class"}}`) {
		t.Errorf("the plugins are not there: %s", got)
	}
	for name, config := range map[string]string{
		"a function by name":          "import t from 'lodash/template'\nexport default { plugins: [t('globalThis.patched = true')] }",
		"a part of a known one":       "import f from '@tailwindcss/forms'\nexport default { plugins: [f.constructor('globalThis.patched = true')] }",
		"a method of a known one":     "import f from '@tailwindcss/forms'\nexport default { plugins: [f.withOptions('x')] }",
		"a builtin module":            "export default { plugins: [require('zlib')] }",
		"a file of the project":       "export default { plugins: [require('./own.js')] }",
		"a path":                      "export default { plugins: [{ $call: ['/tmp/own.js'] }] }",
		"a package in the theme":      "import t from 'lodash/template'\nexport default { theme: { colors: t('x') } }",
		"a package in options":        "import t from 'lodash/template'\nexport default { plugins: [require('@tailwindcss/forms')(t('x'))] }",
		"a preset":                    "export default { presets: [require('lodash/template')] }",
		"one that is not there":       "export default { plugins: [require('@tailwindcss/typography')] }",
		"one that only code comes to": "export default { plugins: [1, 2].map(() => require('lodash/template')('x')) }",
	} {
		var got *Cannot
		if site, err := built(t.Context(), b, withTailwind("", config), set, false); !errors.As(err, &got) || got.Reasons[0].Code != CannotTailwind {
			t.Errorf("%s: got %+v, %v", name, site, err)
		}
	}
}

// Whatever a project does to the process that makes its stylesheet, it ends with that stylesheet.
func TestAProcessMakesOneStylesheet(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	var hash string
	for i := range 4 {
		site, err := built(t.Context(), b, withTailwind("count", "export default {}"), set, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := everything(t, site); !strings.Contains(got, "job 1") {
			t.Errorf("build %d was made by a process that had made others:\n%s", i, got)
		}
		if hash != "" && site.Hash != hash {
			t.Errorf("build %d differs", i)
		}
		hash = site.Hash
	}
}

// A process that was ended while it waited for a job is no reason to refuse the next project.
func TestAProcessThatDiedWaitingIsReplaced(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	for range 3 {
		if _, err := built(t.Context(), b, withTailwind("count", "export default {}"), set, false); err != nil {
			t.Fatal(err)
		}
		b.styles.tasks.Wait()
		for _, w := range b.styles.ready {
			w.end()
			_ = w.process.Wait()
		}
	}
}

// A configuration that is code costs a process, and none that is data does.
func TestOnlyCodeIsEvaluated(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	if _, err := built(t.Context(), b, project1(nil), set, false); err != nil {
		t.Fatal(err)
	}
	if len(b.configs.recent) != 0 {
		t.Error("a configuration that is data was evaluated")
	}
	site, err := built(t.Context(), b, project1(map[string]string{"vite.config.ts": "export default { base: ['', 'sh' + 'op', ''].map((x) => x).join('/') }"}), set, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := everything(t, site); !strings.Contains(got, `src="/shop/assets/`) || len(b.configs.recent) != 1 {
		t.Errorf("the base is not /shop/: %s", got)
	}
}

// A page with the files of a project's site and a file more must not be taken for that
// site: what was seen of it is kept under its hash.
func TestASiteOfFilesIsNeverTakenForABuiltOne(t *testing.T) {
	t.Parallel()
	b, set := store(t)
	site, err := built(t.Context(), b, project1(nil), set, false)
	if err != nil || site.Failure != nil {
		t.Fatal(err, site)
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(site.Root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, "/packages/") {
			return err
		}
		content, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, site.Root+"/")] = content
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	libraries, _ := filepath.Glob(filepath.Join(b.settings.Store, "libraries", "*", "*"))
	for _, dir := range libraries {
		key := strings.TrimPrefix(dir, filepath.Join(b.settings.Store, "libraries")+"/")
		for _, name := range []string{".library", "library", "\x00library"} {
			files[name] = []byte(key)
			if build.Hash(files) == site.Hash {
				t.Errorf("a page with the file %q has the hash of a site of the library %s", name, key)
			}
			delete(files, name)
		}
	}
	if len(libraries) == 0 {
		t.Error("no library was made")
	}
}
