package exact

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitrine"
)

// canary is an environment variable of the host that no build may see.
const canary = "VITRINE_CANARY"

func TestInstallScriptsDoNotRun(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{
		"package.json": `{"dependencies":{"naughty":"1.0.0"},"scripts":{"build":"node build.js","preinstall":"touch own","install":"touch own","postinstall":"touch own","prepare":"touch own"}}`,
		"build.js":     page("[fs.readdirSync('node_modules/naughty'), fs.existsSync('own')].join()"),
	}))
	if got := served(t, site)["index.html"]; got != "index.js,package.json,false" {
		t.Errorf("after the install there is %s", got)
	}
}

func TestBuildSeesNothingOfTheHost(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("host secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`
const fs = require('fs'), net = require('net'), os = require('os');
const seen = {};
for (const path of %q.split(',')) try { seen[path] = String(fs.readFileSync(path)) } catch (e) { try { seen[path] = fs.readdirSync(path).join() } catch {} }
for (const path of ['/proc/1/environ', '/proc/self/environ']) try { if (fs.readFileSync(path).includes(%q)) seen[path] = 'the canary' } catch {}
if (process.env[%[2]q]) seen.env = 'the canary';
if (Object.keys(os.networkInterfaces()).some(n => n !== 'lo')) seen.network = Object.keys(os.networkInterfaces()).join();
const connect = (port, host) => new Promise(done => {
	const s = net.connect({port, host, timeout: 2000});
	s.on('connect', () => { seen[host] = 'connected'; s.destroy(); done() });
	for (const e of ['error', 'timeout']) s.on(e, () => { s.destroy(); done() });
});
Promise.all([connect(%[3]d, '127.0.0.1'), connect(80, '169.254.169.254'), connect(443, 'registry.npmjs.org'), fetch('http://127.0.0.1:%[3]d/tiny').then(() => { seen.fetch = 'answered' }, () => {})]).then(() => {
	fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', JSON.stringify(seen));
});`, strings.Join([]string{secret, filepath.Dir(secret), storeDir, cwd, "/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/var/log"}, ","),
		canary, local.Listener.Addr().(*net.TCPAddr).Port)
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{"build.js": script}))
	if got := served(t, site)["index.html"]; got != "{}" {
		t.Errorf("the build saw %s", got)
	}
}

func TestBuildWritesNothingOutside(t *testing.T) {
	t.Parallel()
	script := `
const fs = require('fs');
const wrote = [];
for (const path of ['../mark', '../../mark', '/mark', '/usr/mark', '/etc/mark', '/bin/mark', 'node_modules/mark', 'node_modules/tiny/mark', 'node_modules/.vite/mark', '/tmp/mark'])
	try { fs.writeFileSync(path, 'x'); wrote.push(path) } catch {}
try { fs.writeFileSync('node_modules/tiny/index.js', 'module.exports = "poisoned"'); wrote.push('tiny') } catch {}
fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', wrote.join());`
	files := map[string]string{"package.json": depends("tiny", "1.0.0"), "build.js": script}
	site := mustBuild(t, builder(t, nil), artifact(files))
	for _, path := range []string{"node_modules/mark", "node_modules/tiny/mark", "tiny", "/usr/mark", "/bin/mark"} {
		for _, wrote := range strings.Split(served(t, site)["index.html"], ",") {
			if wrote == path {
				t.Errorf("the build wrote %s", path)
			}
		}
	}
	for _, pattern := range []string{"/mark", "/usr/mark", "/etc/mark", "/tmp/mark", storeDir + "/mark", storeDir + "/*/mark", storeDir + "/deps/*/node_modules/mark", storeDir + "/deps/*/node_modules/*/mark"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			t.Errorf("the build wrote %v on the host", found)
		}
	}
	files["build.js"] = page("require('tiny')")
	if got := served(t, mustBuild(t, builder(t, nil), artifact(files)))["index.html"]; got != "1.0.0" {
		t.Errorf("the next build sees %q", got)
	}
}

func TestPathsNeverLeaveTheWorkFolder(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../mark.txt", "../../mark.txt", "src/../../mark.txt", "/tmp/mark.txt", "src/../../../deps/mark.txt"} {
		a := artifact(map[string]string{"build.js": page("1")})
		a.Files = append(a.Files, vitrine.File{Path: path, Content: "x"})
		site := mustBuild(t, builder(t, nil), a)
		if site.Failure != nil {
			wantFailure(t, site, vitrine.FailureBuild, "cannot be written")
		}
	}
	for _, pattern := range []string{"/tmp/mark.txt", storeDir + "/mark.txt", storeDir + "/*/mark.txt", filepath.Dir(storeDir) + "/mark.txt"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			t.Errorf("a file was written to %v", found)
		}
	}
	// A model's own node_modules never stand in for the installed ones.
	a := artifact(map[string]string{"package.json": depends("tiny", "1.0.0"), "build.js": page("require('tiny')"), "node_modules/tiny/index.js": "module.exports = 'mine'"})
	if got := served(t, mustBuild(t, builder(t, nil), a))["index.html"]; got != "1.0.0" {
		t.Errorf("served %q", got)
	}
}

