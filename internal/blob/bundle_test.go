package blob_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/blob"
)

const roomy = 1 << 20

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	return dir
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree is what lies in a folder.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		b, err := os.ReadFile(name)
		out[rel] = string(b)
		return err
	}))
	return out
}

var evidence = map[string]string{
	"manifest.json": "{}", "frames/home@desktop@0.png": "\x89PNG", "empty": "", "a/b/c/deep": "x", "naïve – 名.txt": "u", strings.Repeat("long", 60): "y",
}

func TestABundleIsTheFolder(t *testing.T) {
	t.Parallel()
	one := folder(t, evidence)
	bundle, err := blob.Pack(one, roomy)
	must(t, err)
	other := folder(t, evidence)
	must(t, os.Chtimes(filepath.Join(other, "empty"), time.Unix(1, 0), time.Unix(1, 0)))
	must(t, os.Chmod(filepath.Join(other, "empty"), 0o600))
	must(t, os.Mkdir(filepath.Join(other, "nothing in it"), 0o755))
	same, err := blob.Pack(other, roomy)
	must(t, err)
	if !bytes.Equal(bundle, same) {
		t.Error("equal folders give bundles that differ")
	}
	to := filepath.Join(t.TempDir(), "made", "anew")
	must(t, blob.Unpack(bundle, to, roomy))
	if diff := cmp.Diff(evidence, tree(t, to)); diff != "" {
		t.Errorf("(-packed +unpacked):\n%s", diff)
	}
	names, err := blob.Names(bundle, roomy)
	if err != nil || len(names) != len(evidence) {
		t.Errorf("the names are %q, %v", names, err)
	}
	for name, want := range evidence {
		if got, err := blob.Read(bundle, name, roomy); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	if _, err := blob.Read(bundle, "../manifest.json", roomy); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	if err := blob.Unpack(bundle, to, roomy); !errors.Is(err, blob.ErrUnsafe) {
		t.Errorf("over files that are there: got %v, want ErrUnsafe", err)
	}
}

func TestBundlesAreBounded(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"a": strings.Repeat("x", 600), "b": strings.Repeat("x", 600)})
	if _, err := blob.Pack(dir, 1199); !errors.Is(err, blob.ErrTooLarge) {
		t.Errorf("packed: %v", err)
	}
	bundle, err := blob.Pack(dir, 1200)
	must(t, err)
	if err := blob.Unpack(bundle, t.TempDir(), 1199); !errors.Is(err, blob.ErrTooLarge) {
		t.Errorf("unpacked: %v", err)
	}
	many := map[string]string{}
	for i := range blob.MaxFiles + 1 {
		many[fmt.Sprint(i)] = ""
	}
	if _, err := blob.Pack(folder(t, many), roomy); !errors.Is(err, blob.ErrTooLarge) {
		t.Errorf("many files: %v", err)
	}
	if _, err := blob.Pack(filepath.Join(dir, "none"), roomy); err == nil {
		t.Error("a folder that is not there was packed")
	}
}

func TestLinksAreNotPacked(t *testing.T) {
	t.Parallel()
	dir := folder(t, evidence)
	must(t, os.Symlink("/etc/passwd", filepath.Join(dir, "frames", "passwd.png")))
	if bundle, err := blob.Pack(dir, roomy); !errors.Is(err, blob.ErrUnsafe) || bundle != nil {
		t.Errorf("got %d bytes, %v, want ErrUnsafe", len(bundle), err)
	}
}

// hostile are tars that Pack never makes.
func hostile(t testing.TB) map[string][]byte {
	out := map[string][]byte{"no tar": []byte(strings.Repeat("rubbish ", 200))}
	for name, headers := range map[string][]tar.Header{
		"climbs out":     {{Name: "../out"}},
		"deep":           {{Name: "a/../../out"}},
		"absolute":       {{Name: "/tmp/out"}},
		"dot":            {{Name: "."}},
		"no name":        {{Name: ""}},
		"symlink":        {{Name: "s", Typeflag: tar.TypeSymlink, Linkname: "/etc"}},
		"through a link": {{Name: "s", Typeflag: tar.TypeSymlink, Linkname: ".."}, {Name: "s/out"}},
		"hard link":      {{Name: "h", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}},
		"device":         {{Name: "d", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 5}},
		"pipe":           {{Name: "p", Typeflag: tar.TypeFifo}},
		"folder":         {{Name: "f/", Typeflag: tar.TypeDir, Mode: 0o755}},
		"twice":          {{Name: "a"}, {Name: "a"}},
		"file as folder": {{Name: "a"}, {Name: "a/b"}},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range headers {
			if h.Typeflag == 0 {
				h.Typeflag = tar.TypeReg
			}
			must(t, w.WriteHeader(&h))
		}
		must(t, w.Close())
		out[name] = b.Bytes()
	}
	whole, err := blob.Pack(folder(t, map[string]string{"a": strings.Repeat("x", 5000)}), roomy)
	must(t, err)
	out["torn"] = whole[:2000]
	return out
}

func TestNothingIsWrittenOutside(t *testing.T) {
	t.Parallel()
	for name, bundle := range hostile(t) {
		dir := t.TempDir()
		if err := blob.Unpack(bundle, filepath.Join(dir, "in"), roomy); err == nil {
			t.Errorf("%s: unpacked", name)
		}
		for at := range tree(t, dir) {
			if !strings.HasPrefix(at, "in/") {
				t.Errorf("%s: %s was written", name, at)
			}
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, bundle := range hostile(f) {
		f.Add(bundle)
	}
	good, err := blob.Pack(folder(f, evidence), roomy)
	must(f, err)
	f.Add(good)
	f.Fuzz(func(t *testing.T, bundle []byte) {
		dir := t.TempDir()
		err := blob.Unpack(bundle, filepath.Join(dir, "in"), roomy)
		total := 0
		for at, content := range tree(t, dir) {
			total += len(content)
			if !strings.HasPrefix(at, "in/") {
				t.Errorf("%q was written", at)
			}
		}
		if total > roomy {
			t.Errorf("%d bytes were written", total)
		}
		if names, listed := blob.Names(bundle, roomy); err == nil && (listed != nil || len(names) != len(tree(t, dir))) {
			t.Errorf("%d names, %v", len(names), listed)
		}
	})
}
