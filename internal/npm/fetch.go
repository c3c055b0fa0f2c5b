package npm

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// parallel is how many packages are fetched at once.
const parallel = 16

// Pin fetches the packages of a tree that have no hash, or only a weak one, and gives
// the tree its final hash.
func (s *Store) Pin(ctx context.Context, t *Tree) error {
	c := s.Registry.open()
	defer c.close()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	left := s.allowance()
	for i := range t.Packages {
		p := &t.Packages[i]
		if p.Bundled || p.Integrity != "" {
			continue
		}
		group.Go(func() error {
			integrity, found, err := s.fetch(ctx, c, *p)
			p.Integrity = integrity
			return errors.Join(err, left.take(found))
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t.seal()
	return nil
}

// fetch brings a package into the store and returns its hash, which it holds against
// what is known of it.
func (s *Store) fetch(ctx context.Context, c *client, p Package) (integrity string, found contents, err error) {
	w, err := NewWork(filepath.Join(s.Dir, workDir), "package-")
	if err != nil {
		return "", found, err
	}
	defer w.Discard()
	files := filepath.Join(w.Path, filesDir)
	if err := os.Mkdir(files, 0o755); err != nil {
		return "", found, err
	}
	body, err := c.get(ctx, p.address())
	if err != nil {
		return "", found, fmt.Errorf("%s@%s: %w", p.Name, p.Version, err)
	}
	defer body.Close()
	sums := newDigests()
	found, err = unpack(io.TeeReader(body, sums), files)
	_, drained := io.Copy(sums, body) // what lies behind the archive, too
	switch {
	case drained != nil:
		return "", found, fmt.Errorf("%s@%s: %w: %w", p.Name, p.Version, ErrUnanswered, drained)
	case !sums.match(cmp.Or(p.Integrity, p.Claim)):
		return "", found, &WrongHashError{p}
	case err != nil:
		return "", found, fmt.Errorf("%s@%s: %w", p.Name, p.Version, err)
	}
	return sums.integrity(), found, s.keep(w, sums.integrity(), found)
}

// A WrongHashError says that a tarball is not what the lock file, or the registry
// itself, says of it.
type WrongHashError struct{ Package Package }

func (e *WrongHashError) Error() string {
	return fmt.Sprintf("%s@%s: the tarball does not have the hash %.100q", e.Package.Name, e.Package.Version, cmp.Or(e.Package.Integrity, e.Package.Claim))
}

// keep moves an unpacked package to its place.
func (s *Store) keep(w Work, integrity string, found contents) error {
	b, err := json.Marshal(found)
	if err == nil {
		err = os.WriteFile(filepath.Join(w.Path, contentsFile), b, 0o444)
	}
	dir, failed := s.folder(integrity)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return moveInto(w.Path, dir)
}

// address is the path of a package's tarball in the registry.
func (p Package) address() *url.URL {
	if u, err := url.Parse(p.Resolved); err == nil && u.Path != "" && u.Host != "" {
		return &url.URL{Path: u.Path, RawPath: u.RawPath}
	}
	return &url.URL{Path: "/" + p.Name + "/-/" + path.Base(p.Name) + "-" + p.Version + ".tgz"}
}

// digests hash a tarball in every way that lock files know.
type digests map[string]hash.Hash

func newDigests() digests {
	return digests{"sha512": sha512.New(), "sha384": sha512.New384(), "sha256": sha256.New(), "sha1": sha1.New()}
}

func (d digests) Write(b []byte) (int, error) {
	for _, h := range d {
		_, _ = h.Write(b)
	}
	return len(b), nil
}

func (d digests) integrity() string {
	return "sha512-" + base64.StdEncoding.EncodeToString(d["sha512"].Sum(nil))
}

// match holds the hashes against a claim, of which one of the strongest kind must
// fit, as npm does it. No claim fits all.
func (d digests) match(claim string) bool {
	for _, kind := range []string{"sha512", "sha384", "sha256", "sha1"} {
		said := false
		for one := range strings.FieldsSeq(claim) {
			sum, is := strings.CutPrefix(one, kind+"-")
			sum, _, _ = strings.Cut(sum, "?")
			if is && sum == base64.StdEncoding.EncodeToString(d[kind].Sum(nil)) {
				return true
			}
			said = said || is
		}
		if said {
			return false
		}
	}
	return strings.TrimSpace(claim) == ""
}
