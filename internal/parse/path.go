package parse

import "strings"

// Bounds of a path, in bytes: those of the usual file systems.
const (
	maxPath    = 1024
	maxSegment = 255
)

// homePrefix is the work folder that in-browser builders show to their models,
// who then write absolute paths below it.
const homePrefix = "/home/project/"

// cleanPath turns a path that a model wrote into a relative, slash-separated,
// clean path inside the work folder. A path for which there is none is refused,
// and why is the code of the note to write. It touches no file system.
func cleanPath(raw string) (clean, why string) {
	p := strings.TrimSpace(raw)
	switch {
	case p == "" || strings.ContainsFunc(p, isUnprintable):
		return "", "path_invalid"
	case hasDrive(p) || strings.HasPrefix(p, `\\`):
		return "", "path_outside"
	}
	p = strings.ReplaceAll(p, `\`, "/")
	p = strings.TrimPrefix(p, homePrefix)
	var segments []string
	last := ""
	for last = range strings.SplitSeq(p, "/") {
		switch last {
		case "", ".":
		case "..":
			if len(segments) == 0 {
				return "", "path_outside"
			}
			segments = segments[:len(segments)-1]
		default:
			segments = append(segments, last)
		}
	}
	if last == "" || last == "." || last == ".." {
		return "", "path_invalid" // a folder
	}
	return checkSegments(segments)
}

// checkSegments refuses what no model may write, and what no file system takes.
func checkSegments(segments []string) (clean, why string) {
	for _, s := range segments {
		switch {
		case len(s) > maxSegment:
			return "", "path_too_long"
		case strings.EqualFold(s, ".git"), strings.EqualFold(s, "node_modules"):
			return "", "path_refused"
		}
	}
	clean = strings.Join(segments, "/")
	if len(clean) > maxPath {
		return "", "path_too_long"
	}
	return clean, ""
}

// isAbsolute tells a path that was made relative, other than by the work folder
// that builders show.
func isAbsolute(raw string) bool {
	p := strings.TrimSpace(raw)
	return (strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`)) && !strings.HasPrefix(p, homePrefix)
}

// hasDrive tells a path on a Windows drive.
func hasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && isLetter(p[0])
}

// isUnprintable tells control characters, and U+FFFD, which stands for bytes
// that were lost.
func isUnprintable(r rune) bool {
	return r < 0x20 || 0x7f <= r && r < 0xa0 || r == '\ufffd'
}

// pathNotes says in a sentence why a path was refused.
var pathNotes = map[string]string{
	"path_invalid":  "%s does not name a file; it was left out",
	"path_outside":  "%s leaves the work folder; it was left out",
	"path_too_long": "%s is too long for a file system; it was left out",
	"path_refused":  "%s lies in a folder that no output may write; it was left out",
}
