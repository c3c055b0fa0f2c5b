package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/npm"
	"vitrine/internal/project"
)

// setting assembles dependency sets, holds them against what npm installs, and
// measures how fast projects with many dependency lists are scored.
type setting struct {
	project  string
	cache    string
	lists    int
	compare  int
	binaries []string
	each     int
	rounds   int
	aside    string // folder of what was measured, removed at the end
}

func setsCommand() *cobra.Command {
	s := &setting{}
	cmd := command("sets", "Assemble dependency sets, compare them with npm's, and score projects with many dependency lists", s.run)
	flags := cmd.Flags()
	flags.StringVar(&s.project, "project", "testdata/projects/dashboard", "folder of the project whose dependencies are varied")
	kept := filepath.Join(os.TempDir(), "vitrine-perf-sets")
	flags.StringVar(&s.cache, "cache-dir", kept, "folder of what is fetched, kept for the next run")
	flags.IntVar(&s.lists, "lists", 16, "dependency lists, the project's own first")
	flags.IntVar(&s.compare, "compare", 6, "lists that npm installs as well")
	flags.StringArrayVar(&s.binaries, "vitrine", nil, "a vitrine program whose throughput is measured; several take turns")
	flags.IntVar(&s.each, "each", 4, "projects for each list")
	flags.IntVar(&s.rounds, "rounds", 3, "how often each program scores all projects")
	return cmd
}

// libraries are what projects of this kind also ask for, and no other package of the
// project brings. List i has those whose bit is set in i.
var libraries = [][2]string{{"zustand", "^4.5.0"}, {"react-hook-form", "^7.50.0"}, {"axios", "^1.7.0"}, {"framer-motion", "^11.0.0"}}

// dependencyList is a package.json with more dependencies than the project's.
func dependencyList(manifest string, i int) (string, error) {
	var m map[string]any
	if err := json.Unmarshal([]byte(manifest), &m); err != nil {
		return "", err
	}
	deps, _ := m["dependencies"].(map[string]any)
	for bit, l := range libraries {
		if i>>bit&1 == 1 {
			deps[l[0]] = l[1]
		}
	}
	b, err := json.MarshalIndent(m, "", "  ")
	return string(b), err
}

func (s *setting) run(ctx context.Context, w io.Writer) error {
	files, err := readProject(s.project)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.cache, 0o755); err != nil {
		return err
	}
	aside, err := npm.NewWork(s.cache, "aside-")
	if err != nil {
		return err
	}
	defer aside.Discard()
	s.aside = aside.Path
	fmt.Fprintln(w, machine())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "list\tpackages\tfiles\tresolved\tassembled\tverified\tnpm install\tpaths that differ")
	for i := range min(s.compare, s.lists) {
		if err := s.row(ctx, table, files, i); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil || len(s.binaries) == 0 {
		return err
	}
	return s.throughput(ctx, w, files)
}

// readProject reads the files of a project.
func readProject(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	return files, err
}

// row measures one list: to resolve it without anything kept of it, to assemble it
// from a warm package store, to verify it, and npm's own install of it.
func (s *setting) row(ctx context.Context, w io.Writer, files map[string]string, i int) error {
	list, err := dependencyList(files["package.json"], i)
	if err != nil {
		return err
	}
	source, failure := project.Read(&vitrine.Artifact{Files: []vitrine.File{{Path: "package.json", Content: list}}}, 1<<20)
	if failure != nil {
		return errors.New(failure.Message)
	}
	store := filepath.Join(s.cache, "packages")
	if err := os.RemoveAll(filepath.Join(store, npm.ResolutionsDir)); err != nil {
		return err
	}
	set, resolved, _, err := s.install(ctx, store, source.Package)
	if err != nil {
		return err
	}
	// It is moved, not removed: ext4 makes folders two to four times as slowly in the
	// minutes after many were removed.
	if err := os.Rename(filepath.Dir(set.Modules), filepath.Join(s.aside, fmt.Sprint("set-", i))); err != nil {
		return err
	}
	_, _, assembled, err := s.install(ctx, store, source.Package)
	if err != nil {
		return err
	}
	_, _, verified, err := s.install(ctx, store, source.Package)
	if err != nil {
		return err
	}
	ours, err := listTree(set.Modules)
	if err != nil {
		return err
	}
	theirs, took, err := s.npmTree(ctx, list)
	if err != nil {
		return err
	}
	packages := 0
	for name := range ours {
		if strings.HasSuffix(name, "/package.json") {
			packages++
		}
	}
	differ := differences(ours, theirs)
	_, err = fmt.Fprintf(w, "%d\t%d\t%d\t%.2f s\t%.2f s\t%.2f s\t%.2f s\t%d %s\n",
		i, packages, len(ours), resolved.Seconds(), assembled.Seconds(), verified.Seconds(), took.Seconds(),
		len(differ), strings.Join(differ[:min(3, len(differ))], ", "))
	return err
}

// install resolves and installs as a process that has just begun does.
func (s *setting) install(ctx context.Context, store string, m project.Package) (set build.Set, resolved, installed time.Duration, err error) {
	p, err := exact.New(ctx, exact.Settings{Store: store})
	if err != nil {
		return set, 0, 0, err
	}
	start := time.Now()
	r, err := p.Resolve(ctx, m)
	if err != nil {
		return set, 0, 0, err
	}
	resolved = time.Since(start)
	start = time.Now()
	set, _, failure, err := p.Install(ctx, m, r)
	if failure != nil {
		err = errors.New(failure.Message)
	}
	return set, resolved, time.Since(start), err
}

// npmTree is what npm installs for a list, and how long it takes with a lock file and from
// a warm cache. It is not "npm ci", which refuses the lock file that npm itself wrote when
// a registry lacks an optional package of another platform.
func (s *setting) npmTree(ctx context.Context, list string) (map[string]string, time.Duration, error) {
	dir, err := os.MkdirTemp(s.aside, "npm-")
	if err != nil {
		return nil, 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(list), 0o644); err != nil {
		return nil, 0, err
	}
	common := []string{
		"--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline", "--cache", filepath.Join(s.cache, "npm-of-perf"),
	}
	var took time.Duration
	modules := filepath.Join(dir, "node_modules")
	for i := range 2 {
		if i > 0 {
			if err := os.Rename(modules, filepath.Join(s.aside, filepath.Base(dir)+"-first")); err != nil {
				return nil, 0, err
			}
		}
		cmd := exec.CommandContext(ctx, "npm", append([]string{"install", "--before", npm.Until}, common...)...)
		cmd.Dir = dir
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, 0, fmt.Errorf("npm install: %w\n%s", err, out)
		}
		took = time.Since(start)
	}
	all, err := listTree(modules)
	return all, took, err
}

// listTree describes the files and links below a folder: content, and whether it can
// be run, or where a link leads.
func listTree(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if rel == ".package-lock.json" { // npm's own note
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 {
			all[rel], err = os.Readlink(name)
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(name)
		all[rel] = fmt.Sprint(info.Mode()&0o100 != 0) + build.Hash(map[string][]byte{"": b})
		return err
	})
	return all, err
}

func differences(a, b map[string]string) []string {
	differ := map[string]bool{}
	for name := range a {
		differ[name] = b[name] != a[name]
	}
	for name := range b {
		differ[name] = b[name] != a[name]
	}
	maps.DeleteFunc(differ, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(differ))
}
