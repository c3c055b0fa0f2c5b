package pipeline

import (
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"vitrine"
)

// doc is a whole page around a body.
func doc(body string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tea house</title>` +
		`<style>html, body { margin: 0 } iframe, object, embed { border: 0; display: block; width: 100%; height: 100vh }</style></head><body>` + body + `</body></html>`
}

func srcdoc(attributes, page string) string {
	return `<iframe title="Tea house" ` + attributes + ` srcdoc="` + html.EscapeString(page) + `"></iframe>`
}

func withText(format, content string) string {
	return `<script>const text = new TextDecoder().decode(Uint8Array.from(atob('` + base64.StdEncoding.EncodeToString([]byte(content)) + `'), (c) => c.charCodeAt(0)));` + format + `</script>`
}

func element(mode string) string {
	return `customElements.define('tea-house', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: '` + mode + `' }).innerHTML = text } })`
}

// writings are ways in which one content is written.
var writings = map[string]func(content string) map[string]string{
	"page":   func(c string) map[string]string { return map[string]string{"index.html": doc(c)} },
	"srcdoc": func(c string) map[string]string { return map[string]string{"index.html": doc(srcdoc("", doc(c)))} },
	"sandboxed": func(c string) map[string]string {
		return map[string]string{"index.html": doc(srcdoc("sandbox", doc(c)))}
	},
	"sandboxed scripts": func(c string) map[string]string {
		return map[string]string{"index.html": doc(srcdoc(`sandbox="allow-scripts"`, doc(`<script>0</script>`+c)))}
	},
	"nested": func(c string) map[string]string {
		return map[string]string{"index.html": doc(srcdoc("", doc(srcdoc(`sandbox="allow-scripts"`, doc(srcdoc("", doc(c)))))))}
	},
	"data": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<iframe title="Tea house" src="data:text/html;charset=utf-8;base64,` + base64.StdEncoding.EncodeToString([]byte(doc(c))) + `"></iframe>`)}
	},
	"blob": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<iframe title="Tea house" id="f"></iframe>` + withText(`f.src = URL.createObjectURL(new Blob([text], { type: 'text/html;charset=utf-8' }))`, doc(c)))}
	},
	"file": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<iframe title="Tea house" src="tea.html"></iframe>`), "tea.html": doc(c)}
	},
	"object": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<object title="Tea house" data="tea.html" type="text/html"></object>`), "tea.html": doc(c)}
	},
	"embed": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<embed title="Tea house" src="tea.html" type="text/html">`), "tea.html": doc(c)}
	},
	"open shadow": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<tea-house></tea-house>` + withText(element("open"), c))}
	},
	"closed shadow": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<tea-house></tea-house>` + withText(element("closed"), c))}
	},
	"nested shadow": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<div id="outer"></div>` + withText(`const inner = document.createElement('div'); inner.attachShadow({ mode: 'closed' }).innerHTML = text; outer.attachShadow({ mode: 'closed' }).append(inner)`, c))}
	},
	"declared open": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<div><template shadowrootmode="open">` + c + `</template></div>`)}
	},
	"declared closed": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<div><template shadowrootmode="closed">` + c + `</template></div>`)}
	},
	"slotted": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<tea-house>` + c + `</tea-house>` + withText(element("closed"), `<slot></slot>`))}
	},
	"frame in shadow": func(c string) map[string]string {
		return map[string]string{"index.html": doc(`<div id="outer"></div>` + withText(`outer.attachShadow({ mode: 'closed' }).innerHTML = '<style>iframe { border: 0; display: block; width: 100%; height: 100vh }</style><iframe title="Tea house"></iframe>'.replace('<iframe', '<iframe srcdoc="' + text.replaceAll('&', '&amp;').replaceAll('"', '&quot;') + '"')`, doc(c)))}
	},
	"shadow in frame": func(c string) map[string]string {
		return map[string]string{"index.html": doc(srcdoc("", doc(`<tea-house></tea-house>`+withText(element("closed"), c))))}
	},
}

// One content scores about the same in whichever way it is written: what is in a frame or
// in a shadow tree is seen as what is not.
func TestOneContentScoresTheSameHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	p := pipe(t, nil)
	for _, content := range []string{"poor", "medium", "good"} {
		text, err := os.ReadFile("../../testdata/frames/" + content + ".html")
		must(t, err)
		dirs := map[string]string{}
		for name, write := range writings {
			dirs[name] = seenFiles(t, p, write(string(text)))
		}
		for _, recipeName := range []string{"looks", "relook", "aescoder"} {
			r := recipe(t, recipeName)
			var lines []string
			low, high := math.Inf(1), math.Inf(-1)
			for name, dir := range dirs {
				s, err := Judge(t.Context(), dir, Settings{Recipe: r})
				must(t, err)
				lines = append(lines, fmt.Sprintf("%-18s %.4f", name, *s.Sample.Reward))
				low, high = min(low, *s.Sample.Reward), max(high, *s.Sample.Reward)
			}
			slices.Sort(lines)
			t.Logf("%s by %s:\n%s", content, recipeName, strings.Join(lines, "\n"))
			if high-low > 0.05 {
				t.Errorf("%s by %s: from %.4f to %.4f", content, recipeName, low, high)
			}
		}
	}
}

// seenFiles is the evidence folder of a page of several files.
func seenFiles(t *testing.T, p *Pipeline, files map[string]string) (dir string) {
	t.Helper()
	a := &vitrine.Artifact{Kind: vitrine.KindPage}
	for name, content := range files {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: content})
	}
	o := vitrine.Output{ID: "a", Text: files["index.html"], Instruction: "Make a page for a tea house, with a list of teas and a button to order"}
	slices.SortFunc(a.Files, func(x, y vitrine.File) int { return strings.Compare(x.Path, y.Path) })
	dir = t.TempDir()
	s, err := p.ScoreArtifact(t.Context(), o, a, dir)
	must(t, err)
	if s.Sample.Reward == nil {
		t.Fatalf("not judged: %v", s.Sample.Error)
	}
	return dir
}
