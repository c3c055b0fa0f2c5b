package project

import (
	"path"
	"regexp"
	"strings"

	"vitrine"
)

// MaxRoutes bounds the routes that a site declares, each of at most maxRoutePath bytes:
// what is beyond is no site that anyone would visit, nested ones grow with the square of
// the source, and every link of a page is held against all of them.
const (
	MaxRoutes    = 1000
	maxRoutePath = 1000
)

var (
	hashRouter    = regexp.MustCompile(`\b(?:HashRouter|createHashRouter)\b`)
	objectRoutes  = regexp.MustCompile(`\b(?:create\w*Router|useRoutes|RouteObject)\b`)
	objectPath    = regexp.MustCompile(`[{,\s]path\s*:\s*["'` + "`" + `]([^"'` + "`" + `\n]*)["'` + "`" + `]`)
	attributePath = regexp.MustCompile(`\bpath\s*=\s*(?:\{\s*)?["'` + "`" + `]([^"'` + "`" + `\n]*)["'` + "`" + `]`)
)

// Routes lists the paths that the routers in the source declare, "/" first, each
// once, in the order of the source. Parameters (":id") and the catch-all ("*")
// are kept as written; a hash router's routes start with "/#".
func Routes(a *vitrine.Artifact) []string {
	list := &routes{seen: map[string]bool{}}
	prefix := ""
	for _, f := range a.Files {
		if isSource(f.Path) && hashRouter.MatchString(f.Content) {
			prefix = "/#"
		}
	}
	list.add("/")
	for _, f := range a.Files {
		if !isSource(f.Path) {
			continue
		}
		for _, r := range elementRoutes(f.Content) {
			list.add(prefix + r)
		}
		if !objectRoutes.MatchString(f.Content) {
			continue
		}
		for _, m := range objectPath.FindAllStringSubmatch(f.Content, -1) {
			list.add(prefix + path.Clean("/"+m[1]))
		}
	}
	return list.all
}

func isSource(name string) bool {
	switch path.Ext(name) {
	case ".tsx", ".jsx", ".ts", ".js":
		return true
	}
	return false
}

type routes struct {
	seen map[string]bool
	all  []string
}

func (l *routes) add(r string) {
	if r == "/#/" {
		r = "/"
	}
	if !l.seen[r] && len(l.all) < MaxRoutes && len(r) <= maxRoutePath {
		l.seen[r] = true
		l.all = append(l.all, r)
	}
}

// elementRoutes reads <Route path="…"> elements; a nested route is relative to
// the one around it.
func elementRoutes(source string) []string {
	var found []string
	parents := []string{"/"}
	for {
		i := strings.Index(source, "Route")
		if i < 0 {
			return found
		}
		before, after := source[:i], source[i+len("Route"):]
		source = after
		if strings.HasSuffix(before, "</") && strings.HasPrefix(after, ">") {
			if len(parents) > 1 {
				parents = parents[:len(parents)-1]
			}
			continue
		}
		if !strings.HasSuffix(before, "<") || after == "" || !strings.ContainsRune(" \t\r\n/>", rune(after[0])) {
			continue
		}
		tag, rest := openTag(after)
		source = rest
		at := parents[len(parents)-1]
		if m := attributePath.FindStringSubmatch(tag); m != nil && len(at)+len(m[1]) <= maxRoutePath && len(found) < MaxRoutes {
			at = path.Join(at, m[1])
			if strings.HasPrefix(m[1], "/") {
				at = path.Clean(m[1])
			}
			found = append(found, at)
		}
		if !strings.HasSuffix(tag, "/") {
			parents = append(parents, at)
		}
	}
}

// openTag splits after the ">" that ends a JSX opening tag; braces and quotes
// may hold others.
func openTag(s string) (tag, rest string) {
	depth, quote := 0, byte(0)
	for i := range len(s) {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '>' && depth <= 0:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
