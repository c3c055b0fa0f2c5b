package exact

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/npm"
	"vitrine/internal/sandbox"
)

// toolchain is the Node.js that builds run on.
type toolchain struct {
	version, npmVersion string
	platform            npm.Platform
	registry            npm.Registry
	bin                 string         // folder of node and npm
	binds               []sandbox.Bind // what the sandbox must show besides /usr
}

// platformScript lets Node.js say what it runs on, as npm sees it.
const platformScript = `JSON.stringify({os: process.platform, cpu: process.arch, node: process.version,
	libc: process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"})`

func findToolchain(ctx context.Context) (toolchain, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return toolchain{}, noNode(err, "Node.js is not installed")
	}
	npmPath, err := exec.LookPath("npm")
	if err != nil {
		return toolchain{}, noNode(err, "npm is not installed")
	}
	t := toolchain{bin: filepath.Dir(node)}
	var asked errgroup.Group // each is the start of a process
	asked.Go(func() error {
		about, err := ask(ctx, node, "-p", platformScript)
		if err == nil {
			err = json.Unmarshal([]byte(about), &t.platform)
		}
		return noNode(err, "node does not start")
	})
	asked.Go(func() error {
		config, err := ask(ctx, npmPath, "config", "list", "--json")
		if err == nil {
			t.registry, err = npm.NewRegistry(config)
		}
		var about struct {
			Version string `json:"npm-version"`
		}
		if err == nil {
			err = json.Unmarshal([]byte(config), &about)
		}
		t.npmVersion = about.Version
		return noNode(err, "npm does not tell its version and registry")
	})
	if err := asked.Wait(); err != nil {
		return t, err
	}
	t.version = t.platform.Node
	for _, program := range []string{node, npmPath} {
		real, err := filepath.EvalSymlinks(program)
		if err == nil && !strings.HasPrefix(real, "/usr/") && !strings.HasPrefix(real, "/bin/") {
			prefix := filepath.Dir(filepath.Dir(program))
			t.binds = append(t.binds, sandbox.Bind{Host: prefix, Inside: prefix})
		}
	}
	return t, nil
}

// noNode types an error of Node.js or npm; nil stays nil.
func noNode(err error, message string) error {
	if err == nil {
		return nil
	}
	return vitrine.NewFault("build", vitrine.FaultNoNode, err, message).WithFix("apt-get install nodejs npm (Node.js 18 or newer)")
}

func ask(ctx context.Context, program string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, program, args...).Output()
	return strings.TrimSpace(string(out)), err
}

// env is the whole environment of an install or a build.
func (t toolchain) env() []string {
	return []string{
		"PATH=" + t.bin + ":/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC", "CI=true", "NO_COLOR=1", "FORCE_COLOR=0",
		"NODE_OPTIONS=--max-old-space-size=3072", "BROWSERSLIST_IGNORE_OLD_DATA=1",
		"NPM_CONFIG_UPDATE_NOTIFIER=false", "NPM_CONFIG_LOGLEVEL=error", "NPM_CONFIG_AUDIT=false", "NPM_CONFIG_FUND=false",
		"NPM_CONFIG_FETCH_RETRY_MINTIMEOUT=500", "NPM_CONFIG_FETCH_RETRY_MAXTIMEOUT=5000",
	}
}
