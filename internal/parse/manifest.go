package parse

import (
	"path"
	"strings"
)

// projectManifest takes the files and commands of the region's manifest.
func projectManifest(r *region, n *notes) *draft {
	m := r.manifest()
	if m == nil {
		return nil
	}
	d := &draft{id: m.tag.value("id"), title: m.tag.value("title")}
	if len(r.manifests) > 1 {
		n.add("several_artifacts", "%d manifests hold files; the first closed one counts, or else the first", len(r.manifests))
	}
	for _, it := range m.actions {
		d.act(it, n)
	}
	if !m.closed && m.actions[len(m.actions)-1].closed {
		n.add("artifact_unclosed", "the manifest is never closed")
	}
	return d
}

// act does what one action says.
func (d *draft) act(it item, n *notes) {
	content := it.content
	where := it.tag.value("filePath")
	if !it.closed {
		content = withoutFrame(content)
		n.add("truncated_action", "the last action (%s) is never closed", quote(where))
	}
	switch kind := actionType(it.tag); kind {
	case "file":
		if strings.Contains(content, "<webAction ") || strings.Contains(content, "<boltAction ") {
			n.add("nested_action", "the content of %s holds an action tag; it was left as content", quote(where))
		}
		d.files = append(d.files, draftFile{where, fileContent(content, where, !it.closed)})
	case "shell":
		if command := strings.TrimSpace(content); command != "" {
			d.shell = append(d.shell, command)
		}
	case "start":
		d.start = strings.TrimSpace(content)
	default:
		n.add("unknown_action", "an action of type %s was passed over", quote(kind))
	}
}

// fileContent takes off what belongs to the manifest and not to the file: the
// newline behind the open tag, the one before the close tag with its indent, a
// byte order mark, and a fence around the whole.
func fileContent(content, where string, cut bool) string {
	if head := strings.TrimLeft(content, " \t"); strings.HasPrefix(head, "\n") {
		content = head[1:]
	}
	if tail := strings.TrimRight(content, " \t"); strings.HasSuffix(tail, "\n") {
		content = tail[:len(tail)-1]
	}
	return unfence(strings.TrimPrefix(content, byteOrderMark), where, cut)
}

// withoutFrame takes the end of the frame off the content of an unclosed action:
// the close tags of manifest and answer, the closing fence between them, and the
// first letters of a close tag that was cut off. A lone < is of no use to a file
// that ends there, either.
func withoutFrame(content string) string {
	for _, end := range []string{"</webAction>", "</boltAction>"} {
		for n := 1; n < len(end); n++ {
			if cut, ok := strings.CutSuffix(content, end[:n]); ok {
				return cut
			}
		}
	}
	inner := strings.TrimSuffix(strings.TrimSpace(content), "</answer>")
	inner = strings.TrimRight(inner, " \t\n`~")
	for _, end := range []string{"</webArtifact>", "</boltArtifact>"} {
		if cut, ok := strings.CutSuffix(inner, end); ok {
			return cut
		}
	}
	return content
}

// staticManifest takes a manifest that needs no build as a page: an index.html
// with at most files that a browser reads as they are. The files of a starter
// that was cut off before its package.json do not look like that.
func staticManifest(r *region, n *notes) *draft {
	m := r.manifest()
	if m == nil {
		return nil
	}
	index := false
	for _, it := range m.actions {
		if actionType(it.tag) != "file" {
			continue
		}
		where := it.tag.value("filePath")
		if !isStatic(where) {
			return nil
		}
		if clean, _ := cleanPath(where); clean == indexFile {
			index = !strings.Contains(it.content, "src/main.")
		}
	}
	if !index {
		return nil
	}
	return projectManifest(r, n)
}

// isStatic tells a file that is served as it is.
func isStatic(file string) bool {
	switch name := path.Base(file); {
	case name == packageFile, strings.Contains(name, ".config."), strings.HasPrefix(name, "tsconfig"):
		return false
	}
	switch path.Ext(file) {
	case ".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".md", ".webmanifest", ".xml":
		return true
	}
	return false
}
