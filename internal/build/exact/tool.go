package exact

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

// A Tool is a command that reads a project, such as a linter.
type Tool struct {
	Name string // of the step
	Args []string
	Env  []string // beyond that of a build
	// Packages are sets that are shown besides the project's, by folder. At /node_modules
	// Node.js looks where the project has no package of a name.
	Packages map[string]build.Set
	Files    map[string]string // put into the folder around the project, /build, by name
	Binds    []sandbox.Bind    // shown besides
}

// Platform is what packages are chosen by here.
func (p *Project) Platform() npm.Platform { return p.node.platform }

// Use runs a tool in the folder of a project whose dependencies are resolved, with its
// packages, without a network and within the limits of a build. What it writes is thrown
// away. A tool that ended by itself is a step, whatever its exit code; one that used up a
// limit, and a project that cannot be laid out, is a failure; errors are ours and carry a
// *vitrine.Fault. Outside of the sandbox no tool runs.
func (p *Project) Use(ctx context.Context, source *project.Project, r Resolution, t Tool) (vitrine.BuildStep, *vitrine.BuildFailure, error) {
	step := vitrine.BuildStep{Name: t.Name}
	if p.settings.Sandbox.Unsafe {
		return step, nil, vitrine.NewFault("build", vitrine.FaultUsage, nil, t.Name+" runs code of the project, and only in the sandbox").WithFix("leave out --unsafe-no-sandbox")
	}
	set, _, failure, err := p.Install(ctx, source.Package, r)
	if failure != nil || err != nil {
		return step, failure, err
	}
	folder, err := p.newWork("tool-")
	if err != nil {
		return step, nil, err
	}
	defer folder.Discard()
	work := folder.Path
	for name, content := range t.Files {
		if err := os.WriteFile(filepath.Join(work, name), []byte(content), 0o644); err != nil {
			return step, nil, storeFault(err)
		}
	}
	if err := os.Mkdir(filepath.Join(work, projectDir), 0o755); err != nil {
		return step, nil, storeFault(err)
	}
	if failure, err := writeFiles(filepath.Join(work, projectDir), source.Artifact); failure != nil || err != nil {
		return step, failure, err
	}
	if err := linkLocal(work, source.Package.Local); err != nil {
		return step, nil, storeFault(err)
	}
	return p.runTool(ctx, work, set, t)
}

func (p *Project) runTool(ctx context.Context, work string, set build.Set, t Tool) (vitrine.BuildStep, *vitrine.BuildFailure, error) {
	spec := sandbox.Spec{
		Args: t.Args, Dir: "/build/project", Env: append(p.node.env(), t.Env...),
		// The project's folder is shown once more at its place: what is mounted cannot be moved
		// away, with what a tool shows in it.
		Binds:  slices.Concat([]sandbox.Bind{{Host: work, Inside: "/build", Write: true}, {Host: filepath.Join(work, projectDir), Inside: "/build/project", Write: true}}, p.node.binds, t.Binds),
		Limits: p.settings.Build,
	}
	if err := p.showModules(&spec, work, set.Modules); err != nil {
		return vitrine.BuildStep{Name: t.Name}, nil, storeFault(err)
	}
	for _, at := range slices.Sorted(maps.Keys(t.Packages)) {
		showSet(&spec, t.Packages[at].Modules, at)
	}
	step, err := p.run(ctx, t.Name, spec)
	if ctx.Err() != nil {
		return step, nil, ctx.Err()
	}
	var ended *exec.ExitError
	if failure := build.OverLimit(err, t.Name, p.settings.Build); failure != nil {
		return step, failure, nil
	}
	if errors.As(err, &ended) {
		err = nil
	}
	return step, nil, err
}
