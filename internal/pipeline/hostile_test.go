package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/examples"
	"vitrine/internal/parse"
	"vitrine/internal/sandbox"
)

// TestHostile scores the worst that we can think of beside the examples. Each
// hostile output costs one typed result in bounded time; each example comes out
// with the reward that it has alone; nothing is written, reached or left running.
// The test is the only one at work: it looks at processes.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes")
	}
	if err := (sandbox.Sandbox{}).Available(t.Context()); err != nil {
		t.Skipf("there is no seal to be tested: %v", err)
	}
	t.Setenv("VITRINE_CANARY", "secret")
	c := newCanary(t)
	cache := t.TempDir()
	settings := func(s *Settings) {
		s.CacheDir, s.NoCache, s.Concurrency, s.Limits.Command = cache, true, 3, 10*time.Second
	}
	good := demoOutputs(t)

	alone := pipe(t, settings)
	want := scoreAll(t, alone, good)
	alone.Close()
	online := want["project-clinic"].Error == nil
	if !online {
		t.Logf("builds with packages are left out: %v", want["project-clinic"].Error)
	}

	shared, tight := pipe(t, settings), pipe(t, func(s *Settings) {
		settings(s)
		s.Limits.Build = tightBuild
	})
	patient := pipe(t, func(s *Settings) {
		settings(s)
		s.Limits.Build = tightBuild
		s.Limits.Build.Wall, s.Limits.Build.CPU = time.Minute, time.Minute
		s.Limits.Build.Processes = 80 // few enough for Node.js to be too many before it is too big
	})
	var got, built map[string]vitrine.Sample
	var both sync.WaitGroup
	both.Go(func() { got = scoreAll(t, shared, interleave(hostilePages(t, c), good)) })
	both.Go(func() {
		// Only those that never end are held to so little time that a busy machine would
		// keep the others from meeting the limit that they are about.
		endless, others := byTimeout(hostileBuilds(t, c, online))
		built = scoreAll(t, tight, endless)
		maps.Copy(built, scoreAll(t, patient, others))
	})
	both.Wait()
	for _, p := range []*Pipeline{shared, tight, patient} {
		p.Close()
	}

	for _, job := range good {
		alone, beside := want[job.id], got[job.id]
		if diff := cmp.Diff(result(alone), result(beside)); diff != "" || fmt.Sprint(rewardOf(alone)) != fmt.Sprint(rewardOf(beside)) {
			t.Errorf("%s: alone it has %v, beside hostile outputs %v\n%s%s %v", job.id, rewardOf(alone), rewardOf(beside), diff, beside.Why, beside.Error)
		}
	}
	for table, samples := range map[*map[string]string]map[string]vitrine.Sample{&pageResults: got, &buildResults: built} {
		for id, results := range *table {
			s, ok := samples[id]
			if !ok {
				continue // left out
			}
			if have := result(s); !slices.Contains(strings.Split(results, " "), have) {
				t.Errorf("%s: got %s (%s%v), want %s", id, have, s.Why, s.Error, results)
			}
			if spent := time.Duration(total(s.TimingMS) * 1e6); spent > 5*time.Minute {
				t.Errorf("%s took %s", id, spent)
			}
			t.Logf("%-24s %-30s %6.1f s  %s", id, result(s), total(s.TimingMS)/1e3, s.Why)
		}
	}
	c.check(t, cache)
}

// tightBuild are limits that end a build soon.
var tightBuild = sandbox.Limits{
	Wall: 5 * time.Second, CPU: 6 * time.Second, MemoryBytes: 600 << 20, Processes: 150,
	FileBytes: 64 << 20, DiskBytes: 256 << 20, DiskFiles: 5000,
}

func total(t vitrine.Timing) float64 { return t.Parse + t.Build + t.Capture + t.Judge }

// job is one output to be scored.
type job struct {
	id       string
	output   vitrine.Output
	artifact *vitrine.Artifact // nil: parsed out of the output
}

func demoOutputs(t *testing.T) (jobs []job) {
	t.Helper()
	for line := range bytes.Lines(examples.Demo) {
		var in struct{ ID, Instruction, Output string }
		must(t, json.Unmarshal(line, &in))
		jobs = append(jobs, job{id: in.ID, output: vitrine.Output{ID: in.ID, Instruction: in.Instruction, Text: in.Output}})
	}
	return jobs
}

const hostileDir = "../../testdata/hostile"

// hostilePages are the files of testdata/hostile/pages.
func hostilePages(t *testing.T, c *canary) (jobs []job) {
	t.Helper()
	for id := range pageResults {
		source, err := os.ReadFile(filepath.Join(hostileDir, "pages", id+".html"))
		must(t, err)
		a := &vitrine.Artifact{Kind: vitrine.KindPage, Files: []vitrine.File{{Path: "index.html", Content: c.arm(string(source))}}}
		jobs = append(jobs, job{id: id, output: vitrine.Output{ID: id}, artifact: a})
	}
	if files, _ := filepath.Glob(filepath.Join(hostileDir, "pages", "*.html")); len(files) != len(jobs) {
		t.Errorf("there are %d hostile pages and results for %d", len(files), len(jobs))
	}
	slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.id, b.id) })
	return jobs
}

