package exact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/sandbox"
)

// runBuild runs the project's build script, without a network.
func (p *Project) runBuild(ctx context.Context, work string, m *manifest, modules string) (vitrine.BuildStep, *vitrine.BuildFailure, error) {
	args, ok := m.buildScript()
	if !ok {
		return vitrine.BuildStep{Name: "build"}, &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: "package.json has no build script"}, nil
	}
	spec := sandbox.Spec{
		Args: args, Dir: "/build/project", Env: p.node.env(false),
		Binds:  append([]sandbox.Bind{{Host: work, Inside: "/build", Write: true}}, p.node.binds...),
		Limits: sandbox.Limits{Wall: p.settings.BuildTimeout, FileBytes: p.settings.MaxBytes, Processes: 512},
	}
	if err := p.showModules(&spec, work, modules); err != nil {
		return vitrine.BuildStep{Name: "build"}, nil, storeFault(err)
	}
	var step vitrine.BuildStep
	most := workFactor * p.settings.MaxBytes
	err := bounding(ctx, work, most, func(ctx context.Context) (err error) {
		step, err = p.run(ctx, "build", spec)
		return err
	})
	if err == nil || ctx.Err() != nil {
		return step, nil, ctx.Err()
	}
	failure := &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: firstError(step.Log, "the build script failed"), Log: useful(step.Log)}
	switch {
	case errors.Is(err, sandbox.ErrTimeout):
		failure.Code, failure.Message = vitrine.FailureTimeout, fmt.Sprintf("the build did not end within %s", p.settings.BuildTimeout)
	case errors.Is(err, errTooLarge):
		failure.Code, failure.Message = vitrine.FailureTooLarge, fmt.Sprintf("the build wrote more than %d MB", most>>20)
	case strings.Contains(step.Log, "EFBIG"):
		failure.Code, failure.Message = vitrine.FailureTooLarge, fmt.Sprintf("the build wrote a file of more than %d MB", p.settings.MaxBytes>>20)
	}
	return step, failure, nil
}

// workFactor is how much more than its site a build may write, as intermediate
// files and source maps.
const workFactor = 10

var errTooLarge = errors.New("the folder grew too large")

// bounding runs do and ends it with errTooLarge once the folder holds more than
// most bytes: limits of the sandbox are for single files.
func bounding(ctx context.Context, dir string, most int64, do func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if sizeOf(dir) > most {
					end(errTooLarge)
				}
			}
		}
	})
	err := do(ctx)
	if cause := context.Cause(ctx); errors.Is(cause, errTooLarge) {
		err = cause
	}
	end(nil)
	watching.Wait()
	return err
}

// sizeOf adds up the files below a folder as far as they can be seen.
func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}

// showModules lets the build see the installed set, read-only, with folders of
// its own where tools write. Outside of the sandbox a link has to do.
func (p *Project) showModules(spec *sandbox.Spec, work, modules string) error {
	target := filepath.Join(work, projectDir, "node_modules")
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if p.settings.Sandbox.Unsafe {
		spec.Dir = filepath.Join(work, projectDir)
		return os.Symlink(modules, target)
	}
	if err := os.Mkdir(target, 0o755); err != nil {
		return err
	}
	spec.Binds = append(spec.Binds, sandbox.Bind{Host: modules, Inside: "/build/project/node_modules"})
	for _, name := range scratch {
		spec.Scratch = append(spec.Scratch, "/build/project/node_modules/"+name)
	}
	return nil
}

var (
	ansi    = regexp.MustCompile("\x1b(?:\\[[0-9:;<=>?]*[ -/]*[@-~]|\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|[ -/]*[0-~])")
	control = regexp.MustCompile(`[^\P{Cc}\n\t]`)
)

// plain removes terminal codes and the sandbox's paths from a log.
func plain(log string) string {
	log = ansi.ReplaceAllString(log, "")
	log = strings.ReplaceAll(strings.ReplaceAll(log, "\r\n", "\n"), "\r", "\n")
	log = control.ReplaceAllString(log, "")
	return strings.ReplaceAll(log, "/build/project/", "")
}

// noise are lines of a log that help nobody.
var noise = []string{"npm notice", "A complete log of this run", "npm error Log files", "_logs/", "npm error command", "npm error workspace", "npm error location"}

const usefulLines = 60

// useful keeps the lines of a log that tell why a command failed.
func useful(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, " \n")
		if line != "" && !containsAny(line, noise) {
			lines = append(lines, line)
		}
	}
	if over := len(lines) - usefulLines; over > 0 {
		lines = append([]string{fmt.Sprintf("… %d lines left out …", over)}, lines[over:]...)
	}
	return strings.Join(lines, "\n")
}

func containsAny(line string, marks []string) bool {
	for _, m := range marks {
		if strings.Contains(line, m) {
			return true
		}
	}
	return false
}

var errorLine = regexp.MustCompile(`(?i)\b(?:\w*error(?:\s+TS\d+)?(?:[:\]\s].*|$)|could not resolve.*|failed to resolve.*|cannot find.*|is not exported.*|unexpected.*|ERESOLVE.*|E404.*|ETARGET.*)`)

// boring are error lines that only say that there was an error.
var boring = regexp.MustCompile(`(?i)^(?:npm error code \w+|error during build:?|x? ?build failed.*|npm error|error:)$`)

// firstError picks the line of a log that says best what went wrong.
func firstError(log, otherwise string) string {
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if errorLine.MatchString(line) && !boring.MatchString(line) && !containsAny(line, noise) {
			return bounded(line, 300)
		}
	}
	return otherwise
}

func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
