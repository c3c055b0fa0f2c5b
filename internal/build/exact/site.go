package exact

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/markup"
	"vitrine/internal/project"
)

// findSite finds the folder that the build wrote its pages to. No part of its path may be a
// link: it could lead out of the work folder. Where the configuration does not tell, it is
// the first folder with a page that the project does not have, else with one that it has.
func findSite(work string, source *project.Project) (string, bool) {
	work, err := filepath.EvalSymlinks(work)
	if err != nil {
		return "", false
	}
	names := []string{"dist", "build", "out"}
	if out := source.Config.Out; out == "" {
		brought := func(name string) bool { return source.Files[name+"/index.html"] != "" }
		made := append(slices.DeleteFunc(slices.Clone(names), brought), madePages(work, source.Files)...)
		names = append(made, names...)
	} else if !path.IsAbs(out) {
		names = append([]string{out}, names...)
	}
	for _, name := range names {
		dir := filepath.Join(work, projectDir, name)
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || real != dir || !strings.HasPrefix(dir, work+string(filepath.Separator)) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, "index.html")); err == nil && info.Mode().IsRegular() {
			return dir, true
		}
	}
	return "", false
}

// maxDepth is how deep below the work folder a site is looked for.
const maxDepth = 4

// madePages are the folders, relative to the project, with an index.html that the project
// did not bring, in the order of their names. Links are not followed.
func madePages(work string, files map[string]string) (folders []string) {
	top := filepath.Join(work, projectDir)
	_ = filepath.WalkDir(work, func(name string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(top, name)
		if err != nil || relErr != nil {
			return nil // what cannot be read is no site
		}
		if d.IsDir() {
			within, _ := filepath.Rel(work, name)
			if d.Name() == "node_modules" || strings.Count(within, string(filepath.Separator)) >= maxDepth {
				return fs.SkipDir
			}
			return nil
		}
		if _, brought := files[filepath.ToSlash(rel)]; d.Name() == "index.html" && !brought {
			folders = append(folders, filepath.Dir(rel))
		}
		return nil
	})
	return folders
}

// maxPage is more than any page that a bundler writes.
const maxPage = 1 << 20

// named are the scripts and stylesheets that a page names by a path, without what follows it.
func named(page string) (paths []string) {
	for tag := range markup.Tags(page) {
		address := ""
		switch tag.Data {
		case "script":
			address = tag.Value("src")
		case "link":
			address = tag.Value("href")
		}
		address, _, _ = strings.Cut(address, "?")
		address, _, _ = strings.Cut(address, "#")
		if len(address) > 1 && address[0] == '/' && address[1] != '/' {
			paths = append(paths, address)
		}
		if len(paths) == maxNamed {
			break
		}
	}
	return paths
}

// Most of what is looked at: scripts and stylesheets, and the folders of a path.
const (
	maxNamed  = 100
	maxFolder = 12
)

// baseOf finds out below which path a site stands, from what its page names: the path of a
// file of the site, with the base before it. It is "/" where any file is named as it lies,
// else what most of the names have, of several the first, and otherwise where the page names
// no file of the site.
func baseOf(dist, otherwise string) string {
	root, err := os.OpenRoot(dist)
	if err != nil {
		return otherwise
	}
	defer root.Close()
	if info, err := root.Stat("index.html"); err != nil || info.Size() > maxPage {
		return otherwise
	}
	page, err := root.ReadFile("index.html")
	if err != nil {
		return otherwise
	}
	most, bases := otherwise, map[string]int{}
	for _, address := range named(string(page)) {
		whole := path.Clean(address)
		if path.Ext(whole) == ".html" || len(whole) > vitrine.MaxPath || strings.Count(whole, "/") > maxFolder { // another page, or no file of a build
			continue
		}
		base, ok := baseIn(root, whole)
		if !ok {
			continue
		}
		if base == "/" {
			return base
		}
		if bases[base]++; bases[base] > bases[most] {
			most = base
		}
	}
	return most
}

// baseIn is what stands before the path of a file of the site, in the path that a page names.
func baseIn(root *os.Root, whole string) (base string, ok bool) {
	base = "/"
	for file := whole[1:]; file != ""; {
		if info, err := root.Stat(file); err == nil && info.Mode().IsRegular() {
			return base, true
		}
		var first string
		first, file, _ = strings.Cut(file, "/")
		base = path.Join(base, first)
	}
	return "", false
}
