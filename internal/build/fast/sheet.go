package fast

import (
	"path/filepath"
	"strings"

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
