package vitrine_test

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"testing"
)

// The longest file, tests included, and the longest function, tests left out, in lines.
const (
	maxFileLines     = 350
	maxFunctionLines = 60
)

func TestFilesAreShort(t *testing.T) {
	for _, name := range goFiles(t) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(source, []byte("\n")); lines > maxFileLines {
			t.Errorf("%s has %d lines, more than %d", name, lines, maxFileLines)
		}
	}
}

func TestFunctionsAreShort(t *testing.T) {
	eachPackage(t, func(_ string, files []*ast.File, fset *token.FileSet) {
		for _, f := range files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				at := fset.Position(fn.Pos())
				if lines := fset.Position(fn.End()).Line - at.Line + 1; lines > maxFunctionLines {
					t.Errorf("%s: %s has %d lines, more than %d", at, fn.Name.Name, lines, maxFunctionLines)
				}
			}
		}
	})
}
