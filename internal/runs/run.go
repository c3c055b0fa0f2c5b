// Package runs keeps run folders: the header, one line a sample and the evidence of each.
// Whatever is finished is on disk before it is reported, and nothing half-written is ever
// taken for finished.
package runs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/evidence"
)

const (
	headerFile  = "run.json"
	samplesFile = "samples.jsonl"
	evidenceDir = "evidence"
)

// A Header describes a run: enough to resume it, and to refuse to resume it with other
// settings.
type Header struct {
	Schema   int        `json:"schema"`
	Tool     string     `json:"tool"`
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished,omitempty"`
	Input    string     `json:"input"`
	Recipe   string     `json:"recipe"`
	// Profile is by which models judge and exercise.
	Profile vitrine.Profile `json:"profile"`
	// RecipeSpec is the whole recipe that was used.
	RecipeSpec json.RawMessage         `json:"recipe_spec"`
	Judge      string                  `json:"judge"`
	Interact   string                  `json:"interact"`
	Policy     string                  `json:"policy,omitempty"` // the model that writes the outputs, if vitrine refine made the run
	Capture    vitrine.CaptureSettings `json:"capture"`
	Browser    string                  `json:"browser,omitempty"`
	// Provenance is all that can change a reward: a run is resumed only under an equal one.
	Provenance vitrine.Provenance `json:"provenance"`
	// InputErrors are lines of the input that could not be read.
	InputErrors []InputError `json:"input_errors,omitempty"`
}

// An InputError is one line of the input that is not a sample.
type InputError struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// A Run is a run folder that is open for adding samples. It is safe for concurrent use by
// the goroutines of one process; other processes are refused until Close or its end.
type Run struct {
	Dir    string
	Header Header

	mu   sync.Mutex // guards file and size: lines are written one at a time
	file *os.File
	size int64 // of the complete lines in file, in bytes
}

