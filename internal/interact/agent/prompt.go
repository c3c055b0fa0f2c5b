package agent

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"text/template"

	"vitrine/internal/model/fence"
)

//go:embed prompts/*.txt
var prompts embed.FS

// A prompt is a template of the words around the data, and the system text that
// goes with every one of them.
type prompt struct {
	system, body *template.Template
	hash         string // of both sources, in hex
}

// words is what a template can say. Instruction and Items hold data between fences.
type words struct {
	Fence       string
	Grid        string // what the numbers of a point mean; empty where controls are numbered
	Instruction string
	Items       string // the plan, the test, or the leaves
	Most        int    // actions, or entries of a plan
	Published   bool   // the interactive aesthetics agent is that of the paper
	Topic       string // of the task, between fences; empty where it has none
	Game        bool   // the topic is a game
}

// load reads the embedded prompt of a name.
func load(name string) (*prompt, error) {
	system, err := prompts.ReadFile("prompts/system.txt")
	if err != nil {
		return nil, err
	}
	body, err := prompts.ReadFile("prompts/" + name + ".txt")
	if err != nil {
		return nil, err
	}
	p := &prompt{}
	if p.system, err = template.New("system").Parse(string(system)); err != nil {
		return nil, err
	}
	if p.body, err = template.New(name).Parse(string(body)); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(string(system) + "\x00" + string(body)))
	p.hash = hex.EncodeToString(sum[:8])
	return p, nil
}

// A brief is what a run is about, with the page.
type brief struct {
	instruction string
	items       string
	kind        string // of the items, in our words
	most        int
	grid        string
	published   bool
	topic       string
}

// game reports whether the topic is AesCoder's for games (G.3).
func (b brief) game() bool { return strings.EqualFold(b.topic, "game dev") }

// render fills both templates in, with data between the marks of a fence.
func (p *prompt) render(b brief, f fence.Fence) (system, body string, err error) {
	w := words{Fence: string(f), Grid: b.grid, Most: b.most, Instruction: f.Around("instruction", b.instruction), Published: b.published, Game: b.game()}
	if b.topic != "" {
		w.Topic = f.Around("topic", b.topic)
	}
	if b.items != "" {
		w.Items = f.Around(b.kind, b.items)
	}
	var s, t strings.Builder
	if err := p.system.Execute(&s, w); err != nil {
		return "", "", fmt.Errorf("system prompt: %w", err)
	}
	if err := p.body.Execute(&t, w); err != nil {
		return "", "", fmt.Errorf("prompt: %w", err)
	}
	return strings.TrimSpace(s.String()), strings.TrimSpace(t.String()), nil
}

// revision is raised when the same prompts and answers come to something else.
const revision = 1

// Version identifies what turns answers into verdicts: the prompts, and how answers are
// read. It is part of the provenance.
var Version = sync.OnceValue(func() string {
	h := sha256.New()
	names, _ := prompts.ReadDir("prompts") // embedded: they are there
	for _, n := range names {
		text, _ := prompts.ReadFile("prompts/" + n.Name())
		fmt.Fprintf(h, "%s %d\n%s", n.Name(), len(text), text)
	}
	return fmt.Sprintf("%d-%s", revision, hex.EncodeToString(h.Sum(nil)[:8]))
})
