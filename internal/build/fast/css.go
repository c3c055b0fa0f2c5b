package fast

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
)

// Addresses of files inside stylesheets, while they are put together: a file of
// the project, whatever folder the stylesheet lies in.
const projectRoot = "/@project/"

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssImport  = regexp.MustCompile(`@import\s+(?:url\(\s*)?(?:"([^"]+)"|'([^']+)'|([^"'\s);]+))\s*\)?\s*([^;]*);`)
	cssURL     = regexp.MustCompile(`\burl\(\s*(?:"([^"]+)"|'([^']+)'|([^"')\s]+))\s*\)`)
	tailwindAt = regexp.MustCompile(`^tailwindcss/(base|components|utilities|screens|variants)(?:\.css)?$`)
)

const maxDepth = 20 // of stylesheets that import each other

// takeIn replaces the imports of a stylesheet by what they import and makes its
// addresses independent of its folder.
func (p *work) takeIn(name string, depth int) (string, error) {
	css, err := p.sheetSource(name)
	if err != nil {
		return "", err
	}
	if depth > maxDepth {
		return "", breaks(name, "%s imports itself", name)
	}
	if err := p.grow(len(css) + 2<<10); err != nil { // each one has a cost of its own
		return "", err
	}
	css = cssURL.ReplaceAllStringFunc(css, func(text string) string {
		m := cssURL.FindStringSubmatch(text)
		target := m[1] + m[2] + m[3]
		if full, ok := p.rebase(target, name); ok {
			return "url(" + quoted(full) + ")"
		}
		return text
	})
	if !strings.Contains(css, "@import") {
		return css, nil
	}
	css = cssComment.ReplaceAllString(css, "")
	css = cssImport.ReplaceAllStringFunc(css, func(text string) string {
		m := cssImport.FindStringSubmatch(text)
		if err != nil {
			return text
		}
		taken, e := p.takeImport(m[1]+m[2]+m[3], strings.TrimSpace(m[4]), name, depth)
		err = e
		if taken == "" {
			return text
		}
		return taken
	})
	return css, err
}

// takeImport is what one @import stands for, empty if it stays.
func (p *work) takeImport(target, media, name string, depth int) (string, error) {
	if m := tailwindAt.FindStringSubmatch(target); m != nil && p.styling.tailwind {
		return "@tailwind " + m[1] + ";", nil
	}
	if isRemote(target) {
		return "", nil
	}
	if target == "tailwindcss" || strings.HasPrefix(media, "layer") || strings.HasPrefix(media, "supports") {
		return "", cannot(CannotTailwind, "%s imports %q %s", name, build.Bounded(target, 100), build.Bounded(media, 100))
	}
	file, err := p.sheetFile(target, name)
	if err != nil {
		return "", err
	}
	css, err := p.takeIn(file, depth+1)
	if err == nil && media != "" {
		css = "@media " + media + " {\n" + css + "\n}"
	}
	return css + "\n", err
}

// sheetFile finds what a stylesheet imports.
func (p *work) sheetFile(target, name string) (string, error) {
	target, _, _ = strings.Cut(strings.TrimPrefix(target, projectRoot), "?")
	target = p.config.unalias(target)
	if rel, ok := strings.CutPrefix(name, inSet); ok && strings.HasPrefix(target, ".") {
		return inSet + path.Join(path.Dir(rel), target), nil
	}
	if file, ok := strings.CutPrefix(target, "/"); ok {
		return path.Clean(file), nil
	}
	if file := path.Join(path.Dir(name), target); p.files[file] != "" {
		return file, nil
	}
	if strings.HasPrefix(target, ".") {
		return "", breaks(name, "failed to resolve %q from %q", target, name)
	}
	r, err := p.findPackage(target, "", name)
	if err != nil {
		return "", err
	}
	if r.Namespace != sheetSpace {
		return "", cannot(CannotImport, "%s imports %q", name, target)
	}
	return r.Path, nil
}

