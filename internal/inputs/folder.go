package inputs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"vitrine"
)

// A rootTree is a folder on disk. os.Root keeps every name inside of it; links are not
// followed at all.
type rootTree struct {
	*os.Root
	most int // files and folders that are listed, at most
}

func openRoot(dir string, most int) (*rootTree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &rootTree{Root: root, most: most}, nil
}

func (t *rootTree) list(dir string) ([]string, error) {
	var all []string
	seen := 0
	err := fs.WalkDir(t.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil:
			return err
		case seen > t.most:
			return fmt.Errorf("more than %d files", t.most)
		case d.IsDir() && slices.Contains(leftOut, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || !isSource(name):
			return nil
		}
		all = append(all, name)
		return nil
	})
	return all, err
}

// read opens a file without waiting for one that is a pipe or a device, and without
// following a link.
func (t *rootTree) read(name string, max int64) ([]byte, error) {
	f, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readBounded(f, max)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func (t *rootTree) open(name string) (*os.File, error) {
	for dir := name; dir != "."; dir = path.Dir(dir) {
		info, err := t.Lstat(dir)
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s is a link: %w", dir, fs.ErrNotExist)
		}
	}
	f, err := t.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// A folder gives the sites, pages, archives or tables below it.
type folder struct {
	name     string
	settings Settings
	tree     tree
	close    func() error
	plan     plan
	found    *inventory
	nested   int // archives around it
}

func openFolder(name string, s Settings) (source, error) {
	if _, err := os.Stat(filepath.Join(name, "run.json")); err == nil {
		again := "vitrine judge " + filepath.Join(name, "evidence", "*") + " judges it again"
		return nil, refuse(name+" is a run folder, which was scored already", again)
	}
	root, err := openRoot(name, s.Limits.Listed)
	if err != nil {
		return nil, refuse("cannot read the input: "+err.Error(), "")
	}
	f := &folder{name: name, settings: s, tree: root, close: root.Close, found: &inventory{}}
	return f, f.look()
}

// look finds out what the folder holds.
func (f *folder) look() error {
	names, err := f.tree.list(".")
	if err != nil {
		return refuse("cannot read "+f.name+": "+err.Error(), "name a folder with fewer files")
	}
	for _, name := range names {
		if path.Base(name) == "dom.json" && slices.Contains(names, path.Join(path.Dir(name), "manifest.json")) {
			again := "vitrine judge " + path.Join(f.name, path.Dir(name)) + " judges it again"
			return refuse(f.name+" holds evidence of what was rendered already", again)
		}
	}
	f.plan = planOf(names)
	p := &f.plan
	if len(p.sites)+len(p.pages)+len(p.archives)+len(p.tables) == 0 {
		return refuse(f.name+" has neither a package.json nor an index.html, and no page, archive or file of outputs below it",
			"name the folder that holds one of them")
	}
	f.found.folder(*p)
	return nil
}

func (f *folder) Close() error { return f.close() }

func (f *folder) contents() (string, []string) { return f.found.contents() }

// rows gives what is in the folder, in the order of paths.
func (f *folder) rows() iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for _, dir := range f.plan.sites {
			if !yield(row{at: Position{File: path.Join(f.name, dir)}, load: func() (Item, error) { return f.site(dir) }}, nil) {
				return
			}
		}
		for _, name := range slices.Concat(f.plan.pages, f.plan.archives, f.plan.tables) {
			for r, err := range f.file(name).rows() {
				var fault *vitrine.Fault
				if errors.As(err, &fault) { // of this file, and no other
					err = &RowError{Position: Position{File: path.Join(f.name, name)}, Found: fault.Message, Wanted: "a file of outputs", Fix: fault.Fix}
				}
				if !yield(r, err) {
					return
				}
			}
		}
	}
}

// site loads a project or a static site.
func (f *folder) site(dir string) (Item, error) {
	item := Item{From: path.Join(f.name, dir)}
	item.ID = dir
	if dir == "." {
		item.ID = title(absolute(f.name))
	}
	var err error
	item.Artifact, err = siteOf(f.tree, dir, f.settings.Limits)
	return item, err
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// file is one file of the folder.
func (f *folder) file(name string) *file {
	l := f.settings.Limits
	open := func() (io.ReadCloser, error) {
		if root, ok := f.tree.(*rootTree); ok {
			return root.open(name)
		}
		b, err := f.tree.read(name, l.Archive)
		if err != nil {
			return nil, err
		}
		return opens(b)()
	}
	around := tree(within{f.tree, path.Dir(name)})
	return &file{
		name: path.Join(f.name, name), id: name, open: open, settings: f.settings, found: f.found,
		around: around, base: path.Base(name), nested: f.nested,
	}
}

// within is a folder of a tree.
type within struct {
	tree
	dir string
}

func (w within) list(dir string) ([]string, error) {
	names, err := w.tree.list(path.Join(w.dir, dir))
	for i, name := range names {
		if w.dir != "." {
			names[i] = strings.TrimPrefix(name, w.dir+"/")
		}
	}
	return names, err
}

func (w within) read(name string, max int64) ([]byte, error) {
	return w.tree.read(path.Join(w.dir, name), max)
}
