package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vitrine"
)

// Open makes the run folder dir, or one below root named by time and input where dir is
// empty. To resume it opens dir, or the newest run of the input below root, and returns the
// newest line of each of its samples.
func Open(root, dir string, resume bool, h Header) (*Run, map[string]vitrine.Sample, error) {
	if !resume {
		if dir == "" {
			dir = NewDir(root, h.Started, h.Input)
		}
		run, err := Create(dir, h)
		return run, nil, err
	}
	if dir == "" {
		var err error
		if dir, err = Latest(root, h.Input); err != nil {
			return nil, nil, err
		}
	}
	return Resume(dir, h.Provenance)
}

// NewDir names a folder below root, that is not there yet, by time and input.
func NewDir(root string, now time.Time, input string) string {
	name := filepath.Base(input)
	if abs, err := filepath.Abs(input); err == nil {
		name = filepath.Base(abs) // of a folder that is called . or ..
	}
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if input == "-" {
		name = "stdin"
	}
	base := filepath.Join(root, now.Format("2006-01-02T15-04-05")+"_"+FolderName(name))
	dir := base
	for i := 2; ; i++ {
		if _, err := os.Stat(dir); err != nil {
			return dir
		}
		dir = base + "-" + strconv.Itoa(i)
	}
}

// SourceName names a folder after a source, so that two sources never share one: by its
// path from here, with ~ for the slashes. One from elsewhere, or with other signs in its
// path, has a part of the path's hash in its name.
func SourceName(source string) string {
	if source == "-" {
		return "stdin"
	}
	abs, err := filepath.Abs(source)
	if err != nil {
		abs = source
	}
	name := abs
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, abs); err == nil && filepath.IsLocal(rel) && rel != "." {
			name = rel
		}
	}
	name = filepath.ToSlash(name)
	parts := strings.Split(name, "/")
	plain := strings.Map(plainSign, strings.Join(parts[max(0, len(parts)-3):], "~"))
	plain = strings.Trim(plain[max(0, len(plain)-80):], "._-~")
	if plain == strings.ReplaceAll(name, "/", "~") {
		return plain
	}
	sum := sha256.Sum256([]byte(abs))
	return strings.TrimPrefix(plain+"~"+hex.EncodeToString(sum[:4]), "~")
}

// plainSign keeps what every file system takes.
func plainSign(c rune) rune {
	if c == '-' || c == '_' || c == '.' || c == '~' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		return c
	}
	return '_'
}
