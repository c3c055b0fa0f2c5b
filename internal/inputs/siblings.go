package inputs

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// Bounds of what a page is served with.
const (
	maxNamed      = 2000     // files
	maxNamedBytes = 50 << 20 // of all of them
	maxTried      = 20_000   // names that are looked for
)

// A text names a file in an attribute, in url(…) or in a string.
var mentioned = regexp.MustCompile(`(?i)(?:\b(?:src|href|poster|data|content|action)\s*=\s*([^\s"'\x60>]+))|` +
	`url\(\s*([^"')\s][^)]*)\)|"([^"\n<>]{1,300})"|'([^'\n<>]{1,300})'|\x60([^\x60\n<>]{1,300})\x60`)

// referenced are the files in the folder of a page that it names, and those that these
// name. Nothing else of the folder is looked at, so that a page in a large folder costs
// no more than what it shows.
func referenced(t tree, page, source string) []vitrine.File {
	r := &references{tree: t, seen: map[string]bool{page: true, "index.html": true}}
	r.text(".", source)
	for i := 0; i < len(r.files); i++ {
		switch strings.ToLower(path.Ext(r.files[i].Path)) {
		case ".html", ".htm", ".css", ".js", ".mjs", ".json", ".svg", ".webmanifest", ".jsx", ".tsx", ".ts":
			r.text(path.Dir(r.files[i].Path), r.files[i].Content)
		}
	}
	slices.SortFunc(r.files, func(a, b vitrine.File) int { return strings.Compare(a.Path, b.Path) })
	return r.files
}

type references struct {
	tree  tree
	seen  map[string]bool
	files []vitrine.File
	size  int64
}

// text looks for names in a text that lies in a folder. What a script names is looked
// for in the folder of the page too.
func (r *references) text(dir, source string) {
	for _, m := range mentioned.FindAllStringSubmatch(source, -1) {
		for _, group := range m[1:] {
			for candidate := range strings.SplitSeq(group, ",") { // srcset
				candidate, _, _ = strings.Cut(strings.TrimSpace(candidate), " ")
				r.name(dir, candidate)
				if dir != "." {
					r.name(".", candidate)
				}
			}
		}
	}
}

// name takes a file, or the files of a folder that a script puts names together with.
func (r *references) name(dir, raw string) {
	name, ok := local(dir, raw)
	if !ok || r.seen[name] || len(r.seen) > maxTried || len(r.files) >= maxNamed {
		return
	}
	r.seen[name] = true
	if made := strings.HasSuffix(raw, "/") || strings.Contains(raw, "${"); made {
		if name == "." {
			return
		}
		names, err := r.tree.list(name)
		if err != nil || len(names) > maxNamed {
			return
		}
		for _, n := range names {
			if !r.seen[n] {
				r.seen[n] = true
				r.add(n)
			}
		}
		return
	}
	if path.Ext(name) != "" {
		r.add(name)
	}
}

func (r *references) add(name string) {
	if len(r.files) >= maxNamed || !isSource(name) || hidden(name) {
		return
	}
	b, err := r.tree.read(name, maxNamedBytes-r.size)
	if err != nil {
		return // not there, a link, or more than a page is served with
	}
	r.size += int64(len(b))
	r.files = append(r.files, vitrine.File{Path: name, Content: string(b)})
}

// hidden reports whether a part of a path begins with a dot.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// local is the path of a reference inside the page's folder; not ok for another host,
// for data, and for what is above the folder.
func local(dir, raw string) (string, bool) {
	raw, _, _ = strings.Cut(raw, "${")
	raw, _, _ = strings.Cut(raw, "?")
	raw, _, _ = strings.Cut(raw, "#")
	if raw == "" || strings.HasPrefix(raw, "//") || strings.Contains(raw, ":") {
		return "", false
	}
	if plain, err := url.PathUnescape(raw); err == nil {
		raw = plain
	}
	if strings.HasPrefix(raw, "/") {
		dir, raw = ".", strings.TrimPrefix(raw, "/")
	}
	return cleanName(path.Join(dir, raw))
}
