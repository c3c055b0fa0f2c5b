// Package pictures finds the picture of a row of a data set: what vitrine score saw of the
// sample of the same id, or what a field of the row names, such as a plot.
package pictures

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/disk"
	"vitrine/internal/evidence"
	"vitrine/internal/inputs"
	"vitrine/internal/runs"
)

// Pictures are those of the rows of one data set. It is not safe for concurrent use.
type Pictures struct {
	folder *os.Root
	seen   map[string]string // by id, the evidence folder of a scored sample
}

// A Picture is two files: what was seen, and a smaller one of it, the same where there is none.
type Picture struct{ File, Thumb string }

// Open takes the folder in which pictures that rows name lie, and run folders of vitrine
// score. Close it.
func Open(folder string, runDirs []string) (*Pictures, error) {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		folder = filepath.Dir(folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, disk.Fault(err)
	}
	p := &Pictures{folder: root, seen: map[string]string{}}
	for _, dir := range runDirs {
		_, samples, err := runs.Read(dir)
		if err != nil {
			_ = root.Close()
			return nil, err
		}
		for _, s := range runs.Newest(samples) {
			if at := filepath.FromSlash(s.Evidence); s.Evidence != "" && filepath.IsLocal(at) {
				p.seen[s.ID] = filepath.Join(dir, at)
			}
		}
	}
	return p, nil
}

// Close gives the folder back.
func (p *Pictures) Close() error { return p.folder.Close() }

// Of is the picture of a row; none where there is none that can be read.
func (p *Pictures) Of(r inputs.Record) (Picture, bool) {
	if dir, ok := p.seen[r.ID]; ok {
		if found, ok := seen(dir); ok {
			return found, true
		}
	}
	var o map[string]any
	if json.Unmarshal(r.Row, &o) != nil {
		return Picture{}, false
	}
	for _, field := range slices.Sorted(maps.Keys(o)) {
		if name, ok := o[field].(string); ok && p.has(name) {
			file := filepath.Join(p.folder.Name(), filepath.FromSlash(name))
			return Picture{file, file}, true
		}
	}
	return Picture{}, false
}

// has reports whether a text names a picture below the folder.
func (p *Pictures) has(name string) bool {
	if len(name) > 1000 || !slices.Contains([]string{".png", ".jpg", ".jpeg", ".webp"}, strings.ToLower(path.Ext(name))) {
		return false
	}
	info, err := p.folder.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

// seen is the first frame of the first view of an evidence folder.
func seen(dir string) (Picture, bool) {
	ev, err := evidence.Load(dir)
	if err != nil || len(ev.Views) == 0 || len(ev.Views[0].Frames) == 0 {
		return Picture{}, false
	}
	file, thumb := ev.Views[0].Frames[0].File, ev.Views[0].Thumb
	found := Picture{filepath.Join(dir, filepath.FromSlash(file)), filepath.Join(dir, filepath.FromSlash(cmp.Or(thumb, file)))}
	return found, filepath.IsLocal(filepath.FromSlash(file)) && filepath.IsLocal(filepath.FromSlash(cmp.Or(thumb, file)))
}
