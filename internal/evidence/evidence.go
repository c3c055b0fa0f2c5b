// Package evidence reads and writes evidence folders: everything that a capture found out
// about a site, with the output, artifact, traces and judgements that belong to it. Later
// stages read the folder instead of opening a browser.
package evidence

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
	"maps"
	"os"
	"path/filepath"
	"slices"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/disk"
)

// The files of an evidence folder; the others are in frames/ and thumbs/.
const (
	manifestFile  = "manifest.json" // versions, settings, site, validity
	domFile       = "dom.json"      // views: text, elements, links, colors, accessibility tree
	consoleFile   = "console.jsonl"
	networkFile   = "network.jsonl"
	axeFile       = "axe.json"
	hintFile      = "hint.json"
	artifactFile  = "artifact.json" // parsed from the output
	judgementFile = "judgement.json"
	opinionsFile  = "opinions.json" // judgements of models, with every call
	outputFile    = "output.txt"    // the text of the output
	metaFile      = "output.json"   // the other fields of the output: id, model, meta
	keysFile      = "keys.json"     // cache keys by stage
)

// axeView is the part of a view that is stored in axe.json.
type axeView struct {
	Route    string              `json:"route"`
	Viewport string              `json:"viewport"`
	Ran      bool                `json:"ran"`
	Passes   int                 `json:"passes"`
	Results  []vitrine.AxeResult `json:"violations"`
}

// Save writes everything but the frames, which the capture has written. Existing files
// are replaced and not changed in place, since the cache may share them.
func Save(dir string, ev *vitrine.Evidence) error {
	views := make([]vitrine.View, len(ev.Views))
	axe := make([]axeView, len(ev.Views))
	for i, v := range ev.Views {
		axe[i] = axeView{v.Route, v.Viewport.Name, v.AxeRan, v.AxePasses, v.Axe}
		v.Axe, v.AxeRan, v.AxePasses = nil, false, 0
		views[i] = v
	}
	return errors.Join(
		SaveManifest(dir, ev),
		disk.WriteJSON(filepath.Join(dir, domFile), views),
		disk.WriteJSON(filepath.Join(dir, axeFile), axe),
		writeLines(dir, consoleFile, ev.Console),
		writeLines(dir, networkFile, ev.Requests),
	)
}

// SaveManifest writes the files that differ between samples with the same site:
// how the site was built, the instruction, and what HTMLHint found. A folder that came
// from the cache has the others.
func SaveManifest(dir string, ev *vitrine.Evidence) error {
	manifest := *ev
	manifest.Views, manifest.Console, manifest.Requests = nil, nil, nil
	manifest.Hint = vitrine.Hint{}
	return errors.Join(disk.WriteJSON(filepath.Join(dir, manifestFile), manifest), disk.WriteJSON(filepath.Join(dir, hintFile), ev.Hint))
}

// ContentHash identifies what was captured: equal hashes give equal judgements, however
// the site was built.
func ContentHash(dir string, ev *vitrine.Evidence) (string, error) {
	sum := sha256.New()
	for _, name := range []string{domFile, axeFile, consoleFile, networkFile} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", disk.Fault(err)
		}
		fmt.Fprintf(sum, "%s %d ", name, len(b))
		sum.Write(b)
	}
	b, err := json.Marshal(ev.Validity)
	sum.Write(b)
	return hex.EncodeToString(sum.Sum(nil)[:16]), err
}

// Load reads an evidence folder. A folder of a newer schema is refused; the error of an
// incomplete one names the missing file.
func Load(dir string) (*vitrine.Evidence, error) {
	if err := CheckSchema(dir, manifestFile); err != nil {
		return nil, notEvidence(dir, err)
	}
	var ev vitrine.Evidence
	var axe []axeView
	err := errors.Join(
		disk.ReadJSON(filepath.Join(dir, manifestFile), &ev),
		disk.ReadJSON(filepath.Join(dir, domFile), &ev.Views), disk.ReadJSON(filepath.Join(dir, axeFile), &axe), disk.ReadJSON(filepath.Join(dir, hintFile), &ev.Hint),
		readLines(dir, consoleFile, &ev.Console), readLines(dir, networkFile, &ev.Requests),
	)
	if err == nil && len(axe) != len(ev.Views) {
		err = fmt.Errorf("%s has %d views, %s has %d", axeFile, len(axe), domFile, len(ev.Views))
	}
	if err != nil {
		return nil, notEvidence(dir, err)
	}
	for i := range ev.Views {
		ev.Views[i].AxeRan, ev.Views[i].AxePasses, ev.Views[i].Axe = axe[i].Ran, axe[i].Passes, axe[i].Results
	}
	return &ev, nil
}