// hostileBuilds are the build scripts of testdata/hostile/builds, package.json
// files that ask for what they should not, and tools with a configuration that
// never ends.
func hostileBuilds(t *testing.T, c *canary, online bool) (jobs []job) {
	t.Helper()
	add := func(id string, files map[string]string) {
		a := &vitrine.Artifact{Kind: vitrine.KindProject}
		for path, content := range files {
			a.Files = append(a.Files, vitrine.File{Path: path, Content: c.arm(content)})
		}
		jobs = append(jobs, job{id: id, output: vitrine.Output{ID: id}, artifact: a})
	}
	scripts, err := filepath.Glob(filepath.Join(hostileDir, "builds", "*.js"))
	must(t, err)
	for _, file := range scripts {
		source, err := os.ReadFile(file)
		must(t, err)
		add(strings.TrimSuffix(filepath.Base(file), ".js"), map[string]string{"package.json": `{"scripts":{"build":"node build.js"}}`, "build.js": string(source)})
	}
	const tail = `,"scripts":{"build":"mkdir dist && echo x > dist/index.html"}}`
	for id, deps := range map[string]string{
		"asks-url": `{"x":"http://CANARY_HOST/x.tgz"}`, "asks-git": `{"x":"git+ssh://git@CANARY_HOST/x.git"}`, "asks-file": `{"x":"file:../../npm"}`,
		"asks-alias": `{"x":"npm:y@http://CANARY_HOST/y.tgz"}`, "asks-absurd": `{"../../x":"1.0.0","` + strings.Repeat("y", 3000) + `":"*"}`,
	} {
		add(id, map[string]string{"package.json": `{"dependencies":` + deps + tail})
	}
	add("own-install-scripts", map[string]string{"package.json": `{"scripts":{"preinstall":"touch CANARY_PATH/mark","postinstall":"curl http://CANARY_HOST/","prepare":"exit 1","build":"node build.js"}}`,
		"build.js": "require('fs').mkdirSync('dist'); require('fs').writeFileSync('dist/index.html', '<h1>Built well</h1>')"})
	if online {
		clinic := demoArtifact(t, "project-clinic")
		for id, change := range map[string]map[string]string{
			"endless-vite":     {"vite.config.ts": "for (;;);"},
			"endless-tailwind": {"tailwind.config.js": "for (;;);"},
			"silent-vite":      {"vite.config.ts": "process.exit(0);"},
		} {
			files := map[string]string{}
			for _, f := range clinic.Files {
				files[f.Path] = f.Content
			}
			for path, content := range change {
				files[path] = content
			}
			add(id, files)
		}
		add("lock-elsewhere", map[string]string{"package.json": `{"dependencies":{"is-number":"7.0.0"}` + tail,
			"package-lock.json": `{"lockfileVersion":3,"packages":{"":{"dependencies":{"is-number":"7.0.0"}},"node_modules/is-number":{"version":"7.0.0","resolved":"git+http://CANARY_HOST/x.git"}}}`})
	}
	for _, j := range jobs {
		if buildResults[j.id] == "" {
			t.Errorf("there is no result for the build %s", j.id)
		}
	}
	slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.id, b.id) })
	return jobs
}

// byTimeout takes the builds that may run out of time from the others.
func byTimeout(all []job) (endless, others []job) {
	for _, j := range all {
		if strings.Contains(buildResults[j.id], "timeout") {
			endless = append(endless, j)
		} else {
			others = append(others, j)
		}
	}
	return endless, others
}

func demoArtifact(t *testing.T, id string) *vitrine.Artifact {
	t.Helper()
	for _, j := range demoOutputs(t) {
		if j.id == id {
			return parse.Output(j.output)
		}
	}
	t.Fatalf("no example %s", id)
	return nil
}

// interleave puts the fewer among the more.
func interleave(more, fewer []job) (all []job) {
	for i, j := range more {
		all = append(all, j)
		for len(fewer) > 0 && (i+1)*len(fewer) >= len(more)-i {
			all, fewer = append(all, fewer[0]), fewer[1:]
			break
		}
	}
	return append(all, fewer...)
}

