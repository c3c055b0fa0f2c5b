package inputs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine"
)

// A tree is a folder or an archive. Paths are slash-separated, clean and inside of it;
// nothing in it is a link.
type tree interface {
	// list is every regular file below a folder that is part of a site's source.
	list(dir string) ([]string, error)
	// read is a file, which must not be larger than max; fs.ErrNotExist where there is
	// none.
	read(name string, max int64) ([]byte, error)
}

// leftOut are folders that are no part of a site's source.
var leftOut = []string{"node_modules", ".git", ".vitrine", ".next"}

// isSource reports whether a path may be part of a site: environment files hold
// secrets.
func isSource(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if slices.Contains(leftOut, part) {
			return false
		}
	}
	return !strings.HasPrefix(path.Base(name), ".env")
}

// cleanName is a path inside a tree; not ok for one that leaves it or names nothing.
func cleanName(raw string) (string, bool) {
	name := strings.ReplaceAll(raw, `\`, "/")
	if !utf8.ValidString(name) || strings.ContainsRune(name, 0) || strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' {
		return "", false
	}
	name = path.Clean(name)
	return name, fs.ValidPath(name) && name != "."
}

// A memoryTree is an archive that was read.
type memoryTree map[string][]byte

func (t memoryTree) list(dir string) ([]string, error) {
	var all []string
	for name := range t {
		if isSource(name) && below(name, dir) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all, nil
}

func (t memoryTree) read(name string, max int64) ([]byte, error) {
	b, ok := t[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	if int64(len(b)) > max {
		return nil, fmt.Errorf("%s is larger than %d MB", name, max>>20)
	}
	return b, nil
}

func below(name, dir string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") }

var errNoSite = errors.New("neither a package.json nor an index.html")

// siteOf reads a project, if the folder has a package.json, or a static site.
func siteOf(t tree, dir string, l Limits) (*vitrine.Artifact, error) {
	names, err := t.list(dir)
	if err != nil {
		return nil, err
	}
	a, size := &vitrine.Artifact{Kind: vitrine.KindPage}, int64(0)
	if len(names) > l.Files {
		return nil, fmt.Errorf("%d files, more than %d", len(names), l.Files)
	}
	for _, name := range names {
		content, err := t.read(name, l.Site)
		if err != nil {
			return nil, err
		}
		if size += int64(len(content)); size > l.Site {
			return nil, fmt.Errorf("more than %d MB", l.Site>>20)
		}
		if dir != "." {
			name = strings.TrimPrefix(name, dir+"/")
		}
		a.Files = append(a.Files, vitrine.File{Path: name, Content: string(content)})
	}
	if _, ok := a.File("package.json"); ok {
		a.Kind = vitrine.KindProject
	} else if _, ok := a.File("index.html"); !ok {
		return nil, errNoSite
	}
	return a, nil
}

// plan is what a tree holds: sites by their folders, and files by themselves.
type plan struct {
	sites, pages, archives, tables []string
	skipped                        int // tables in a folder of sites
}

// planOf sorts the files of a tree. Where there are sites, pages or archives, tables are
// what belongs to them, and no outputs.
func planOf(names []string) plan {
	roots := map[string]bool{}
	for _, name := range names {
		if base := path.Base(name); base == "package.json" || base == "index.html" {
			roots[path.Dir(name)] = true
		}
	}
	var p plan
	for _, name := range names {
		if root, ok := topmost(name, roots); ok {
			if !slices.Contains(p.sites[max(0, len(p.sites)-1):], root) {
				p.sites = append(p.sites, root)
			}
			continue
		}
		switch promised(name) {
		case FormatPage, FormatDrawing, FormatCode:
			p.pages = append(p.pages, name)
		case FormatZip, FormatTar:
			p.archives = append(p.archives, name)
		case FormatLines, FormatJSON, FormatCSV, FormatParquet:
			p.tables = append(p.tables, name)
		}
	}
	slices.Sort(p.sites)
	p.sites = slices.Compact(p.sites)
	if len(p.sites)+len(p.pages)+len(p.archives) > 0 {
		p.skipped, p.tables = len(p.tables), nil
	}
	p.pages = withoutAssets(p.pages)
	return p
}

// withoutAssets leaves out drawings that lie next to or below pages: these show them.
func withoutAssets(names []string) []string {
	hasPage := slices.ContainsFunc(names, func(n string) bool { return promised(n) == FormatPage })
	return slices.DeleteFunc(names, func(n string) bool { return hasPage && promised(n) == FormatDrawing })
}

// topmost is the outermost folder around a file that is a site.
func topmost(name string, roots map[string]bool) (string, bool) {
	if roots["."] {
		return ".", true
	}
	for i, c := range name {
		if c == '/' && roots[name[:i]] {
			return name[:i], true
		}
	}
	return "", false
}
