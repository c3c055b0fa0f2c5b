package fast

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
)

const (
	evalTime   = 500 * time.Millisecond // for one configuration file
	maxData    = 1 << 20                // bytes of JSON that one may come to
	insideRoot = "/project"             // where the project lies, for a configuration that asks
)

// A marker stands for what a configuration file got from a package and only
// handed on: {"$call": [name, arguments…]}.
const callMark = "$call"

// prelude is what a configuration file finds in its sealed engine. Modules are
// stand-ins: paths are computed, packages become markers, and everything that
// cannot be turned into data throws.
const prelude = `
function segments(p) {
	const out = [];
	for (const s of String(p).split('/')) {
		if (s === '' || s === '.') continue;
		if (s === '..') out.pop(); else out.push(s);
	}
	return out;
}
const path = {
	sep: '/',
	resolve: (...parts) => {
		let whole = '';
		for (const p of parts) whole = String(p).startsWith('/') ? String(p) : whole + '/' + p;
		if (!parts.some((p) => String(p).startsWith('/'))) whole = root + '/' + whole;
		return '/' + segments(whole).join('/');
	},
	join: (...parts) => (String(parts[0]).startsWith('/') ? '/' : '') + segments(parts.join('/')).join('/'),
	dirname: (p) => '/' + segments(p).slice(0, -1).join('/'),
	basename: (p) => segments(p).pop() || '',
};
path.posix = path; path.default = path;
class URL {
	constructor(to, base) {
		const from = String(base || '').replace(/^file:\/\//, '');
		const text = String(to).replace(/^file:\/\//, '');
		this.pathname = text.startsWith('/') ? path.resolve(text) : path.resolve(path.dirname(from), text);
		this.href = 'file://' + this.pathname;
	}
	toString() { return this.href; }
}
const url = { URL, fileURLToPath: (u) => String(u.href || u).replace(/^file:\/\//, ''), pathToFileURL: (p) => new URL('file://' + p) };
url.default = url;
const vite = { defineConfig: (c) => c, loadEnv: () => ({ ...env }), mergeConfig: (a, b) => { throw new Error('mergeConfig is not data') } };
function mark(name) {
	const made = (...args) => ({ $call: [name, ...args] });
	made.$call = [name];
	return new Proxy(made, { get: (t, k) => k === 'default' ? made : k === '__esModule' ? false : k in t ? t[k] : typeof k === 'symbol' ? undefined : mark(name + '.' + String(k)) });
}
function noData(what) {
	return new Proxy(() => {}, { get: () => { throw new Error(what) }, apply: () => { throw new Error(what) } });
}
function lookup(name) {
	name = name.replace(/^node:/, '');
	if (name === 'path') return path;
	if (name === 'url') return url;
	if (name === 'vite' || name === 'vitest/config') return vite;
	if (name === 'process') return process;
	if (name === 'tailwindcss/plugin') return noData('a Tailwind plugin written as code is not data');
	if (theme && Object.hasOwn(theme, name)) return theme[name];
	if (builtins.includes(name)) return noData('the module ' + name + ' is not available');
	return mark(name);
}
const process = { env: { ...env }, cwd: () => root, argv: [], platform: 'linux' };
const console = { log() {}, warn() {}, error() {}, info() {} };
const seen = [];
function plain(v, at) {
	if (v === undefined || v === null || typeof v === 'boolean' || typeof v === 'string') return v;
	if (typeof v === 'number') { if (!isFinite(v)) throw new Error(at + ' is no number'); return v; }
	if (typeof v === 'function') {
		if (v.$call) return { $call: v.$call.map((x) => plain(x, at)) };
		if ((loose || []).some((p) => at === p || at.startsWith(p + '.'))) return null;
		throw new Error(at + ' is a function, not data');
	}
	if (v instanceof RegExp) return { $regexp: [v.source, v.flags] };
	if (typeof v !== 'object') throw new Error(at + ' is no data');
	if (v instanceof Promise) throw new Error(at + ' is a promise');
	if (seen.includes(v) || seen.length > 40) throw new Error(at + ' is nested too deeply');
	seen.push(v);
	let out;
	if (Array.isArray(v)) out = v.map((x, i) => plain(x, at));
	else {
		out = {};
		for (const k of Object.keys(v)) {
			if (k === '__proto__' || k === 'constructor' || k === 'prototype') throw new Error(at + ' has a key ' + k);
			const p = plain(v[k], at ? at + '.' + k : k);
			if (p !== undefined) out[k] = p;
		}
	}
	seen.pop();
	return out;
}
`

