package runs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/evidence"
	"vitrine/internal/evidence/evidencetest"
)

// diskEnv names the small disk of a test that runs in a mount namespace.
const diskEnv = "VITRINE_TEST_DISK"

// key is that of the answers that the cache is given here.
var key = cache.Key{Stage: "capture", Parts: map[string]any{"part": "x"}}

// onDisk runs the test that calls it again in a mount namespace of its own, with
// a fresh file system in memory at the folder it returns there. In the outer
// process it returns "" once the inner one is done.
func onDisk(t *testing.T, options string) string {
	t.Helper()
	if dir := os.Getenv(diskEnv); dir != "" {
		return dir
	}
	if out, err := exec.Command("unshare", "-Urm", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine allows no mount namespace: %v %s", err, out)
	}
	dir := t.TempDir()
	cmd := exec.Command("unshare", "-Urm", "sh", "-c", `mount -t tmpfs -o "$1" none "$2" && exec "$3" "-test.run=^$4\$" -test.v`,
		"sh", options, dir, os.Args[0], t.Name())
	cmd.Env = append(os.Environ(), diskEnv+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("on a disk with %s: %v\n%s", options, err, out)
	}
	return ""
}

func wantFault(t *testing.T, what string, err error, code vitrine.FaultCode) {
	t.Helper()
	f := vitrine.AsFault("x", err)
	if err == nil || f.Code != code || f.Fix == "" {
		t.Errorf("%s: got %v (code %s, fix %q), want %s", what, err, f.Code, f.Fix, code)
	}
}

func TestFullDisk(t *testing.T) {
	disk := onDisk(t, "size=512k")
	if disk == "" {
		return
	}
	dir := filepath.Join(disk, "run")
	run, err := Create(dir, header())
	must(t, err)
	evidenceDir, err := run.NewEvidence()
	must(t, err)
	must(t, evidence.Save(evidenceDir, gathered()))
	must(t, run.Put("session.json", []byte("old")))
	reserve := filepath.Join(disk, "reserve") // the space that there is again at the end
	must(t, os.WriteFile(reserve, make([]byte, 16<<10), 0o644))

	kept := 0
	for err == nil {
		s := sample(fmt.Sprint(kept), 1)
		s.Why = strings.Repeat("x", 10_000)
		if err = run.Append(s); err == nil {
			kept++
		}
	}
	wantFault(t, "append", err, vitrine.FaultDiskFull)
	fillUp(t, disk)
	wantFault(t, "append again", run.Append(sample("z", 1)), vitrine.FaultDiskFull)
	before := evidencetest.Tree(t, evidenceDir)
	big := gathered()
	big.Views[0].Text = strings.Repeat("x", 1<<20)
	wantFault(t, "evidence", evidence.Save(evidenceDir, big), vitrine.FaultDiskFull)
	if after := evidencetest.Tree(t, evidenceDir)["dom.json"]; after != before["dom.json"] {
		t.Error("a file that could not be replaced is not the old one any more")
	}
	wantFault(t, "evidence folder", saveNew(run), vitrine.FaultDiskFull)
	run.Header.Input = strings.Repeat("x", 1<<20)
	wantFault(t, "header", run.SaveHeader(), vitrine.FaultDiskFull)
	wantFault(t, "file", run.Put("session.json", make([]byte, 1<<20)), vitrine.FaultDiskFull)
	if b, err := os.ReadFile(filepath.Join(dir, "session.json")); err != nil || string(b) != "old" {
		t.Errorf("a file that could not be replaced is now %.20q, %v", b, err)
	}

	c := cache.Results{Dir: filepath.Join(disk, "cache")}
	must(t, os.MkdirAll(c.Dir, 0o755))
	source := t.TempDir()
	must(t, os.WriteFile(filepath.Join(source, "big"), make([]byte, 1<<20), 0o644))
	wantFault(t, "cache", c.Put(key, nil, source), vitrine.FaultDiskFull)
	left, err := filepath.Glob(filepath.Join(c.Dir, "tmp-*"))
	must(t, err)
	if _, ok := c.Get(key, nil); ok || left != nil {
		t.Error("the cache kept a half folder")
	}

	must(t, os.Remove(reserve))
	must(t, run.Append(sample("after", 1)))
	h, samples, err := Read(dir)
	if err != nil || len(samples) != kept+1 || samples[kept].ID != "after" || h.Input != header().Input {
		t.Errorf("once there is space: %d samples of %d, input %.20q, %v", len(samples), kept+1, h.Input, err)
	}
}

func gathered() *vitrine.Evidence {
	ev := evidencetest.Filled[vitrine.Evidence]()
	return &ev
}

// saveNew gathers a folder of evidence.
func saveNew(run *Run) error {
	dir, err := run.NewEvidence()
	if err != nil {
		return err
	}
	return evidence.Save(dir, gathered())
}

// fillUp leaves no byte of the disk.
func fillUp(t *testing.T, disk string) {
	t.Helper()
	f, err := os.Create(filepath.Join(disk, "ballast"))
	must(t, err)
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 512))
	}
}

func TestReadOnlyDisk(t *testing.T) {
	disk := onDisk(t, "ro")
	if disk == "" {
		return
	}
	_, err := Create(filepath.Join(disk, "run"), header())
	wantFault(t, "create", err, vitrine.FaultUnwritable)
	wantFault(t, "evidence", evidence.Save(disk, gathered()), vitrine.FaultUnwritable)
	wantFault(t, "cache", cache.Results{Dir: disk}.Put(key, nil, t.TempDir()), vitrine.FaultUnwritable)
}

func TestPlaceThatIsNoFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o644))
	_, err := Create(file, header())
	wantFault(t, "create", err, vitrine.FaultUnwritable)
	_, err = Create(filepath.Join(file, "run"), header())
	wantFault(t, "create below", err, vitrine.FaultUnwritable)
	err = cache.Results{Dir: file}.Put(key, "a", "")
	wantFault(t, "cache", err, vitrine.FaultUnwritable)
	if fix := vitrine.AsFault("x", err).Fix; !strings.Contains(fix, "--cache-dir") {
		t.Errorf("the fix for the cache is %q", fix)
	}
}
