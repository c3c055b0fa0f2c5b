package cache

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/disk"
)

// The folders of a cache folder.
const (
	ResultsDir  = "cache"     // Results: answers of the stages
	PackagesDir = "packages"  // what builds need and leave: packages, dependency sets, sites
	FixturesDir = "fixtures"  // files that pages ask of other hosts
	EmbedderDir = "embedders" // tables of vectors
)

// The stages of an inventory that are not stages of Results.
const (
	StagePackages  = "packages"        // unpacked, each for itself
	StageResolved  = "resolutions"     // of dependencies, one item; and the packuments of each date, one item
	StageSets      = "dependency sets" // installed node_modules
	StageLibraries = "libraries"       // packages of a set, bundled
	StageSites     = "sites"           // the results of builds
	StageFixtures  = "fixtures"        // one item
	StageEmbedders = "embedders"       // tables of vectors
	StageLeft      = "left over"       // incomplete folders of killed processes
	StageEarlier   = "earlier layout"  // folders that this version does not use
)

// An Item is a folder that can be removed by itself.
type Item struct {
	Stage string
	Path  string
	Bytes int64
	Files int
	Used  time.Time // last
	Site  string    // of a build: the path of the site that it made
}

// Inventory lists what a cache folder holds, without what is removed meanwhile. The size of
// a file that sets and packages share counts once, in the first set that has it.
func Inventory(root string) ([]Item, error) {
	x := &inventory{root: root, seen: map[[2]uint64]bool{}}
	err := errors.Join(
		each(filepath.Join(root, ResultsDir, "*", "??", "*"), func(path string) { x.all = append(x.all, resultItem(root, path)) }),
		x.list(StageLeft, ResultsDir, tempPattern),
		x.list(StageLeft, PackagesDir, "work", "*"),
		x.list(StageEarlier, PackagesDir, "npm"),
		each(filepath.Join(root, PackagesDir, "deps", "*"), x.set),
		each(filepath.Join(root, PackagesDir, "unpacked", "*"), x.unpacked),
		x.list(StageResolved, PackagesDir, "resolutions"),
		x.list(StageResolved, PackagesDir, "packuments", "*"),
		each(filepath.Join(root, PackagesDir, "libraries", "*"), x.library),
		x.list(StageSites, PackagesDir, "sites", "*"),
		x.list(StageFixtures, FixturesDir),
		x.list(StageEmbedders, EmbedderDir, "*"),
	)
	return x.all, disk.Fault(err)
}

// inventory is the state of making the list.
type inventory struct {
	root string
	all  []Item
	seen map[[2]uint64]bool // inodes of sets and packages
	used time.Time          // when the newest set was used
}

// list adds the folders below the root that match a pattern.
func (x *inventory) list(stage string, pattern ...string) error {
	return each(filepath.Join(append([]string{x.root}, pattern...)...), func(path string) { x.all = append(x.all, item(stage, path, nil)) })
}

// set adds a dependency set. Sets of earlier versions have no tree.json.
func (x *inventory) set(path string) {
	it := item(StageSets, path, x.seen)
	if _, err := os.Stat(filepath.Join(path, "tree.json")); err != nil {
		it.Stage = StageEarlier
	} else if it.Used.After(x.used) {
		x.used = it.Used
	}
	x.all = append(x.all, it)
}

// unpacked adds a package. While a set links to it, its last use is that of the newest set.
func (x *inventory) unpacked(path string) {
	it := item(StagePackages, path, x.seen)
	if info, err := os.Stat(filepath.Join(path, "contents.json")); err == nil && x.used.After(it.Used) {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
			it.Used = x.used
		}
	}
	x.all = append(x.all, it)
}

// treeKey is the length of a set's key, which was shorter in earlier versions.
const treeKey = 40

func (x *inventory) library(path string) {
	it := item(StageLibraries, path, nil)
	if len(filepath.Base(path)) < treeKey {
		it.Stage = StageEarlier
	}
	x.all = append(x.all, it)
}

// each visits the folders that match a pattern.
func each(pattern string, visit func(path string)) error {
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			visit(name)
		}
	}
	return err
}

// item measures a folder. Its last use is its last change; that of resolutions is the last
// change of any of them. Files in seen are not counted again; a nil map counts all files.
func item(stage, path string, seen map[[2]uint64]bool) Item {
	it := Item{Stage: stage, Path: path}
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if name == path || stage == StageResolved && info.ModTime().After(it.Used) {
			it.Used = info.ModTime()
		}
		if d.IsDir() {
			return nil
		}
		it.Files++
		if st, ok := info.Sys().(*syscall.Stat_t); ok && seen != nil {
			id := [2]uint64{uint64(st.Dev), st.Ino}
			if seen[id] {
				return nil
			}
			seen[id] = true
		}
		it.Bytes += info.Size()
		return nil
	})
	return it
}

// resultItem is an entry of Results; its record tells when it was used.
func resultItem(root, path string) Item {
	rel, _ := filepath.Rel(filepath.Join(root, ResultsDir), path)
	stage, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	it := item(stage, path, nil)
	r, err := readRecord(path)
	if err != nil {
		return it
	}
	if info, err := os.Stat(filepath.Join(path, recordFile)); err == nil {
		it.Used = info.ModTime()
	}
	var site vitrine.Site
	if stage == "build" && json.Unmarshal(r.Answer, &site) == nil && site.Hash != "" {
		it.Site = filepath.Join(root, PackagesDir, "sites", site.Hash)
	}
	return it
}
