package page

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine"
)

// What is too large is not served, wherever the site lies.
func TestFilesThatAreTooLargeAreNotServed(t *testing.T) {
	t.Parallel()
	folder := &vitrine.Site{Base: "/", Root: t.TempDir()}
	memory := &vitrine.Site{Base: "/", Files: map[string][]byte{}}
	for name, size := range map[string]int64{"fits.bin": maxResponseSize, "large.bin": maxResponseSize + 1} {
		file := filepath.Join(folder.Root, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, size); err != nil {
			t.Fatal(err)
		}
		memory.Files[name] = make([]byte, size)
	}
	for where, site := range map[string]*vitrine.Site{"folder": folder, "memory": memory} {
		if _, size, ok := Lookup(site, "/fits.bin"); !ok || size != maxResponseSize {
			t.Errorf("%s: what fits is not served: %d, %v", where, size, ok)
		}
		if _, _, ok := Lookup(site, "/large.bin"); ok {
			t.Errorf("%s: what is too large is served", where)
		}
	}
}
