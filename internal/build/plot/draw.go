package plot

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/sandbox"
)

// program runs the artifact's program and keeps its figures.
//
//go:embed draw.py
var program []byte

// BeforeFile is a file of a task that runs before the program, which then has its names:
// Python that loads the data.
const BeforeFile = "before.py"

// Folders of a work folder: where the program works, and where its pictures go.
const (
	filesDir = "files"
	outDir   = "out"
)

// draw runs the program in a folder with the files of its task, and reads the pictures. A
// program that draws none is a site with a failure.
func (b *Builder) draw(ctx context.Context, a *vitrine.Artifact, data []vitrine.File) (*vitrine.Site, error) {
	if err := os.MkdirAll(b.settings.workDir(), 0o755); err != nil {
		return nil, workFault(err)
	}
	folder, err := npm.NewWork(b.settings.workDir(), "plot-")
	if err != nil {
		return nil, workFault(err)
	}
	defer folder.Discard()
	root, err := os.OpenRoot(folder.Path)
	if err != nil {
		return nil, workFault(err)
	}
	defer root.Close()
	if err := prepare(root, a, data); err != nil {
		var path *fs.PathError
		if f := workFault(err); f.Code != vitrine.FaultInternal || !errors.As(err, &path) {
			return nil, f
		}
		return failed(vitrine.FailureBuild, fmt.Sprintf("the file %q cannot be written", build.Bounded(path.Path, 200)), ""), nil
	}
	step, err := b.run(ctx, folder.Path)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s, err := b.outcome(a, root, step.Log, err)
	if s != nil {
		s.Steps = append(s.Steps, step)
	}
	return s, err
}

// prepare writes our program, and below filesDir those of the task and of the artifact.
// Nothing is written outside of root.
func prepare(root *os.Root, a *vitrine.Artifact, data []vitrine.File) error {
	if err := errors.Join(root.Mkdir(filesDir, 0o755), root.Mkdir(outDir, 0o755), root.WriteFile("draw.py", program, 0o644)); err != nil {
		return err
	}
	files, err := root.OpenRoot(filesDir)
	if err != nil {
		return err
	}
	defer files.Close()
	for _, f := range append(append([]vitrine.File{}, data...), a.Files...) {
		name := filepath.FromSlash(f.Path)
		if err := files.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := files.WriteFile(name, []byte(f.Content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// run runs the program in its work folder and records it.
func (b *Builder) run(ctx context.Context, work string) (vitrine.BuildStep, error) {
	log := &sandbox.Tail{Keep: 32 << 10}
	start := time.Now()
	err := b.settings.Sandbox.Run(ctx, sandbox.Spec{
		Args: []string{"python3", "../draw.py"}, Dir: "/work/" + filesDir, Env: environment,
		Binds: binds(work), Limits: b.settings.Limits, Stdout: log, Stderr: log,
	})
	return vitrine.BuildStep{
		Name: "plot", Command: "python3 plot.py", ExitCode: build.ExitCode(err),
		DurationMS: float64(time.Since(start).Milliseconds()), Log: build.Plain(log.String()),
	}, err
}

// outcome is the site of a program that has ended with err.
func (b *Builder) outcome(a *vitrine.Artifact, root *os.Root, log string, err error) (*vitrine.Site, error) {
	if errors.Is(err, sandbox.ErrStarved) {
		return nil, sandbox.StarvedFault("build")
	}
	if f := build.OverLimit(err, "the program", b.settings.Limits); f != nil {
		return failed(f.Code, f.Message, log), nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code, message := raised(log)
		return failed(code, message, log), nil
	}
	if err != nil {
		return nil, err
	}
	part, failure := readPage(root)
	if failure == nil && part != nil {
		return page(a, part), nil
	}
	if failure != nil {
		return failed(failure.Code, failure.Message, log), nil
	}
	pictures, failure := readPictures(root)
	if failure != nil {
		return failed(failure.Code, failure.Message, log), nil
	}
	return site(a, pictures), nil
}

// raised finds the failure in the last line of a traceback, such as
// "ValueError: x and y must have the same first dimension".
func raised(log string) (vitrine.FailureCode, string) {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	last := build.Bounded(strings.TrimSpace(lines[len(lines)-1]), 300)
	name, _, _ := strings.Cut(last, ":")
	switch {
	case last == "":
		return vitrine.FailureBuild, "the program ended with an error and said nothing"
	case name == "FileNotFoundError":
		return vitrine.FailureNoFile, "the program reads a file that its task does not have: " + last
	case strings.HasSuffix(name, "MemoryError"):
		return vitrine.FailureMemory, last
	case strings.Contains(last, fmt.Sprintf("[Errno %d]", syscall.EFBIG)):
		return vitrine.FailureTooLarge, last
	}
	return vitrine.FailureBuild, last
}

func workFault(err error) *vitrine.Fault {
	return build.WorkFault(err, "the work folder of a plot cannot be used")
}
