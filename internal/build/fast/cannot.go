package fast

import (
	"fmt"
	"strings"
)

// Code is a kind of thing that this builder leaves to the exact one.
type Code string

// Everything that this builder says it cannot do.
const (
	CannotDependencies Code = "dependencies"   // no vite among them
	CannotScript       Code = "build_script"   // the build script does more than "vite build"
	CannotConfig       Code = "vite_config"    // vite.config does what only Vite can
	CannotPlugin       Code = "vite_plugin"    // a Vite plugin beside React's
	CannotPostCSS      Code = "postcss_config" // more than Tailwind 3 and autoprefixer
	CannotTailwind     Code = "tailwind"       // Tailwind 4, or a configuration that is no data
	CannotImport       Code = "import"         // a kind of file or import that is not known here
	CannotPackage      Code = "package"        // a package that does not bundle
	CannotHTML         Code = "html"           // something in index.html
	CannotEnv          Code = "env"            // a variable that refers to others
	CannotSize         Code = "size"           // a source file that is not parsed in this process
	CannotTime         Code = "time"           // took too long
	CannotWorker       Code = "worker"         // the Node.js worker crashed
)

// A Reason is one thing that this builder cannot do for a project.
type Reason struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Cannot is why a project is not for this builder. It says nothing about whether
// the project is right.
type Cannot struct{ Reasons []Reason }

func (c *Cannot) Error() string {
	var texts []string
	for _, r := range c.Reasons {
		texts = append(texts, string(r.Code)+": "+r.Message)
	}
	return strings.Join(texts, "; ")
}

func cannot(code Code, format string, args ...any) *Cannot {
	return &Cannot{[]Reason{{code, fmt.Sprintf(format, args...)}}}
}

// broken is an error of the project itself: Vite's build would fail, too.
type broken struct {
	message, log string
	file         string // of the project, that holds the mistake; may be empty
}

func (b *broken) Error() string { return b.message }

func breaks(file, format string, args ...any) *broken {
	text := fmt.Sprintf(format, args...)
	first, _, _ := strings.Cut(text, "\n")
	return &broken{message: first, log: text, file: file}
}

// throw notes that a module throws a message; esbuild loads several at a time.
func (p *work) throw(module, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.thrown[module] = message
}

// throws is what a module throws, empty if it is made.
func (p *work) throws(module string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.thrown[module]
}
