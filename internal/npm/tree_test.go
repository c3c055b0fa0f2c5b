package npm

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var here = Platform{OS: "linux", CPU: "x64", Libc: "glibc", Node: "v20.11.0"}

func TestReadLock(t *testing.T) {
	t.Parallel()
	const lock = `{"packages":{"":{"dependencies":{"a":"*","alias":"npm:b@1"},"optionalDependencies":{"far":"*"}},
		"node_modules/a":{"version":"1.0.0","integrity":"sha1-x sha512-abc?hint","resolved":"https://elsewhere/a.tgz"},
		"node_modules/alias":{"name":"@s/b","version":"1.0.0","integrity":"sha1-old","optional":true},
		"node_modules/a/node_modules/bundled":{"version":"3.0.0","inBundle":true}}}`
	got, err := ReadLock([]byte(lock), here)
	if err != nil {
		t.Fatal(err)
	}
	want := []Package{
		{Path: "node_modules/a", Name: "a", Version: "1.0.0", Integrity: "sha512-abc", Resolved: "https://elsewhere/a.tgz"},
		{Path: "node_modules/a/node_modules/bundled", Name: "bundled", Version: "3.0.0", Bundled: true},
		{Path: "node_modules/alias", Name: "@s/b", Version: "1.0.0", Claim: "sha1-old"},
	}
	if diff := cmp.Diff(want, got.Packages); diff != "" {
		t.Errorf("packages (-want +got):\n%s", diff)
	}
	again, err := ReadLock([]byte(strings.ReplaceAll(lock, "https://elsewhere/", "https://mirror/")), here)
	if err != nil || again.Hash != got.Hash {
		t.Error("a tree depends on where its tarballs lie")
	}
	other, err := ReadLock([]byte(strings.ReplaceAll(lock, "sha512-abc", "sha512-abd")), here)
	if err != nil || other.Hash == got.Hash {
		t.Error("a tree does not depend on the content of its packages")
	}
}

func TestHostileLocks(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"../x", "node_modules/..", "node_modules/../../x", "node_modules/.bin", "node_modules/a/../b", "/etc", "packages/a", "node_modules/a/b", "node_modules//a",
		"node_modules/a\\u0000", "node_modules/@s", "node_modules/a/", strings.Repeat("node_modules/a/", 100) + "node_modules/a",
	} {
		lock := `{"packages":{"":{},"` + path + `":{"version":"1.0.0"}}}`
		if _, err := ReadLock([]byte(lock), here); !errors.Is(err, ErrNotOfRegistry) {
			t.Errorf("%s: got %v", path, err)
		}
	}
	for _, entry := range []string{`{"version":"file:../x"}`, `{"link":true,"version":"1.0.0"}`, `{}`, `{"version":"1.0.0","name":"../../x"}`, `{"version":"git+ssh://x/y"}`} {
		if _, err := ReadLock([]byte(`{"packages":{"node_modules/a":`+entry+`}}`), here); !errors.Is(err, ErrNotOfRegistry) {
			t.Errorf("%s: got %v", entry, err)
		}
	}
}

func TestOptionalPackagesOfOtherPlatforms(t *testing.T) {
	t.Parallel()
	const lock = `{"packages":{"":{"dependencies":{"bundler":"*"},"optionalDependencies":{"wrapper":"*"}},
		"node_modules/bundler":{"version":"1.0.0","optionalDependencies":{"linux":"*","mac":"*","musl":"*","young":"*","not-windows":"*"}},
		"node_modules/linux":{"version":"1.0.0","optional":true,"os":["linux"],"cpu":["x64"],"libc":["glibc"],"engines":{"node":">=18"}},
		"node_modules/mac":{"version":"1.0.0","optional":true,"os":["darwin"],"dependencies":{"only-of-mac":"*","both":"*"}},
		"node_modules/musl":{"version":"1.0.0","optional":true,"os":"linux","libc":["musl"]},
		"node_modules/young":{"version":"1.0.0","optional":true,"engines":{"node":">=99"}},
		"node_modules/not-windows":{"version":"1.0.0","optional":true,"os":["!win32"],"dependencies":{"both":"*"}},
		"node_modules/only-of-mac":{"version":"1.0.0","optional":true},
		"node_modules/both":{"version":"1.0.0","optional":true},
		"node_modules/wrapper":{"version":"1.0.0","optional":true,"dependencies":{"mac":"*"}},
		"node_modules/demanded":{"version":"1.0.0","os":["darwin"]}}}`
	tree, err := ReadLock([]byte(lock), here)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range tree.Packages {
		got = append(got, p.Name)
	}
	if diff := cmp.Diff([]string{"both", "bundler", "demanded", "linux", "not-windows"}, got); diff != "" {
		t.Errorf("installed (-want +got):\n%s", diff)
	}
}

func TestAPackageAsOfADate(t *testing.T) {
	t.Parallel()
	p := packument{
		Tags:  map[string]string{"latest": "3.0.0", "old": "1.0.0", "next": "4.0.0-beta.1"},
		Times: map[string]any{"1.0.0": "2020-01-01T00:00:00Z", "2.0.0": "2021-01-01T00:00:00Z", "2.1.0-rc.1": "2021-02-01T00:00:00Z", "3.0.0": "2023-01-01T00:00:00Z", "4.0.0-beta.1": "2023-02-01T00:00:00Z"},
	}
	fill := func() {
		p.Versions = map[string]map[string]json.RawMessage{}
		for _, v := range []string{"1.0.0", "2.0.0", "2.1.0-rc.1", "3.0.0", "4.0.0-beta.1"} {
			p.Versions[v] = map[string]json.RawMessage{"version": json.RawMessage(`"` + v + `"`), "readme": json.RawMessage(`"long"`)}
		}
	}
	fill()
	if dated := p.asOf(time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)); !dated {
		t.Error("every version has its date")
	}
	if got := slices.Sorted(maps.Keys(p.Versions)); !slices.Equal(got, []string{"1.0.0", "2.0.0", "2.1.0-rc.1"}) || p.Versions["1.0.0"]["readme"] != nil {
		t.Errorf("left are %v", p.Versions)
	}
	if diff := cmp.Diff(map[string]string{"latest": "2.0.0", "old": "1.0.0", "next": "2.0.0"}, p.Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	fill()
	p.Times = nil
	if dated := p.asOf(time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)); dated || len(p.Versions) != 5 {
		t.Errorf("of a registry that tells no dates: dated %v, %d versions", dated, len(p.Versions))
	}
}
