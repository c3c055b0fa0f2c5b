package exact

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/sandbox"
)

// attempts are the ways to install, in order, as the papers' code does it.
var attempts = [][]string{nil, {"--force"}, {"--legacy-peer-deps"}}

// scratch are the folders below node_modules that build tools write to. They
// are made in every set, so that a build can have its own in their place.
var scratch = []string{".vite", ".vite-temp", ".tmp", ".cache"}

type installed struct {
	modules string
	steps   []vitrine.BuildStep
	failure *vitrine.BuildFailure
}

// install makes sure that a dependency set is in the store and returns its
// node_modules. Of several that ask for the same set at once, one installs.
func (p *Project) install(ctx context.Context, m *build.Manifest) (string, []vitrine.BuildStep, *vitrine.BuildFailure, error) {
	modules := filepath.Join(p.settings.Store, "deps", m.Key, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, []vitrine.BuildStep{{Name: "install", Command: "npm install", Cached: true}}, nil, nil
	}
	done := p.installs.DoChan(m.Key, func() (any, error) {
		// The set is for everybody who waits: one caller's end must not end it.
		return p.installSet(context.WithoutCancel(ctx), m)
	})
	select {
	case r := <-done:
		if r.Err != nil {
			return "", nil, nil, r.Err
		}
		set := r.Val.(installed)
		return set.modules, set.steps, set.failure, nil
	case <-ctx.Done():
		return "", nil, nil, ctx.Err()
	}
}

func (p *Project) installSet(ctx context.Context, m *build.Manifest) (installed, error) {
	var set installed
	for _, flags := range attempts {
		work, err := p.newWork("install-")
		if err != nil {
			return set, err
		}
		step, unanswered, err := p.installOnce(ctx, work.path, m, flags)
		set.steps = append(set.steps, step)
		if err == nil {
			set.modules = filepath.Join(p.settings.Store, "deps", m.Key, "node_modules")
			set.failure = nil
			err = p.keepSet(work.path, m)
			work.discard() // unless it was kept
			return set, err
		}
		work.discard()
		if fault := installFault(err, unanswered, step.Log); fault != nil {
			return set, fault
		}
		if set.failure = overLimit(err, "npm install", p.settings.Install); set.failure != nil {
			return set, nil
		}
		set.failure = &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: firstError(step.Log, "npm install failed"), Log: useful(step.Log)}
	}
	return set, nil
}

// installOnce runs npm install once in a folder. Beside its error there is what kept
// the registry from answering, if anything did.
func (p *Project) installOnce(ctx context.Context, dir string, m *build.Manifest, flags []string) (step vitrine.BuildStep, unanswered, err error) {
	if err := os.WriteFile(filepath.Join(dir, "package.json"), m.Install, 0o644); err != nil {
		return step, nil, storeFault(err)
	}
	if m.Lock != "" {
		if err := os.WriteFile(filepath.Join(dir, "package-lock.json"), []byte(m.Lock), 0o644); err != nil {
			return step, nil, storeFault(err)
		}
	}
	gate, err := openGate(dir, p.node.registry)
	if err != nil {
		return step, nil, storeFault(err)
	}
	defer gate.close()
	cache := filepath.Join(p.settings.Store, "npm")
	inside, cacheInside, port := "/build/install", "/build/npm", forwardPort
	if p.settings.Sandbox.Unsafe {
		inside, cacheInside, port = dir, cache, 0 // any that is free
	}
	args := append([]string{
		"npm", "install", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline",
		"--replace-registry-host=always", "--cache", cacheInside,
	}, flags...)
	step, err = p.run(ctx, strings.TrimSpace("install "+strings.Join(flags, " ")), sandbox.Spec{
		Args: append([]string{"node", scriptName, socketName, strconv.Itoa(port)}, args...), Dir: inside, Env: p.node.env(),
		Binds:  append([]sandbox.Bind{{Host: dir, Inside: inside, Write: true}, {Host: cache, Inside: cacheInside, Write: true, Shared: true}}, p.node.binds...),
		Limits: p.settings.Install,
	})
	step.Command = strings.Join(args, " ")
	return step, gate.failed(), err
}

// keepSet puts an installed set in its place in the store.
func (p *Project) keepSet(dir string, m *build.Manifest) error {
	for _, name := range scratch {
		if err := os.MkdirAll(filepath.Join(dir, "node_modules", name), 0o755); err != nil {
			return storeFault(err)
		}
	}
	return moveInto(dir, filepath.Join(p.settings.Store, "deps", m.Key))
}

// installFault tells our failures from the project's. It is nil where the
// project asked for what cannot be had.
func installFault(err, unanswered error, log string) error {
	if errors.Is(err, sandbox.ErrTimeout) {
		return vitrine.NewFault("build", vitrine.FaultInstallTimeout, err, "npm install did not finish in time")
	}
	var fault *vitrine.Fault
	if errors.As(err, &fault) || errors.Is(err, context.Canceled) {
		return err
	}
	if strings.Contains(log, "ENOSPC") {
		return vitrine.NewFault("build", vitrine.FaultDiskFull, err, "no space left for node_modules")
	}
	if unanswered != nil {
		return vitrine.NewFault("build", vitrine.FaultRegistry, unanswered, "the package registry does not answer").
			WithFix("check the network and npm config get registry, then score again with --retry-unjudged")
	}
	return nil
}

// run runs one command of a build and records it.
func (p *Project) run(ctx context.Context, name string, spec sandbox.Spec) (vitrine.BuildStep, error) {
	log := &sandbox.Tail{Keep: 64 << 10}
	spec.Stdout, spec.Stderr = log, log
	start := time.Now()
	err := p.settings.Sandbox.Run(ctx, spec)
	if errors.Is(err, sandbox.ErrStarved) {
		err = sandbox.StarvedFault("build")
	}
	return vitrine.BuildStep{
		Name: name, Command: strings.Join(spec.Args, " "), ExitCode: exitCode(err),
		DurationMS: float64(time.Since(start).Milliseconds()), Log: plain(log.String()),
	}, err
}
