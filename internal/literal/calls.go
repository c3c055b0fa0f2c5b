package literal

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

func (r *reader) arguments(list []js.Arg, at *scope) (args []any) {
	for _, a := range list {
		if a.Rest {
			code()
		}
		args = append(args, r.eval(a.Value, at))
	}
	return args
}

func (r *reader) callExpr(x *js.CallExpr, at *scope) any {
	if x.Optional {
		code()
	}
	if d, ok := x.X.(*js.DotExpr); ok && !d.Optional && nameOf(d.Y) == "filter" {
		if l, ok := r.eval(d.X, at).(*list); ok {
			return r.filter(l, r.arguments(x.Args.List, at))
		}
		code()
	}
	switch f := r.eval(x.X, at).(type) {
	case native:
		return f.call(r.arguments(x.Args.List, at))
	case *mark:
		if !f.called {
			return &mark{name: f.name, args: r.arguments(x.Args.List, at), called: true}
		}
	case noData:
		refuse("%s", f.why)
	}
	code()
	return nil
}

// filter keeps what is true, the only thing that a list may be asked for.
func (r *reader) filter(l *list, args []any) any {
	if len(args) != 1 {
		code()
	}
	if s, ok := args[0].(standIn); !ok || s.parts["Boolean"] == nil {
		code()
	}
	r.count(len(l.items))
	kept := &list{}
	for _, v := range l.items {
		if truth(v) {
			kept.items = append(kept.items, v)
		}
	}
	return kept
}

func (r *reader) newExpr(x *js.NewExpr, at *scope) any {
	f, ok := r.eval(x.X, at).(standIn)
	if !ok || f.parts["URL"] == nil || x.Args == nil {
		code()
	}
	return f.parts["URL"].(native).call(r.arguments(x.Args.List, at))
}

// call is what the function comes to that a file exports, with what a build gives it.
func (r *reader) call(f *function) any {
	if f.async || f.params.Rest != nil || len(f.params.List) > 1 {
		code()
	}
	inside := newScope(f.at)
	given := newObject()
	for _, k := range slices.Sorted(maps.Keys(r.file.Arguments)) {
		given.set(k, r.file.Arguments[k])
	}
	for _, p := range f.params.List {
		if p.Default != nil {
			code()
		}
		r.bind(p.Binding, given, inside)
	}
	value, returned := r.block(f.body.List, inside)
	if !returned {
		code()
	}
	return value
}

// block goes through statements up to a return.
func (r *reader) block(list []js.IStmt, at *scope) (value any, returned bool) {
	inside := newScope(at)
	inside.declare(list)
	for _, s := range list {
		r.count(1)
		switch s := s.(type) {
		case *js.ReturnStmt:
			if s.Value == nil {
				code()
			}
			return r.eval(s.Value, inside), true
		case *js.VarDecl:
			if s.TokenType == js.VarToken { // is there outside of the block, too
				code()
			}
			r.declaration(s, inside)
		case *js.BlockStmt:
			if value, returned = r.block(s.List, inside); returned {
				return value, true
			}
		case *js.IfStmt:
			way := s.Body
			if !truth(r.eval(s.Cond, inside)) {
				way = s.Else
			}
			if way == nil {
				continue
			}
			if value, returned = r.block([]js.IStmt{way}, inside); returned {
				return value, true
			}
		case *js.EmptyStmt, *js.Comment, *js.FuncDecl:
		default:
			code()
		}
	}
	return nil, false
}

// texts are arguments that are all texts. Each is counted: one text may be named many times.
func (r *reader) texts(args []any) []string {
	all := make([]string, len(args))
	for i, a := range args {
		s, ok := a.(string)
		if !ok {
			code()
		}
		all[i] = r.made(s)
	}
	return all
}

func one(args []any) any {
	if len(args) != 1 {
		code()
	}
	return args[0]
}

// absolute is a path without its dots, below the root of all.
func absolute(p string) string { return path.Clean("/" + p) }

