package fast

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/literal"
	"vitrine/internal/project"
)

// styling is how a project's stylesheets are processed.
type styling struct {
	builder  *Builder
	set      build.Set
	tailwind bool
	prefix   bool // with autoprefixer
	config   json.RawMessage
	content  []content
}

// directives are what only Tailwind understands in a stylesheet.
var directives = regexp.MustCompile(`@tailwind\b|@apply\b|@layer\s+(?:base|components|utilities)\b|@screen\b|@variants\b|@responsive\b|\btheme\(|\bscreen\(`)

// tailwind4 are the marks of the next Tailwind, which has no configuration to
// read.
var tailwind4 = regexp.MustCompile(`@import\s+["']tailwindcss["']|@theme\b|@config\b|@plugin\b|@source\b|@utility\b`)

// readStyling finds out how PostCSS is set up.
func (b *Builder) readStyling(ctx context.Context, p *project.Project, set build.Set) (*styling, error) {
	s := &styling{builder: b, set: set}
	for _, key := range []string{"postcss", "browserslist"} {
		if p.Package.Fields[key] != nil {
			return nil, cannot(CannotPostCSS, "the key %s in package.json", key)
		}
	}
	for _, f := range p.Artifact.Files {
		if strings.HasPrefix(f.Path, ".postcssrc") || strings.HasPrefix(f.Path, ".browserslistrc") && f.Content != "" {
			return nil, cannot(CannotPostCSS, "the file %s", f.Path)
		}
	}
	name, source, ok := p.First("postcss.config.js", "postcss.config.mjs", "postcss.config.cjs", "postcss.config.ts")
	if !ok {
		return s, nil
	}
	raw, err := b.Evaluate(ctx, literal.File{Name: name, Source: source})
	if err != nil {
		return nil, refused(CannotPostCSS, name, err)
	}
	if err := s.takePlugins(name, raw); err != nil || !s.tailwind {
		return s, err
	}
	if p.Package.Uses["tailwindcss"] == "" {
		return nil, cannot(CannotTailwind, "tailwindcss is not among the dependencies")
	}
	return s, b.readTailwind(ctx, p, s)
}

// takePlugins takes the one known shape: Tailwind, then autoprefixer.
func (s *styling) takePlugins(name string, raw json.RawMessage) error {
	var c map[string]json.RawMessage
	if json.Unmarshal(raw, &c) != nil {
		return cannot(CannotPostCSS, "%s is of an unexpected shape", name)
	}
	for k := range c {
		if k != "plugins" {
			return cannot(CannotPostCSS, "%s: the key %q", name, k)
		}
	}
	var names []string
	var byName map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(c["plugins"], &byName) == nil {
		for plugin, options := range byName {
			if text := string(options); text != "{}" && text != "true" {
				return cannot(CannotPostCSS, "%s: options of %s", name, plugin)
			}
			names = append(names, plugin)
		}
	} else if json.Unmarshal(c["plugins"], &list) == nil {
		for _, raw := range list {
			plugin, arguments, ok := marked(raw)
			if !ok || len(arguments) > 0 {
				return cannot(CannotPostCSS, "%s: a plugin with options", name)
			}
			names = append(names, plugin)
		}
	}
	for _, plugin := range names {
		switch plugin {
		case "tailwindcss":
			s.tailwind = true
		case "autoprefixer":
			s.prefix = true
		default:
			return cannot(CannotPostCSS, "%s: the plugin %s", name, plugin)
		}
	}
	return nil
}

// readTailwind reads tailwind.config as data.
func (b *Builder) readTailwind(ctx context.Context, p *project.Project, s *styling) error {
	if v := setVersion(s.set, "tailwindcss"); !strings.HasPrefix(v, "3.") {
		return cannot(CannotTailwind, "Tailwind %s", v)
	}
	name, source, ok := p.First("tailwind.config.js", "tailwind.config.cjs", "tailwind.config.mjs", "tailwind.config.ts")
	if !ok {
		s.config = json.RawMessage("{}")
		return nil
	}
	var theme map[string]json.RawMessage
	if strings.Contains(source, "tailwindcss/") {
		var err error
		if theme, err = b.theme(ctx, s.set); err != nil {
			return err
		}
	}
	raw, err := b.Evaluate(ctx, literal.File{Name: name, Source: source, Modules: theme})
	if err != nil {
		return refused(CannotTailwind, name, err)
	}
	var c map[string]json.RawMessage
	if json.Unmarshal(raw, &c) != nil || c == nil {
		return cannot(CannotTailwind, "%s is of an unexpected shape", name)
	}
	if strings.Contains(string(raw), `"$code"`) {
		return cannot(CannotTailwind, "%s uses a part of Tailwind's theme that is code", name)
	}
	if err := checkPlugins(s.set, c); err != nil {
		return cannot(CannotTailwind, "%s: %s", name, err)
	}
	if s.content, err = sources(p.Artifact, c["content"]); err != nil {
		return err
	}
	delete(c, "content")
	s.config, err = json.Marshal(c)
	return err
}

