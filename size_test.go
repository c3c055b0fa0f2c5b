package vitrine_test

import (
	"go/ast"
	"go/token"
	"testing"
)

// The longest file and function, in lines, tests left out.
const (
	maxFileLines     = 380
	maxFunctionLines = 65
)

func TestFilesAndFunctionsAreShort(t *testing.T) {
	eachPackage(t, func(_ string, files []*ast.File, fset *token.FileSet) {
		for _, f := range files {
			if end := fset.Position(f.FileEnd); end.Line > maxFileLines+1 { // the last line ends with a newline
				t.Errorf("%s has %d lines, more than %d", end.Filename, end.Line-1, maxFileLines)
			}
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
