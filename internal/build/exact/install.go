package exact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/singleflight"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/npm"
	"vitrine/internal/project"
	"vitrine/internal/sandbox"
)

// attempts are the ways to install, in order, as the papers' code does it.
var attempts = [][]string{nil, {"--force"}, {"--legacy-peer-deps"}}

// installStep is the name of a step that installs.
const installStep = "install"

// result is the shared answer of an install.
type result = singleflight.Result

// resolutionKey identifies everything that npm resolves from.
func (p *Project) resolutionKey(m project.Package) string {
	sum := sha256.New()
	for _, part := range []string{string(m.Install), m.Lock, p.settings.Until, p.node.version, p.node.npmVersion, fmt.Sprint(p.node.platform)} {
		_, _ = fmt.Fprintf(sum, "%d %s\n", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:20])
}

// resolveAnew lets npm resolve a manifest in the sandbox. It installs nothing.
func (p *Project) resolveAnew(ctx context.Context, m project.Package) (Resolution, error) {
	var r Resolution
	for _, flags := range attempts {
		lock, step, unanswered, err := p.resolveOnce(ctx, m, flags)
		r.Steps = append(r.Steps, step)
		if err == nil {
			r.Tree, r.Failure, err = p.pinned(ctx, m, lock)
			return r, err
		}
		if fault := installFault(err, unanswered, step.Log); fault != nil {
			return r, fault
		}
		if r.Failure = build.OverLimit(err, "npm install", p.settings.Install); r.Failure != nil {
			return r, nil
		}
		r.Failure = &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: firstError(step.Log, "npm install failed"), Log: useful(step.Log)}
		if strings.Contains(r.Failure.Message, "No matching version") || strings.Contains(r.Failure.Message, "ETARGET") {
			r.Failure.Message += " (the registry as of " + p.settings.Until + ")"
		}
	}
	return r, nil
}

// pinned reads what npm resolved, completes its hashes and keeps it.
func (p *Project) pinned(ctx context.Context, m project.Package, lock []byte) (*npm.Tree, *vitrine.BuildFailure, error) {
	t, err := npm.ReadLock(lock, p.node.platform)
	if err != nil {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: build.Bounded(plain(err.Error()), 300)}, nil
	}
	limited, end := context.WithTimeout(ctx, p.settings.Install.Wall)
	defer end()
	if err = p.store.Pin(limited, t); err != nil {
		failure, err := packagesFailure(err, m)
		return nil, failure, err
	}
	if err := p.store.KeepResolution(p.resolutionKey(m), t); err != nil {
		return nil, nil, storeFault(err)
	}
	return t, nil, nil
}

// resolveOnce runs npm once, in a folder and with a cache of its own: what another
// project's npm wrote is never read. Beside its error there is what kept the registry
// from answering, if anything did.
func (p *Project) resolveOnce(ctx context.Context, m project.Package, flags []string) (lock []byte, step vitrine.BuildStep, unanswered, err error) {
	work, err := p.newWork("install-")
	if err != nil {
		return nil, step, nil, err
	}
	defer work.Discard()
	if err := os.WriteFile(filepath.Join(work.Path, "package.json"), m.Install, 0o644); err != nil {
		return nil, step, nil, storeFault(err)
	}
	if m.Lock != "" {
		if err := os.WriteFile(filepath.Join(work.Path, lockFile), []byte(m.Lock), 0o644); err != nil {
			return nil, step, nil, storeFault(err)
		}
	}
	proxy, err := npm.OpenProxy(work.Path, p.node.registry, p.packuments)
	if err != nil {
		return nil, step, nil, storeFault(err)
	}
	step, err = p.npm(ctx, work.Path, flags)
	proxy.Close()
	if err == nil {
		lock, err = readLock(work.Path)
	}
	return lock, step, proxy.Err(), err
}

const (
	lockFile = "package-lock.json"
	maxLock  = 64 << 20
)

// npm runs npm in a folder with a proxy.
func (p *Project) npm(ctx context.Context, dir string, flags []string) (vitrine.BuildStep, error) {
	inside, port := "/build/install", npm.ForwardPort
	if p.settings.Sandbox.Unsafe {
		inside, port = dir, 0 // any that is free
	}
	args := append([]string{
		"npm", "install", "--package-lock-only", "--lockfile-version=3", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund",
		"--omit-lockfile-registry-resolved=false", "--replace-registry-host=always", "--cache", filepath.Join(inside, ".npm"),
	}, flags...)
	step, err := p.run(ctx, strings.TrimSpace(installStep+" "+strings.Join(flags, " ")), sandbox.Spec{
		Args: append([]string{"node", npm.ScriptName, npm.SocketName, strconv.Itoa(port)}, args...), Dir: inside, Env: p.node.env(),
		Binds:  append([]sandbox.Bind{{Host: dir, Inside: inside, Write: true}}, p.node.binds...),
		Limits: p.settings.Install,
	})
	step.Command = strings.Join(args, " ")
	return step, err
}

// readLock reads the lock file that npm left. It was made in the sandbox: it may be
// a link, a pipe or without an end.
func readLock(dir string) ([]byte, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) { // there is nothing to lock
		return []byte("{}"), nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("the lock file is no file"))
	}
	b, err := io.ReadAll(io.LimitReader(f, maxLock+1))
	if len(b) > maxLock {
		return nil, fmt.Errorf("the lock file has more than %d MB", maxLock>>20)
	}
	return b, err
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
		return vitrine.NewFault("build", vitrine.FaultDiskFull, err, "no space left to resolve the dependencies")
	}
	if unanswered != nil {
		return registryFault(unanswered)
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
		Name: name, Command: strings.Join(spec.Args, " "), ExitCode: build.ExitCode(err),
		DurationMS: float64(time.Since(start).Milliseconds()), Log: plain(log.String()),
	}, err
}
