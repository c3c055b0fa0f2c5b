package vlm

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine"
)

// bytesPerToken is how code is counted: markup and scripts have between three and
// five bytes a token.
const bytesPerToken = 4

// maxNamed is the number of left-out files that the prompt names.
const maxNamed = 50

// A pack is the code that fits, most relevant first, and what does not.
type pack struct {
	text    string
	leftOut []string // paths, each with the reason
}

// packCode packs files into a number of tokens: the entry, the pages, what they
// import, styles, other code, then the rest. A file that no longer fits is cut if a
// good piece of it does. Pictures in the text are replaced by their size.
func packCode(files []vitrine.File, tokens int) pack {
	budget := tokens * bytesPerToken
	var p pack
	var b strings.Builder
	for _, f := range byRelevance(files) {
		if why := unreadable(f); why != "" {
			p.leftOut = append(p.leftOut, f.Path+" ("+why+")")
			continue
		}
		content := inlineData.ReplaceAllStringFunc(f.Content, func(s string) string { return fmt.Sprintf("data:[%d bytes]", len(s)) })
		room := budget - b.Len() - len(f.Path) - 80
		switch {
		case len(content) <= room:
			fmt.Fprintf(&b, "=== file %s\n%s\n", f.Path, content)
		case room >= 2000 || b.Len() == 0 && room > 0:
			cut := runeCut(content, room)
			fmt.Fprintf(&b, "=== file %s\n%s\n=== cut here: %d bytes are left out\n", f.Path, content[:cut], len(content)-cut)
			p.leftOut = append(p.leftOut, fmt.Sprintf("%s (the last %d of %d bytes)", f.Path, len(content)-cut, len(content)))
		default:
			p.leftOut = append(p.leftOut, f.Path+" (no room)")
		}
	}
	if n := len(p.leftOut); n > 0 {
		fmt.Fprintf(&b, "=== left out, though the site has them: %s", strings.Join(p.leftOut[:min(n, maxNamed)], ", "))
		if n > maxNamed {
			fmt.Fprintf(&b, ", and %d more", n-maxNamed)
		}
		b.WriteByte('\n')
	}
	p.text = strings.TrimSuffix(b.String(), "\n")
	return p
}

var inlineData = regexp.MustCompile(`data:[a-zA-Z0-9/+.;=-]*base64,[A-Za-z0-9+/=]{200,}`)

// unreadable says why a file is of no use to a judge of code.
func unreadable(f vitrine.File) string {
	switch name := path.Base(f.Path); {
	case name == "package-lock.json" || name == "yarn.lock" || name == "pnpm-lock.yaml" || name == "bun.lock":
		return "lock file"
	case !utf8.ValidString(f.Content) || strings.ContainsRune(f.Content, 0):
		return "no text"
	}
	return ""
}

// Ranks of files, most relevant first.
const (
	rankEntry = iota
	rankPage
	rankImported
	rankStyle
	rankCode
	rankRest
)

var (
	entryFile = regexp.MustCompile(`^(src/)?(index\.html?|main\.[jt]sx?|index\.[jt]sx?|App\.[a-z]+)$|^(src/)?app/(layout|page)\.[jt]sx$|^index\.[a-z]+$`)
	pageFile  = regexp.MustCompile(`(^|/)(pages|routes|views|screens)/|(^|/)(page|layout|[Rr]outer?|[Rr]outes)\.[jt]sx?$|\.html?$`)
	styleFile = regexp.MustCompile(`\.(css|scss|sass|less)$`)
	codeFile  = regexp.MustCompile(`\.([cm]?[jt]sx?|vue|svelte|svg|py)$`)
)

func rankOf(name string) int {
	switch {
	case entryFile.MatchString(name):
		return rankEntry
	case pageFile.MatchString(name):
		return rankPage
	case styleFile.MatchString(name):
		return rankStyle
	case codeFile.MatchString(name):
		return rankCode
	}
	return rankRest
}

// byRelevance sorts files by rank; imported ones by how soon an entry or page
// reaches them.
func byRelevance(files []vitrine.File) []vitrine.File {
	depth := reached(files)
	rank := map[string]int{}
	for _, f := range files {
		rank[f.Path] = rankOf(f.Path)
		if _, imported := depth[f.Path]; imported && rank[f.Path] == rankCode {
			rank[f.Path] = rankImported
		}
	}
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b vitrine.File) int {
		return cmp.Or(cmp.Compare(rank[a.Path], rank[b.Path]), cmp.Compare(depth[a.Path], depth[b.Path]), cmp.Compare(a.Path, b.Path))
	})
	return sorted
}

var importOf = regexp.MustCompile(`(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"'\n]{1,200})["']`)

// reached gives every file that entries and pages import its distance from them.
func reached(files []vitrine.File) map[string]int {
	content := map[string]string{}
	depth := map[string]int{}
	var next []string
	for _, f := range files {
		content[f.Path] = f.Content
		if rankOf(f.Path) <= rankPage {
			depth[f.Path] = 0
			next = append(next, f.Path)
		}
	}
	for len(next) > 0 {
		from := next[0]
		next = next[1:]
		for _, m := range importOf.FindAllStringSubmatch(content[from], -1) {
			to := resolve(from, m[1], content)
			if _, seen := depth[to]; to != "" && !seen {
				depth[to] = depth[from] + 1
				next = append(next, to)
			}
		}
	}
	return depth
}

// resolve finds the file that an import names, or nothing.
func resolve(from, name string, content map[string]string) string {
	switch {
	case strings.HasPrefix(name, "@/"):
		name = "src/" + name[2:]
	case strings.HasPrefix(name, "."):
		name = path.Join(path.Dir(from), name)
	default:
		return ""
	}
	for _, end := range []string{"", ".tsx", ".ts", ".jsx", ".js", ".vue", "/index.tsx", "/index.ts", "/index.jsx", "/index.js"} {
		if _, ok := content[name+end]; ok {
			return name + end
		}
	}
	return ""
}