func TestLinksAreNotServed(t *testing.T) {
	t.Parallel()
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{"build.js": page("'page'") + `
fs.symlinkSync('/etc/passwd', 'dist/passwd'); fs.symlinkSync('/etc', 'dist/etc'); fs.symlinkSync('../build.js', 'dist/source.js');
fs.symlinkSync('index.html', 'dist/same.html'); require('child_process').execSync('mkfifo dist/pipe');
fs.mkdirSync('dist/assets'); fs.writeFileSync('dist/assets/locked.js', 'js'); fs.chmodSync('dist/assets/locked.js', 0); fs.chmodSync('dist/assets', 0);`}))
	if got := served(t, site); len(got) != 2 || got["index.html"] != "page" || got["assets/locked.js"] != "js" {
		t.Errorf("served %v, want only the regular files", got)
	}
	entries, err := os.ReadDir(site.Root)
	if err != nil || len(entries) != 2 {
		t.Errorf("the site has %v, %v", entries, err)
	}
}

func TestFolderBehindALinkIsNotServed(t *testing.T) {
	t.Parallel()
	victim := t.TempDir()
	inner := filepath.Join(victim, "web")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inner, "index.html"), []byte("not yours"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]map[string]string{
		"dist is a link":             {"build.js": fmt.Sprintf("require('fs').symlinkSync(%q, 'dist')", inner)},
		"index.html is a link":       {"build.js": fmt.Sprintf("const fs = require('fs'); fs.mkdirSync('dist'); fs.symlinkSync(%q, 'dist/index.html')", inner+"/index.html")},
		"a link on the way to there": {"build.js": fmt.Sprintf("require('fs').symlinkSync(%q, 'out1')", victim), "vite.config.js": "export default { build: { outDir: 'out1/web' } }"},
	} {
		site := mustBuild(t, builder(t, nil), artifact(files))
		if site.Failure == nil {
			t.Errorf("%s: served %v", name, served(t, site))
		}
		if b, err := os.ReadFile(filepath.Join(inner, "index.html")); err != nil || string(b) != "not yours" {
			t.Fatalf("%s: the build took a folder of the host: %v", name, err)
		}
	}
}

func TestProcessesOfABuildEndWithIt(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprintf("vitrine-test-leftover-%d", os.Getpid())
	spawn := "require('child_process').spawn('node', ['-e', 'setInterval(() => {}, 1e3)', '" + mark + "'], {detached: true, stdio: 'ignore'}).unref();"
	site := mustBuild(t, builder(t, nil), artifact(map[string]string{"build.js": spawn + page("1")}))
	served(t, site)
	site = mustBuild(t, builder(t, func(s *Settings) { s.Build.Wall = 1500e6 }), artifact(map[string]string{"build.js": spawn + "for (;;);"}))
	wantFailure(t, site, vitrine.FailureTimeout, "")
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for alive(mark) {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("a process of the build is left")
		}
	}
}

// alive reports whether any process of this machine was started with mark.
func alive(mark string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	return slices.ContainsFunc(lines, func(file string) bool {
		args, _ := os.ReadFile(file)
		return strings.Contains(string(args), mark)
	})
}

// An install reaches the registry and nothing else, whatever package.json says.
func TestInstallReachesOnlyTheRegistry(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	elsewhere, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	go func() {
		for {
			c, err := elsewhere.Accept()
			if err != nil {
				return
			}
			hits.Add(1)
			_ = c.Close()
		}
	}()
	url := "http://" + elsewhere.Addr().String() + "/tiny.tgz"
	for _, manifest := range []string{
		depends("x", url), depends("x", "git+"+url), depends("x", "git+ssh://git@127.0.0.1/x.git"), depends("x", "somebody/repository"), depends("x", "github:somebody/repository"),
		depends("x", "file:../npm"), depends("x", "../npm"), depends("x", "~/x"), depends("x", "npm:tiny@"+url), depends("x", "link:/etc"),
		`{"optionalDependencies":{"x":"` + url + `"}}`, `{"dependencies":{"tiny":"1.0.0"},"overrides":{"tiny":{".":"` + url + `"}}}`, `{"peerDependencies":{"x":"` + url + `"}}`,
	} {
		site := mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": manifest, "build.js": page("1")}))
		wantFailure(t, site, vitrine.FailureInstall, "registry only")
		if len(site.Steps) > 0 {
			t.Errorf("%s was installed: %v", manifest, steps(site))
		}
	}
	lock := `{"lockfileVersion":3,"packages":{"":{"dependencies":{"tiny":"*"}},"node_modules/tiny":{"version":"1.0.0","resolved":"` + url + `"}}}`
	if _, err := built(t.Context(), builder(t, nil), artifact(map[string]string{"package.json": depends("tiny", "*"), "package-lock.json": lock, "build.js": page("1")})); err != nil {
		t.Errorf("a lock file with an address of its own: %v", err)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the install reached another server %d times", n)
	}
	for _, manifest := range []string{depends("x", "npm:tiny@1.0.0"), depends("tiny", ">=1.0.0 <2 || 9.x"), depends("tiny", "latest"), depends("tiny", "")} {
		served(t, mustBuild(t, builder(t, nil), artifact(map[string]string{"package.json": manifest, "build.js": page("1")})))
	}
}
