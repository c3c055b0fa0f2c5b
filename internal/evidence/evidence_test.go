package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/disk"
	"vitrine/internal/evidence/evidencetest"
)

func gathered() *vitrine.Evidence {
	ev := evidencetest.Filled[vitrine.Evidence]()
	ev.Schema = vitrine.EvidenceSchema
	return &ev
}

func TestEvidenceRoundTrip(t *testing.T) {
	t.Parallel()
	dir, again := t.TempDir(), t.TempDir()
	want := gathered()
	must(t, Save(dir, want))
	got, err := Load(dir)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the evidence changed on its way (-saved +loaded):\n%s", diff)
	}
	must(t, Save(again, got))
	if diff := cmp.Diff(evidencetest.Tree(t, dir), evidencetest.Tree(t, again)); diff != "" {
		t.Errorf("saved again, the files differ (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(gathered(), want); diff != "" {
		t.Errorf("saving changed what was saved:\n%s", diff)
	}
}

func TestEvidenceOfNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := &vitrine.Evidence{Schema: vitrine.EvidenceSchema}
	must(t, Save(dir, want))
	got, err := Load(dir)
	must(t, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-saved +loaded):\n%s", diff)
	}
	var names []string
	for name := range evidencetest.Tree(t, dir) {
		names = append(names, name)
	}
	files := []string{"axe.json", "console.jsonl", "dom.json", "hint.json", "manifest.json", "network.jsonl"}
	if diff := cmp.Diff(files, names, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("files of an evidence folder (-want +got):\n%s", diff)
	}
}

func TestWhatLiesBesideTheEvidenceRoundTrip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	artifact, judgement, output := evidencetest.Filled[vitrine.Artifact](), evidencetest.Filled[vitrine.Judgement](), evidencetest.Filled[vitrine.Output]()
	must(t, SaveArtifact(dir, &artifact, output.Text))
	must(t, SaveOutput(dir, output))
	must(t, SaveJudgement(dir, &judgement))
	gotArtifact, err := LoadArtifact(dir)
	must(t, err)
	gotJudgement, err := LoadJudgement(dir)
	must(t, err)
	gotOutput, err := LoadOutput(dir)
	must(t, err)
	for _, diff := range []string{cmp.Diff(&artifact, gotArtifact), cmp.Diff(&judgement, gotJudgement, cmpopts.IgnoreUnexported(vitrine.Fault{})), cmp.Diff(output, gotOutput)} {
		if diff != "" {
			t.Errorf("(-saved +loaded):\n%s", diff)
		}
	}
	if got := evidencetest.Tree(t, dir)["output.txt"]; got != output.Text {
		t.Errorf("output.txt holds %q, want what the model wrote: %q", got, output.Text)
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for name, manifest := range map[string]string{
		"of the same shape": `{"schema":2,"tool":"9.9.9"}`,
		"of another shape":  `{"schema":2,"tool":"9.9.9","settings":"in words","site":[1,2]}`,
	} {
		dir := t.TempDir()
		must(t, Save(dir, gathered()))
		must(t, os.WriteFile(filepath.Join(dir, manifestFile), []byte(manifest), 0o644))
		_, err := Load(dir)
		f := vitrine.AsFault("x", err)
		if f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "newer Vitrine") || !strings.Contains(f.Message, "schema 2") || !strings.Contains(f.Message, "9.9.9") {
			t.Errorf("%s: got %+v", name, f)
		}
	}
}

func TestBrokenEvidenceNamesTheFile(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	must(t, Save(whole, gathered()))
	for _, file := range []string{manifestFile, domFile, axeFile, hintFile, consoleFile, networkFile} {
		for name, breaks := range map[string]func(path string) error{
			"missing":          os.Remove,
			"cut off":          func(path string) error { return os.Truncate(path, 20) },
			"not JSON":         func(path string) error { return os.WriteFile(path, []byte("}{"), 0o644) },
			"a folder":         func(path string) error { return os.Mkdir(path, 0o755) },
			"of another shape": func(path string) error { return os.WriteFile(path, []byte("\"text\"\n"), 0o644) },
		} {
			dir := t.TempDir()
			must(t, disk.LinkTree(whole, dir))
			if name == "a folder" {
				must(t, os.Remove(filepath.Join(dir, file)))
			} else {
				must(t, os.WriteFile(filepath.Join(dir, "copy"), []byte(evidencetest.Tree(t, dir)[file]), 0o644))
				must(t, os.Rename(filepath.Join(dir, "copy"), filepath.Join(dir, file)))
			}
			must(t, breaks(filepath.Join(dir, file)))
			_, err := Load(dir)
			f := vitrine.AsFault("x", err)
			if err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Error(), file) || f.Fix == "" {
				t.Errorf("%s is %s: got %v, fix %q", file, name, err, f.Fix)
			}
		}
	}
}

func TestFilesThatDoNotFitEachOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, Save(dir, gathered()))
	must(t, os.WriteFile(filepath.Join(dir, axeFile), []byte("[]"), 0o644))
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), axeFile) {
		t.Errorf("got %v, want an error that names %s", err, axeFile)
	}
}

func TestAnyOtherFolderIsNoEvidence(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	must(t, os.WriteFile(filepath.Join(other, manifestFile), []byte(`{"name":"my extension"}`), 0o644))
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none"), other} {
		_, err := Load(dir)
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, dir) || f.Fix == "" {
			t.Errorf("%s: got %v", dir, err)
		}
	}
}

func TestEvidenceNeverWritesIntoTheCache(t *testing.T) {
	t.Parallel()
	c := cache.Results{Dir: t.TempDir()}
	key := cache.Key{Stage: "capture", Parts: map[string]any{"part": "a"}}
	first := t.TempDir()
	must(t, Save(first, gathered()))
	must(t, os.Mkdir(filepath.Join(first, "frames"), 0o755))
	must(t, os.WriteFile(filepath.Join(first, "frames", "index.png"), []byte("frame"), 0o644))
	must(t, c.Put(key, nil, first))
	kept, ok := c.Get(key, nil)
	if !ok {
		t.Fatal("not in the cache")
	}
	want := evidencetest.Tree(t, kept)

	dir := t.TempDir()
	must(t, disk.LinkTree(kept, dir))
	changed := gathered()
	changed.Instruction, changed.Views, changed.Console, changed.Requests = "another", nil, nil, nil
	artifact, judgement := evidencetest.Filled[vitrine.Artifact](), evidencetest.Filled[vitrine.Judgement]()
	must(t, Save(dir, changed))
	must(t, SaveArtifact(dir, &artifact, "text"))
	must(t, SaveJudgement(dir, &judgement))
	if diff := cmp.Diff(want, evidencetest.Tree(t, kept)); diff != "" {
		t.Errorf("saving evidence changed the cache (-before +after):\n%s", diff)
	}

	must(t, disk.LinkTree(kept, dir)) // over the same folder, as a second look at one site does
	must(t, disk.LinkTree(kept, dir))
	other := t.TempDir()
	must(t, os.Mkdir(filepath.Join(other, "frames"), 0o755))
	must(t, os.WriteFile(filepath.Join(other, "frames", "index.png"), []byte("another frame"), 0o644))
	must(t, disk.LinkTree(other, dir))
	if diff := cmp.Diff(want, evidencetest.Tree(t, kept)); diff != "" {
		t.Errorf("linking over a folder changed the cache (-before +after):\n%s", diff)
	}
	if got := evidencetest.Tree(t, dir)["frames/index.png"]; got != "another frame" {
		t.Errorf("the last link gives %q", got)
	}
}

func FuzzLoadEvidence(f *testing.F) {
	f.Add([]byte(`{"schema":1}`), []byte(`[{"route":"/"}]`), []byte(`{"level":"log"}`))
	f.Fuzz(func(t *testing.T, manifest, dom, console []byte) {
		dir := t.TempDir()
		must(t, Save(dir, gathered()))
		for name, content := range map[string][]byte{manifestFile: manifest, domFile: dom, consoleFile: console} {
			must(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
		}
		ev, err := Load(dir)
		if err != nil {
			return
		}
		must(t, Save(dir, ev))
		if again, err := Load(dir); err != nil || !cmp.Equal(ev, again, cmpopts.EquateEmpty()) {
			t.Errorf("what was read is not what is read again: %v\n%s", err, cmp.Diff(ev, again))
		}
	})
}

func TestKeyIsTheSameReadBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := []cache.Key{
		{Stage: "build", Parts: map[string]any{"files": map[string]string{"b": "2", "a": "1"}}},
		{Stage: "capture", Parts: map[string]any{"settings": gathered().Settings, "site": "x"}},
	}
	must(t, SaveKeys(dir, want))
	got, err := LoadKeys(dir)
	if err != nil || len(got) != 2 || got[0].Hash() != want[0].Hash() || got[1].Hash() != want[1].Hash() {
		t.Errorf("got %v, %v, want keys equal to %v", got, err, want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
