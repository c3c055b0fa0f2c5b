package exact

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitrine"
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
func (p *Project) install(ctx context.Context, m *manifest) (string, []vitrine.BuildStep, *vitrine.BuildFailure, error) {
	modules := filepath.Join(p.settings.Store, "deps", m.key, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, []vitrine.BuildStep{{Name: "install", Command: "npm install", Cached: true}}, nil, nil
	}
	done := p.installs.DoChan(m.key, func() (any, error) {
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

func (p *Project) installSet(ctx context.Context, m *manifest) (installed, error) {
	var set installed
	for _, flags := range attempts {
		step, dir, err := p.installOnce(ctx, m, flags)
		set.steps = append(set.steps, step)
		if err == nil {
			set.modules = filepath.Join(p.settings.Store, "deps", m.key, "node_modules")
			set.failure = nil
			err = p.keepSet(dir, m)
			_ = os.RemoveAll(dir) // unless it was kept
			return set, err
		}
		_ = os.RemoveAll(dir)
		if fault := installFault(err, step.Log); fault != nil {
			return set, fault
		}
		set.failure = &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: firstError(step.Log, "npm install failed"), Log: useful(step.Log)}
	}
	return set, nil
}

// installOnce runs npm install once in a folder of its own.
func (p *Project) installOnce(ctx context.Context, m *manifest, flags []string) (vitrine.BuildStep, string, error) {
	dir, err := os.MkdirTemp(filepath.Join(p.settings.Store, "work"), "install-")
	if err != nil {
		return vitrine.BuildStep{}, "", storeFault(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), m.install, 0o644); err != nil {
		return vitrine.BuildStep{}, dir, storeFault(err)
	}
	if m.lock != "" {
		if err := os.WriteFile(filepath.Join(dir, "package-lock.json"), []byte(m.lock), 0o644); err != nil {
			return vitrine.BuildStep{}, dir, storeFault(err)
		}
	}
	cache := filepath.Join(p.settings.Store, "npm")
	inside, cacheInside := "/build/install", "/build/npm"
	if p.settings.Sandbox.Unsafe {
		inside, cacheInside = dir, cache
	}
	args := append([]string{
		"npm", "install", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline",
		"--replace-registry-host=always", "--cache", cacheInside,
	}, flags...)
	step, err := p.run(ctx, strings.TrimSpace("install "+strings.Join(flags, " ")), sandbox.Spec{
		Args: args, Dir: inside, Env: p.node.env(true), Network: true,
		Binds:  append([]sandbox.Bind{{Host: dir, Inside: inside, Write: true}, {Host: cache, Inside: cacheInside, Write: true}}, p.node.binds...),
		Limits: sandbox.Limits{Wall: p.settings.InstallTimeout, FileBytes: 1 << 30},
	})
	return step, dir, err
}

// keepSet puts an installed set in its place in the store.
func (p *Project) keepSet(dir string, m *manifest) error {
	for _, name := range scratch {
		if err := os.MkdirAll(filepath.Join(dir, "node_modules", name), 0o755); err != nil {
			return storeFault(err)
		}
	}
	return moveInto(dir, filepath.Join(p.settings.Store, "deps", m.key))
}

// unreachable are the marks of a registry that cannot be reached or that refuses
// us: nothing that a model can do about it.
var unreachable = []string{
	"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ERR_SOCKET_TIMEOUT", "ENETUNREACH", "EHOSTUNREACH",
	"code E401", "code E403", "code E429", "code E500", "code E502", "code E503", "SELF_SIGNED_CERT", "UNABLE_TO_VERIFY", "CERT_",
}

// installFault tells our failures from the project's. It is nil where the
// project asked for what cannot be had.
func installFault(err error, log string) error {
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
	for _, mark := range unreachable {
		if strings.Contains(log, mark) {
			return vitrine.NewFault("build", vitrine.FaultRegistry, err, "the package registry does not answer: "+firstError(log, mark)).
				WithFix("check the network and npm config get registry, then score again with --retry-unjudged")
		}
	}
	return nil
}

// run runs one command of a build and records it.
func (p *Project) run(ctx context.Context, name string, spec sandbox.Spec) (vitrine.BuildStep, error) {
	log := &sandbox.Tail{Keep: 64 << 10}
	spec.Stdout, spec.Stderr = log, log
	start := time.Now()
	err := p.settings.Sandbox.Run(ctx, spec)
	return vitrine.BuildStep{
		Name: name, Command: strings.Join(spec.Args, " "), ExitCode: exitCode(err),
		DurationMS: float64(time.Since(start).Milliseconds()), Log: plain(log.String()),
	}, err
}
