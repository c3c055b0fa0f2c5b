package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/disk"
)

// Folder is where the data of a benchmark is kept, in the cache folder.
func Folder(cacheDir string, info Info) string { return filepath.Join(cacheDir, "bench", info.Name) }

// Where says how a person gets the data.
func (i Info) Where() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is not here. Its data is the work of others (%s, licence: %s) and is not part of Vitrine.\n", i.Title, i.Source, i.Licence)
	fmt.Fprintf(&b, "Get it from its authors, such as by\n\n    git clone %s DIR", i.Source)
	if i.Commit != "" {
		fmt.Fprintf(&b, " && git -C DIR checkout %s", i.Commit)
	}
	fmt.Fprintf(&b, "\n    vitrine bench pull %s --from DIR\n\nWanted of it:\n", i.Name)
	for _, d := range i.Data {
		fmt.Fprintf(&b, "    %s", d.Path)
		if d.Files > 0 {
			fmt.Fprintf(&b, "  (%d files)", d.Files)
		}
		if d.SHA256 != "" {
			fmt.Fprintf(&b, "  sha256 %s", d.SHA256)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Pull copies the data of a benchmark out of a folder into the cache, if it is what the
// benchmark was published with. Nothing is kept of data whose hash is another. It returns
// the folder.
func Pull(b Benchmark, from, cacheDir string) (string, error) {
	info := b.Info()
	to := Folder(cacheDir, info)
	fresh := to + ".new"
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(fresh, 0o755)); err != nil {
		return "", disk.Fault(err)
	}
	defer os.RemoveAll(fresh)
	for _, d := range info.Data {
		if err := d.copy(os.DirFS(from), fresh); err != nil {
			return "", err
		}
		hash, files, err := d.hash(os.DirFS(fresh))
		if err != nil {
			return "", err
		}
		if d.Files > 0 && files != d.Files || d.SHA256 != "" && hash != d.SHA256 {
			return "", vitrine.NewFault("command", vitrine.FaultUsage, fmt.Errorf("wanted sha256 %s, found %s in %d files", d.SHA256, hash, files),
				fmt.Sprintf("%s in %s is not what %s was published with", d.Path, from, info.Title)).
				WithFix(fmt.Sprintf("check out commit %s of %s; to measure on other data, name it: vitrine bench run %s --data FILE", info.Commit, info.Source, info.Name))
		}
	}
	if _, err := b.Tasks(os.DirFS(fresh)); err != nil {
		return "", err
	}
	if err := errors.Join(os.RemoveAll(to), os.Rename(fresh, to)); err != nil {
		return "", disk.Fault(err)
	}
	return to, nil
}

// copy copies the data out of a source, which may hold it by its path or by its name.
func (d Data) copy(source fs.FS, to string) error {
	at := d.Path
	if _, err := fs.Stat(source, at); err != nil {
		at = d.Name
	}
	info, err := fs.Stat(source, at)
	if err != nil {
		return vitrine.NewFault("command", vitrine.FaultUsage, err, "the folder has no "+d.Path).WithFix("name the folder of a whole clone with --from")
	}
	if !info.IsDir() {
		return copyFile(source, at, filepath.Join(to, d.Name))
	}
	return fs.WalkDir(source, at, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		return copyFile(source, name, filepath.Join(to, d.Name, strings.TrimPrefix(name, at)))
	})
}

func copyFile(source fs.FS, name, to string) error {
	content, err := fs.ReadFile(source, name)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, content, 0o644)
	}
	return disk.Fault(err)
}

// hash is that of a file, or of the sorted lines "path sha256" of a folder.
func (d Data) hash(data fs.FS) (sum string, files int, err error) {
	if d.Files == 0 {
		sum, err = hashFile(data, d.Name)
		return sum, 1, err
	}
	var lines []string
	err = fs.WalkDir(data, d.Name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		sum, err := hashFile(data, name)
		lines = append(lines, strings.TrimPrefix(name, d.Name+"/")+" "+sum+"\n")
		return err
	})
	slices.Sort(lines)
	all := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(all[:]), len(lines), err
}

func hashFile(data fs.FS, name string) (string, error) {
	f, err := data.Open(name)
	if err != nil {
		return "", disk.Fault(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", disk.Fault(err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Loaded are the tasks of a benchmark with where they are from.
type Loaded struct {
	Tasks []vitrine.Task
	// Verified says that the data is what the benchmark was published with.
	Verified bool
	Hash     string // of all data
	Dir      string // where it lies; a file of a person's own has none
}

// Load reads the data that was pulled, or, where one is named, a file or folder of a
// person's own, such as a part of the data, which is not verified.
func Load(b Benchmark, own, cacheDir string) (l Loaded, err error) {
	info := b.Info()
	l.Dir = Folder(cacheDir, info)
	data := os.DirFS(l.Dir)
	if own != "" {
		if data, err = ownData(info, own); err != nil {
			return l, err
		}
		l.Dir = own
	}
	var hashes []string
	l.Verified = true
	for _, d := range info.Data {
		hash, files, err := d.hash(data)
		if err != nil && own == "" {
			return l, usage(info.Title+" is not here", "vitrine bench pull "+info.Name+" says where to get it")
		}
		if err != nil {
			return l, vitrine.NewFault("command", vitrine.FaultUsage, err, own+" has no "+d.Name).WithFix("name the file or folder of " + info.Title + " with --data")
		}
		l.Verified = l.Verified && d.SHA256 != "" && hash == d.SHA256 && (d.Files == 0 || files == d.Files)
		hashes = append(hashes, hash)
	}
	l.Hash = strings.Join(hashes, " ")
	l.Tasks, err = b.Tasks(data)
	if err == nil && len(l.Tasks) == 0 {
		err = usage("the data of "+info.Title+" holds no task", "vitrine bench pull "+info.Name+" says what it must be")
	}
	return l, err
}

// ownData shows a file under the name that the benchmark reads, or a folder as it is.
func ownData(info Info, own string) (fs.FS, error) {
	stat, err := os.Stat(own)
	if err != nil {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, err, "--data: there is no "+own).WithFix("name the file or folder of " + info.Title)
	}
	if stat.IsDir() {
		return os.DirFS(own), nil
	}
	return oneFile{own, info.Data[0].Name}, nil
}

// oneFile is a file system of one file.
type oneFile struct{ at, name string }

// Open implements [fs.FS].
func (f oneFile) Open(name string) (fs.File, error) {
	if path.Clean(name) != f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return os.Open(f.at)
}
