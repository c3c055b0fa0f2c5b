// What a configuration file finds when it is evaluated. Modules are stand-ins: paths are
// computed, packages become markers, and everything that cannot be turned into data throws.
// given holds what depends on the file: root, env, environment, theme, loose, builtins.
const { root, env, environment, theme, loose, builtins } = given;
// Nothing may wait without using the processor.
delete globalThis.Atomics;
delete globalThis.SharedArrayBuffer;
delete globalThis.WebAssembly;
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
function loadEnv(mode, dir, prefixes = 'VITE_') {
	const found = Object.entries({ ...env, ...environment }).filter(([name]) => [].concat(prefixes).some((p) => name.startsWith(p)));
	return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
const vite = { defineConfig: (c) => c, loadEnv, mergeConfig: (a, b) => { throw new Error('mergeConfig is not data') } };
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
	if (name.startsWith('.') || name.startsWith('/')) return noData('the file ' + name + ' is not available');
	return mark(name);
}
const process = { env: { ...environment }, cwd: () => root, argv: [], platform: 'linux' };
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
