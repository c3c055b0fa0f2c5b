package main

import (
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// changed are the packages with files that differ from a revision in the working tree or
// whose tests read a folder of testdata that differs, and those that import them. The root
// is always among them: its tests hold every file to the rules of the house.
func (all packages) changed(root, rev string) ([]string, error) {
	tracked, err := output(root, "git", "diff", "--name-only", "--relative", rev)
	if err != nil {
		return nil, err
	}
	added, err := output(root, "git", "ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files := strings.Fields(string(tracked) + string(added))
	touched, err := all.touched(files)
	if err != nil {
		return nil, err
	}
	module := slices.Contains(files, "go.mod") || slices.Contains(files, "go.sum")
	var found []string
	for _, p := range all {
		imports := func(path string) bool { return touched[path] }
		if module || p.rel == "." || touched[p.ImportPath] || slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), imports) {
			found = append(found, p.ImportPath)
		}
	}
	return found, nil
}

// touched are the import paths of the packages that files belong to.
func (all packages) touched(files []string) (map[string]bool, error) {
	byDir, found := map[string]string{}, map[string]bool{}
	for _, p := range all {
		byDir[p.rel] = p.ImportPath
	}
	for _, file := range files {
		if data, ok := strings.CutPrefix(file, "testdata/"); ok {
			readers, err := all.readers(data)
			if err != nil {
				return nil, err
			}
			maps.Copy(found, readers)
		} else if owner := nearest(byDir, file); owner != "" {
			found[owner] = true
		}
	}
	return found, nil
}

// nearest is the package in the folder of a file, or in the next one above it that has
// one. Of what lies beside or outside of all packages only Go files belong to the root.
func nearest(byDir map[string]string, file string) string {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if owner, ok := byDir[dir]; ok {
			return owner
		}
	}
	if path.Dir(file) == "." && strings.HasSuffix(file, ".go") {
		return byDir["."]
	}
	return ""
}

// readers are the packages whose tests name the folder of testdata that a file is in.
func (all packages) readers(file string) (map[string]bool, error) {
	folder, _, _ := strings.Cut(file, "/")
	found := map[string]bool{}
	for _, p := range all {
		for _, test := range p.tests() {
			source, err := os.ReadFile(test)
			if err != nil {
				return nil, err
			}
			if text := string(source); strings.Contains(text, "testdata/"+folder) || strings.Contains(text, `"testdata", "`+folder+`"`) {
				found[p.ImportPath] = true
			}
		}
	}
	return found, nil
}
