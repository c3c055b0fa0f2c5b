// Command packages lists packages of this module for the Makefile:
//
//	packages changed [REV]   what differs from REV (HEAD~1), and what imports it
//	packages fuzz            every fuzz test, as its package and its name
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	lines, err := list(".", os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
	for _, line := range lines {
		fmt.Println(line)
	}
}

// list gives the lines of a command, run in the root of a module.
func list(root string, args []string) ([]string, error) {
	all, err := load(root)
	if err != nil {
		return nil, err
	}
	switch {
	case len(args) == 1 && args[0] == "fuzz":
		return all.fuzzTests()
	case len(args) == 1 && args[0] == "changed":
		return all.changed(root, "HEAD~1")
	case len(args) == 2 && args[0] == "changed":
		return all.changed(root, args[1])
	}
	return nil, errors.New("usage: packages changed [REV] | fuzz")
}

// A pkg is what go list says of a package.
type pkg struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	rel                                string // the folder, relative to the root of the module
}

type packages []pkg

// load reads the packages of the module in a folder.
func load(root string) (all packages, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	out, err := output(root, "go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./...")
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		dir, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		p.rel = filepath.ToSlash(dir)
		all = append(all, p)
	}
}

// output runs a program in a folder and returns what it prints.
func output(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(failed.Stderr))
	}
	return out, err
}

// tests are the files of a package's tests.
func (p pkg) tests() (files []string) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		files = append(files, filepath.Join(p.Dir, name))
	}
	return files
}

// fuzzTests are all fuzz tests, each as its package and its name.
func (all packages) fuzzTests() (lines []string, err error) {
	for _, p := range all {
		for _, file := range p.tests() {
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(string(source)) {
				if rest, ok := strings.CutPrefix(line, "func Fuzz"); ok {
					name, _, _ := strings.Cut(rest, "(")
					lines = append(lines, p.ImportPath+" Fuzz"+name)
				}
			}
		}
	}
	return lines, nil
}
