package cache

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/disk"
)

// A NearMiss is the entry of the cache that differs least from a key that was not found.
type NearMiss struct {
	Made        time.Time    `json:"made"`
	Differences []Difference `json:"differences"`
}

// A Difference is one part of a key that was wanted and what the kept entry has
// there, as JSON; empty where one of them lacks the part.
type Difference struct {
	Part   string `json:"part"`
	Wanted string `json:"wanted"`
	Kept   string `json:"kept"`
}

// Nearest finds, of the other entries made before a time that are about the same
// subject, the one with the fewest differences. The subject is a part of the key;
// if it is a table, such as that of a project's files, at least half of its rows
// must be the same.
func (c Results) Nearest(k Key, subject string, before time.Time) (nearest NearMiss, found bool, err error) {
	wanted, err := flatParts(k.Parts)
	if err != nil {
		return nearest, false, err
	}
	err = each(filepath.Join(c.Dir, k.Stage, "??", "*"), func(path string) {
		r, err := readRecord(path)
		if err != nil || path == c.entry(k) || r.Made.After(before) {
			return
		}
		kept, err := flatParts(r.Parts)
		if err != nil || !sameSubject(wanted, kept, subject) {
			return
		}
		differences := differ(wanted, kept)
		if !found || len(differences) < len(nearest.Differences) {
			nearest, found = NearMiss{r.Made, differences}, true
		}
	})
	return nearest, found, disk.Fault(err)
}

// flatParts gives each part of a key as JSON; a table gives one for each row,
// named part.row.
func flatParts[T any](parts map[string]T) (map[string]string, error) {
	flat := map[string]string{}
	b, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, err
	}
	for name, part := range raw {
		var table map[string]json.RawMessage
		if json.Unmarshal(part, &table) != nil {
			flat[name] = canonical(part)
			continue
		}
		for row, value := range table {
			flat[name+"."+row] = canonical(value)
		}
	}
	return flat, nil
}

// canonical writes JSON with its keys in order, whatever type it came from.
func canonical(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	b, _ := json.Marshal(v) // what was read can be written
	return string(b)
}

func sameSubject(wanted, kept map[string]string, subject string) bool {
	if value, plain := wanted[subject]; plain {
		return kept[subject] == value
	}
	same, all := 0, 0
	for name, value := range wanted {
		if len(name) > len(subject) && name[:len(subject)+1] == subject+"." {
			all++
			if kept[name] == value {
				same++
			}
		}
	}
	return 2*same >= all
}

func differ(wanted, kept map[string]string) []Difference {
	names := maps.Clone(wanted)
	maps.Copy(names, kept)
	all := []Difference{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if wanted[name] != kept[name] {
			all = append(all, Difference{name, wanted[name], kept[name]})
		}
	}
	return all
}
