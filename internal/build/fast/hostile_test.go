package fast

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitrine"
)

// bombs are expressions that took an interpreter in this process down, held it up or
// made it take gigabytes.
var bombs = map[string]string{
	"a regular expression without end":  `/^(?=a)(a+)+$/.test('a'.repeat(60) + 'b')`,
	"a string that is too long":         `'a'.repeat(2 ** 50)`,
	"a string of gigabytes":             `'a'.repeat(12e9)`,
	"a buffer that is too long":         `new ArrayBuffer(2 ** 46)`,
	"buffers of gigabytes":              `(() => { const all = []; for (;;) { const b = new Uint8Array(1e7); b.fill(1); all.push(b) } })()`,
	"JSON that is too deep":             `JSON.parse('['.repeat(8e6) + ']'.repeat(8e6))`,
	"an array of gigabytes":             `new Array(2e8).fill(1)`,
	"a loop without end":                `(() => { for (;;); })()`,
	"recursion without end":             `(() => { const f = () => f(); return f() })()`,
	"strings that double":               `(() => { let s = 'ab'; for (let i = 0; i < 60; i++) s = [s, s].join(''); return s })()`,
	"a wait without end":                `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
	"an answer that is too long":        `'a'.repeat(3e6)`,
	"a regular expression that is huge": `new RegExp('(?:' + 'a{1000}'.repeat(10) + '){1000}').test('a')`,
	"a promise without end":             `Promise.resolve().then(function again() { return Promise.resolve().then(again) })`,
}

// bombed are projects with a bomb in each kind of configuration.
func bombed(bomb string) map[string]map[string]string {
	postcss := "export default { plugins: { tailwindcss: {} } }"
	return map[string]map[string]string{
		"vite.config.ts":     {"vite.config.ts": "export default { base: String(" + bomb + ") + 'x' }"},
		"postcss.config.js":  {"postcss.config.js": "export default { map: " + bomb + " }"},
		"tailwind.config.js": {"postcss.config.js": postcss, "tailwind.config.js": "export default { content: [String(" + bomb + ") + '[' ] }"},
	}
}

// A configuration may be written to hold up or end whoever evaluates it. It costs its own
// project the same refusal each time, and other samples no time or memory.
func TestABombInAConfiguration(t *testing.T) {
	needsSandbox(t)
	b, set := store(t)
	t.Run("bombs", func(t *testing.T) {
		for name, bomb := range bombs {
			for file, files := range bombed(bomb) {
				t.Run(name+" in "+file, func(t *testing.T) {
					t.Parallel()
					_, err := built(t.Context(), b, project1(files), set, false)
					var got *Cannot
					if !errors.As(err, &got) {
						t.Fatalf("got %v; want a refusal", err)
					}
					want := map[string]Code{"vite.config.ts": CannotConfig, "postcss.config.js": CannotPostCSS, "tailwind.config.js": CannotTailwind}[file]
					if got.Reasons[0].Code != want {
						t.Errorf("got %v, want %s", got, want)
					}
				})
			}
		}
	})
	if peak := peakMemory(t); peak > 1<<30 {
		t.Errorf("this process took %d MB", peak>>20)
	}
	if site, err := built(t.Context(), b, project1(nil), set, false); err != nil || site.Failure != nil {
		t.Errorf("after the bombs: %+v, %v", site, err)
	}
}

// A project comes out as it does alone, among and after projects that try to change what
// others get from the same packages and processes.
func TestAnAttackChangesNothingForTheNext(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	victim := func() *vitrine.Artifact { return styled("count") }
	fresh, own := store(t)
	alone, err := built(t.Context(), fresh, victim(), own, false)
	if err != nil {
		t.Fatal(err)
	}
	b, set := store(t)
	attacks := []*vitrine.Artifact{
		withTailwind("", "import t from 'lodash/template'\nexport default { plugins: [t('globalThis.jobs = 7')] }"),
		withTailwind("", "export default { theme: [1].map(() => require('lodash/template')('globalThis.jobs = 7')) }"),
		withTailwind("count", "Object.prototype.jobs = 7; export default { theme: { x: [1].map(String) } }"),
		withTailwind("crash", "export default {}"),
		project1(map[string]string{"vite.config.ts": "export default { base: " + bombs["a loop without end"] + " }"}),
		project1(map[string]string{"vite.config.ts": "export default { base: " + bombs["an array of gigabytes"] + " }"}),
	}
	var beside sync.WaitGroup
	for _, a := range attacks {
		beside.Go(func() { _, _ = built(t.Context(), b, a, set, false) }) // what becomes of them is another test's
	}
	check := func(when string) {
		site, err := built(t.Context(), b, victim(), set, false)
		if err != nil || site.Hash != alone.Hash {
			t.Errorf("%s attacks: %v, the site differs from the one built alone", when, err)
		}
	}
	check("beside")
	beside.Wait()
	check("after")
	check("after")
}

// peakMemory is the most memory that this process ever had, in bytes.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}
