package npm

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// link makes the set below dir: links to the files of the packages, and to the
// programs. Nothing of it can be written, but for the scratch folders.
func (s *Store) link(t *Tree, p plan, dir string) error {
	folders := map[string]bool{"node_modules": true}
	for _, pkg := range t.Packages {
		folders[pkg.Path] = true
	}
	for at := range p {
		folders[path.Dir(at)] = true
	}
	for name := range folders {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
	}
	if err := s.linkFiles(t, p, dir); err != nil {
		return err
	}
	links, err := t.programs(dir)
	if err != nil {
		return err
	}
	for at, to := range links {
		at = filepath.Join(dir, at)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(to, at)); err != nil {
			return err
		}
	}
	return seal(filepath.Join(dir, "node_modules"))
}

// seal takes the right to write from all folders, and makes the scratch folders.
func seal(modules string) error {
	for _, name := range Scratch {
		if err := os.MkdirAll(filepath.Join(modules, name), 0o755); err != nil {
			return err
		}
	}
	return filepath.WalkDir(modules, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains(Scratch, d.Name()) && filepath.Dir(name) == modules {
			return fs.SkipDir
		}
		return os.Chmod(name, 0o555)
	})
}

func (s *Store) linkFiles(t *Tree, p plan, dir string) error {
	sources := make([]string, len(t.Packages))
	for i, pkg := range t.Packages {
		if !pkg.Bundled {
			folder, err := s.folder(pkg.Integrity)
			if err != nil {
				return err
			}
			sources[i] = filepath.Join(folder, filesDir)
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for chunk := range slices.Chunk(slices.Collect(keys(p)), 500) {
		group.Go(func() error {
			for _, at := range chunk {
				f := p[at]
				if err := linkFile(sources[f.pkg]+"/"+f.from, dir+"/"+at); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// linkFile links a file, or copies it where the file system makes no more links.
func linkFile(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, source)
	return errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close())
}

// programs are the links that npm makes to the programs of packages. Of two with one
// name the first package has it.
func (t *Tree) programs(dir string) (map[string]string, error) {
	links := map[string]string{}
	for _, p := range t.Packages {
		manifest, err := os.ReadFile(filepath.Join(dir, p.Path, "package.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		modules := p.Path[:strings.LastIndex(p.Path, "node_modules/")] + "node_modules"
		for name, target := range programs(manifest) {
			at := path.Join(modules, ".bin", name)
			_, taken := links[at]
			there, err := os.Lstat(filepath.Join(dir, at))
			taken = taken || err == nil && there.Mode().IsRegular()
			if _, err := os.Lstat(filepath.Join(dir, p.Path, target)); taken || err != nil {
				continue
			}
			links[at] = path.Join("..", strings.TrimPrefix(p.Path, modules+"/"), target)
		}
	}
	return links, nil
}

// describe leaves in a set what it should hold.
func (s *Store) describe(t *Tree, dir string) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, TreeFile), b, 0o444), os.Mkdir(filepath.Join(dir, knownDir), 0o755)); err != nil {
		return err
	}
	once := map[string]bool{}
	for _, p := range t.Packages {
		if once[p.Integrity] || p.Bundled {
			continue
		}
		once[p.Integrity] = true
		folder, err := s.folder(p.Integrity)
		if err != nil {
			return err
		}
		if err := linkFile(filepath.Join(folder, contentsFile), filepath.Join(dir, knownDir, filepath.Base(folder)+".json")); err != nil {
			return err
		}
	}
	return nil
}