func scoreAll(t *testing.T, p *Pipeline, jobs []job) map[string]vitrine.Sample {
	t.Helper()
	var mu sync.Mutex
	all := map[string]vitrine.Sample{}
	var group errgroup.Group
	group.SetLimit(p.Concurrency())
	for _, j := range jobs {
		group.Go(func() error {
			s, err := p.ScoreArtifact(context.WithoutCancel(t.Context()), j.output, j.artifact, t.TempDir())
			if err != nil {
				return fmt.Errorf("%s: %w", j.id, err)
			}
			mu.Lock()
			defer mu.Unlock()
			all[j.id] = s.Sample
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	return all
}

func rewardOf(s vitrine.Sample) any {
	if s.Reward == nil {
		return nil
	}
	return *s.Reward
}

// result is what became of a sample, in a word: its outcome with the reason, or
// the code of its fault.
func result(s vitrine.Sample) string {
	switch {
	case s.Error != nil:
		return "unjudged/" + string(s.Error.Code)
	case s.Outcome == vitrine.OutcomeRendered:
		return string(s.Outcome)
	}
	reason, _, _ := strings.Cut(s.Why, ":")
	return string(s.Outcome) + "/" + reason
}

// A canary is what nobody may touch: a folder, servers that nobody may ask, and
// all places where a mark could be left.
type canary struct {
	dir    string
	hosts  []string // host:port
	calls  atomic.Int64
	before map[string]string
}

const mark = "vitrine-hostile-mark"

func newCanary(t *testing.T) *canary {
	t.Helper()
	c := &canary{dir: t.TempDir()}
	must(t, os.Chmod(c.dir, 0o777))
	must(t, os.WriteFile(filepath.Join(c.dir, "index.html"), []byte("<h1>not yours</h1>"), 0o666))
	addresses := []string{"127.0.0.1"}
	all, err := net.InterfaceAddrs()
	must(t, err)
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			addresses = append(addresses, ip.IP.String())
		}
	}
	for _, address := range addresses {
		c.listen(t, address)
	}
	c.before = c.tree(t)
	return c
}

// listen counts connections and packets that come to an address.
func (c *canary) listen(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp4", address+":0")
	must(t, err)
	udp, err := net.ListenPacket("udp4", l.Addr().String())
	must(t, err)
	c.hosts = append(c.hosts, l.Addr().String())
	var both sync.WaitGroup
	both.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.calls.Add(1)
			_ = conn.Close()
		}
	})
	both.Go(func() {
		for b := make([]byte, 100); ; {
			if _, _, err := udp.ReadFrom(b); errors.Is(err, net.ErrClosed) {
				return
			}
			c.calls.Add(1)
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		_ = udp.Close()
		both.Wait()
	})
}

// arm puts the canary's addresses into a hostile file.
func (c *canary) arm(source string) string {
	hosts, _ := json.Marshal(c.hosts)
	source = strings.NewReplacer("CANARY_DIR", fmt.Sprintf("%q", c.dir), "CANARY_PATH", c.dir, "CANARY_HOST", c.hosts[0], "VITRINE_CANARY", "VITRINE_CANARY").Replace(source)
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(source, "VITRINE_CANARY", "\x00"), "CANARY", string(hosts)), "\x00", "VITRINE_CANARY")
}

func (c *canary) tree(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		info, _ := d.Info()
		b, _ := os.ReadFile(name)
		files[name] = fmt.Sprint(info.Mode(), info.ModTime(), string(b))
		return err
	}))
	return files
}

// check looks for every trace that a hostile output could have left.
func (c *canary) check(t *testing.T, cache string) {
	t.Helper()
	if n := c.calls.Load(); n > 0 {
		t.Errorf("%d connections or packets came from pages and builds", n)
	}
	if diff := cmp.Diff(c.before, c.tree(t)); diff != "" {
		t.Errorf("a folder of the host was changed:\n%s", diff)
	}
	home, _ := os.UserHomeDir()
	for _, dir := range []string{"/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/usr", "/etc", "/bin", "/home", home, os.TempDir(), cache, cache + "/*", cache + "/*/*", cache + "/packages/deps/*/node_modules", cache + "/packages/deps/*/node_modules/.bin"} {
		if found, _ := filepath.Glob(filepath.Join(dir, mark+"*")); len(found) > 0 {
			t.Errorf("written outside: %v", found)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "packages", "work", "*")); len(left) > 0 {
		t.Errorf("left of builds: %v", left)
	}
	if running := processesBelow(os.Getpid()); len(running) > 0 {
		t.Errorf("processes are left: %v", running)
	}
}

// processesBelow are the command lines of all descendants; those that lost their
// parent are ours by adoption.
func processesBelow(pid int) (found []string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for field := range strings.FieldsSeq(string(pids)) {
			if args, _ := os.ReadFile("/proc/" + field + "/cmdline"); len(args) > 0 { // the dead have none
				found = append(found, strings.ReplaceAll(string(args), "\x00", " "))
			}
		}
	}
	return found
}

