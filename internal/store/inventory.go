package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitrine"
)

// The folders of a cache folder.
const (
	ResultsDir  = "cache"    // a Cache: answers of the stages
	PackagesDir = "packages" // what builds need and leave: packages, dependency sets, sites
	FixturesDir = "fixtures" // files that pages ask of other hosts
)

// The stages of an inventory that are not stages of a Cache.
const (
	StagePackages  = "packages"        // the cache of npm, one item
	StageSets      = "dependency sets" // installed node_modules
	StageLibraries = "libraries"       // packages of a set, bundled
	StageSites     = "sites"           // what builds came to
	StageFixtures  = "fixtures"        // one item
	StageLeft      = "left over"       // half-made folders of processes that were killed
)

// An Item is one thing that can be removed for itself.
type Item struct {
	Stage string
	Path  string
	Bytes int64
	Files int
	Made  time.Time // zero if not known
	Used  time.Time // last
	Site  string    // of a build: the path of the site it came to
}

// Inventory lists what a cache folder holds. What vanishes meanwhile is left out.
func Inventory(root string) ([]Item, error) {
	var all []Item
	err := errors.Join(
		each(filepath.Join(root, ResultsDir, "*", "??", "*"), func(path string) { all = append(all, resultItem(root, path)) }),
		each(filepath.Join(root, ResultsDir, tempPattern), func(path string) { all = append(all, item(StageLeft, path)) }),
		each(filepath.Join(root, PackagesDir, "work", "*"), func(path string) { all = append(all, item(StageLeft, path)) }),
		each(filepath.Join(root, PackagesDir, "npm"), func(path string) { all = append(all, item(StagePackages, path)) }),
		each(filepath.Join(root, PackagesDir, "deps", "*"), func(path string) { all = append(all, item(StageSets, path)) }),
		each(filepath.Join(root, PackagesDir, "libraries", "*"), func(path string) { all = append(all, item(StageLibraries, path)) }),
		each(filepath.Join(root, PackagesDir, "sites", "*"), func(path string) { all = append(all, item(StageSites, path)) }),
		each(filepath.Join(root, FixturesDir), func(path string) { all = append(all, item(StageFixtures, path)) }),
	)
	return all, diskFault(err)
}

// each visits the folders that a pattern names.
func each(pattern string, visit func(path string)) error {
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			visit(name)
		}
	}
	return err
}

// item weighs a folder. It was last used when it was last changed.
func item(stage, path string) Item {
	it := Item{Stage: stage, Path: path}
	if info, err := os.Stat(path); err == nil {
		it.Used = info.ModTime()
	}
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			it.Bytes += info.Size()
			it.Files++
		}
		return nil
	})
	return it
}

// resultItem is an entry of the Cache; its record tells when it was made and used.
func resultItem(root, path string) Item {
	rel, _ := filepath.Rel(filepath.Join(root, ResultsDir), path)
	stage, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	it := item(stage, path)
	r, err := readRecord(path)
	if err != nil {
		return it
	}
	it.Made = r.Made
	if info, err := os.Stat(filepath.Join(path, recordFile)); err == nil {
		it.Used = info.ModTime()
	}
	var site vitrine.Site
	if stage == "build" && json.Unmarshal(r.Answer, &site) == nil && site.Hash != "" {
		it.Site = filepath.Join(root, PackagesDir, "sites", site.Hash)
	}
	return it
}
