package fast

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/build"
)

// What a bundler in this process may be given, and what may come of it: nothing ends
// one that runs out of memory but the end of the process. The exact builder has a
// process of its own for what is beyond.
const (
	maxFiles  = 2000     // of a project, without public/
	maxText   = 16 << 20 // bytes of them together
	maxGrowth = 16 << 20 // bytes that values, addresses and imported stylesheets may add to them
	maxSheets = 50       // stylesheets that need Tailwind
	maxAtOnce = 2        // of those, for each project
	maxAsked  = 500      // import paths of packages, each of which is looked up
	maxImport = 300      // bytes of one
)

// ask takes note of an import path of a package. One that can be written in other ways
// would be looked up, and made into a library, once for each of them.
func (p *work) ask(name string) error {
	if path.Clean(name) != name || strings.Contains(name, "\\") || len(name) > maxImport {
		return cannot(CannotImport, "the import %q", build.Bounded(name, 100))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[name] = true
	if len(p.asked) > maxAsked {
		return cannot(CannotSize, "the project imports more than %d modules of packages", maxAsked)
	}
	return nil
}

// checkSize refuses a project that is larger than any that a person writes.
func (p *work) checkSize() error {
	files, size := 0, 0
	for name, content := range p.files {
		if _, public := p.published(name); !public {
			files, size = files+1, size+len(content)
		}
		if path.Ext(name) == ".css" && build.Nested(content) {
			return cannot(CannotSize, "%s is nested deeper than %d", name, build.MaxNesting)
		}
	}
	if files > maxFiles || size > maxText {
		return cannot(CannotSize, "the project has more than %d files or %d MB", maxFiles, maxText>>20)
	}
	if len(p.files["index.html"]) > build.MaxSource {
		return cannot(CannotSize, "index.html has more than %d kB", build.MaxSource>>10)
	}
	return nil
}

// checkValues refuses values that come to too much where their names stand: constants in
// scripts and in the page, and the environment, which is in every script.
func (p *work) checkValues() error {
	if err := p.grow(len(p.banner) * len(p.files)); err != nil {
		return err
	}
	const short = 64
	for name, value := range p.defines {
		if len(value) <= short {
			continue
		}
		word := name[strings.LastIndex(name, ".")+1:]
		for file, content := range p.files {
			if path.Ext(file) == ".css" {
				continue
			}
			if err := p.grow(len(value) * strings.Count(content, word)); err != nil {
				return err
			}
		}
	}
	return nil
}

// urlToken begins an address in a stylesheet, in every way in which it can be written.
var urlToken = regexp.MustCompile(`(?i)(?:\\?u|\\0*[57]5\s?)(?:\\?r|\\0*[57]2\s?)(?:\\?l|\\0*[46]c\s?)\(\s*["']?(?:data:)?`)

// ownAddresses is how many addresses of a stylesheet may be files of the project.
func ownAddresses(css string) (n int) {
	for _, token := range urlToken.FindAllString(css, -1) {
		if !strings.HasSuffix(strings.ToLower(token), "data:") {
			n++
		}
	}
	return n
}

// grow takes note of n bytes that are made and that no file of the project has.
func (p *work) grow(n int) error {
	if p.grown.Add(int64(n)) > maxGrowth {
		return cannot(CannotSize, "values, addresses and imports of stylesheets add more than %d MB", maxGrowth>>20)
	}
	return nil
}