// pageResults is what becomes of each hostile page; where there are several, it
// depends on how busy the machine is.
var pageResults = map[string]string{
	"alerts":          "rendered",
	"animations":      "rendered invalid_render/timeout",
	"blobs":           "rendered invalid_render/timeout invalid_render/renderer_crashed",
	"canvases":        "invalid_render/renderer_crashed invalid_render/timeout",
	"console-huge":    "rendered invalid_render/timeout unjudged/capture_timeout invalid_render/renderer_crashed",
	"console-storm":   "rendered invalid_render/timeout unjudged/capture_timeout invalid_render/renderer_crashed",
	"crash":           "rendered invalid_render/renderer_crashed",
	"deep-dom":        "invalid_render/timeout invalid_render/renderer_crashed",
	"document-write":  "rendered invalid_render/timeout invalid_render/load_failed",
	"dom-200mb":       "invalid_render/timeout invalid_render/renderer_crashed",
	"downloads":       "rendered",
	"fetch-storm":     "rendered invalid_render/timeout",
	"fetches":         "rendered",
	"form-post":       "rendered",
	"frame-bomb":      "rendered invalid_render/timeout",
	"frames-bomb":     "invalid_render/timeout",
	"frozen-clock":    "rendered",
	"giant-canvas":    "rendered invalid_render/timeout invalid_render/renderer_crashed",
	"history-storm":   "invalid_render/timeout rendered",
	"leave":           "invalid_render/blank",
	"leave-file":      "rendered invalid_render/blank invalid_render/load_failed",
	"loop":            "invalid_render/timeout",
	"loop-later":      "invalid_render/timeout",
	"memory":          "invalid_render/renderer_crashed",
	"memory-heap":     "invalid_render/renderer_crashed invalid_render/timeout",
	"memory-wasm":     "invalid_render/renderer_crashed rendered",
	"meta-refresh":    "invalid_render/load_failed",
	"microtasks":      "invalid_render/timeout",
	"navigation-loop": "rendered invalid_render/timeout invalid_render/load_failed",
	"no-document":     "invalid_render/blank",
	"permissions":     "rendered",
	"popups":          "rendered invalid_render/timeout",
	"print":           "rendered",
	"regex":           "invalid_render/timeout",
	"reload-loop":     "invalid_render/load_failed",
	"sabotage":        "invalid_render/load_failed",
	"self-frame":      "rendered",
	"service-worker":  "rendered",
	"sockets":         "rendered",
	"storage":         "rendered invalid_render/timeout",
	"sync-requests":   "rendered invalid_render/timeout",
	"tall":            "rendered",
	"text-80mb":       "invalid_render/renderer_crashed invalid_render/timeout",
	"throw-storm":     "rendered",
	"timers-bomb":     "invalid_render/timeout",
	"webgl":           "rendered invalid_render/timeout invalid_render/renderer_crashed",
	"webrtc":          "rendered",
	"wide":            "rendered",
	"worker-bomb":     "rendered invalid_render/timeout invalid_render/renderer_crashed",
	"worker-fetches":  "rendered",
	"worker-loops":    "rendered invalid_render/timeout",
}

// buildResults is what becomes of each hostile build.
var buildResults = map[string]string{
	"absurd-names":           "rendered",
	"asks-absurd":            "build_failed/install_failed",
	"asks-alias":             "build_failed/install_failed",
	"asks-file":              "build_failed/install_failed",
	"asks-git":               "build_failed/install_failed",
	"asks-url":               "build_failed/install_failed",
	"asleep":                 "build_failed/timeout",
	"deep-folders":           "build_failed/too_large",
	"dist-is-a-link":         "build_failed/build_failed",
	"endless":                "build_failed/timeout",
	"endless-tailwind":       "build_failed/timeout",
	"endless-vite":           "build_failed/timeout",
	"file-10gb":              "build_failed/too_large",
	"fork-bomb":              "build_failed/processes",
	"huge-asset":             "rendered",
	"kill-everything":        "build_failed/build_failed",
	"left-behind":            "rendered",
	"lock-elsewhere":         "build_failed/install_failed",
	"locked-up":              "rendered",
	"log-1gb":                "rendered build_failed/timeout",
	"many-big-files":         "build_failed/too_large",
	"many-threads-spin":      "build_failed/timeout",
	"memory":                 "build_failed/memory",
	"memory-of-many":         "build_failed/memory",
	"million-files":          "build_failed/too_large",
	"network":                "rendered",
	"own-install-scripts":    "rendered",
	"says-well-does-nothing": "build_failed/build_failed",
	"shell-bomb":             "build_failed/processes",
	"silent-vite":            "build_failed/build_failed",
	"snoop":                  "rendered",
	"sparse-10gb":            "build_failed/too_large",
	"symlink-out":            "rendered",
	"temp-full":              "build_failed/memory build_failed/build_failed",
	"trace":                  "rendered",
	"write-outside":          "rendered",
}
