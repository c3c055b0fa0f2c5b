package npm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// inode is a file as the disk knows it. One that was hashed in this process, and has
// neither changed its size nor its time, is not hashed again under another name:
// sets share their files.
type inode struct {
	device, number uint64
	size, modified int64 // bytes, nanoseconds
}

// verifyPackage holds an unpacked package against what it should hold.
func (s *Store) verifyPackage(dir string, c contents) error {
	want := map[string]file{}
	for _, f := range c.Files {
		want[f.Path] = f
	}
	return s.verify(filepath.Join(dir, filesDir), want, nil)
}

// verifySet holds a set against what its tree and its packages should be.
func (s *Store) verifySet(dir string, t *Tree) error {
	all := make([]contents, len(t.Packages))
	for i, p := range t.Packages {
		if p.Bundled {
			continue
		}
		folder, err := s.folder(p.Integrity)
		if err != nil {
			return err
		}
		if all[i], err = readContents(filepath.Join(dir, knownDir, filepath.Base(folder)+".json")); err != nil {
			return err
		}
	}
	want := map[string]file{}
	for at, f := range t.plan(all) {
		want[at] = f.file
	}
	links, err := t.programs(dir)
	if err != nil {
		return err
	}
	return s.verify(dir, want, links)
}

// verify holds the files and links below a folder against what should be there. What
// describes a set, in its root, is not among them.
func (s *Store) verify(dir string, want map[string]file, links map[string]string) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	found := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := strings.TrimPrefix(name[len(dir):], "/")
		if d.IsDir() {
			if links != nil && at == knownDir {
				return fs.SkipDir
			}
			return nil
		}
		if links != nil && at == TreeFile {
			return nil
		}
		found++
		if d.Type()&fs.ModeSymlink != 0 {
			if to, err := os.Readlink(name); err != nil || to != links[at] {
				return fmt.Errorf("%s leads to %q", name, to)
			}
			return nil
		}
		w, ok := want[at]
		info, err := d.Info()
		if err != nil || !ok || !info.Mode().IsRegular() || info.Size() != w.Size || info.Mode().Perm()&0o222 != 0 || info.Mode()&0o111 != 0 != w.Exec {
			return fmt.Errorf("%s is not what was installed", name)
		}
		group.Go(func() error { return s.hash(name, info, w) })
		return nil
	})
	if failed := group.Wait(); err == nil {
		err = failed
	}
	if err == nil && found != len(want)+len(links) {
		err = fmt.Errorf("%s has %d files, not %d", dir, found, len(want)+len(links))
	}
	return err
}

// hash holds the content of a file against its hash.
func (s *Store) hash(name string, info fs.FileInfo, want file) error {
	var id inode
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		id = inode{uint64(st.Dev), st.Ino, info.Size(), info.ModTime().UnixNano()}
		if sum, ok := s.hashed.Load(id); ok && sum == want.Sum {
			return nil
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	buffer, _ := s.buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
		*buffer = make([]byte, 64<<10)
	}
	defer s.buffers.Put(buffer)
	sum := sha256.New()
	for n := 0; err == nil; {
		n, err = f.Read(*buffer)
		_, _ = sum.Write((*buffer)[:n])
	}
	if err != io.EOF {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want.Sum {
		return fmt.Errorf("%s was changed", name)
	}
	s.hashed.Store(id, want.Sum)
	return nil
}
