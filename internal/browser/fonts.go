package browser

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// fontConfig lets Chromium see the pinned fonts and no others, so that the same
// page looks the same on machines that have other fonts besides.
//
//go:embed fonts.conf
var fontConfig []byte

// pinned are the fonts of fontConfig, each by its Debian package and the start of
// its file names.
var pinned = []struct{ Package, Start string }{
	{"fonts-liberation", "LiberationSans-"},
	{"fonts-liberation", "LiberationSerif-"},
	{"fonts-liberation", "LiberationMono-"},
	{"fonts-noto-color-emoji", "NotoColorEmoji."},
	{"fonts-noto-cjk", "NotoSansCJK-"},
}

// Fonts are what pages are drawn with.
type Fonts struct {
	// Files of the pinned set that this machine has.
	Files []string
	// Missing names the Debian packages of the set that it lacks.
	Missing []string
	// Hash of the files by name and content. Frames depend on it.
	Hash string
}

// Pinned reports whether the set is there. Where nothing draws letters, Chromium
// sees all fonts of the machine instead.
func (f Fonts) Pinned() bool { return !slices.Contains(f.Missing, "fonts-liberation") }

// InstalledFonts looks for the pinned fonts, once.
var InstalledFonts = sync.OnceValue(func() Fonts {
	var f Fonts
	var all []string
	for _, dir := range []string{"/usr/share/fonts", "/usr/local/share/fonts"} {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				all = append(all, name)
			}
			return nil
		})
	}
	for _, p := range pinned {
		before := len(f.Files)
		for _, name := range all {
			if strings.HasPrefix(filepath.Base(name), p.Start) {
				f.Files = append(f.Files, name)
			}
		}
		if len(f.Files) == before && !slices.Contains(f.Missing, p.Package) {
			f.Missing = append(f.Missing, p.Package)
		}
	}
	if f.Hash = hashFiles(f.Files); !f.Pinned() {
		f.Hash = hashFiles(all)
	}
	return f
})

// hashFiles identifies files by name and content, wherever they lie.
func hashFiles(names []string) string {
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	sum := sha256.New()
	for _, name := range names {
		content, _ := os.ReadFile(name) // one that cannot be read is not drawn with either
		fmt.Fprintf(sum, "%s %d ", filepath.Base(name), len(content))
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