// Create makes a run folder. The folder may exist, but not hold a run.
func Create(dir string, h Header) (*Run, error) {
	if err := os.MkdirAll(filepath.Join(dir, evidenceDir), 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	h.Schema, h.Tool = vitrine.EvidenceSchema, vitrine.Version
	r := &Run{Dir: dir, Header: h}
	if err := r.open(); err != nil {
		return nil, err
	}
	_, err := os.Stat(filepath.Join(dir, headerFile))
	if err == nil || r.size > 0 {
		err = vitrine.NewFault("store", vitrine.FaultUsage, nil, dir+" already holds a run").
			WithFix("continue it with --resume, or choose another folder with --out DIR")
	} else {
		err = r.SaveHeader()
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Resume opens a run folder again and returns the newest line of each sample. A
// incomplete last line, as a killed process leaves it, is cut off. A run of another
// provenance is refused, since its samples could not be compared with new ones; the error
// says what differs.
func Resume(dir string, by vitrine.Provenance) (*Run, map[string]vitrine.Sample, error) {
	h, err := readHeader(dir) // before anything is created in dir
	if err != nil {
		return nil, nil, err
	}
	if d := h.Provenance.Differences(by); len(d) > 0 {
		return nil, nil, vitrine.NewFault("store", vitrine.FaultUsage, nil, dir+" was made with another "+strings.Join(d, ", another ")+"; its samples would not compare").
			WithFix("resume with the same flags and files on the same machine, or start a new run with another --out")
	}
	if err := os.MkdirAll(filepath.Join(dir, evidenceDir), 0o755); err != nil {
		return nil, nil, disk.Fault(err)
	}
	r := &Run{Dir: dir}
	if err := r.open(); err != nil {
		return nil, nil, err
	}
	done, err := r.resume()
	if err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return r, done, nil
}

// resume reads the samples of a run that this process has locked, and cuts off an
// incomplete last line.
func (r *Run) resume() (map[string]vitrine.Sample, error) {
	var samples []vitrine.Sample
	var err error
	if r.Header, samples, err = Read(r.Dir); err != nil {
		return nil, err
	}
	done := map[string]vitrine.Sample{}
	for _, s := range samples {
		done[s.ID] = s
	}
	return done, disk.Fault(r.cutTornLine())
}

// open opens the file of samples and locks it. The kernel releases the lock however the
// process ends.
func (r *Run) open() (err error) {
	r.file, err = os.OpenFile(filepath.Join(r.Dir, samplesFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return disk.Fault(err)
	}
	if err := disk.Lock(r.file, syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) { // not every file system has locks
		_ = r.file.Close()
		return vitrine.NewFault("store", vitrine.FaultUsage, nil, "another process is adding to the run in "+r.Dir).
			WithFix("wait until it has ended, or stop it; or choose another folder with --out DIR")
	}
	r.size, err = r.file.Seek(0, io.SeekEnd)
	return disk.Fault(err)
}

// Append adds a finished sample. When it returns, the operating system has the line, which
// survives the end of this process. On an error no part of the line is left in the file.
func (r *Run) Append(s vitrine.Sample) error {
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("sample %s: %w", s.ID, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n, err := r.file.Write(append(line, '\n'))
	if err != nil {
		return disk.Fault(errors.Join(err, r.file.Truncate(r.size)))
	}
	r.size += int64(n)
	return nil
}

// SaveHeader writes run.json.
func (r *Run) SaveHeader() error {
	b, err := json.MarshalIndent(r.Header, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", headerFile, err)
	}
	return disk.Fault(disk.WriteFile(filepath.Join(r.Dir, headerFile), append(b, '\n'), 0o644))
}

// Finish records in run.json when the run was completed.
func (r *Run) Finish() error {
	now := time.Now().UTC()
	r.Header.Finished = &now
	return r.SaveHeader()
}

// Put writes a file of the run folder atomically, in place of an older one. Errors are
// faults.
func (r *Run) Put(name string, content []byte) error {
	return disk.Fault(disk.WriteFile(filepath.Join(r.Dir, name), content, 0o644))
}

// Close unlocks the run.
func (r *Run) Close() error {
	_ = disk.Lock(r.file, syscall.LOCK_UN) // a child between fork and exec may hold the file a moment longer
	return r.file.Close()
}

// NewEvidence makes an empty folder to gather evidence in, which KeepEvidence moves into
// place.
func (r *Run) NewEvidence() (string, error) {
	dir, err := os.MkdirTemp(filepath.Join(r.Dir, evidenceDir), ".tmp-")
	if err != nil {
		return "", disk.Fault(err)
	}
	return dir, disk.Fault(os.Chmod(dir, 0o755))
}

// KeepEvidence moves a complete evidence folder into place, instead of that of an earlier
// attempt, and returns its name relative to the run.
func (r *Run) KeepEvidence(dir, id string) (string, error) {
	name := filepath.Join(evidenceDir, FolderName(id))
	final := filepath.Join(r.Dir, name)
	if err := os.RemoveAll(final); err != nil {
		return "", disk.Fault(err)
	}
	return filepath.ToSlash(name), disk.Fault(os.Rename(dir, final))
}

// Sweep removes the incomplete evidence folders of an interrupted run.
func (r *Run) Sweep() error {
	left, err := filepath.Glob(filepath.Join(r.Dir, evidenceDir, ".tmp-*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return disk.Fault(err)
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

// FolderName is the name of a sample's folder: its id if that is a plain file name, else
// a readable part of the id, "~" and a hash. Two ids never share a name, since a plain
// name has no "~".
func FolderName(id string) string {
	if plainName.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	readable := strings.Trim(strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, id[:min(len(id), 40)]), "_-")
	if readable == "" {
		readable = "sample"
	}
	return readable + "~" + hex.EncodeToString(sum[:6])
}

// Read reads a run folder: its header and every line, oldest first. An incomplete last
// line is left out.
func Read(dir string) (Header, []vitrine.Sample, error) {
	h, err := readHeader(dir)
	if err != nil {
		return h, nil, err
	}
	f, err := os.Open(filepath.Join(dir, samplesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil, nil // the run ended before its first sample
	}
	if err != nil {
		return h, nil, disk.Fault(err)
	}
	defer f.Close()
	var samples []vitrine.Sample
	br := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err == io.EOF {
			return h, samples, nil
		}
		if err != nil {
			return h, nil, disk.Fault(err)
		}
		var s vitrine.Sample
		if err := json.Unmarshal(line, &s); err != nil {
			return h, nil, vitrine.NewFault("store", vitrine.FaultUsage, err, fmt.Sprintf("%s line %d is not a sample", filepath.Join(dir, samplesFile), n))
		}
		samples = append(samples, s)
	}
}

func readHeader(dir string) (h Header, err error) {
	if err = evidence.CheckSchema(dir, headerFile); err == nil {
		err = disk.ReadJSON(filepath.Join(dir, headerFile), &h)
	}
	var newer *vitrine.Fault
	if err == nil || errors.As(err, &newer) {
		return h, err
	}
	return h, vitrine.NewFault("store", vitrine.FaultUsage, err, dir+" is not a run folder").
		WithFix("name a folder made by vitrine score, such as one under .vitrine/runs/")
}

// Newest returns the last line of each sample, in the order of the first lines.
func Newest(samples []vitrine.Sample) []vitrine.Sample {
	at := map[string]int{}
	var out []vitrine.Sample
	for _, s := range samples {
		if i, ok := at[s.ID]; ok {
			out[i] = s
			continue
		}
		at[s.ID] = len(out)
		out = append(out, s)
	}
	return out
}

func (r *Run) cutTornLine() error {
	b, err := os.ReadFile(filepath.Join(r.Dir, samplesFile))
	if err != nil {
		return err
	}
	r.size = int64(bytes.LastIndexByte(b, '\n') + 1)
	return r.file.Truncate(r.size)
}

// Latest finds the run of an input that was started last, in the folders of root. An
// empty input stands for any.
func Latest(root, input string) (string, error) {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", disk.Fault(err)
	}
	newest, started := "", time.Time{}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		h, err := readHeader(dir)
		if err == nil && h.Started.After(started) && (input == "" || filepath.Base(h.Input) == filepath.Base(input)) {
			newest, started = dir, h.Started
		}
	}
	switch {
	case newest != "":
		return newest, nil
	case input != "":
		return "", vitrine.NewFault("store", vitrine.FaultUsage, nil, fmt.Sprintf("there is no run of %s under %s", input, root)).WithFix("name the run folder with --out DIR")
	}
	return "", vitrine.NewFault("store", vitrine.FaultUsage, nil, "there is no run under "+root).WithFix("score something first: vitrine score FILE.jsonl")
}