func (r *reader) resolve(args []any) any {
	whole := []string{Root}
	for _, p := range r.texts(args) {
		if strings.HasPrefix(p, "/") {
			whole = nil
		}
		whole = append(whole, p)
	}
	return r.made(absolute(strings.Join(whole, "/")))
}

func (r *reader) join(args []any) any {
	parts := r.texts(args)
	if len(parts) == 0 {
		code()
	}
	whole := absolute(strings.Join(parts, "/"))
	if !strings.HasPrefix(parts[0], "/") {
		whole = strings.TrimPrefix(whole, "/")
	}
	return r.made(whole)
}

// url is the address of a file, relative to that of another.
func (r *reader) url(args []any) any {
	parts := r.texts(args)
	if len(parts) == 0 || len(parts) > 2 {
		code()
	}
	to := strings.TrimPrefix(parts[0], "file://")
	switch {
	case strings.HasPrefix(to, "/"):
		to = absolute(to)
	case len(parts) == 2:
		from := strings.TrimPrefix(parts[1], "file://")
		to = absolute(path.Dir(absolute(from)) + "/" + to)
	default:
		code()
	}
	r.made(to)
	return standIn{map[string]any{"pathname": to, "href": "file://" + to}}
}

func filePath(args []any) any {
	switch u := one(args).(type) {
	case string:
		return strings.TrimPrefix(u, "file://")
	case standIn:
		if p, ok := u.parts["pathname"]; ok {
			return p
		}
	}
	code()
	return nil
}

// standIn is what stands for a module of Node.js or of Vite, nil if nothing does.
func (r *reader) standIn(name string) any {
	switch name {
	case "path":
		return standIn{map[string]any{
			"sep": "/", "resolve": native{r.resolve}, "join": native{r.join},
			"dirname": native{func(args []any) any { return path.Dir(absolute(r.texts([]any{one(args)})[0])) }},
			"basename": native{func(args []any) any {
				return strings.TrimPrefix(path.Base(absolute(r.texts([]any{one(args)})[0])), "/")
			}},
		}}
	case "url":
		return standIn{map[string]any{"fileURLToPath": native{filePath}, "URL": r.global("URL")}}
	case "vite", "vitest/config":
		return standIn{map[string]any{"defineConfig": native{one}, "loadEnv": native{r.loadEnv}}}
	case "process":
		return r.global("process")
	}
	return nil
}

// loadEnv gives the variables that begin with one of the prefixes, those of the process last.
func (r *reader) loadEnv(args []any) any {
	prefixes := []string{"VITE_"}
	if len(args) > 2 {
		switch given := args[2].(type) {
		case undefined:
		case string:
			prefixes = []string{given}
		case *list:
			prefixes = r.texts(given.items)
		default:
			code()
		}
	}
	found := maps.Clone(r.file.Env)
	if found == nil {
		found = map[string]string{}
	}
	maps.Copy(found, Environment())
	maps.DeleteFunc(found, func(name, _ string) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
	return variables(found)
}

func variables(values map[string]string) *object {
	env := newObject()
	for _, k := range slices.Sorted(maps.Keys(values)) {
		env.set(k, values[k])
	}
	return env
}

// global is what a file finds without importing it.
func (r *reader) global(name string) any {
	switch name {
	case "process":
		return standIn{map[string]any{"env": variables(Environment()), "cwd": native{func([]any) any { return Root }}, "platform": "linux"}}
	case "URL":
		return standIn{map[string]any{"URL": native{r.url}}}
	case "Boolean":
		return standIn{map[string]any{"Boolean": true}}
	case "JSON":
		return standIn{map[string]any{"stringify": native{func(args []any) any {
			w := &writer{reader: r, strict: true}
			w.value(one(args), "", 0)
			return string(w.out)
		}}}}
	case "require":
		return native{func(args []any) any {
			name, ok := one(args).(string)
			if !ok {
				code()
			}
			return r.lookup(name)
		}}
	}
	return nil
}
