package fast

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
)

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
		p.throw(mistake.file, mistake.message)
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
