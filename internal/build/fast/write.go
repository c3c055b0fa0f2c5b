package fast

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/build"
)

const assetsDir = "assets"

// write puts the parts of the site together and keeps it by its content.
func (p *work) write(made *bundled, site *vitrine.Site) error {
	files := map[string][]byte{}
	for name, content := range p.files {
		if rest, ok := p.published(name); ok {
			files[rest] = []byte(content)
		}
	}
	css, err := p.allStyles(made.static())
	if err != nil {
		return err
	}
	tags := ""
	at := p.config.publicURL(assetsDir) + "/"
	if len(p.page.imports) > 0 {
		tags += fmt.Sprintf("<script type=\"module\" crossorigin src=\"%s\"></script>\n", at+made.entry)
		chunks, libraries := made.needed(p.library)
		for _, name := range libraries {
			name = path.Join("packages", name)
			site.Libraries = append(site.Libraries, path.Join(assetsDir, name))
			chunks = append(chunks, name)
		}
		for _, name := range chunks {
			tags += fmt.Sprintf("<link rel=\"modulepreload\" crossorigin href=\"%s\">\n", at+name)
		}
	}
	if css != "" {
		name := "index-" + build.Hash(map[string][]byte{"css": []byte(css)})[:8] + ".css"
		files[path.Join(assetsDir, name)] = []byte(css)
		tags += fmt.Sprintf("<link rel=\"stylesheet\" crossorigin href=\"%s\">\n", at+name)
	}
	for _, f := range made.files {
		if bytes.HasSuffix([]byte(f.Path), []byte(".js")) {
			files[path.Join(assetsDir, path.Base(f.Path))] = f.Contents
		}
	}
	for name, content := range p.assets {
		files[path.Join(assetsDir, name)] = content
	}
	files["index.html"] = []byte(p.page.with(tags))
	return p.keep(files, site)
}

// sheetImport is an import as esbuild writes it.
var sheetImport = regexp.MustCompile(`^@import(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^;"'])*;`)

// allStyles joins stylesheets into one; imports from other hosts go to its start,
// where alone they count.
func (p *work) allStyles(names []string) (string, error) {
	var imports, rest strings.Builder
	for _, name := range names {
		css, err := p.finishedSheet(name)
		if err != nil {
			return "", err
		}
		for {
			at := sheetImport.FindString(css)
			if at == "" {
				break
			}
			imports.WriteString(at)
			css = strings.TrimLeft(css[len(at):], "\n")
		}
		rest.WriteString(css)
	}
	return imports.String() + rest.String(), nil
}

// keep writes the site to its place, with the library's files as links to the
// store.
func (p *work) keep(files map[string][]byte, site *vitrine.Site) error {
	// The library is no file of the hash: a page could bring a file of that name, and what
	// was seen of it, without the library, would stand for this site.
	sum := sha256.Sum256([]byte(Name + " " + p.library.key + " " + build.Hash(files)))
	site.Hash = hex.EncodeToString(sum[:])
	site.Root = filepath.Join(p.settings.Store, "sites", site.Hash)
	if info, err := os.Stat(site.Root); err == nil && info.IsDir() {
		return nil
	}
	work, err := os.MkdirTemp(filepath.Join(p.settings.Store, "sites"), ".making-")
	if err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	defer os.RemoveAll(work)
	if err := writeAll(work, files); err != nil {
		return err
	}
	if err := p.linkLibrary(filepath.Join(work, assetsDir, "packages")); err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	return errors.Join(os.Chmod(work, 0o755), moveInto(work, site.Root))
}

// writeAll writes files below a folder and nowhere else. A path that no file can
// have is the project's mistake.
func writeAll(dir string, files map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	defer root.Close()
	for name, content := range files {
		name = filepath.FromSlash(name)
		err := root.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = root.WriteFile(name, content, 0o644)
		}
		if err != nil {
			return breaks(name, "the file %q cannot be written: %v", build.Bounded(name, 200), errors.Unwrap(err))
		}
	}
	return nil
}

func (p *work) linkLibrary(dir string) error {
	if len(p.library.Files) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range p.library.Files {
		from, to := filepath.Join(p.library.Dir, name), filepath.Join(dir, name)
		err := os.Link(from, to)
		if err == nil || errors.Is(err, fs.ErrExist) {
			continue
		}
		content, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
