package exact

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/npm"
	"vitrine/internal/npm/npmtest"
	"vitrine/internal/project"
)

func TestDependencySetIsInstalledOnceAndShared(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "other") })
	other, err := New(t.Context(), p.settings) // as another process would
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	hashes := make([]string, 6)
	for i := range hashes {
		who := []*Project{p, other}[i%2]
		a := artifact(map[string]string{"package.json": depends("once", "^1.0.0"), "build.js": page(fmt.Sprintf("require('once') + ' in site %d'", i))})
		all.Go(func() {
			site, err := built(t.Context(), who, a)
			if err != nil || site.Failure != nil {
				t.Errorf("site %d: %v, %+v", i, err, site)
				return
			}
			hashes[i] = site.Hash
			if got, want := served(t, site)["index.html"], fmt.Sprintf("1.1.0 in site %d", i); got != want {
				t.Errorf("served %q, want %q", got, want)
			}
		})
	}
	all.Wait()
	site := mustBuild(t, p, artifact(map[string]string{
		"package.json": `{"name":"another","version":"3.0.0","type":"commonjs","scripts":{"build":"node build.js"},"dependencies":{"once":"^1.0.0"}}`,
		"build.js":     page("require('once')"),
	}))
	if !site.Steps[0].Cached || site.Steps[0].Name != "install" || served(t, site)["index.html"] != "1.1.0" {
		t.Errorf("got steps %+v", site.Steps)
	}
	if len(hashes) != len(slices.Compact(slices.Sorted(slices.Values(hashes)))) {
		t.Error("sites that differ share a hash")
	}
	if n := local.Asked("once").Load(); n > 4 { // by each process: what it is, and the package
		t.Errorf("six builds in two processes asked the registry %d times", n)
	}
	sets, _ := filepath.Glob(filepath.Join(p.settings.Store, "deps", "*"))
	work, _ := filepath.Glob(filepath.Join(p.settings.Store, "work", "*"))
	if len(sets) != 1 || len(work) != 0 {
		t.Errorf("the store has sets %v and work %v", sets, work)
	}
}

func TestNothingIsDownloadedTwice(t *testing.T) {
	t.Parallel()
	for i, deps := range []string{depends("single", "1.0.0"), depends("single", "1.0.0", "tiny", "1.0.0"), depends("tiny", "2.0.0", "single", ">=1.0.0 <=1.0.0")} {
		site := mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": deps, "build.js": page("require('single')")}))
		if got := served(t, site)["index.html"]; got != "1.0.0" || site.Steps[0].Cached {
			t.Errorf("set %d: got %q from %v", i, got, steps(site))
		}
	}
	if n := local.Asked("single").Load(); n != 2 { // what it is, and the package
		t.Errorf("three sets with one package asked the registry for it %d times", n)
	}
}

func TestLockFileIsHonoured(t *testing.T) {
	t.Parallel()
	lock := `{"name":"x","lockfileVersion":3,"requires":true,"packages":{"":{"dependencies":{"tiny":"*"}},
		"node_modules/tiny":{"version":"1.0.0","resolved":"https://registry.npmjs.org/tiny/-/1.0.0.tgz"}}}`
	files := map[string]string{"package.json": depends("tiny", "*"), "build.js": page("require('tiny')")}
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "2.0.0" {
		t.Errorf("without a lock file: got %q", got)
	}
	files["package-lock.json"] = lock
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "1.0.0" {
		t.Errorf("with a lock file: got %q", got)
	}
}

// As in WebGen-R1's code: as it is, then with --force, then with --legacy-peer-deps.
func TestAnInstallIsTriedThreeWays(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{
		"package.json": depends("tiny", "2.0.0", "wants-old-tiny", "1.0.0"), "build.js": page("require('tiny')"),
	}))
	if diff := cmp.Diff([]string{"install 1", "install --force 0", "build 0"}, steps(site)); diff != "" || served(t, site)["index.html"] != "2.0.0" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if !strings.Contains(site.Steps[0].Log, "ERESOLVE") {
		t.Errorf("the log of the first attempt is %q", site.Steps[0].Log)
	}
	site = mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": depends("tiny", "9.0.0"), "build.js": page("1")}))
	if diff := cmp.Diff([]string{"install 1", "install --force 1", "install --legacy-peer-deps 1"}, steps(site)); diff != "" || site.Failure == nil {
		t.Errorf("what no way installs: %+v, steps (-want +got):\n%s", site.Failure, diff)
	}
}

