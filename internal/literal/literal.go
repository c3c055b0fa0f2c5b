// Package literal reads JavaScript configuration files that are data, or next
// to it, without running them: literals, constants, spreads of them, paths made of others,
// packages that are called and handed on, and a function around it all that asks for a mode.
// It gives what evaluating the file would give, or says that it cannot.
//
// It reads in time and memory bounded by the size of the file: there are no loops and no
// calls of functions of the file but the exported one, values nest as deep as the parser
// lets them, and what spreads, templates and paths make is counted.
package literal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Root is where the project lies, for a file that asks.
const Root = "/project"

// How large a source may be that is read, in bytes and in braces, of which each may be a
// scope inside the last one, that a parser goes through all of.
const (
	MaxSource = 64 << 10
	MaxBraces = 1000
)

const (
	maxNested = 40      // values inside each other in an answer
	maxSteps  = 200_000 // expressions, and values copied or written
	maxText   = 1 << 20 // bytes of texts made, and of an answer
)

// ErrCode says that a file must be evaluated to know what it comes to.
var ErrCode = errors.New("it is code")

// NotData is why a file comes to something that is no data, however it is evaluated.
type NotData string

func (n NotData) Error() string { return string(n) }

// A File is a configuration file and what it may see.
type File struct {
	Name   string // below Root
	Source string
	Env    map[string]string // of the .env files, that loadEnv gives
	// Modules that are data, by the name they are imported by.
	Modules map[string]json.RawMessage
	// Loose are keys below which functions are left out instead of refused.
	Loose []string
	// Arguments are given where the file exports a function.
	Arguments map[string]any
}

// Environment are the variables of a process that builds, as far as a file may see them.
func Environment() map[string]string {
	return map[string]string{"CI": "true", "NODE_ENV": "production"}
}

// Builtins are the modules of Node.js that a file may import and not use.
func Builtins() []string {
	return []string{
		"fs", "child_process", "os", "http", "https", "net", "module", "crypto", "worker_threads", "fs/promises", "vm", "util", "stream", "events", "buffer",
	}
}

// TooLarge reports whether a source is larger than what is read.
func TooLarge(source string) bool {
	return len(source) > MaxSource || strings.Count(source, "{") > MaxBraces
}

// Read returns the default export of a file of JavaScript as JSON. What a package gave is a mark:
// {"$call": [name, arguments…]}; a regular expression is {"$regexp": [source, flags]}. The
// error is ErrCode, also for what is no JavaScript, or a NotData.
func Read(f File) (raw json.RawMessage, err error) {
	if TooLarge(f.Source) {
		return nil, NotData("it is too large")
	}
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case stop:
			raw, err = nil, stopped.why
		case error: // of the parser, which then has no answer
			raw, err = nil, ErrCode
		default:
			panic(stopped)
		}
	}()
	ast, err := js.Parse(parse.NewInputString(f.Source), js.Options{})
	if err != nil {
		return nil, ErrCode
	}
	r := &reader{file: f, steps: maxSteps, text: maxText}
	js.Walk(expressions{}, ast)
	value := r.module(ast)
	w := &writer{reader: r}
	w.value(value, "", 0)
	return json.RawMessage(w.out), nil
}

// stop ends the reading of a file; it is only ever panicked with.
type stop struct{ why error }

func code() { panic(stop{ErrCode}) }

func refuse(text string, args ...any) { panic(stop{NotData(fmt.Sprintf(text, args...))}) }

// A reader goes through one file.
type reader struct {
	file        File
	steps, text int // left
	exported    any
	done        bool // something is exported
	commonJS    bool // by module.exports
}

// count takes steps off the budget.
func (r *reader) count(steps int) {
	if r.steps -= steps; r.steps < 0 {
		code()
	}
}

// made takes a text that was made off the budget.
func (r *reader) made(s string) string {
	if r.text -= len(s); r.text < 0 {
		code()
	}
	return s
}

// expressions ends the reading where a regular expression may be one that JavaScript
// refuses: the file would not even be parsed.
type expressions struct{}

func (e expressions) Enter(n js.INode) js.IVisitor {
	if l, ok := n.(*js.LiteralExpr); ok && l.TokenType == js.RegExpToken {
		if _, ok := readRegexp(string(l.Data)); !ok {
			code()
		}
	}
	return e
}

func (expressions) Exit(js.INode) {}

