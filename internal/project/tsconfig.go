package project

import (
	"encoding/json"
	"regexp"
)

// A Compiler is what tsconfig says of how a file becomes JavaScript.
type Compiler struct {
	Options map[string]json.RawMessage
	JSX     string // the runtime, such as react-jsx, empty if nothing is said
}

var compilerFlag = regexp.MustCompile(`"(verbatimModuleSyntax|experimentalDecorators|useDefineForClassFields|preserveValueImports|isolatedModules|target|jsx)"\s*:\s*("[^"]*"|true|false)`)

// readCompiler reads the options that change what a file becomes. A starter splits them over
// two files; both are for the same sources.
func readCompiler(files map[string]string) Compiler {
	c := Compiler{Options: map[string]json.RawMessage{}}
	for _, name := range []string{"tsconfig.json", "tsconfig.app.json"} {
		for _, m := range compilerFlag.FindAllStringSubmatch(files[name], -1) {
			c.Options[m[1]] = json.RawMessage(m[2])
		}
	}
	c.JSX, _ = stringOf(c.Options["jsx"])
	delete(c.Options, "jsx")
	return c
}
