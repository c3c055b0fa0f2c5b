package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/evidence/evidencetest"
)

func header() Header {
	return Header{Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Input: "in.jsonl", Recipe: "quality@1", RecipeSpec: []byte("{}"), Provenance: vitrine.Provenance{Vitrine: "1", Files: map[string]string{"prompt": "p1"}}}
}

func create(t testing.TB) *Run {
	t.Helper()
	run, err := Create(filepath.Join(t.TempDir(), "run"), header())
	must(t, err)
	t.Cleanup(func() { _ = run.Close() })
	return run
}

func sample(id string, attempt int) vitrine.Sample {
	s := evidencetest.Filled[vitrine.Sample]()
	s.ID, s.Attempt = id, attempt
	s.Error = &vitrine.Fault{Stage: "capture", Code: vitrine.FaultBrowserCrashed, Message: "m", Fix: "f"}
	return s
}

func ids(samples []vitrine.Sample) []string {
	var out []string
	for _, s := range samples {
		out = append(out, fmt.Sprintf("%s/%d", s.ID, s.Attempt))
	}
	return out
}

var ignoreCause = cmpopts.IgnoreUnexported(vitrine.Fault{})

func TestRunRoundTrip(t *testing.T) {
	t.Parallel()
	want := evidencetest.Filled[Header]()
	dir := filepath.Join(t.TempDir(), "a", "run")
	run, err := Create(dir, want)
	must(t, err)
	want.Schema, want.Tool = vitrine.EvidenceSchema, vitrine.Version
	must(t, run.Append(sample("a", 1)))
	must(t, run.Append(sample("b", 1)))
	must(t, run.Close())
	got, samples, err := Read(dir)
	must(t, err)
	want.RecipeSpec, got.RecipeSpec = nil, compact(t, got.RecipeSpec, string(want.RecipeSpec))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]vitrine.Sample{sample("a", 1), sample("b", 1)}, samples, ignoreCause); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

// compact checks that raw is want, whatever the white space, and returns nil.
func compact(t *testing.T, raw []byte, want string) []byte {
	t.Helper()
	if got := strings.Join(strings.Fields(string(raw)), ""); got != want {
		t.Errorf("recipe_spec is %s, want %s", got, want)
	}
	return nil
}

func TestFolderWithARunIsNotTakenAgain(t *testing.T) {
	t.Parallel()
	run := create(t)
	must(t, run.Append(sample("a", 1)))
	must(t, run.Close())
	_, err := Create(run.Dir, header())
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "--resume") || !strings.Contains(f.Fix, "--out") {
		t.Errorf("got %+v", f)
	}
	if _, samples, err := Read(run.Dir); err != nil || len(samples) != 1 {
		t.Errorf("the run there now has %d samples, %v", len(samples), err)
	}
}

func TestNewestAttemptWins(t *testing.T) {
	t.Parallel()
	run := create(t)
	for _, s := range []vitrine.Sample{sample("a", 1), sample("b", 1), sample("a", 2), sample("c", 1), sample("a", 3)} {
		must(t, run.Append(s))
	}
	must(t, run.Close())
	again, done, err := Resume(run.Dir, header().Provenance)
	must(t, err)
	defer again.Close()
	if done["a"].Attempt != 3 || len(done) != 3 {
		t.Errorf("resume knows attempt %d of a and %d samples", done["a"].Attempt, len(done))
	}
	_, samples, err := Read(run.Dir)
	must(t, err)
	if diff := cmp.Diff([]string{"a/3", "b/1", "c/1"}, ids(Newest(samples))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if Newest(nil) != nil {
		t.Error("there is a newest of nothing")
	}
}

func TestAnyOtherFolderIsNoRun(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]string{"no header": "", "not JSON": "{", "another program's": `{"version":3}`, "of another shape": `{"schema":1,"started":5}`} {
		dir := t.TempDir()
		if header != "" {
			must(t, os.WriteFile(filepath.Join(dir, headerFile), []byte(header), 0o644))
		}
		_, _, err := Resume(dir, vitrine.Provenance{})
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "not a run folder") || f.Fix == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	newer := t.TempDir()
	must(t, os.WriteFile(filepath.Join(newer, headerFile), []byte(`{"schema":2,"tool":"9.9","started":{"s":1}}`), 0o644))
	_, _, err := Read(newer)
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "newer Vitrine") {
		t.Errorf("newer: got %v", err)
	}
}

