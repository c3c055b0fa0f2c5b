// Package exact builds a project as its author would: a real install of what its
// package.json asks for and its own build script, in the sandbox.
//
// What package.json and the lock file ask for is resolved by npm in the sandbox, as
// the registry stood on a date, to a tree of packages with their hashes. The set of a
// tree is assembled by this process from packages that were checked and unpacked
// once, and shown read-only to every build whose project resolves to the very same
// tree, and to no other. Install scripts never run. No command has a network; npm
// reaches the package registry through a gate of ours, and nothing else.
package exact

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/singleflight"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

// Name of this builder in a Site.
const Name = "exact"

// Version is part of the cache key of every build.
const Version = "6"

// Settings of the exact builder.
type Settings struct {
	// Store is the folder that keeps the packages, the dependency sets and the built
	// sites.
	Store   string
	Sandbox sandbox.Sandbox
	// Install and Build bound each command. Where they are zero: 5 and 3 minutes,
	// 10 and 6 minutes of processor time, 4 GB of memory, 1000 and 512 processes and
	// threads, files of 1 GB and of MaxBytes, 4 GB and 10 × MaxBytes in 400 000 and
	// 100 000 files.
	Install, Build sandbox.Limits
	// MaxBytes bounds the files of the artifact and of the built site; 0 means
	// 100 MB.
	MaxBytes int64
	// Until is the date, YYYY-MM-DD, as of which the registry is looked at: versions
	// that were published later do not exist, unless the project's own lock file names
	// them. Empty means npm.Until. It is part of the key of every build.
	Until string
}

// A Project builder turns project artifacts into sites. It is safe for
// concurrent use.
type Project struct {
	settings   Settings
	node       toolchain
	store      *npm.Store
	packuments *npm.Packuments
	installs   singleflight.Group
}

// New finds Node.js and npm. It returns a fault with code no_node where they are
// missing.
func New(ctx context.Context, s Settings) (*Project, error) {
	if s.MaxBytes == 0 {
		s.MaxBytes = build.DefaultMaxBytes
	}
	s.Until = cmp.Or(s.Until, npm.Until)
	s.Install = s.Install.Or(sandbox.Limits{
		Wall: 5 * time.Minute, CPU: 10 * time.Minute, MemoryBytes: 4 << 30, Processes: 1000,
		FileBytes: 1 << 30, DiskBytes: 4 << 30, DiskFiles: 400_000,
	})
	s.Build = s.Build.Or(sandbox.Limits{
		Wall: 3 * time.Minute, CPU: 6 * time.Minute, MemoryBytes: 4 << 30, Processes: 512,
		FileBytes: s.MaxBytes, DiskBytes: workFactor * s.MaxBytes, DiskFiles: 100_000,
	})
	var err error
	if s.Store, err = filepath.Abs(s.Store); err != nil {
		return nil, storeFault(err)
	}
	node, err := findToolchain(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Sandbox.Available(ctx); err != nil {
		return nil, err
	}
	return open(s, node)
}

// open makes the folders of a store.
func open(s Settings, node toolchain) (*Project, error) {
	until, err := time.Parse(time.DateOnly, s.Until)
	if err != nil || until.After(time.Now()) {
		message := fmt.Sprintf("packages as of %q: this is no date that is past", s.Until)
		return nil, vitrine.NewFault("build", vitrine.FaultUsage, err, message).WithFix("write it as YYYY-MM-DD")
	}
	for _, dir := range []string{npm.SetsDir, "sites", workDir} {
		if err := os.MkdirAll(filepath.Join(s.Store, dir), 0o755); err != nil {
			return nil, storeFault(err)
		}
	}
	npm.Sweep(filepath.Join(s.Store, workDir))
	return &Project{
		settings: s, node: node,
		store:      &npm.Store{Dir: s.Store, Registry: node.registry, MaxBytes: s.Install.DiskBytes, MaxFiles: int(s.Install.DiskFiles)},
		packuments: &npm.Packuments{Dir: filepath.Join(s.Store, npm.PackumentsDir), Until: until},
	}, nil
}

// workDir holds the folders of commands, below the store.
const workDir = "work"

func (p *Project) newWork(pattern string) (npm.Work, error) {
	w, err := npm.NewWork(filepath.Join(p.settings.Store, workDir), pattern)
	if err != nil {
		return w, storeFault(err)
	}
	return w, nil
}

// ToolVersions identifies what builds are a function of, beside the artifact.
func (p *Project) ToolVersions() string {
	return Name + "@" + Version + " node " + p.node.version + " npm " + p.node.npmVersion + " packages until " + p.settings.Until
}

// Failed is the site of a project that cannot be built.
func Failed(a *vitrine.Artifact, failure *vitrine.BuildFailure, steps []vitrine.BuildStep) *vitrine.Site {
	return &vitrine.Site{
		Kind: vitrine.KindProject, Builder: Name, Base: "/", Routes: project.Routes(a), Steps: steps, Failure: failure,
	}
}

// Build builds a project that is configured and whose dependencies are resolved. One that
// does not build is a Site with a Failure; errors are ours and carry a *vitrine.Fault. A
// lenient build is as a development server shows it, where the project uses Vite.
func (p *Project) Build(ctx context.Context, source *project.Project, r Resolution, lenient bool) (*vitrine.Site, error) {
	site := Failed(source.Artifact, nil, nil)
	set, steps, failure, err := p.Install(ctx, source.Package, r)
	site.Steps = append(site.Steps, steps...)
	if err != nil {
		return nil, err
	}
	if failure != nil {
		site.Failure = failure
		return site, nil
	}
	if name := shadowed(source.Package.Local, r.Tree); name != "" {
		site.Failure = &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: fmt.Sprintf("the dependency %.200q lies in the project, and another package needs the registry's", name)}
		return site, nil
	}
	err = p.build(ctx, source, set.Modules, site, buildScript(source.Package))
	if err == nil && lenient {
		err = p.buildLeniently(ctx, source, set.Modules, site)
	}
	return site, err
}

