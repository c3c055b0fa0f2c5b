package webbench

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/generate"
)

const system = `You extend a website, one task at a time. You are given its files and the next task.
Answer with the files that change or are new, each whole, in a fenced block of its own whose first line is the path of the file:

` + "```js" + `
lib/list.js
export const list = []
` + "```" + `

Leave nothing out of a file, and keep what works. Files that do not change are not in the answer. Write nothing else.`

// prompt puts a step to a model, in words of ours: the files as they are, the task as
// published, and what failed, if this is a second try.
func (k *walk) prompt(s step, failed string) generate.Prompt {
	var b strings.Builder
	hidden := k.hidden(k.task.ID)
	for _, name := range slices.Sorted(maps.Keys(k.files)) {
		if !hidden(name) && utf8.ValidString(k.files[name]) {
			fmt.Fprintf(&b, "```%s\n%s\n%s\n```\n\n", strings.TrimPrefix(path.Ext(name), "."), name, strings.TrimRight(k.files[name], "\n"))
		}
	}
	if b.Len() == 0 {
		b.WriteString("There are no files yet.\n\n")
	}
	fmt.Fprintf(&b, "The task: %s\n", strings.TrimSpace(s.Description))
	if failed != "" {
		fmt.Fprintf(&b, "\nYour answer was written into the files above, and its tests failed:\n\n%s\n\nMend it.\n", failed)
	}
	return generate.Prompt{System: system, Text: b.String()}
}

// hidden are the files that a project keeps from models: those whose name, or a folder of
// whose path, is in its .evalignore, where * may stand for a part of a name.
func (w *walker) hidden(name string) func(string) bool {
	b, _ := os.ReadFile(filepath.Join(w.data, projectsDir, name, ".evalignore")) // most have none
	patterns := strings.Fields(string(b))
	return func(file string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			p = strings.TrimSuffix(p, "/")
			for dir := file; dir != "."; dir = path.Dir(dir) {
				whole, _ := path.Match(p, dir)
				part, _ := path.Match(p, path.Base(dir))
				if whole || part {
					return true
				}
			}
			return false
		})
	}
}

// assets is the folder that as published every answer finds among its files.
const assets = "assets"

// filesIn are the assets of a project with the files of one of its folders; of none for an
// empty name.
func (w *walker) filesIn(name, folder string) (map[string]string, error) {
	files := map[string]string{}
	for _, from := range []struct{ dir, to string }{{assets, assets}, {folder, "."}} {
		dir := filepath.Join(w.data, projectsDir, name, from.dir)
		if _, err := os.Stat(dir); from.dir == "" || from.dir == assets && os.IsNotExist(err) {
			continue
		}
		err := fs.WalkDir(os.DirFS(dir), ".", func(at string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(filepath.Join(dir, at))
			files[path.Join(from.to, at)] = string(content)
			return err
		})
		if err != nil {
			return nil, faulty(err, fmt.Sprintf("the folder %s of %s cannot be read", from.dir, name))
		}
	}
	return files, nil
}