func TestConcurrentAppendKeepsWholeLines(t *testing.T) {
	t.Parallel()
	run := create(t)
	const writers, each = 16, 25
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				s := sample(fmt.Sprintf("%d-%d", w, i), 1)
				s.Why = strings.Repeat("long ", w*i*10)
				if err := run.Append(s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	_, samples, err := Read(run.Dir)
	must(t, err)
	if got := len(Newest(samples)); len(samples) != writers*each || got != writers*each {
		t.Errorf("got %d lines of %d samples, want %d", len(samples), got, writers*each)
	}
}

func TestEvidenceIsKeptWholeAndReplaced(t *testing.T) {
	t.Parallel()
	run := create(t)
	var name string
	for _, content := range []string{"first", "second"} {
		dir, err := run.NewEvidence()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, content), []byte(content), 0o644))
		name, err = run.KeepEvidence(dir, "../a b")
		must(t, err)
	}
	if want := "evidence/" + FolderName("../a b"); name != want {
		t.Errorf("got %q, want %q", name, want)
	}
	if diff := cmp.Diff(map[string]string{"second": "second"}, evidencetest.Tree(t, filepath.Join(run.Dir, name))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := run.NewEvidence(); err != nil {
		t.Fatal(err)
	}
	must(t, run.Sweep())
	entries, err := os.ReadDir(filepath.Join(run.Dir, evidenceDir))
	if err != nil || len(entries) != 1 {
		t.Errorf("after the sweep: %v, %v", entries, err)
	}
}

func TestNewestRunIsTheOneStartedLast(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	_, err := Latest(root, "")
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "vitrine score") {
		t.Errorf("no run: got %v", err)
	}
	if _, err := Latest(filepath.Join(root, "none"), ""); vitrine.AsFault("x", err).Code != vitrine.FaultUsage {
		t.Errorf("no folder: got %v", err)
	}
	for i, name := range []string{"zz-named-by-hand", "2026-01-02T03-04-05_in", "2026-01-02T03-04-05_in-2"} {
		h := header()
		h.Started = h.Started.Add(time.Duration(i) * time.Millisecond)
		if name == "2026-01-02T03-04-05_in-2" {
			h.Input = "other/out.jsonl"
		}
		run, err := Create(filepath.Join(root, name), h)
		must(t, err)
		must(t, run.Close())
	}
	must(t, os.Mkdir(filepath.Join(root, "zzz-no-run"), 0o755))
	for input, want := range map[string]string{"": "2026-01-02T03-04-05_in-2", "./in.jsonl": "2026-01-02T03-04-05_in", "out.jsonl": "2026-01-02T03-04-05_in-2"} {
		if got, err := Latest(root, input); err != nil || filepath.Base(got) != want {
			t.Errorf("%q: got %s, %v, want %s", input, got, err, want)
		}
	}
	_, err = Latest(root, "third.jsonl")
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "third.jsonl") || !strings.Contains(f.Fix, "--out") {
		t.Errorf("another input: got %v", err)
	}
}

var safeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$`)

func TestFolderName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 500)
	odd := []string{
		"", " ", ".", "..", "...", "/", "//", "a/b", "a_b", "../../etc/passwd", "a\\b", "C:\\x", "-rf", "--help", ".hidden", ".tmp-1", "~", "~root",
		"a b", "a\x00b", "a\nb", "漢字", "漢字2", "é", "e\u0301", "\xff\xfe", "\ufffd", "*", "?", "$HOME", "`id`", "'", `"`, "<b>", "&amp;", "#1", "%2e%2e", "a;b", "con", "CON",
		long, long + "y", long[:80], long[:81], "plain", "plain.png", "1", "000001", "run-42_b.c",
	}
	for _, id := range []string{"a b", "../../etc/passwd"} {
		odd = append(odd, FolderName(id), strings.ReplaceAll(FolderName(id), "~", "-"), strings.ReplaceAll(FolderName(id), "~", "_"))
	}
	seen := map[string]string{}
	for _, id := range odd {
		name := FolderName(id)
		if !safeName.MatchString(name) {
			t.Errorf("%q: %q is not a safe file name", id, name)
		}
		if other, there := seen[name]; there {
			t.Errorf("%q and %q share the folder %s", id, other, name)
		}
		seen[name] = id
	}
	for _, id := range []string{"plain", "plain.png", "1", "000001", "run-42_b.c", "CON"} {
		if FolderName(id) != id {
			t.Errorf("%q became %q", id, FolderName(id))
		}
	}
	if got := FolderName("tea shop/7"); !strings.HasPrefix(got, "tea_shop_7~") {
		t.Errorf("a person cannot tell whose folder %q is", got)
	}
}

func FuzzFolderName(f *testing.F) {
	f.Add("a/b", "a_b")
	f.Add("", "sample")
	f.Add("../x", FolderName("../x"))
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := FolderName(a), FolderName(b)
		if !safeName.MatchString(x) || x != FolderName(a) {
			t.Errorf("%q: %q is not a safe, lasting file name", a, x)
		}
		if (a == b) != (x == y) {
			t.Errorf("%q is %q, %q is %q", a, x, b, y)
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
