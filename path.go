package vitrine

import (
	"io/fs"
	"strings"
	"unicode/utf8"
)

// Bounds of the path of a [File], in bytes: those of the usual file systems.
const (
	MaxPath    = 1024
	maxSegment = 255
)

// A PathFault is why no [File] may have a path; empty if one may.
type PathFault string

// Everything that is wrong with a path.
const (
	PathInvalid PathFault = "path_invalid"  // it names no file, or has characters that cannot be printed
	PathOutside PathFault = "path_outside"  // it is not below the work folder
	PathTooLong PathFault = "path_too_long" // for a file system
	PathRefused PathFault = "path_refused"  // it lies in a folder that no output may write
)

// CheckPath says what is wrong with a path that is to be relative, slash-separated and
// clean. It touches no file system.
func CheckPath(path string) PathFault {
	switch {
	case path == "" || path == "." || !Printable(path) || strings.Contains(path, `\`):
		return PathInvalid
	case !fs.ValidPath(path) || HasDrive(path):
		return PathOutside
	}
	for s := range strings.SplitSeq(path, "/") {
		switch {
		case len(s) > maxSegment:
			return PathTooLong
		case strings.EqualFold(s, ".git"), strings.EqualFold(s, "node_modules"):
			return PathRefused
		}
	}
	if len(path) > MaxPath {
		return PathTooLong
	}
	return ""
}

// Printable reports whether a path is of characters that can be printed: no control
// characters, and no U+FFFD, which stands for bytes that were lost.
func Printable(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsFunc(path, func(r rune) bool {
		return r < 0x20 || 0x7f <= r && r < 0xa0 || r == utf8.RuneError
	})
}

// HasDrive reports whether a path begins with a Windows drive.
func HasDrive(path string) bool {
	return len(path) >= 2 && path[1] == ':' && ('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
}
