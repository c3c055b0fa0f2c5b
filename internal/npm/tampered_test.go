package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever is changed in a set, the next process that needs it makes it again.
func TestATamperedSetIsReplaced(t *testing.T) {
	t.Parallel()
	s, registry, tree := warehouse(t)
	modules := assemble(t, s, tree)
	want := holds(t, modules)
	write := func(name, content string) func() error {
		return func() error {
			name := filepath.Join(modules, name)
			_ = os.Chmod(filepath.Dir(name), 0o755)
			_ = os.Remove(name)
			return errors.Join(os.WriteFile(name, []byte(content), 0o644), os.Chmod(name, 0o444))
		}
	}
	for what, tamper := range map[string]func() error{
		"a file of the same length": write("other/index.js", "module.exports = '6.6.6'\n"),
		"a file through its link":   func() error { return inPlace(filepath.Join(modules, "other/index.js")) },
		"a file more":               write("other/more.js", "x"),
		"a file less": func() error {
			return errors.Join(os.Chmod(modules+"/other", 0o755), os.Remove(modules+"/other/index.js"))
		},
		"a file that cannot be run": func() error { return os.Chmod(modules+"/other/index.js", 0o444) },
		"a file that can be written": func() error {
			return os.Chmod(modules+"/other/index.js", 0o644)
		},
		"a link": func() error {
			return errors.Join(os.Chmod(modules+"/.bin", 0o755), os.Remove(modules+"/.bin/tool"), os.Symlink("/bin/sh", modules+"/.bin/tool"))
		},
		"a program that is no link": write(".bin/tool", "x"),
		"a scratch folder in use":   write(".vite/deps.js", "x"),
		"what it should hold":       func() error { return os.RemoveAll(filepath.Join(filepath.Dir(modules), knownDir)) },
	} {
		if err := tamper(); err != nil {
			t.Fatal(what, err)
		}
		if _, ok := open(t, s.Dir, registry).Set(tree); ok {
			t.Errorf("%s: the set is lent", what)
		}
		if diff := cmp.Diff(want, holds(t, assemble(t, open(t, s.Dir, registry), tree))); diff != "" {
			t.Errorf("%s: made again (-want +got):\n%s", what, diff)
		}
	}
}

// inPlace writes into a file, as whoever ignores its mode does, and hides its time.
func inPlace(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(name)
	return errors.Join(err, os.Chmod(name, 0o644), os.WriteFile(name, bytes.ToUpper(b), 0o644), os.Chmod(name, info.Mode()), os.Chtimes(name, info.ModTime(), info.ModTime()))
}

func TestATamperedPackageIsReplaced(t *testing.T) {
	t.Parallel()
	s, registry, tree := warehouse(t)
	want := holds(t, assemble(t, s, tree))
	folder, err := s.folder(tree.Packages[0].Integrity)
	if err != nil {
		t.Fatal(err)
	}
	for what, tamper := range map[string]func() error{
		"a file":               func() error { return inPlace(filepath.Join(folder, filesDir, "index.js")) },
		"a file more":          func() error { return os.WriteFile(filepath.Join(folder, filesDir, "more.js"), nil, 0o444) },
		"a file less":          func() error { return os.Remove(filepath.Join(folder, filesDir, "index.js")) },
		"a half-made folder":   func() error { return os.Remove(filepath.Join(folder, contentsFile)) },
		"a link in its place":  func() error { return errors.Join(os.Rename(folder, folder+"-old"), os.Symlink("/etc", folder)) },
		"nothing in its place": func() error { return os.RemoveAll(folder) },
	} {
		if err := tamper(); err != nil {
			t.Fatal(what, err)
		}
		removeAll(filepath.Join(s.Dir, SetsDir))
		if diff := cmp.Diff(want, holds(t, assemble(t, open(t, s.Dir, registry), tree))); diff != "" {
			t.Errorf("%s: made again (-want +got):\n%s", what, diff)
		}
	}
}

func TestHostileTarballs(t *testing.T) {
	t.Parallel()
	pack := func(headers ...tar.Header) []byte {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		w := tar.NewWriter(zip)
		for _, h := range headers {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write(make([]byte, min(h.Size, 100)))
		}
		_ = w.Close()
		_ = zip.Close()
		return b.Bytes()
	}
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	inside := filepath.Join(dir, "inside")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := unpack(bytes.NewReader(pack(
		tar.Header{Name: "package/../../outside", Size: 1}, tar.Header{Name: "/package/absolute", Size: 1}, tar.Header{Name: "package/link", Typeflag: tar.TypeSymlink, Linkname: ".."},
		tar.Header{Name: "package/link/outside", Size: 1}, tar.Header{Name: "package/hard", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}, tar.Header{Name: "package/pipe", Typeflag: tar.TypeFifo},
		tar.Header{Name: "package/device", Typeflag: tar.TypeChar}, tar.Header{Name: "package/twice", Size: 1}, tar.Header{Name: "package/twice", Size: 2, Mode: 0o4755}, tar.Header{Name: "alone", Size: 1},
	)), inside)
	var names []string
	for _, f := range got.Files {
		names = append(names, f.Path)
	}
	if err != nil || !slices.Equal(names, []string{"absolute", "link/outside", "twice"}) {
		t.Errorf("got %v, %v", names, err)
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("a tarball wrote outside of its folder")
	}
	if info, err := os.Lstat(filepath.Join(inside, "twice")); err != nil || info.Mode() != 0o555 || info.Size() != 2 {
		t.Errorf("got %v, %v", info, err)
	}
	for what, tarball := range map[string][]byte{
		"a file in the place of a folder": pack(tar.Header{Name: "package/a", Size: 1}, tar.Header{Name: "package/a/b", Size: 1}),
		"no tarball":                      []byte("<html>"),
		"a file that is too large":        pack(tar.Header{Name: "package/zeros", Size: maxUnpacked + 1}),
		"a file that is cut off":          pack(tar.Header{Name: "package/zeros", Size: 1000}),
	} {
		if _, err := unpack(bytes.NewReader(tarball), t.TempDir()); !errors.Is(err, errUnusable) {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
