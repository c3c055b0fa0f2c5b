package fast

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tdewolff/parse/v2"
	lex "github.com/tdewolff/parse/v2/css"

	"vitrine/internal/build"
)

// sheet starts work on a stylesheet, once.
func (p *work) sheet(name string) later {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l, ok := p.sheets[name]; ok {
		return l
	}
	p.underway.Add(1)
	l := begin(func() (string, error) {
		defer p.underway.Done()
		return p.makeSheet(name)
	})
	p.sheets[name] = l
	return l
}

// makeSheet takes in what a stylesheet imports and runs PostCSS on the whole.
func (p *work) makeSheet(name string) (string, error) {
	css, err := p.takeIn(name, 0)
	if err != nil {
		return "", err
	}
	if p.styling.tailwind && directives.MatchString(css) {
		if p.needing.Add(1) > maxSheets {
			return "", cannot(CannotSize, "more than %d stylesheets need Tailwind", maxSheets)
		}
		select { // each takes a process
		case p.tailwind <- struct{}{}:
			defer func() { <-p.tailwind }()
		case <-p.ctx.Done():
			return "", p.ctx.Err()
		}
	}
	made, err := p.styling.process(p.ctx, name, css)
	if err != nil {
		return "", err
	}
	return made, p.grow(len(made))
}

func (p *work) sheetSource(name string) (string, error) {
	if rel, ok := strings.CutPrefix(name, inSet); ok {
		return readInside(p.set, filepath.Join(p.set.Modules, filepath.FromSlash(rel)))
	}
	source, ok := p.files[name]
	if !ok {
		return "", breaks(name, "failed to resolve %q", name)
	}
	if len(source) > build.MaxSource {
		return "", cannot(CannotSize, "%s has more than %d kB", name, build.MaxSource>>10)
	}
	return source, nil
}

// Addresses of files inside stylesheets, while they are put together: a file of
// the project, whatever folder the stylesheet lies in.
const projectRoot = "/@project/"

var tailwindAt = regexp.MustCompile(`^tailwindcss/(base|components|utilities|screens|variants)(?:\.css)?$`)

const maxDepth = 20 // of stylesheets that import each other

// takeIn replaces the imports of a stylesheet by what they import and makes its
// addresses independent of its folder.
func (p *work) takeIn(name string, depth int) (string, error) {
	source, err := p.sheetSource(name)
	if err != nil {
		return "", err
	}
	if depth > maxDepth {
		return "", breaks(name, "%s imports itself", name)
	}
	if err := p.grow(len(source) + 2<<10); err != nil { // each one has a cost of its own
		return "", err
	}
	var out strings.Builder
	for l := lex.NewLexer(parse.NewInputString(source)); ; {
		kind, token := l.Next()
		text := string(token)
		switch {
		case kind == lex.ErrorToken:
			return out.String(), nil
		case kind == lex.URLToken:
			target := addressOf(kind, text)
			if full, ok := p.rebase(target, name); ok && target != "" {
				text = strings.Replace(text, target, full, 1)
			}
		case kind == lex.AtKeywordToken && strings.EqualFold(text, "@import"):
			rest, target, media := readImport(l)
			text += rest
			taken, err := p.takeImport(target, media, name, depth)
			if err != nil {
				return "", err
			}
			if taken != "" {
				text = taken
			}
		}
		out.WriteString(text)
	}
}

// addressOf is what a string or url(…) of a stylesheet names, with its escapes.
func addressOf(kind lex.TokenType, token string) string {
	if kind == lex.URLToken {
		_, token, _ = strings.Cut(strings.TrimSuffix(token, ")"), "(")
		token = strings.TrimSpace(token)
	}
	if token != "" && (token[0] == '"' || token[0] == '\'') {
		token = strings.TrimSuffix(token[1:], token[:1])
	}
	return token
}

// readImport reads on behind an @import, to its end. The target is empty if it is not
// well formed.
func readImport(l *lex.Lexer) (text, target, condition string) {
	var all, behind strings.Builder
	for {
		kind, token := l.Next()
		all.Write(token)
		switch {
		case kind == lex.ErrorToken || kind == lex.SemicolonToken:
			return all.String(), target, strings.TrimSpace(behind.String())
		case kind == lex.LeftBraceToken:
			return all.String(), "", ""
		case kind == lex.CommentToken:
		case target != "":
			behind.Write(token)
		case kind == lex.StringToken || kind == lex.URLToken:
			target = addressOf(kind, string(token))
		}
	}
}

// takeImport is what one @import stands for, empty if it stays.
func (p *work) takeImport(target, media, name string, depth int) (string, error) {
	if m := tailwindAt.FindStringSubmatch(target); m != nil && p.styling.tailwind {
		return "@tailwind " + m[1] + ";", nil
	}
	if target == "" || isRemote(target) {
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
	target, _, _ = strings.Cut(target, "?")
	target = p.config.unalias(target)
	if rel, ok := strings.CutPrefix(name, inSet); ok {
		file := inSet + path.Join(path.Dir(rel), target)
		if _, err := p.content(file); err == nil || strings.HasPrefix(target, ".") {
			return file, nil
		}
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
	if strings.HasPrefix(target, "data:") || strings.HasPrefix(target, "#") || strings.HasPrefix(target, "/") || strings.Contains(target, "://") {
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
