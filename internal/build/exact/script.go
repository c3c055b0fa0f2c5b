package exact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

// A command builds a project.
type command struct {
	name string   // of its step
	args []string // none where there is none
	says string   // in place of the arguments, if they are not for people
}

// buildScript is the command that builds the project.
func buildScript(m project.Package) command {
	c := command{name: "build"}
	if strings.TrimSpace(m.Scripts["build"]) != "" {
		c.args = []string{"npm", "run", "build"}
	} else if _, ok := m.Uses["vite"]; ok {
		c.args = []string{"node_modules/.bin/vite", "build"}
	}
	return c
}

// runBuild runs a command that builds the project, without a network.
func (p *Project) runBuild(ctx context.Context, work, modules string, c command) (vitrine.BuildStep, *vitrine.BuildFailure, error) {
	if c.args == nil {
		return vitrine.BuildStep{Name: c.name}, &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: "package.json has no build script"}, nil
	}
	spec := sandbox.Spec{
		Args: c.args, Dir: "/build/project", Env: p.node.env(),
		Binds:  append([]sandbox.Bind{{Host: work, Inside: "/build", Write: true}}, p.node.binds...),
		Limits: p.settings.Build,
	}
	if err := p.showModules(&spec, work, modules); err != nil {
		return vitrine.BuildStep{Name: c.name}, nil, storeFault(err)
	}
	step, err := p.run(ctx, c.name, spec)
	step.Command = cmp.Or(c.says, step.Command)
	if err == nil || ctx.Err() != nil {
		return step, nil, ctx.Err()
	}
	var fault *vitrine.Fault
	if errors.As(err, &fault) {
		return step, nil, err
	}
	failure := build.OverLimit(err, "the build", p.settings.Build)
	if failure == nil {
		failure = &vitrine.BuildFailure{Code: vitrine.FailureBuild, Message: firstError(step.Log, "the build script failed")}
		if strings.Contains(step.Log, "EFBIG") {
			failure.Code, failure.Message = vitrine.FailureTooLarge, fmt.Sprintf("the build wrote a file of more than %d MB", p.settings.Build.FileBytes>>20)
		}
	}
	failure.Log = useful(step.Log)
	return step, failure, nil
}

// workFactor is how much more than its site a build may write, as intermediate
// files and source maps.
const workFactor = 10

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
	showSet(spec, modules, "/build/project/node_modules")
	return nil
}

func showSet(spec *sandbox.Spec, modules, at string) {
	spec.Binds = append(spec.Binds, sandbox.Bind{Host: modules, Inside: at})
	for _, name := range npm.Scratch {
		spec.Scratch = append(spec.Scratch, at+"/"+name)
	}
}

// plain removes terminal codes and the sandbox's paths from a log.
func plain(log string) string {
	return strings.ReplaceAll(build.Plain(log), "/build/project/", "")
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
			return build.Bounded(line, 300)
		}
	}
	return otherwise
}
