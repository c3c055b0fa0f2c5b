package explore

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// literal finds the keys that scripts speak of.
var literal = regexp.MustCompile("[\"'`](Arrow(?:Up|Down|Left|Right)|Enter|Escape|Esc|Space|Spacebar| |Tab|Delete|Backspace|Home|End|PageUp|PageDown|Key[A-Z]|Digit[0-9]|[a-zA-Z0-9/?+=-])[\"'`]")

// bare finds arrow keys that are spoken of without quotes: as keys of an object.
var (
	bare    = regexp.MustCompile(`\bArrow(?:Up|Down|Left|Right)\b`)
	held    = regexp.MustCompile(`ctrlKey|metaKey`)
	letters = regexp.MustCompile("[\"'`]([a-z])[\"'`]")
	digits  = regexp.MustCompile(`\\d|0-9`)
)

var arrows = []string{"ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"}

const maxKeys = 12

// foundKeys enters the keys that a page seems to listen for. That one shows nothing
// proves nothing: it may belong to a game that has not begun.
func (e *explorer) foundKeys(scene *interact.Scene, route string, way []vitrine.Action, state string) {
	if !scene.Keyboard {
		return
	}
	for i, name := range e.keys() {
		key := route + "|keyboard|" + name
		if e.known[key] {
			continue
		}
		e.known[key] = true
		c := vitrine.Control{Role: "keyboard", Name: name, Tag: "body", Path: "body"}
		e.queue = append(e.queue, &candidate{
			route: route, path: way, from: state, control: c, at: -1, inconclusive: true, order: len(e.queue) + len(e.done), rank: max(0.01, weights["keyboard"]-0.02*float64(i)),
		})
	}
}

// keys are those that the scripts of the site name, arrows, space and enter first.
func (e *explorer) keys() []string {
	text := scripts(e.driver.Site)
	named := map[string]bool{}
	for _, m := range literal.FindAllStringSubmatch(text, -1) {
		k := m[1]
		switch {
		case k == "Space" || k == "Spacebar":
			k = " "
		case k == "Esc":
			k = "Escape"
		case strings.HasPrefix(k, "Key"):
			k = strings.ToLower(k[3:])
		case strings.HasPrefix(k, "Digit"):
			k = k[5:]
		}
		named[k] = true
	}
	for _, k := range bare.FindAllString(text, -1) {
		named[k] = true
	}
	if strings.Contains(text, "keyCode") || strings.Contains(text, "'Arrow' +") {
		for _, k := range append(slices.Clone(arrows), " ") {
			named[k] = true
		}
	}
	var all []string
	for _, k := range append(slices.Clone(arrows), " ", "Enter", "Escape", "w", "a", "s", "d", "5", "p", "r", "n", "/", "?") {
		if named[k] || k == "5" && digits.MatchString(text) {
			all = append(all, name(k))
			delete(named, k)
		}
	}
	if held.MatchString(text) {
		for _, m := range letters.FindAllStringSubmatch(text, -1) {
			if k := "Control+" + m[1]; !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all[:min(len(all), maxKeys)]
}

// name is how an action names a key.
func name(k string) string {
	if k == " " {
		return "Space"
	}
	return k
}

const maxScripts = 4 << 20

// scripts are the texts of a site in which keys may be named.
func scripts(site *vitrine.Site) string {
	var b strings.Builder
	add := func(file string, read func() ([]byte, error)) {
		switch path.Ext(file) {
		case ".html", ".js", ".mjs", ".htm":
			if text, err := read(); err == nil && b.Len()+len(text) <= maxScripts {
				b.Write(text)
				b.WriteByte('\n')
			}
		}
	}
	var files []string
	for file := range site.Files {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		add(file, func() ([]byte, error) { return site.Files[file], nil })
	}
	if site.Root == "" {
		return b.String()
	}
	root, err := os.OpenRoot(site.Root) // which never leaves the folder
	if err != nil {
		return b.String()
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			add(file, func() ([]byte, error) { return root.ReadFile(file) })
		}
		return nil
	})
	return b.String()
}
