package vlm

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"text/template"
)

//go:embed prompts/*.txt
var prompts embed.FS

// Prompts identifies the embedded prompts of all protocols by their content.
var Prompts = sync.OnceValue(func() string {
	sum := sha256.New()
	names, _ := prompts.ReadDir("prompts") // embedded: they are there
	for _, f := range names {
		text, _ := prompts.ReadFile("prompts/" + f.Name())
		fmt.Fprintf(sum, "%s %d %s", f.Name(), len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
})

// A prompt is a template of the words around the data, and the system text that
// goes with every one of them.
type prompt struct {
	system, body *template.Template
	hash         string // of both sources, in hex
	custom       bool
	published    bool
}

// words is what a template can say. Each but Fence, Shown, Conditions,
// Published and ScreenshotFirst holds data between fences.
type words struct {
	Fence       string // the mark itself, for the system text
	Shown       string // "screenshots", "source code", "screenshots and source code"
	Instruction string
	Topic       string // empty where the task has none
	Items       string // leaves of a rubric, or a checklist
	Conditions  string // of alignment
	Published   bool   // the protocol is that of its paper, where ours differs
	// ScreenshotFirst: the screenshot stands before these words, not after them.
	ScreenshotFirst bool
}

// load reads the embedded prompt of a name, or the one that is to replace it, and says
// whether it is filled in for the published form of a protocol.
func load(name, replacement string, published bool) (*prompt, error) {
	system, err := prompts.ReadFile("prompts/system.txt")
	if err != nil {
		return nil, err
	}
	body := replacement
	if body == "" {
		embedded, err := prompts.ReadFile("prompts/" + name + ".txt")
		if err != nil {
			return nil, err
		}
		body = string(embedded)
	}
	p := &prompt{system: template.Must(template.New("system").Parse(string(system))), custom: replacement != "", published: published}
	if p.body, err = template.New(name).Parse(body); err != nil {
		return nil, usage("the prompt template cannot be read: "+err.Error(), "See docs/judging.md for what a template can say.")
	}
	if published {
		body += "\x00published"
	}
	sum := sha256.Sum256([]byte(string(system) + "\x00" + body))
	p.hash = hex.EncodeToString(sum[:8])
	return p, nil
}

// render fills both templates in.
func (p *prompt) render(w words) (system, body string, err error) {
	var s, b strings.Builder
	w.Published = p.published
	if err := p.system.Execute(&s, w); err != nil {
		return "", "", fmt.Errorf("system prompt: %w", err)
	}
	if err := p.body.Execute(&b, w); err != nil {
		return "", "", usage("the prompt template cannot be filled in: "+err.Error(), "See docs/judging.md for what a template can say.")
	}
	return strings.TrimSpace(s.String()), strings.TrimSpace(b.String()), nil
}
