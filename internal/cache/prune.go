package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// PruneSettings say what to remove from a cache folder. The age, size and All each select
// items.
type PruneSettings struct {
	OlderThan time.Duration // removes items that were not used for this long; 0 selects none
	MaxBytes  int64         // removes the least recently used items beyond this size; below 0: no bound
	All       bool
	DryRun    bool
}

// Pruned is what Prune removed, or would remove.
type Pruned struct {
	Removed []Item
	// Busy are the items that stay because a build or capture is running.
	Busy []Item
	Kept int64 // bytes that stay
}

// leftOver is the age from which an incomplete folder counts as abandoned: longer than any
// build may take.
const leftOver = 2 * time.Hour

// Prune removes the items that the settings select. It is safe while outputs are scored:
// results are removed atomically, and a process that misses one computes it again; sites and
// dependency sets are removed only while no process holds the folder, a site always after
// the builds that refer to it. Fixtures are never removed.
func Prune(root string, s PruneSettings, now time.Time) (Pruned, error) {
	items, err := Inventory(root)
	if err != nil {
		return Pruned{}, err
	}
	out, away, err := s.moveAway(root, s.choose(bundle(items), now))
	for _, dir := range away {
		err = errors.Join(err, Fault(removeAll(dir)))
	}
	gone := map[string]bool{}
	for _, it := range out.Removed {
		gone[it.Path] = true
	}
	for _, it := range items {
		if !gone[it.Path] {
			out.Kept += it.Bytes
		}
	}
	return out, err
}

// moveAway moves the items to be removed into temporary folders, so that processes which
// wait for the lock do not wait until they are deleted.
func (s PruneSettings) moveAway(root string, all []*parcel) (out Pruned, away []string, err error) {
	f, alone := lock(root, syscall.LOCK_EX|syscall.LOCK_NB)
	if alone {
		defer f.Close()
	}
	c := Results{Dir: filepath.Join(root, ResultsDir)}
	for _, p := range all {
		for _, it := range p.items {
			if !alone && slices.Contains(held, it.Stage) {
				out.Busy = append(out.Busy, it)
				continue
			}
			if !s.DryRun {
				dir, failed := c.moveAway(it.Path)
				if dir != "" {
					away = append(away, dir)
				}
				if failed != nil && !errors.Is(failed, fs.ErrNotExist) { // another process may have removed it
					return out, away, failed
				}
			}
			out.Removed = append(out.Removed, it)
		}
	}
	return out, away, nil
}

// held are the stages whose items are read in place, without a copy.
var held = []string{StagePackages, StageResolved, StageSets, StageLibraries, StageSites, StageEarlier}

// A parcel has items that are removed together, in this order: a site after its builds.
type parcel struct {
	items []Item
	used  time.Time
	bytes int64
}

func (p *parcel) add(it Item) {
	p.items = append(p.items, it)
	p.bytes += it.Bytes
	if it.Used.After(p.used) {
		p.used = it.Used
	}
}

// bundle puts each site into a parcel with the builds that refer to it: the site was last
// used when one of them was.
func bundle(items []Item) []*parcel {
	var all []*parcel
	bySite := map[string]*parcel{}
	for _, it := range items {
		key := it.Site
		if it.Stage == StageSites {
			key = it.Path
		}
		p, known := bySite[key]
		if key == "" || !known {
			p = &parcel{}
			all = append(all, p)
		}
		if key != "" {
			bySite[key] = p
		}
		p.add(it) // builds come before sites in an inventory
	}
	return all
}

// choose returns the parcels to remove: abandoned ones, then the least recently used.
func (s PruneSettings) choose(all []*parcel, now time.Time) []*parcel {
	slices.SortStableFunc(all, func(a, b *parcel) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(b.bytes, a.bytes)) })
	var gone, rest []*parcel
	var total int64
	for _, p := range all {
		total += p.bytes
		switch stage := p.items[0].Stage; {
		case stage == StageEarlier, stage == StageLeft && now.Sub(p.used) > leftOver:
			gone = append(gone, p)
			total -= p.bytes
		case stage != StageLeft && stage != StageFixtures && stage != StageEmbedders:
			rest = append(rest, p)
		}
	}
	for _, p := range rest {
		if s.All || s.OlderThan > 0 && now.Sub(p.used) > s.OlderThan || s.MaxBytes >= 0 && total > s.MaxBytes {
			gone = append(gone, p)
			total -= p.bytes
		}
	}
	return gone
}
