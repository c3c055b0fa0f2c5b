package parse

import (
	"strings"

	"vitrine"
)

// homePrefix is the work folder that in-browser builders show to their models,
// who then write absolute paths below it.
const homePrefix = "/home/project/"

// cleanPath turns a path that a model wrote into a relative, slash-separated,
// clean path inside the work folder. A path for which there is none is refused,
// and why is the code of the note to write. It touches no file system.
func cleanPath(raw string) (clean string, why vitrine.PathFault) {
	p := strings.TrimSpace(raw)
	switch {
	case p == "" || !vitrine.Printable(p):
		return "", vitrine.PathInvalid
	case vitrine.HasDrive(p) || strings.HasPrefix(p, `\\`):
		return "", vitrine.PathOutside
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
				return "", vitrine.PathOutside
			}
			segments = segments[:len(segments)-1]
		default:
			segments = append(segments, last)
		}
	}
	if last == "" || last == "." || last == ".." {
		return "", vitrine.PathInvalid // a folder
	}
	clean = strings.Join(segments, "/")
	if why = vitrine.CheckPath(clean); why != "" {
		return "", why
	}
	return clean, ""
}

// isAbsolute tells a path that was made relative, other than by the work folder
// that builders show.
func isAbsolute(raw string) bool {
	p := strings.TrimSpace(raw)
	return (strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`)) && !strings.HasPrefix(p, homePrefix)
}

// pathNotes says in a sentence why a path was refused.
var pathNotes = map[vitrine.PathFault]string{
	vitrine.PathInvalid: "%s does not name a file; it was left out",
	vitrine.PathOutside: "%s leaves the work folder; it was left out",
	vitrine.PathTooLong: "%s is too long for a file system; it was left out",
	vitrine.PathRefused: "%s lies in a folder that no output may write; it was left out",
}
