// Package starter is the project that every generated project starts from, and the system
// prompt that asks for one (WebGen-R1 G.1: environment, stack, starter, think and answer).
// The prompt and the files are our own; names of files and versions are the paper's.
package starter

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"

	"vitrine"
)

//go:embed project
var project embed.FS

//go:embed prompt.txt
var source string

var prompt = template.Must(template.New("prompt").Parse(source))

// Files are those of the starter, package.json first, then by path.
func Files() []vitrine.File {
	var files []vitrine.File
	_ = fs.WalkDir(project, "project", func(name string, entry fs.DirEntry, err error) error { // embedded: it can be read
		if err == nil && !entry.IsDir() {
			content, _ := project.ReadFile(name)
			files = append(files, vitrine.File{Path: strings.TrimPrefix(name, "project/"), Content: string(content)})
		}
		return err
	})
	first := slices.IndexFunc(files, func(f vitrine.File) bool { return f.Path == "package.json" })
	return slices.Concat(files[first:first+1], files[:first], files[first+1:])
}

// File is the content of one of them; empty for any other name.
func File(name string) string {
	content, _ := project.ReadFile("project/" + name)
	return string(content)
}

// Artifact writes files as the answer that the prompt asks for, without its reasoning.
func Artifact(id, title string, files []vitrine.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<webArtifact id=%q title=%q>\n", id, title)
	for _, f := range files {
		fmt.Fprintf(&b, "<webAction type=\"file\" filePath=%q>\n%s\n</webAction>\n", f.Path, strings.TrimSpace(f.Content))
	}
	b.WriteString("<webAction type=\"shell\">npm install</webAction>\n<webAction type=\"start\">npm run dev</webAction>\n</webArtifact>")
	return b.String()
}

// System is the system prompt by which a model writes a project.
func System() string {
	var b strings.Builder
	if err := prompt.Execute(&b, struct{ Starter string }{Artifact("site", "Site", Files())}); err != nil {
		panic(err) // the template and its value are both above
	}
	return strings.TrimSpace(b.String())
}