// projectDir is where the project lies in its work folder.
const projectDir = "project"

// build runs a command with the installed modules, in a folder of its own, and keeps the
// result.
func (p *Project) build(ctx context.Context, source *project.Project, modules string, site *vitrine.Site, c command) error {
	folder, err := p.newWork("build-")
	if err != nil {
		return err
	}
	defer folder.Discard()
	work := folder.Path
	// A project may write its site beside itself (outDir: '../server/public').
	if err := os.Mkdir(filepath.Join(work, projectDir), 0o755); err != nil {
		return storeFault(err)
	}
	if failure, err := writeFiles(filepath.Join(work, projectDir), source.Artifact); failure != nil || err != nil {
		site.Failure = failure
		return err
	}
	if err := linkLocal(work, source.Package.Local); err != nil {
		return storeFault(err)
	}
	step, failure, err := p.runBuild(ctx, work, modules, c)
	site.Steps = append(site.Steps, step)
	if err != nil {
		return err
	}
	if failure != nil {
		site.Failure = failure
		return nil
	}
	return p.keep(work, source, site)
}

// keep moves the built files to their place by content, and fails the site if
// there are none or too many.
func (p *Project) keep(work string, source *project.Project, site *vitrine.Site) error {
	dist, ok := findSite(work, source)
	if !ok {
		site.Failure = &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: "the build script ended well but left no folder with an index.html (looked for dist, build, out)"}
		return nil
	}
	hash, size, err := hashTree(dist)
	if err != nil {
		return storeFault(err)
	}
	if size > p.settings.MaxBytes {
		site.Failure = &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("the built site is %d MB, more than %d MB", size>>20, p.settings.MaxBytes>>20)}
		return nil
	}
	site.Base = source.Config.Path()
	if source.Config.Base == "" {
		site.Base = baseOf(dist, site.Base)
	}
	site.Hash = hash
	site.Root = filepath.Join(p.settings.Store, "sites", hash)
	return moveInto(dist, site.Root)
}

// Root returns the folder of a site that was built before, if it is still there.
func (p *Project) Root(hash string) (string, bool) {
	dir := filepath.Join(p.settings.Store, "sites", hash)
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}

// moveInto renames from to its final place. Somebody else may have put the same
// content there first; both are equal.
func moveInto(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || isNotEmpty(to) {
		return nil
	}
	return storeFault(err)
}

func isNotEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}

// writeFiles writes the artifact below dir and nowhere else: os.Root refuses
// every path that would leave it, by whatever trick. A path that no file can have
// is the project's failure.
func writeFiles(dir string, a *vitrine.Artifact) (*vitrine.BuildFailure, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, storeFault(err)
	}
	defer root.Close()
	for _, f := range a.Files {
		name := filepath.FromSlash(f.Path)
		err := root.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = root.WriteFile(name, []byte(f.Content), 0o644)
		}
		if err == nil {
			continue
		}
		if fault := storeFault(err); fault.Code == vitrine.FaultDiskFull {
			return nil, fault
		}
		return &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: fmt.Sprintf("the file %q cannot be written: %v", build.Bounded(f.Path, 200), errors.Unwrap(err))}, nil
	}
	return nil, nil
}

// hashTree hashes the regular files of a folder by path and content and removes
// everything else: a link in a site could point anywhere. What the
// build forbade to read is made readable.
func hashTree(dir string) (hash string, size int64, err error) {
	sum := sha256.New()
	fmt.Fprint(sum, Name+" ") // never the hash of a page's files, which are served otherwise
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o755)
		}
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			return os.Remove(name)
		}
		if err := os.Chmod(name, 0o644); err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		n, err := hashFile(sum, name, filepath.ToSlash(rel))
		size += n
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), size, err
}

// hashFile adds a file to a hash by its name in the site, its size and its content, and
// returns the size.
func hashFile(sum io.Writer, name, rel string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(sum, "%d %s %d ", len(rel), rel, info.Size())
	return io.Copy(sum, f)
}

func storeFault(err error) *vitrine.Fault {
	return build.WorkFault(err, "the package store cannot be used")
}
