package verify

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"text/template"
)

// Version is raised with every change of what a model is given.
const Version = "1"

//go:embed prompts/*.txt
var prompts embed.FS

// words is what a template can say. Each but Fence holds data between fences.
type words struct {
	Fence                             string // the mark itself, for the system text
	Instruction, Case, Page, Explored string
	Code                              string
	Seen                              string // after a script that could not be carried out
}

// prompt is the templates of the package.
type prompt struct {
	all  *template.Template
	hash string // of all sources, in hex
}

func load() (*prompt, error) {
	all, err := template.ParseFS(prompts, "prompts/*.txt")
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, name := range []string{"system", "plan", "repair"} {
		source, err := prompts.ReadFile("prompts/" + name + ".txt")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%d\n%s", len(source), source)
	}
	return &prompt{all, hex.EncodeToString(h.Sum(nil)[:8])}, nil
}

// render fills a template in.
func (p *prompt) render(name string, w words) (string, error) {
	var b strings.Builder
	if err := p.all.ExecuteTemplate(&b, name+".txt", w); err != nil {
		return "", fmt.Errorf("prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}
