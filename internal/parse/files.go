package parse

import (
	"cmp"
	"slices"
	"strings"

	"vitrine"
)

// place checks the path of every file and returns the files sorted by path, each
// path once. Of several with one path the last wins. A path that is both a file
// and a folder is a folder: the file is left out, in whatever order they came, so
// that a file named src cannot wipe out a whole project.
func place(files []draftFile, n *notes) []vitrine.File {
	at := make(map[string]int, len(files))
	placed := make([]vitrine.File, 0, len(files))
	for _, f := range files {
		clean, why := cleanPath(f.path)
		if why != "" {
			n.add(string(why), pathNotes[why], quote(f.path))
			continue
		}
		if isAbsolute(f.path) {
			n.add("path_absolute", "%s is absolute; it was taken as %s", quote(f.path), quote(clean))
		}
		if i, ok := at[clean]; ok {
			n.add("duplicate_path", "%s is there more than once; the last one counts", quote(clean))
			placed[i].Content = f.content
			continue
		}
		at[clean] = len(placed)
		placed = append(placed, vitrine.File{Path: clean, Content: f.content})
	}
	placed = withoutFolders(placed, n)
	slices.SortFunc(placed, func(a, b vitrine.File) int { return cmp.Compare(a.Path, b.Path) })
	return placed
}

// withoutFolders leaves out the files that another file has as its folder. Sorted
// with the slash before every other byte, a folder stands right before what is in it.
func withoutFolders(files []vitrine.File, n *notes) []vitrine.File {
	slices.SortFunc(files, func(a, b vitrine.File) int { return compareSlashFirst(a.Path, b.Path) })
	kept := files[:0]
	for i, f := range files {
		if i+1 < len(files) && isBelow(files[i+1].Path, f.Path) {
			n.add("path_conflict", "%s is a file and a folder; the file was left out", quote(f.Path))
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

func compareSlashFirst(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// isBelow tells whether a path lies in a folder.
func isBelow(path, folder string) bool {
	return len(path) > len(folder) && path[len(folder)] == '/' && strings.HasPrefix(path, folder)
}
