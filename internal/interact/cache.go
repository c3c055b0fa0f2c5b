package interact

import (
	"context"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/cache"
	"vitrine/internal/disk"
)

// A Cache keeps explorations, which are functions of the site and the machine.
type Cache struct {
	Store    cache.Results // keeps nothing without a folder
	Fixtures string        // identifies what other hosts are answered with
	// Key is that of the exploration that was asked for last; empty before.
	Key cache.Key
}

// Trace is what the cache has of a site by these settings, or what explore makes of it. Its
// frames are in the driver's folder.
func (c *Cache) Trace(ctx context.Context, d *Driver, settings any, explore func(*Driver) (*vitrine.Trace, error)) (*vitrine.Trace, error) {
	if c.Store.Dir == "" {
		return explore(d)
	}
	version, err := d.Browser.Version(ctx)
	if err != nil {
		return nil, err
	}
	c.Key = cache.Key{Stage: "interact", Parts: map[string]any{
		"site": d.Site.Hash, "base": d.Site.Base, "settings": settings, "viewport": d.Viewport, "vitrine": vitrine.Version, "interact": Version,
		"browser": version, "fonts": browser.InstalledFonts().Hash, "fixtures": c.Fixtures,
	}}
	var t vitrine.Trace
	if files, ok := c.Store.Get(c.Key, &t); ok && disk.LinkTree(files, d.Dir) == nil {
		return &t, nil
	}
	return c.fill(d, explore)
}

// fill explores into a folder of its own, so that the cache keeps the frames of the trace
// alone.
func (c *Cache) fill(d *Driver, explore func(*Driver) (*vitrine.Trace, error)) (*vitrine.Trace, error) {
	scratch := filepath.Join(d.Dir, ".exploration")
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	own := *d
	own.Dir = scratch
	t, err := explore(&own)
	if err != nil {
		return nil, err
	}
	if err := disk.LinkTree(scratch, d.Dir); err != nil {
		return nil, err
	}
	if !t.Validity.Valid { // perhaps a matter of load
		return t, nil
	}
	return t, c.Store.Put(c.Key, t, scratch)
}
