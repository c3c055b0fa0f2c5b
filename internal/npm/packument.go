package npm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"vitrine/internal/disk"
)

// Until is the date on which the registry is looked at where nothing else is said,
// YYYY-MM-DD. It is moved by hand with a release of Vitrine: what a version range
// means must not depend on the day. It is later than the versions that the examples
// name.
const Until = "2026-11-21"

// Packuments are what the registry tells of packages, as of a date: later versions
// are left out. Those of a date that is past never change, and are kept.
type Packuments struct {
	Dir   string // of what is kept, one folder a date
	Until time.Time
}

// packument is what a registry tells of a package. Each version is its package.json
// with its tarball and hash.
type packument struct {
	Name     string                                `json:"name"`
	Tags     map[string]string                     `json:"dist-tags"`
	Versions map[string]map[string]json.RawMessage `json:"versions"`
	Times    map[string]any                        `json:"time,omitempty"`
}

// resolving are the fields of a version that npm resolves with.
var resolving = []string{
	"name", "version", "dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "bundleDependencies", "bundledDependencies",
	"acceptDependencies", "bin", "dist", "engines", "os", "cpu", "libc", "deprecated", "_hasShrinkwrap",
}

var packageName = regexp.MustCompile(`^(@[A-Za-z0-9~*!'()-][A-Za-z0-9~*!'()._-]*/)?[A-Za-z0-9~*!'()-][A-Za-z0-9~*!'()._-]*$`)

// get returns the packument of a package as npm reads it.
func (p *Packuments) get(ctx context.Context, c *client, name string) ([]byte, error) {
	if !packageName.MatchString(name) || len(name) > 214 {
		return nil, &statusError{404, name}
	}
	kept := filepath.Join(p.Dir, p.Until.Format(time.DateOnly), strings.ReplaceAll(name, "/", "%2f")+".json")
	if b, err := os.ReadFile(kept); err == nil {
		return b, nil
	}
	body, err := c.get(ctx, &url.URL{Path: "/" + name, RawPath: "/" + strings.ReplaceAll(name, "/", "%2f")})
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(body)
	if err = errors.Join(err, body.Close()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	var all packument
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnanswered, name, err)
	}
	dated := all.asOf(p.Until)
	b, err := json.Marshal(all)
	if err == nil && dated && p.Until.Before(time.Now()) {
		err = writeFile(kept, b)
	}
	return b, err
}

// asOf removes what was published after a date and what npm does not resolve with.
// It reports whether the registry says of every version when it was published;
// versions of an unknown date stay.
func (p *packument) asOf(until time.Time) (dated bool) {
	dated = true
	for version, fields := range p.Versions {
		text, _ := p.Times[version].(string)
		published, err := time.Parse(time.RFC3339, text)
		dated = dated && err == nil
		if err == nil && published.After(until) {
			delete(p.Versions, version)
			continue
		}
		kept := map[string]json.RawMessage{}
		for _, name := range resolving {
			if fields[name] != nil {
				kept[name] = fields[name]
			}
		}
		p.Versions[version] = kept
	}
	for tag, version := range p.Tags {
		if p.Versions[version] != nil {
			continue
		}
		delete(p.Tags, tag)
		if before := p.highest(version); before != "" {
			p.Tags[tag] = before
		}
	}
	p.Times = nil
	return dated
}

// highest is the highest version that is left and not above the bound, as npm
// chooses one for a tag whose version is too young.
func (p *packument) highest(bound string) string {
	limit, err := semver.StrictNewVersion(bound)
	if err != nil {
		return ""
	}
	var best *semver.Version
	for text := range p.Versions {
		v, err := semver.StrictNewVersion(text)
		if err != nil || v.Prerelease() != "" || v.GreaterThan(limit) {
			continue
		}
		if best == nil || cmp.Or(v.Compare(best), strings.Compare(v.Metadata(), best.Metadata())) > 0 {
			best = v
		}
	}
	if best == nil {
		return ""
	}
	return best.Original()
}

// writeFile puts a file in its place, whole or not at all.
func writeFile(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(name, content, 0o644)
}
