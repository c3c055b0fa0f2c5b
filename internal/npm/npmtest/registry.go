// Package npmtest serves made-up packages as the npm registry does, so that the
// installs of tests are real and need no network.
package npmtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A Release is one version of a made-up package. Index.js exports its version.
type Release struct {
	Manifest  map[string]any    // further fields of package.json
	Files     map[string]string // further files, content by path
	Published string            // RFC 3339; empty is 2020-01-01T00:00:00Z
	Links     map[string]string // symbolic links in the tarball, by path
	Undated   bool              // the registry does not say when it was published
	Unhashed  bool              // the registry gives no integrity
}

// Packages are releases by name and version.
type Packages map[string]map[string]Release

// A Registry serves packages. Packages named "forbidden" and "endless" are refused
// and never answered.
type Registry struct {
	*httptest.Server
	// Waiting gets a value when the first request for "endless" waits.
	Waiting  chan struct{}
	packages Packages
	asked    sync.Map // package → *atomic.Int64
}

// NewRegistry starts a registry; Close ends it.
func NewRegistry(p Packages) *Registry {
	r := &Registry{packages: p, Waiting: make(chan struct{}, 1)}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	return r
}

// Lend lets the installs of a test come from a registry of these packages.
func Lend(t testing.TB, p Packages) {
	t.Helper()
	registry := NewRegistry(p)
	t.Cleanup(registry.Close)
	t.Setenv("NPM_CONFIG_REGISTRY", registry.URL)
	t.Setenv("NO_PROXY", "127.0.0.1")
}

// Asked is how often a package was asked for: what it is, and its tarballs.
func (r *Registry) Asked(name string) *atomic.Int64 {
	n, _ := r.asked.LoadOrStore(name, &atomic.Int64{})
	return n.(*atomic.Int64)
}

func (r *Registry) serve(w http.ResponseWriter, req *http.Request) {
	name, file, _ := strings.Cut(strings.Trim(req.URL.Path, "/"), "/-/")
	r.Asked(name).Add(1)
	release, known := r.packages[name][strings.TrimSuffix(file, ".tgz")]
	switch {
	case name == "forbidden":
		http.Error(w, `{"error":"forbidden"}`, http.StatusForbidden)
	case name == "endless":
		select {
		case r.Waiting <- struct{}{}:
		default:
		}
		<-req.Context().Done()
	case r.packages[name] == nil, file != "" && !known:
		http.Error(w, `{"error":"not found"}`, http.StatusNotFound)
	case file != "":
		_, _ = w.Write(release.Tarball(name, strings.TrimSuffix(file, ".tgz")))
	default:
		_ = json.NewEncoder(w).Encode(r.document(name))
	}
}

// document is what a registry tells of a package.
func (r *Registry) document(name string) map[string]any {
	versions, times, latest := map[string]any{}, map[string]string{}, ""
	for version, release := range r.packages[name] {
		m := release.manifest(name, version)
		dist := map[string]any{"tarball": r.URL + "/" + name + "/-/" + version + ".tgz"}
		if !release.Unhashed {
			dist["integrity"] = Integrity(release.Tarball(name, version))
		}
		m["dist"], versions[version] = dist, m
		latest = max(latest, version)
		times[version] = release.Published
		if release.Published == "" {
			times[version] = "2020-01-01T00:00:00.000Z"
		}
		if release.Undated {
			delete(times, version)
		}
	}
	return map[string]any{"name": name, "dist-tags": map[string]string{"latest": latest}, "versions": versions, "time": times}
}

func (p Release) manifest(name, version string) map[string]any {
	m := map[string]any{"name": name, "version": version, "main": "index.js"}
	maps.Copy(m, p.Manifest)
	return m
}

// Tarball is the package file of a release.
func (p Release) Tarball(name, version string) []byte {
	manifest, _ := json.Marshal(p.manifest(name, version))
	files := map[string]string{"package.json": string(manifest), "index.js": "module.exports = '" + version + "'\n"}
	maps.Copy(files, p.Files)
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		_ = archive.WriteHeader(&tar.Header{Name: "package/" + file, Mode: 0o755, Size: int64(len(files[file]))})
		_, _ = archive.Write([]byte(files[file]))
	}
	for _, file := range slices.Sorted(maps.Keys(p.Links)) {
		_ = archive.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "package/" + file, Linkname: p.Links[file]})
	}
	_ = archive.Close()
	_ = zip.Close()
	return out.Bytes()
}

// Integrity is the hash of a tarball as a registry gives it.
func Integrity(tarball []byte) string {
	sum := sha512.Sum512(tarball)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}