var readyPrelude = sync.OnceValue(func() *goja.Program { return goja.MustCompile("prelude", prelude, false) })

// evaluation is what a configuration file may see.
type evaluation struct {
	name, source string
	env          map[string]string
	theme        map[string]json.RawMessage // modules that are data
	// loose are keys below which functions are left out instead of refused: what a
	// production build never asks.
	loose []string
	// arguments are given where the file exports a function.
	arguments any
}

// evaluate runs a configuration file in a sealed engine and returns its default
// export as JSON. A file that is no data gives an error.
func evaluate(e evaluation) (json.RawMessage, error) {
	if len(e.source) > build.MaxSource/2 {
		return nil, errors.New("it is too large")
	}
	loader := api.LoaderTS
	if path.Ext(e.name) == ".js" || path.Ext(e.name) == ".cjs" || path.Ext(e.name) == ".mjs" {
		loader = api.LoaderJS
	}
	made := api.Transform(e.source, api.TransformOptions{
		Loader: loader, Format: api.FormatCommonJS, Target: api.ES2020, Sourcefile: e.name,
		Define: map[string]string{
			"import.meta.url": fmt.Sprintf("%q", "file://"+insideRoot+"/"+e.name), "import.meta.dirname": fmt.Sprintf("%q", insideRoot),
		},
	})
	if len(made.Errors) > 0 {
		return nil, errors.New(made.Errors[0].Text)
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(500)
	timer := time.AfterFunc(evalTime, func() { vm.Interrupt("it does not end") })
	defer timer.Stop()
	for name, value := range map[string]any{
		"root": insideRoot, "env": e.env, "theme": e.theme, "loose": e.loose, "arguments_": e.arguments,
		"builtins": []string{"fs", "child_process", "os", "http", "https", "net", "module", "crypto", "worker_threads", "fs/promises", "vm", "util", "stream", "events", "buffer"},
	} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if _, err := vm.RunString("const " + name + " = JSON.parse(" + quoted(string(text)) + ");"); err != nil {
			return nil, err
		}
	}
	if _, err := vm.RunProgram(readyPrelude()); err != nil {
		return nil, err
	}
	program := "const answer = (() => { const module = { exports: {} };\n" +
		// A block, so that a file may declare __dirname and __filename itself.
		"(function (module, exports, require, __dirname, __filename) {{\n" + string(made.Code) + "\n}})" +
		"(module, module.exports, lookup, root, root + '/' + " + quoted(e.name) + ");\n" +
		"let value = module.exports; if (value && value.__esModule) value = value.default;\n" +
		"if (typeof value === 'function' && !value.$call) value = value(arguments_ ?? {});\n" +
		"return JSON.stringify(plain(value, '')); })(); answer"
	v, err := vm.RunString(program)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	text := v.String()
	if len(text) > maxData {
		return nil, errors.New("it is too large")
	}
	if !json.Valid([]byte(text)) {
		return nil, errors.New("it exports nothing")
	}
	return json.RawMessage(text), nil
}

// quoted writes a text as a JavaScript string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals; HTML escapes are escapes of JavaScript, too
	return string(b)
}

func oneLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(s, "Error: "), "\n")
	first, _, _ = strings.Cut(first, " at ")
	return first
}
