package npm

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A contents is what a package unpacks to.
type contents struct {
	Files []file `json:"files"` // by path
}

type file struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Exec bool   `json:"exec,omitempty"`
	Sum  string `json:"sha256"`
}

// errUnusable is in the chain of what makes a tarball unusable, whoever fetches it.
var errUnusable = errors.New("the package cannot be unpacked")

// Bounds of one package, unpacked.
const (
	maxFiles    = 100_000
	maxUnpacked = 512 << 20
)

// unpacker writes a tarball below a folder and nowhere else, as npm would: without
// the folder around it, without links and devices.
type unpacker struct {
	root  *os.Root
	seen  map[string]file
	bytes int64
}

// unpack unpacks a tarball into a folder, which must be empty.
func unpack(tarball io.Reader, dir string) (contents, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return contents{}, err
	}
	defer root.Close()
	u := &unpacker{root: root, seen: map[string]file{}}
	if err := u.all(tarball); err != nil {
		return contents{}, err
	}
	if err := u.programs(); err != nil {
		return contents{}, err
	}
	var c contents
	for _, f := range u.seen {
		mode := fs.FileMode(0o444)
		if f.Exec {
			mode = 0o555
		}
		if err := root.Chmod(filepath.FromSlash(f.Path), mode); err != nil {
			return contents{}, err
		}
		c.Files = append(c.Files, f)
	}
	slices.SortFunc(c.Files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
	return c, nil
}

func (u *unpacker) all(tarball io.Reader) error {
	buffered := bufio.NewReader(tarball)
	var plain io.Reader = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		zip, err := gzip.NewReader(buffered)
		if err != nil {
			return fmt.Errorf("%w: %w", errUnusable, err)
		}
		plain = zip
	}
	entries := tar.NewReader(io.LimitReader(plain, maxUnpacked))
	for {
		h, err := entries.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errUnusable, err)
		}
		name, ok := entryName(h)
		if !ok {
			continue
		}
		if err := u.entry(name, h, entries); err != nil {
			return err
		}
	}
}

// entryName is where a file of a tarball belongs. What is no file and what would
// lie elsewhere is left out, as npm does.
func entryName(h *tar.Header) (string, bool) {
	if h.Typeflag != tar.TypeReg || slices.Contains(strings.Split(h.Name, "/"), "..") {
		return "", false
	}
	_, name, ok := strings.Cut(strings.TrimPrefix(path.Clean("/"+h.Name), "/"), "/")
	return name, ok && fs.ValidPath(name)
}

func (u *unpacker) entry(name string, h *tar.Header, content io.Reader) error {
	if path.Base(name) == ".gitignore" { // as npm packs it
		name = path.Join(path.Dir(name), ".npmignore")
		if _, there := u.seen[name]; there {
			return nil
		}
	}
	u.bytes += h.Size
	if len(u.seen) >= maxFiles || u.bytes > maxUnpacked {
		return fmt.Errorf("%w: more than %d files or %d MB", errUnusable, maxFiles, maxUnpacked>>20)
	}
	sum := sha256.New()
	if err := u.write(name, io.TeeReader(content, sum)); err != nil {
		return err
	}
	u.seen[name] = file{Path: name, Size: h.Size, Exec: h.Mode&0o111 != 0, Sum: hex.EncodeToString(sum.Sum(nil))}
	return nil
}

// write writes a file; a second one of the same name replaces the first. Only what
// the disk refuses is no fault of the package.
func (u *unpacker) write(name string, content io.Reader) error {
	name = filepath.FromSlash(name)
	if err := u.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return notDisk(err)
	}
	if err := u.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return notDisk(err)
	}
	f, err := u.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return notDisk(err)
	}
	_, err = io.Copy(f, content)
	return notDisk(errors.Join(err, f.Close()))
}

// notDisk marks an error as the package's, unless the disk is full.
func notDisk(err error) error {
	if err == nil || isDisk(err) {
		return err
	}
	return fmt.Errorf("%w: %w", errUnusable, err)
}

var (
	manifestPath = regexp.MustCompile(`^(?:.*/)?node_modules/(?:@[^/]+/)?[^/]+/package\.json$`)
	dosShebang   = regexp.MustCompile(`^(#![^\n]+)\r\n`)
)

// programs makes the package's programs executable, and those of the packages that
// are bundled with it, and lets their first line end as Unix does.
func (u *unpacker) programs() error {
	for _, name := range slices.Sorted(keys(u.seen)) {
		if name != "package.json" && !manifestPath.MatchString(name) {
			continue
		}
		manifest, err := u.root.ReadFile(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		for _, target := range programs(manifest) {
			if f, ok := u.seen[path.Join(path.Dir(name), target)]; ok {
				if err := u.program(f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (u *unpacker) program(f file) error {
	content, err := u.root.ReadFile(filepath.FromSlash(f.Path))
	if err != nil {
		return err
	}
	f.Exec = true
	if dosShebang.Match(content) {
		content = dosShebang.ReplaceAll(content, []byte("$1\n"))
		if err := u.write(f.Path, bytes.NewReader(content)); err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		f.Size, f.Sum = int64(len(content)), hex.EncodeToString(sum[:])
	}
	u.seen[f.Path] = f
	return nil
}

// programs are the files that a package.json names as programs, by the name under
// which they are called. Neither can lead out of a folder.
func programs(manifest []byte) map[string]string {
	var p struct {
		Name string          `json:"name"`
		Bin  json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(manifest, &p) != nil {
		return nil
	}
	named := map[string]any{}
	var one string
	var list []string
	switch {
	case json.Unmarshal(p.Bin, &one) == nil:
		named[p.Name] = one
	case json.Unmarshal(p.Bin, &list) == nil:
		for _, target := range list {
			named[path.Base(target)] = target
		}
	default:
		_ = json.Unmarshal(p.Bin, &named)
	}
	clean := map[string]string{}
	for name, target := range named {
		text, _ := target.(string)
		name = strings.TrimPrefix(path.Join("/", path.Base(strings.NewReplacer(`\`, "/", ":", "/").Replace(name))), "/")
		text = strings.TrimPrefix(path.Join("/", strings.ReplaceAll(text, `\`, "/")), "/")
		if name != "" && name != "." && text != "" {
			clean[name] = text
		}
	}
	return clean
}