// module goes through the statements of a file and returns what it exports, called if it is
// a function.
func (r *reader) module(ast *js.AST) any {
	top := newScope(nil)
	for _, s := range ast.List { // imports come first, wherever they stand
		if i, ok := s.(*js.ImportStmt); ok {
			r.imports(i, top)
		}
	}
	top.declare(ast.List)
	for _, s := range ast.List {
		r.statement(s, top)
	}
	value := r.exported
	if o, ok := value.(*object); ok && o.has("__esModule") || !r.done {
		code()
	}
	if f, ok := value.(*function); ok {
		return r.call(f)
	}
	return value
}

func (r *reader) statement(s js.IStmt, at *scope) {
	r.count(1)
	switch s := s.(type) {
	case *js.ImportStmt, *js.EmptyStmt, *js.Comment, *js.DirectivePrologueStmt, *js.FuncDecl:
	case *js.VarDecl:
		r.declaration(s, at)
	case *js.ExportStmt:
		r.export(s, at)
	case *js.ExprStmt:
		r.assignment(s, at)
	default:
		code()
	}
}

func (r *reader) export(s *js.ExportStmt, at *scope) {
	switch {
	case s.Module != nil:
		code()
	case s.Default:
		r.give(r.eval(s.Decl, at), false)
	case s.Decl != nil:
		d, ok := s.Decl.(*js.VarDecl)
		if !ok {
			code()
		}
		r.declaration(d, at)
	default:
		for _, a := range s.List {
			if string(a.Binding) != "default" {
				continue
			}
			r.give(at.get(string(a.Name)), false)
		}
	}
}

// assignment takes module.exports = …, the only one there may be.
func (r *reader) assignment(s *js.ExprStmt, at *scope) {
	b, ok := s.Value.(*js.BinaryExpr)
	if !ok || b.Op != js.EqToken {
		code()
	}
	d, ok := b.X.(*js.DotExpr)
	if !ok || nameOf(d.Y) != "exports" || at.knows("module") {
		code()
	}
	if v, ok := d.X.(*js.Var); !ok || string(v.Name()) != "module" {
		code()
	}
	r.give(r.eval(b.Y, at), true)
}

func (r *reader) give(value any, commonJS bool) {
	if r.done && (commonJS != r.commonJS || !commonJS) {
		code()
	}
	r.exported, r.done, r.commonJS = value, true, commonJS
}

// imports binds what a file imports.
func (r *reader) imports(s *js.ImportStmt, top *scope) {
	name, ok := readString(string(s.Module))
	if !ok {
		code()
	}
	from := r.lookup(name)
	whole := s.Default != nil
	for _, a := range s.List {
		whole = whole || string(a.Name) == "*"
	}
	if n, ok := from.(noData); ok && whole {
		refuse("%s", n.why)
	}
	if s.Default != nil {
		top.bind(string(s.Default), from)
	}
	for _, a := range s.List {
		_, packaged := from.(*mark)
		name := string(a.Name)
		if name == "" {
			name = string(a.Binding)
		}
		_, unusable := from.(noData)
		switch {
		case packaged && whole && (name == "*" || s.Default != nil):
			code() // depends on what the package is
		case name == "*" || unusable:
			top.bind(string(a.Binding), from)
		default:
			top.bind(string(a.Binding), r.member(from, name))
		}
	}
}

// lookup is what a module stands for.
func (r *reader) lookup(name string) any {
	name = strings.TrimPrefix(name, "node:")
	if m := r.standIn(name); m != nil {
		return m
	}
	if raw, ok := r.file.Modules[name]; ok {
		return r.decode(raw)
	}
	switch {
	case name == "tailwindcss/plugin":
		return noData{"a Tailwind plugin written as code is not data"}
	case slices.Contains(Builtins(), name):
		return noData{"the module " + name + " is not available"}
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/"):
		return noData{"the file " + name + " is not available"}
	}
	return &mark{name: name}
}

func (r *reader) declaration(d *js.VarDecl, at *scope) {
	for _, e := range d.List {
		var value any = undefined{}
		if e.Default != nil {
			value = r.eval(e.Default, at)
		}
		r.bind(e.Binding, value, at)
	}
}

// bind gives names to a value: one, or some of the keys of an object.
func (r *reader) bind(to js.IBinding, value any, at *scope) {
	switch to := to.(type) {
	case *js.Var:
		at.bind(string(to.Name()), value)
	case *js.BindingObject:
		if to.Rest != nil {
			code()
		}
		for _, item := range to.List {
			var key string
			switch v, single := item.Value.Binding.(*js.Var); {
			case item.Key != nil:
				key = r.key(item.Key, at)
			case single:
				key = string(v.Name())
			default:
				code()
			}
			part := r.member(value, key)
			if _, missing := part.(undefined); missing && item.Value.Default != nil {
				part = r.eval(item.Value.Default, at)
			}
			r.bind(item.Value.Binding, part, at)
		}
	default:
		code()
	}
}