// Neither is tried another way.
func TestInstallFaultsAreOurs(t *testing.T) {
	t.Parallel()
	if wall := builder(t, nil).settings.Install.Wall; wall != 5*time.Minute {
		t.Errorf("an install has %s", wall)
	}
	slow := builder(t, func(s *Settings) { s.Install.Wall = 5 * time.Second })
	for name, of := range map[string]struct {
		builder *Project
		code    vitrine.FaultCode
	}{"forbidden": {builder(t, nil), vitrine.FaultRegistry}, "endless": {slow, vitrine.FaultInstallTimeout}} {
		source, failure := project.Read(artifact(map[string]string{"package.json": depends(name, "*")}), of.builder.settings.MaxBytes)
		if failure != nil {
			t.Fatal(failure)
		}
		r, err := of.builder.resolveAnew(t.Context(), source.Package)
		if f := vitrine.AsFault("x", err); f.Code != of.code || !f.Code.Retryable() || f.Stage != "build" || len(r.Steps) != 1 {
			t.Errorf("%s: got %v after %d steps", name, err, len(r.Steps))
		}
		if f := vitrine.AsFault("x", err); of.code == vitrine.FaultRegistry && f.Fix == "" {
			t.Errorf("%s: no fix is named", name)
		}
	}
}

// TestRealRegistry installs one small package from the registry of this machine.
func TestRealRegistry(t *testing.T) {
	t.Parallel()
	client := &http.Client{Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	res, err := client.Get(strings.TrimSuffix(realRegistry, "/") + "/is-number")
	if err != nil {
		t.Skipf("the registry %s cannot be reached: %v", realRegistry, err)
	}
	_ = res.Body.Close()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "real") })
	config, _ := json.Marshal(map[string]string{"registry": realRegistry})
	if p.node.registry, err = npm.NewRegistry(string(config)); err != nil {
		t.Fatal(err)
	}
	if p, err = open(p.settings, p.node); err != nil {
		t.Fatal(err)
	}
	lock := `{"lockfileVersion":3,"packages":{"":{"dependencies":{"is-number":"^7.0.0 || ^6.0.0"}},
		"node_modules/is-number":{"version":"6.0.0","resolved":"https://registry.npmjs.org/is-number/-/is-number-6.0.0.tgz"}}}`
	files := map[string]string{"package.json": depends("is-number", "^7.0.0 || ^6.0.0"), "build.js": page("require('is-number/package.json').version")}
	if got := served(t, mustBuild(t, p, artifact(files)))["index.html"]; got != "7.0.0" {
		t.Errorf("got %q", got)
	}
	files["package-lock.json"] = lock
	if got := served(t, mustBuild(t, p, artifact(files)))["index.html"]; got != "6.0.0" {
		t.Errorf("with a lock file: got %q", got)
	}
}

