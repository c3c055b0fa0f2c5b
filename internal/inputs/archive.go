package inputs

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
)

// maxNested is how many archives may be around an archive.
const maxNested = 1

// archive gives the sites, pages or tables of an archive. An archive is read whole,
// within its limits, and nothing of it is written to disk.
func (f *file) archive(u *unpacked, format Format) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		box := &crate{files: memoryTree{}, limits: f.settings.Limits}
		err := box.open(u, format, f.nested)
		if err != nil {
			at := Position{File: f.name}
			yield(row{at: at}, unusable(at, "an archive that is not read: "+err.Error(), "a zip or tar of pages or projects", ""))
			return
		}
		if box.refused > 0 {
			f.found.note("%s: %d entries are left out: links, devices, or names that leave the archive", f.name, box.refused)
		}
		inside := &folder{name: f.name, settings: f.settings, tree: box.stripped(), found: f.found, nested: f.nested + 1}
		if err := inside.look(); err != nil {
			at := Position{File: f.name}
			yield(row{at: at}, unusable(at, "an archive without a package.json, an index.html, a page or a file of outputs", "one of them", ""))
			return
		}
		for r, err := range inside.rows() {
			if !yield(f.inArchive(r), err) {
				return
			}
		}
	}
}

// inArchive names what is in an archive after it.
func (f *file) inArchive(r row) row {
	load := r.load
	if load == nil {
		return r
	}
	r.load = func() (Item, error) {
		item, err := load()
		if stem := strings.TrimSuffix(f.id, path.Base(f.id)) + title(f.id); item.ID == title(f.name) {
			item.ID = stem
		} else {
			item.ID = stem + "/" + item.ID
		}
		return item, err
	}
	return r
}

// A crate is an archive that is being read.
type crate struct {
	files   memoryTree
	limits  Limits
	size    int64
	entries int
	refused int // entries that are left out
}

func (c *crate) open(r io.Reader, format Format, nested int) error {
	switch {
	case nested > maxNested:
		return errors.New("archives in an archive in an archive")
	case format == FormatZip:
		return c.zip(r)
	}
	return c.tar(r)
}

func (c *crate) zip(r io.Reader) error {
	kept, size, err := spool(r)
	if err != nil {
		return err
	}
	defer kept.Close()
	z, err := zip.NewReader(kept, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, entry := range z.File {
		if entry.Mode().IsDir() || strings.HasSuffix(entry.Name, "/") {
			continue
		}
		open := func() (io.Reader, error) {
			if entry.Flags&1 != 0 {
				return nil, fmt.Errorf("%s is encrypted", short(entry.Name))
			}
			return entry.Open()
		}
		if err := c.add(entry.Name, entry.Mode().IsRegular(), open); err != nil {
			return err
		}
	}
	return nil
}

func (c *crate) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		entry, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
		switch entry.Typeflag {
		case tar.TypeDir, tar.TypeXGlobalHeader:
			continue
		}
		if err := c.add(entry.Name, entry.Typeflag == tar.TypeReg, func() (io.Reader, error) { return t, nil }); err != nil {
			return err
		}
	}
}

// add reads an entry. Of two with one name the last counts, as when they are unpacked.
func (c *crate) add(name string, regular bool, open func() (io.Reader, error)) error {
	if c.entries++; c.entries > c.limits.Files {
		return fmt.Errorf("it has more than %d entries", c.limits.Files)
	}
	clean, ok := cleanName(name)
	switch {
	case ok && (!isSource(clean) || strings.HasPrefix(clean, "__MACOSX/")):
		return nil
	case !ok || !regular:
		c.refused++
		return nil
	}
	r, err := open()
	if err != nil {
		return err
	}
	b, err := readBounded(r, c.limits.Archive-c.size)
	if c.size += int64(len(b)); c.size > c.limits.Archive {
		return fmt.Errorf("it unpacks to more than %d MB", c.limits.Archive>>20)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", short(clean), err)
	}
	c.files[clean] = b
	return nil
}

// stripped is the tree without the one folder that is around everything.
func (c *crate) stripped() memoryTree {
	top, first := "", true
	for name := range c.files {
		dir, _, nested := strings.Cut(name, "/")
		if !nested || !first && dir != top {
			return c.files
		}
		top, first = dir, false
	}
	inner := memoryTree{}
	for name, b := range c.files {
		inner[strings.TrimPrefix(name, top+"/")] = b
	}
	return inner
}
