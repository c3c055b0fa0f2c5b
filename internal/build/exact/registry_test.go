package exact

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
)

// A registry serves a few made-up packages as the npm registry does, so that
// installs are real and need no network.
type registry struct {
	*httptest.Server
	asked sync.Map // package → *atomic.Int64, how often it was asked for
}

// release is one version of a made-up package: its package.json and other files.
type release struct {
	manifest map[string]any
	files    map[string]string
}

type object = map[string]any

var packages = map[string]map[string]release{
	"tiny": {"1.0.0": {}, "1.1.0": {}, "2.0.0": {}},
	"once": {"1.1.0": {}}, "single": {"1.0.0": {}}, // each for one test that counts
	// Installing it leaves a mark, if its scripts may run.
	"naughty": {"1.0.0": {manifest: object{"scripts": object{
		"preinstall": "touch before", "install": "touch during", "postinstall": "touch after",
	}}}},
	"wants-old-tiny": {"1.0.0": {manifest: object{"peerDependencies": object{"tiny": "^1.0.0"}}}},
	"vite": {"5.0.0": {
		manifest: object{"bin": object{"vite": "bin.js"}},
		files:    map[string]string{"bin.js": "#!/usr/bin/env node\nconst fs = require('fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', 'vite ' + process.argv[2])\n"},
	}},
}

func newRegistry() *registry {
	r := &registry{}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	return r
}

func (r *registry) serve(w http.ResponseWriter, req *http.Request) {
	name, version, _ := strings.Cut(strings.Trim(req.URL.Path, "/"), "/-/")
	r.times(name).Add(1)
	switch {
	case name == "forbidden":
		http.Error(w, `{"error":"forbidden"}`, http.StatusForbidden)
	case name == "endless":
		<-req.Context().Done()
	case packages[name] == nil:
		http.Error(w, `{"error":"not found"}`, http.StatusNotFound)
	case version != "":
		_, _ = w.Write(tarball(name, strings.TrimSuffix(version, ".tgz")))
	default:
		_ = json.NewEncoder(w).Encode(r.packument(name))
	}
}

// times is how often a package was asked for.
func (r *registry) times(name string) *atomic.Int64 {
	n, _ := r.asked.LoadOrStore(name, &atomic.Int64{})
	return n.(*atomic.Int64)
}

// packument is what a registry tells of a package.
func (r *registry) packument(name string) object {
	versions, latest := object{}, ""
	for version := range packages[name] {
		m := manifestOf(name, version)
		sum := sha512.Sum512(tarball(name, version))
		m["dist"] = object{"tarball": r.URL + "/" + name + "/-/" + version + ".tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		versions[version] = m
		latest = max(latest, version)
	}
	return object{"name": name, "dist-tags": object{"latest": latest}, "versions": versions}
}

func manifestOf(name, version string) object {
	m := object{"name": name, "version": version, "main": "index.js"}
	for k, v := range packages[name][version].manifest {
		m[k] = v
	}
	return m
}

func tarball(name, version string) []byte {
	manifest, _ := json.Marshal(manifestOf(name, version))
	files := map[string]string{"package.json": string(manifest), "index.js": "module.exports = '" + version + "'\n"}
	for k, v := range packages[name][version].files {
		files[k] = v
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, file := range []string{"package.json", "index.js", "bin.js"} {
		if content, ok := files[file]; ok {
			_ = archive.WriteHeader(&tar.Header{Name: "package/" + file, Mode: 0o755, Size: int64(len(content))})
			_, _ = archive.Write([]byte(content))
		}
	}
	_ = archive.Close()
	_ = zip.Close()
	return out.Bytes()
}