// rebase makes a relative address of a stylesheet one that holds in every folder.
func (p *work) rebase(target, name string) (string, bool) {
	if strings.HasPrefix(target, "data:") || strings.HasPrefix(target, "#") || strings.HasPrefix(target, "/") || strings.Contains(target, "://") || strings.HasPrefix(target, "@import") {
		return "", false
	}
	if rel, ok := strings.CutPrefix(name, inSet); ok {
		return "/" + inSet + path.Join(path.Dir(rel), target), true
	}
	if found := p.config.unalias(target); found != target {
		return projectRoot + strings.TrimPrefix(found, "/"), true
	}
	return projectRoot + path.Join(path.Dir(name), target), true
}

// loadSheet is what a script gets that imports a stylesheet: the names of a CSS
// module, else nothing. A stylesheet that only a dynamic import reaches is brought
// by its module.
func (p *work) loadSheet(a api.OnLoadArgs) (api.OnLoadResult, error) {
	p.mu.Lock()
	lazy := p.lazy[a.Path]
	p.mu.Unlock()
	code := ""
	switch {
	case strings.HasSuffix(a.Path, ".module.css"):
		css, names, err := p.cssModule(a.Path)
		if err != nil {
			return p.sheetFailure(err)
		}
		code = names
		if lazy {
			code += bringStyle(css)
		}
	case a.Suffix == "?inline" || lazy:
		css, err := p.finishedSheet(a.Path)
		if err != nil {
			return p.sheetFailure(err)
		}
		code = bringStyle(css)
		if a.Suffix == "?inline" {
			code = "export default " + quoted(css)
		}
	case p.lenient:
		if _, err := p.sheet(a.Path).once(); err != nil {
			return p.sheetFailure(err)
		}
	default:
		p.sheet(a.Path)
	}
	return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
}

func (p *work) sheetFailure(err error) (api.OnLoadResult, error) {
	var mistake *broken
	if p.lenient && errors.As(err, &mistake) {
		p.mu.Lock()
		p.thrown[mistake.file] = mistake.message
		p.mu.Unlock()
		return loadThrow(api.OnLoadArgs{Path: mistake.message})
	}
	return api.OnLoadResult{}, err
}

func bringStyle(css string) string {
	return "\n{const s=document.createElement('style');s.textContent=" + quoted(css) + ";document.head.appendChild(s)}\n"
}

// finishedSheet is a stylesheet as the page gets it.
func (p *work) finishedSheet(name string) (string, error) {
	if strings.HasSuffix(name, ".module.css") {
		css, _, err := p.cssModule(name)
		return css, err
	}
	css, err := p.sheet(name).once()
	if err != nil {
		return "", err
	}
	made := api.Build(p.sheetOptions(css, name, api.LoaderCSS))
	if len(made.Errors) > 0 {
		return "", p.cssError(made.Errors[0], name)
	}
	return string(made.OutputFiles[0].Contents), nil
}

func (p *work) cssError(e api.Message, name string) error {
	if detail, ok := e.Detail.(error); ok {
		return detail
	}
	return breaks(name, "%s: %s", name, e.Text)
}

// sheetOptions let esbuild resolve the addresses in a stylesheet and minify it.
func (p *work) sheetOptions(css, name string, loader api.Loader) api.BuildOptions {
	places := ownAddresses(css)
	plugin := api.Plugin{Name: "css", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			switch a.Kind {
			case api.ResolveEntryPoint:
				return api.OnResolveResult{Path: a.Path, Namespace: "whole"}, nil
			case api.ResolveJSImportStatement:
				return api.OnResolveResult{Path: name, Namespace: "css"}, nil
			case api.ResolveCSSURLToken:
				address, err := p.addressInSheet(a.Path) // once for each address, however often it is there
				if err == nil && address != a.Path {
					err = p.grow(len(address) * places)
				}
				return api.OnResolveResult{Path: address, External: true}, err
			}
			return api.OnResolveResult{Path: a.Path, External: true}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "css"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			return api.OnLoadResult{Contents: &css, Loader: loader}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "whole"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			if loader == api.LoaderCSS {
				return api.OnLoadResult{Contents: &css, Loader: loader}, nil
			}
			source := "export * from 'css'; export {default} from 'css'"
			return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
		})
	}}
	return api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: name, OutputPath: "sheet"}}, Bundle: true, Outdir: "/", Format: api.FormatESModule, Plugins: []api.Plugin{plugin},
		MinifyWhitespace: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent, AbsWorkingDir: "/",
	}
}