// What a range means does not depend on the day; what a lock file says is said.
func TestVersionsOfALaterDate(t *testing.T) {
	t.Parallel()
	files := map[string]string{"package.json": depends("tiny", ">=1.0.0"), "build.js": page("require('tiny')")}
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "2.0.0" {
		t.Errorf("a range: got %q", got)
	}
	files["package-lock.json"] = `{"lockfileVersion":3,"packages":{"":{"dependencies":{"tiny":">=1.0.0"}},
		"node_modules/tiny":{"version":"3.0.0","resolved":"https://registry.npmjs.org/tiny/-/3.0.0.tgz","integrity":"` + npmtest.Integrity(packages["tiny"]["3.0.0"].Tarball("tiny", "3.0.0")) + `"}}}`
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "3.0.0" {
		t.Errorf("a lock file: got %q", got)
	}
	wantFailure(t, mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": depends("tiny", "3.0.0")})), vitrine.FailureInstall, "tiny@3.0.0")
	early := builder(t, func(s *Settings) { s.Until = "2019-01-01" })
	wantFailure(t, mustBuild(t, early, artifact(map[string]string{"package.json": depends("tiny", "*")})), vitrine.FailureInstall, "tiny")
}

// A lock file that lies about a package is the failure of its project, and of no
// other that needs the package.
func TestALockFileThatLies(t *testing.T) {
	t.Parallel()
	own := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "lies") })
	lock := func(resolved, integrity string) string {
		return `{"lockfileVersion":3,"packages":{"":{"dependencies":{"tiny":"1.0.0"}},"node_modules/tiny":{"version":"1.0.0","resolved":"https://registry.npmjs.org/` + resolved + `","integrity":"` + integrity + `"}}}`
	}
	other := npmtest.Integrity(packages["tiny"]["2.0.0"].Tarball("tiny", "2.0.0"))
	files := map[string]string{"package.json": depends("tiny", "1.0.0"), "build.js": page("require('tiny')"), "package-lock.json": lock("tiny/-/1.0.0.tgz", other)}
	wantFailure(t, mustBuild(t, own, artifact(files)), vitrine.FailureInstall, "tiny@1.0.0: the tarball does not have the hash")
	files["package-lock.json"] = lock("tiny/-/2.0.0.tgz", other) // a package under another's name and version
	if got := served(t, mustBuild(t, own, artifact(files)))["index.html"]; got != "2.0.0" {
		t.Errorf("the lock file's own tree: got %q", got)
	}
	delete(files, "package-lock.json")
	if got := served(t, mustBuild(t, own, artifact(files)))["index.html"]; got != "1.0.0" {
		t.Errorf("without the lock file: got %q", got)
	}
}

// Where a registry gives no hash, the one that was first seen holds.
func TestPackagesWithoutAHash(t *testing.T) {
	t.Parallel()
	if got := served(t, mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": depends("unhashed", "*"), "build.js": page("require('unhashed')")})))["index.html"]; got != "1.0.0" {
		t.Errorf("got %q", got)
	}
}

// Two ways to ask for the same tree share its set.
func TestEqualTreesShareASet(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "equal") })
	for _, manifest := range []string{depends("tiny", "2.0.0"), depends("tiny", "^2.0.0"), `{"scripts":{"build":"node build.js"},"devDependencies":{"tiny":"*"},"engines":{"node":">=1"},"browserslist":["ie 6"]}`} {
		if got := served(t, mustBuild(t, p, artifact(map[string]string{"package.json": manifest, "build.js": page("require('tiny')")})))["index.html"]; got != "2.0.0" {
			t.Errorf("got %q", got)
		}
	}
	if sets, _ := filepath.Glob(filepath.Join(p.settings.Store, npm.SetsDir, "*")); len(sets) != 1 {
		t.Errorf("there are %v", sets)
	}
}

// What was resolved and assembled once needs no network, in any process.
func TestWarmSetsNeedNoNetwork(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = filepath.Join(storeDir, "offline") })
	a := artifact(map[string]string{"package.json": depends("tiny", "^1.0.0"), "build.js": page("require('tiny')")})
	before := mustBuild(t, p, a)
	node := p.node
	var err error
	if node.registry, err = npm.NewRegistry(`{"registry":"http://127.0.0.1:9"}`); err != nil {
		t.Fatal(err)
	}
	offline, err := open(p.settings, node)
	if err != nil {
		t.Fatal(err)
	}
	if after := mustBuild(t, offline, a); after.Hash != before.Hash || !after.Steps[0].Cached {
		t.Errorf("got %+v", after)
	}
	_, err = built(t.Context(), offline, artifact(map[string]string{"package.json": depends("single", "^1.0.0")}))
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultRegistry {
		t.Errorf("what is not known: got %v", err)
	}
}
