package webbench

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// filesOf are the files of an answer: each fenced block that names one, on its first line,
// after the language, or on its last line, as the published harness takes them. Names that
// lead out of the project's folder, or into its packages, are no files. Thoughts are cut off.
func filesOf(text string) map[string]string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	files := map[string]string{}
	for _, block := range blocks(text) {
		if name, code := named(block); usable(name) {
			files[path.Clean(name)] = code
		}
	}
	return files
}

// blocks are the fenced blocks that are closed, by their lines, with what is on the line of
// the fence, if it is there.
func blocks(text string) (all [][]string) {
	var open []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		info, fence := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		switch {
		case fence && !inside:
			inside, open = true, []string{strings.TrimSpace(info)}
		case fence && strings.TrimSpace(info) == "":
			inside, all = false, append(all, open)
		case inside:
			open = append(open, line)
		}
	}
	return all
}

// fileName is a path whose last part ends in a letter after a dot.
var fileName = regexp.MustCompile(`^/?(?:[^/\x00]+/)*[\[\]()@\w, .-]*\.[A-Za-z]+\d?$`)

// named takes the name of its file from a block.
func named(block []string) (name, code string) {
	info, lines := strings.Fields(block[0]), block[1:]
	if n := len(info); n > 0 && fileName.MatchString(info[n-1]) {
		return strings.TrimPrefix(info[n-1], "/"), join(lines)
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return "", ""
	}
	if fileName.MatchString(strings.TrimSpace(lines[0])) {
		return strings.TrimPrefix(strings.TrimSpace(lines[0]), "/"), join(lines[1:])
	}
	if last := strings.TrimSpace(lines[len(lines)-1]); fileName.MatchString(last) {
		return strings.TrimPrefix(last, "/"), join(lines[:len(lines)-1])
	}
	return "", ""
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func usable(name string) bool {
	return name != "" && len(name) < 500 && filepath.IsLocal(name) && !strings.Contains("/"+name, "/node_modules/")
}

// written are the files after an answer. As published, an empty file in an answer makes one
// that is not there, and leaves one that is.
func written(before, answer map[string]string) map[string]string {
	after := map[string]string{}
	for name, content := range before {
		after[name] = content
	}
	for name, content := range answer {
		if _, there := after[name]; !there || strings.TrimSpace(content) != "" {
			after[name] = content
		}
	}
	return after
}
