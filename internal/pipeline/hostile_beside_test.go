package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/hostiletest"
	"vitrine/internal/sandbox"
)

// answerTime is how long any sample may take, however busy the machine is.
const answerTime = 5 * time.Minute

// TestHostileNeighbours holds what samples share against attacks on it: dependency
// sets, workers, the bundler, caches and the process itself. Victims are scored alone
// with a cache of their own, then among the attacks of a group and after them with
// everything shared. Each must have the same reward to the last digit.
func TestHostileNeighbours(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes")
	}
	if err := (sandbox.Sandbox{}).Available(t.Context()); err != nil {
		t.Skipf("there is no seal to be tested: %v", err)
	}
	alone := neighbourhood(t, t.TempDir())
	want := answers(t, alone, victims(hostiletest.Victims()))
	alone.Close()
	online := want["project"].Error == nil
	if !online {
		t.Logf("attacks with packages are left out: %v", want["project"].Error)
	}
	shared := t.TempDir()
	c := newCanary(t)
	for _, group := range hostiletest.Groups() {
		t.Run(group.Name, func(t *testing.T) {
			before := descriptors(t)
			p := neighbourhood(t, shared)
			forget(t, shared)
			got := answers(t, p, among(group.Attacks, online))
			hold(t, "among", group.Attacks, want, got)
			hold(t, "after", nil, want, answers(t, p, victims(hostiletest.Victims())))
			forget(t, shared)
			hold(t, "after, seen again", nil, want, answers(t, p, victims(hostiletest.Victims())))
			p.Close()
			leavesNothing(t, before)
			c.check(t, shared)
		})
	}
}

// neighbourhood is a pipeline with limits that end an attack soon.
func neighbourhood(t *testing.T, cache string) *Pipeline {
	t.Helper()
	return pipe(t, func(s *Settings) {
		s.CacheDir, s.Concurrency, s.Limits.Command = cache, 4, 10*time.Second
		s.Limits.Build = tightBuild
		s.Limits.Build.Wall, s.Limits.Build.CPU, s.Limits.Build.MemoryBytes, s.Limits.Build.DiskFiles = 30*time.Second, 10*time.Second, 1<<30, 20_000
	})
}

// forget removes what was built and seen, and leaves the packages.
func forget(t *testing.T, dir string) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Join(dir, cache.ResultsDir)))
}

func victims(samples []hostiletest.Sample) (jobs []job) {
	for _, s := range samples {
		jobs = append(jobs, job{id: s.ID, output: vitrine.Output{ID: s.ID, Text: s.Text}, artifact: s.Artifact()})
	}
	return jobs
}

// among is the victims with half of the attacks before them and half behind.
func among(attacks []hostiletest.Attack, online bool) (jobs []job) {
	var samples []hostiletest.Sample
	for _, a := range attacks {
		if online || !a.Online {
			samples = append(samples, a.Sample)
		}
	}
	return victims(slices.Concat(samples[:len(samples)/2], hostiletest.Victims(), samples[len(samples)/2:]))
}

// answers scores jobs and wants each to be answered.
func answers(t *testing.T, p *Pipeline, jobs []job) map[string]vitrine.Sample {
	t.Helper()
	got := make(chan map[string]vitrine.Sample, 1)
	go func() { got <- scoreAll(t, p, jobs) }()
	select {
	case all := <-got:
		return all
	case <-time.After(answerTime + time.Duration(len(jobs))*time.Minute):
		t.Fatal("not every sample was answered: one of them stops the process")
		return nil
	}
}

// hold compares victims with what they have alone, and attacks with their results.
func hold(t *testing.T, when string, attacks []hostiletest.Attack, want, got map[string]vitrine.Sample) {
	t.Helper()
	for id, alone := range want {
		beside := got[id]
		if result(alone) != result(beside) || fmt.Sprint(rewardOf(alone)) != fmt.Sprint(rewardOf(beside)) {
			t.Errorf("%s: alone it is %s with %v, %s the attacks %s with %v (%s%v)", id, result(alone), rewardOf(alone), when, result(beside), rewardOf(beside), beside.Why, beside.Error)
		}
	}
	for _, a := range attacks {
		s, there := got[a.ID]
		if !there {
			continue // left out
		}
		if !slices.Contains(strings.Fields(a.Results), result(s)) {
			t.Errorf("%s: got %s (%s%v), want one of %s", a.ID, result(s), s.Why, s.Error, a.Results)
		}
		if spent := time.Duration(total(s.TimingMS) * 1e6); spent > answerTime {
			t.Errorf("%s took %s", a.ID, spent)
		}
		t.Logf("%-26s %-30s %6.1f s  %.120s", a.ID, result(s), total(s.TimingMS)/1e3, s.Why)
	}
}

// descriptors are the open files of this process by what they are of. Connections are
// left out: idle ones are kept for the next request.
func descriptors(t *testing.T) (open map[string]int) {
	t.Helper()
	open = map[string]int{}
	links, err := filepath.Glob("/proc/self/fd/*")
	must(t, err)
	for _, link := range links {
		to, err := os.Readlink(link)
		if err != nil || strings.HasPrefix(to, "socket:") {
			continue
		}
		kind, _, _ := strings.Cut(to, ":[")
		open[kind]++
	}
	return open
}

// leavesNothing waits until no process and no descriptor is left of a pipeline that
// was closed.
func leavesNothing(t *testing.T, before map[string]int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for {
		var left []string
		for kind, n := range descriptors(t) {
			if n > before[kind] && !strings.HasPrefix(kind, "/proc/") {
				left = append(left, fmt.Sprintf("%d × %s", n-before[kind], kind))
			}
		}
		left = append(left, processesBelow(os.Getpid())...)
		if len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			t.Errorf("left behind: %v", left)
			return
		}
	}
}

// TestHostileTwentyRuns opens and closes what scores, with attacks at work.
func TestHostileTwentyRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	if err := (sandbox.Sandbox{}).Available(t.Context()); err != nil {
		t.Skipf("there is no seal to be tested: %v", err)
	}
	cache := t.TempDir()
	c := newCanary(t)
	files := func() int {
		all, _ := filepath.Glob(filepath.Join(cache, "packages", "*", "*"))
		return len(all)
	}
	var before map[string]int
	lain := 0
	for run := range 20 {
		p := pipe(t, func(s *Settings) {
			s.CacheDir, s.NoCache, s.Concurrency = cache, true, 4
			s.Limits.Build = tightBuild
			s.Limits.Build.Wall = 2 * time.Second
		})
		jobs := []job{{id: "page", output: vitrine.Output{Text: goodPage}}, {id: "project", output: vitrine.Output{Text: whole}}}
		for _, id := range []string{"crash", "popups", "service-worker"} {
			jobs = append(jobs, hostilePage(t, c, id))
		}
		for _, id := range []string{"endless", "left-behind", "links-in-dist"} {
			jobs = append(jobs, hostileBuild(t, c, id))
		}
		if got := scoreAll(t, p, jobs); len(got) != len(jobs) || rewardOf(got["page"]) == nil {
			t.Fatalf("run %d: %d of %d answers", run, len(got), len(jobs))
		}
		p.Close()
		if run == 0 { // what is opened once and kept
			before, lain = descriptors(t), files()
			continue
		}
		leavesNothing(t, before)
		if n := files(); n != lain {
			t.Errorf("run %d: the package store has %d entries, after the first run %d", run, n, lain)
		}
	}
	c.check(t, cache)
}
