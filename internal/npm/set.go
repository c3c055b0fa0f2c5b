package npm

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Scratch are the folders below node_modules that build tools write to. They are
// made in every set, so that a build can have its own in their place.
var Scratch = []string{".cache", ".tmp", ".vite", ".vite-temp"}

// knownDir holds, in a set, what each of its packages unpacks to, so that a set can
// be verified when the packages are pruned.
const knownDir = "contents"

// A plan is what files a set consists of, by path below the set.
type plan map[string]planned

type planned struct {
	file
	from string // in the store, relative to a package's files
	pkg  int    // of the tree's packages
}

// Set returns the node_modules of a tree's set, if it is in the store and whole. One
// that is not what it was is thrown away.
func (s *Store) Set(t *Tree) (modules string, ok bool) {
	dir := filepath.Join(s.Dir, SetsDir, t.Hash)
	modules = filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err != nil {
		return "", false
	}
	s.touch(dir)
	if _, done := s.verified.Load(dir); done {
		return modules, true
	}
	_, err, _ := s.making.Do(dir, func() (any, error) {
		if _, done := s.verified.Load(dir); done {
			return nil, nil
		}
		err := s.verifySet(dir, t)
		if err != nil {
			return nil, errors.Join(err, s.discard(dir))
		}
		s.verified.Store(dir, true)
		return nil, nil
	})
	return modules, err == nil
}

// Assemble makes the set of a tree, if it is not there: its packages are fetched where
// the store lacks them, and linked.
func (s *Store) Assemble(ctx context.Context, t *Tree) (modules string, err error) {
	if modules, ok := s.Set(t); ok {
		return modules, nil
	}
	dir := filepath.Join(s.Dir, SetsDir, t.Hash)
	if err := s.assemble(ctx, t, dir); err != nil {
		return "", err
	}
	s.verified.Store(dir, true)
	return filepath.Join(dir, "node_modules"), nil
}

func (s *Store) assemble(ctx context.Context, t *Tree, dir string) error {
	all, err := s.collect(ctx, t)
	if err != nil {
		return err
	}
	p := t.plan(all)
	w, err := NewWork(filepath.Join(s.Dir, workDir), "set-")
	if err != nil {
		return err
	}
	defer w.Discard()
	if err := s.link(t, p, w.Path); err != nil {
		return err
	}
	if err := s.describe(t, w.Path); err != nil {
		return err
	}
	return moveInto(w.Path, dir)
}

// collect makes sure that all packages are in the store and says what they hold.
func (s *Store) collect(ctx context.Context, t *Tree) ([]contents, error) {
	c := s.Registry.open()
	defer c.close()
	all := make([]contents, len(t.Packages))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	left := s.allowance()
	for i, p := range t.Packages {
		if p.Bundled {
			continue
		}
		group.Go(func() (err error) {
			if all[i], err = s.contents(ctx, c, p); err != nil {
				return err
			}
			return left.take(all[i])
		})
	}
	return all, group.Wait()
}

// plan lays the packages of a tree out. Where a parent's tarball brings what the tree
// has elsewhere, the tree's is taken.
func (t *Tree) plan(all []contents) plan {
	own := map[string]bool{}
	for _, p := range t.Packages {
		own[p.Path] = !p.Bundled
	}
	p := plan{}
	for i, pkg := range t.Packages {
		for _, f := range all[i].Files {
			at := pkg.Path + "/" + f.Path
			if strings.Contains(f.Path, "node_modules/") && ownerOf(at, own) != pkg.Path {
				continue
			}
			p[at] = planned{f, f.Path, i}
		}
	}
	return p
}

// ownerOf is the innermost package of the tree that a file lies in.
func ownerOf(at string, own map[string]bool) string {
	for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
		if own[dir] {
			return dir
		}
	}
	return ""
}