const (
	maxPatterns = 100
	maxPattern  = 1 << 10 // bytes
)

// sources are the files that the content patterns name, in the order of the
// artifact.
func sources(a *vitrine.Artifact, raw json.RawMessage) ([]content, error) {
	var patterns []string
	if raw != nil && json.Unmarshal(raw, &patterns) != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || json.Unmarshal(object["files"], &patterns) != nil {
			return nil, cannot(CannotTailwind, "content is no list of patterns")
		}
		for k := range object {
			if k != "files" && k != "relative" {
				return nil, cannot(CannotTailwind, "content.%s", k)
			}
		}
	}
	type rule struct {
		match   *regexp.Regexp
		exclude bool
	}
	var rules []rule
	if len(patterns) > maxPatterns {
		return nil, cannot(CannotTailwind, "more than %d content patterns", maxPatterns)
	}
	for _, p := range patterns {
		p = strings.TrimPrefix(p, literal.Root+"/")
		text, exclude := strings.CutPrefix(p, "!")
		if strings.Contains(text, "node_modules") {
			return nil, cannot(CannotTailwind, "content in node_modules")
		}
		re, err := glob(path.Clean(text))
		if err != nil || len(text) > maxPattern {
			return nil, cannot(CannotTailwind, "the content pattern %q", build.Bounded(text, 100))
		}
		rules = append(rules, rule{re, exclude})
	}
	var out []content
	for _, f := range a.Files {
		in := slices.ContainsFunc(rules, func(r rule) bool { return !r.exclude && r.match.MatchString(f.Path) })
		if in && !slices.ContainsFunc(rules, func(r rule) bool { return r.exclude && r.match.MatchString(f.Path) }) {
			out = append(out, content{f.Content, strings.TrimPrefix(path.Ext(f.Path), ".")})
		}
	}
	return out, nil
}

// glob translates a file pattern with *, **, ? and {a,b}.
func glob(pattern string) (*regexp.Regexp, error) {
	var re strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			re.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			re.WriteString(".*")
			i++
		case c == '*':
			re.WriteString("[^/]*")
		case c == '?':
			re.WriteString("[^/]")
		case c == '{':
			depth++
			re.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			re.WriteString(")")
		case c == ',' && depth > 0:
			re.WriteString("|")
		case strings.IndexByte("[]()!+@", c) >= 0:
			return nil, errors.New("a pattern of another kind")
		default:
			re.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return regexp.Compile("^" + re.String() + "$")
}

// process runs a stylesheet, its own imports taken in already, through PostCSS.
func (s *styling) process(ctx context.Context, name, css string) (string, error) {
	if tailwind4.MatchString(css) {
		return "", cannot(CannotTailwind, "%s is written for Tailwind 4", name)
	}
	if !s.tailwind || !directives.MatchString(css) {
		return css, nil
	}
	r, err := s.builder.tailwind(ctx, s.set, job{CSS: css, From: literal.Root + "/" + name, Config: s.config, Content: s.content, Prefix: s.prefix})
	switch {
	case err != nil:
		return "", err
	case r.Error != "" && r.Reason == "css":
		return "", breaks(name, "%s", strings.ReplaceAll(r.Error, literal.Root+"/", ""))
	case r.Error != "":
		return "", cannot(CannotTailwind, "%s", build.Bounded(oneLine(r.Error), 300))
	}
	return r.CSS, nil
}

// A later is a stylesheet under way.
type later struct {
	once func() (string, error)
}

// begin starts work on a stylesheet at once, so that Tailwind runs while scripts
// are bundled.
func begin(work func() (string, error)) later {
	once := sync.OnceValues(work)
	go func() { _, _ = once() }()
	return later{once}
}
