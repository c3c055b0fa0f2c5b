// Package plot runs Python that draws a figure, and makes a site of the pictures. The
// program runs in the sandbox, with no network, no display and the files of its task
// (AesCoder §3.1 and §7.1: matplotlib, seaborn and plotly).
package plot

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/sandbox"
)

// Name of this builder in a Site.
const Name = "plot"

// Version is part of the cache key of every plot.
const Version = "2"

// Settings of the plot builder.
type Settings struct {
	// Store is a folder below which programs work.
	Store   string
	Sandbox sandbox.Sandbox
	// Limits bound one program. Where they are zero: a minute of wall and of processor
	// time, 2 GB of memory, 64 processes and threads, files of 32 MB, 256 MB in 1000 files.
	Limits sandbox.Limits
	// Results keep what was drawn; without a folder each program is run every time.
	Results cache.Results
}

// A Builder draws plots. It is safe for concurrent use.
type Builder struct {
	settings Settings
	versions func() (string, error) // of Python and its libraries
	ready    func() error           // whether they draw
	slots    chan struct{}          // one for each program that may run at once
}

// New makes a builder. Python is looked for when the first plot comes.
func New(s Settings) *Builder {
	s.Limits = s.Limits.Or(sandbox.Limits{
		Wall: time.Minute, CPU: time.Minute, MemoryBytes: 2 << 30, Processes: 64,
		FileBytes: 32 << 20, DiskBytes: 256 << 20, DiskFiles: 1000,
	})
	b := &Builder{settings: s, slots: make(chan struct{}, max(1, runtime.NumCPU()/2))}
	b.versions = untilSettled(func() (string, error) { return findPython(context.Background(), s.Sandbox) })
	ready := untilSettled(func() (struct{}, error) { return struct{}{}, b.tryOut(context.Background()) })
	b.ready = func() error { _, err := ready(); return err }
	return b
}

// untilSettled asks until there is an answer, or a fault that is no matter of the moment.
func untilSettled[T any](ask func() (T, error)) func() (T, error) {
	var mu sync.Mutex
	var settled bool
	var answer T
	var fault error
	return func() (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if settled {
			return answer, fault
		}
		value, err := ask()
		settled = err == nil || vitrine.AsFault("build", err).Code == vitrine.FaultNoPython
		if settled {
			answer, fault = value, err
		}
		return value, err
	}
}

// Versions are those of Python and of the libraries that plots may use. Where one is
// missing there is a fault with code no_python.
func (b *Builder) Versions() (string, error) { return b.versions() }

// kept is what the cache has of a plot. A site leaves its files out of its JSON.
type kept struct {
	Site  vitrine.Site
	Files map[string][]byte
}

// Build runs the program and serves what it drew. See [build.Builder].
func (b *Builder) Build(ctx context.Context, a *vitrine.Artifact, o build.Options) (build.Result, error) {
	if err := ctx.Err(); err != nil {
		return build.Result{}, err
	}
	if b.settings.Sandbox.Unsafe {
		return build.Result{}, vitrine.NewFault("build", vitrine.FaultUnsupportedKind, nil, "a plot is a program that a model wrote, and runs only in the sandbox").WithFix("leave out --unsafe-no-sandbox")
	}
	versions, err := b.versions()
	if err != nil {
		return build.Result{}, err
	}
	r := build.Result{Key: b.key(versions, a, o)}
	var before kept
	if _, ok := b.settings.Results.Get(r.Key, &before); ok {
		r.Site, r.Cached = &before.Site, true
		r.Site.Files = before.Files
		return r, nil
	}
	if err := b.ready(); err != nil {
		return build.Result{}, err
	}
	select {
	case b.slots <- struct{}{}:
	case <-ctx.Done():
		return build.Result{}, ctx.Err()
	}
	defer func() { <-b.slots }()
	if r.Site, err = b.draw(ctx, a, o.Files); err != nil {
		return build.Result{}, err
	}
	if f := r.Site.Failure; f != nil && f.Code == vitrine.FailureTimeout {
		return r, nil // it may have been a matter of load
	}
	return r, b.settings.Results.Put(r.Key, kept{*r.Site, r.Site.Files}, "")
}

// key is all that a plot is a function of.
func (b *Builder) key(versions string, a *vitrine.Artifact, o build.Options) cache.Key {
	names := func(files []vitrine.File) map[string]string {
		hashes := map[string]string{}
		for _, f := range files {
			hashes[f.Path] = digest.Text(f.Content)
		}
		return hashes
	}
	return cache.Key{Stage: "build", Parts: map[string]any{
		"tools": Name + "@" + Version + " " + versions, "files": names(a.Files), "data": names(o.Files), "title": a.Title,
		"limits": b.settings.Limits,
	}}
}

// site shows pictures, each of which is a route; the first is also what "/" shows.
func site(a *vitrine.Artifact, pictures [][]byte) *vitrine.Site {
	s := &vitrine.Site{Kind: vitrine.KindPlot, Builder: Name, Base: "/", Routes: []string{}, Files: map[string][]byte{}}
	var page strings.Builder
	page.WriteString(head(a, "") + `</head><body>`)
	for i, picture := range pictures {
		name := fmt.Sprintf("picture-%d.png", i+1)
		s.Files[name] = picture
		fmt.Fprintf(&page, `<img src="%s" alt="Plot %d">`, name, i+1)
		if i == 0 {
			name = ""
		}
		s.Routes = append(s.Routes, "/"+name)
	}
	s.Files["index.html"] = []byte(page.String() + `</body></html>`)
	s.Hash = build.Hash(s.Files)
	return s
}

// PlotlyScript is what the page of a figure of plotly loads. On a machine that does not
// have it the figure cannot be drawn.
const PlotlyScript = "https://cdn.plot.ly/plotly-2.35.2.min.js"

// page shows a figure of plotly, which a browser draws.
func page(a *vitrine.Artifact, part []byte) *vitrine.Site {
	s := &vitrine.Site{Kind: vitrine.KindPlot, Builder: Name, Base: "/", Routes: []string{"/"}}
	s.Files = map[string][]byte{"index.html": []byte(head(a, `<script src="`+PlotlyScript+`"></script>`) + `</head><body>` + string(part) + `</body></html>`)}
	s.Hash = build.Hash(s.Files)
	return s
}

// head begins a page, up to the end of its head.
func head(a *vitrine.Artifact, more string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>` + html.EscapeString(cmp.Or(a.Title, "Plot")) + `</title><style>body{margin:0}img{display:block}</style>` + more
}

// failed is the site of a program that drew nothing to look at.
func failed(code vitrine.FailureCode, message, log string) *vitrine.Site {
	return &vitrine.Site{
		Kind: vitrine.KindPlot, Builder: Name, Base: "/", Routes: []string{"/"},
		Failure: &vitrine.BuildFailure{Code: code, Message: message, Log: log},
	}
}

// workDir holds the folders of programs, below the store.
func (s Settings) workDir() string { return filepath.Join(s.Store, "work") }