// CheckSchema refuses a file of a newer schema before the other files are read, whose
// format may be different.
func CheckSchema(dir, name string) error {
	var made struct {
		Schema int    `json:"schema"`
		Tool   string `json:"tool"`
	}
	if err := disk.ReadJSON(filepath.Join(dir, name), &made); err != nil {
		return err
	}
	switch {
	case made.Schema > vitrine.EvidenceSchema:
		return vitrine.NewFault("store", vitrine.FaultUsage, nil, fmt.Sprintf("%s was made by Vitrine %s with schema %d; this is Vitrine %s with schema %d",
			dir, made.Tool, made.Schema, vitrine.Version, vitrine.EvidenceSchema)).WithFix("use a newer Vitrine")
	case made.Schema < 1:
		return fmt.Errorf("read %s: it has no schema", name)
	}
	return nil
}

func notEvidence(dir string, err error) error {
	var newer *vitrine.Fault
	if errors.As(err, &newer) {
		return err
	}
	return vitrine.NewFault("store", vitrine.FaultUsage, err, dir+" is not a complete evidence folder").
		WithFix("name a folder made by vitrine score or vitrine render, such as .vitrine/runs/…/evidence/ID")
}

// SaveArtifact saves the artifact and the text of the output with the evidence, so that a
// site can be judged again and its source shown.
func SaveArtifact(dir string, a *vitrine.Artifact, output string) error {
	return errors.Join(disk.WriteJSON(filepath.Join(dir, artifactFile), a), disk.Fault(disk.WriteFile(filepath.Join(dir, outputFile), []byte(output), 0o644)))
}

// LoadArtifact reads the artifact that SaveArtifact saved.
func LoadArtifact(dir string) (*vitrine.Artifact, error) {
	var a vitrine.Artifact
	return &a, disk.ReadJSON(filepath.Join(dir, artifactFile), &a)
}

// SaveOutput saves all of the output except its text.
func SaveOutput(dir string, o vitrine.Output) error {
	o.Text = ""
	return disk.WriteJSON(filepath.Join(dir, metaFile), o)
}

// LoadOutput reads the output that SaveArtifact and SaveOutput saved.
func LoadOutput(dir string) (vitrine.Output, error) {
	var o vitrine.Output
	if err := disk.ReadJSON(filepath.Join(dir, metaFile), &o); err != nil {
		return o, err
	}
	b, err := os.ReadFile(filepath.Join(dir, outputFile))
	o.Text = string(b)
	return o, err
}

// SaveJudgement saves a judgement with its evidence.
func SaveJudgement(dir string, j *vitrine.Judgement) error {
	return disk.WriteJSON(filepath.Join(dir, judgementFile), j)
}

// LoadJudgement reads what SaveJudgement saved.
func LoadJudgement(dir string) (*vitrine.Judgement, error) {
	var j vitrine.Judgement
	return &j, disk.ReadJSON(filepath.Join(dir, judgementFile), &j)
}

// SaveOpinions saves the judgements of models, with every call; without any it writes
// nothing.
func SaveOpinions(dir string, opinions []vitrine.Judgement) error {
	if len(opinions) == 0 {
		return nil
	}
	return disk.WriteJSON(filepath.Join(dir, opinionsFile), opinions)
}

// LoadOpinions reads what SaveOpinions saved; nil if it wrote nothing.
func LoadOpinions(dir string) (opinions []vitrine.Judgement, err error) {
	err = disk.ReadJSON(filepath.Join(dir, opinionsFile), &opinions)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return opinions, err
}

// SaveKeys saves the cache keys that were looked up for this evidence, so that
// vitrine cache why can explain why an answer was missing.
func SaveKeys(dir string, keys []cache.Key) error {
	asked := map[string]map[string]any{}
	for _, k := range keys {
		asked[k.Stage] = k.Parts
	}
	return disk.WriteJSON(filepath.Join(dir, keysFile), asked)
}

// LoadKeys reads what SaveKeys saved.
func LoadKeys(dir string) ([]cache.Key, error) {
	var asked map[string]map[string]any
	err := disk.ReadJSON(filepath.Join(dir, keysFile), &asked)
	var keys []cache.Key
	for _, stage := range slices.Sorted(maps.Keys(asked)) {
		keys = append(keys, cache.Key{Stage: stage, Parts: asked[stage]})
	}
	return keys, err
}

func writeLines[T any](dir, name string, rows []T) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return disk.Fault(disk.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o644))
}

func readLines[T any](dir, name string, rows *[]T) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	dec := json.NewDecoder(bufio.NewReader(f))
	for {
		var r T
		if err := dec.Decode(&r); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		*rows = append(*rows, r)
	}
}