// cssModule makes the names of a stylesheet its own and returns it with a script
// that exports them.
func (p *work) cssModule(name string) (css, names string, err error) {
	css, err = p.sheet(name).once()
	if err != nil {
		return "", "", err
	}
	made := api.Build(p.sheetOptions(css, name, api.LoaderLocalCSS))
	if len(made.Errors) > 0 {
		return "", "", p.cssError(made.Errors[0], name)
	}
	css = ""
	for _, f := range made.OutputFiles {
		if path.Ext(f.Path) == ".css" {
			css = string(f.Contents)
		} else {
			names = string(f.Contents)
		}
	}
	return css, names, nil
}

const inlineLimit = 4096 // bytes; Vite puts smaller files into the script or stylesheet

// addressInSheet is the address of a file that a stylesheet names.
func (p *work) addressInSheet(target string) (string, error) {
	plain, _, _ := strings.Cut(target, "?")
	plain, _, _ = strings.Cut(plain, "#")
	file, own := strings.CutPrefix(plain, projectRoot)
	if rel, ok := strings.CutPrefix(plain, "/"+inSet); ok {
		file, own = inSet+rel, true
	}
	if !own {
		file = strings.TrimPrefix(plain, "/")
		if _, public := p.public(file); public && strings.HasPrefix(plain, "/") {
			if p.config.base == "./" {
				return "../" + file, nil
			}
			return p.config.publicURL(file), nil
		}
		if _, there := p.files[file]; !there || !strings.HasPrefix(plain, "/") {
			return target, nil
		}
	}
	content, err := p.content(file)
	if err != nil {
		return strings.TrimPrefix(target, projectRoot), nil // stays, to be looked for by the browser
	}
	return p.address(file, content, "./"), nil
}

// content reads an asset.
func (p *work) content(name string) (string, error) {
	if rel, ok := strings.CutPrefix(name, inSet); ok {
		return readInside(p.set, filepath.Join(p.set.Modules, filepath.FromSlash(rel)))
	}
	content, ok := p.files[name]
	if !ok {
		return "", os.ErrNotExist
	}
	return content, nil
}

// address puts an asset into the site and returns where it is: below assets/,
// or in the address itself.
func (p *work) address(name, content, here string) string {
	ext := strings.ToLower(path.Ext(name))
	if len(content) < inlineLimit {
		if ext == ".svg" && !strings.Contains(content, "<text") {
			return "data:image/svg+xml," + strings.ReplaceAll(url.PathEscape(content), "'", "%27")
		}
		return "data:" + assetKinds[ext] + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
	}
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	file := fmt.Sprintf("%s-%s%s", unsafeName.ReplaceAllString(base, "_"), build.Hash(map[string][]byte{name: []byte(content)})[:8], path.Ext(name))
	p.mu.Lock()
	p.assets[file] = []byte(content)
	p.mu.Unlock()
	return here + file
}

// loadAsset is a picture or a font as a script sees it: its address.
func (p *work) loadAsset(a api.OnLoadArgs) (api.OnLoadResult, error) {
	code := ""
	if file, public := p.published(a.Path); public {
		code = "export default " + quoted(p.config.publicURL(file))
	} else {
		content, err := p.content(a.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		address := p.address(a.Path, content, "")
		switch {
		case strings.HasPrefix(address, "data:"):
			code = "export default " + quoted(address)
		case p.config.base == "./":
			code = "export default new URL(" + quoted(address) + ", import.meta.url).href"
		default:
			code = "export default " + quoted(p.config.base+"assets/"+address)
		}
	}
	return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
}
