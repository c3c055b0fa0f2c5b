package vitrine_test

import (
	"go/ast"
	"go/doc"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryPackageAndExportedNameIsDocumented(t *testing.T) {
	eachPackage(t, func(dir string, files []*ast.File, fset *token.FileSet) {
		pkg, err := doc.NewFromFiles(fset, files, path.Join(module, dir))
		if err != nil {
			t.Fatal(err)
		}
		if pkg.Doc == "" {
			t.Errorf("%s has no package comment", dir)
		}
		if pkg.Name == "main" {
			return
		}
		for _, f := range pkg.Funcs {
			mustDocument(t, dir, f.Name, f.Doc)
		}
		for _, typ := range pkg.Types {
			mustDocument(t, dir, typ.Name, typ.Doc)
			for _, m := range slices.Concat(typ.Funcs, typ.Methods) {
				if !isConventional(m.Name) {
					mustDocument(t, dir, typ.Name+"."+m.Name, m.Doc)
				}
			}
		}
		for _, v := range slices.Concat(pkg.Consts, pkg.Vars) {
			if ast.IsExported(v.Names[0]) && v.Doc == "" && !allCommented(v.Decl) {
				t.Errorf("%s: %s has no comment", dir, v.Names[0])
			}
		}
	})
}

func TestDocsNameEveryCheckAndRecipe(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	checks := read("docs/checks.md")
	found := regexp.MustCompile(`\{id: "([a-z-]+)"`).FindAllStringSubmatch(read("internal/judge/measured/panel.go"), -1)
	if len(found) < 20 {
		t.Errorf("the panel has %d checks, want at least 20", len(found))
	}
	for _, m := range found {
		if !strings.Contains(checks, "| `"+m[1]+"` |") {
			t.Errorf("docs/checks.md does not name %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`Behavior = "([a-z]+)"`).FindAllStringSubmatch(read("requirement.go"), -1) {
		if !strings.Contains(read("docs/behave.md"), "| "+m[1]+" | ") {
			t.Errorf("docs/behave.md does not say how %s is proved", m[1])
		}
	}
	recipes, err := filepath.Glob("internal/reward/recipes/*.yaml")
	if err != nil || len(recipes) == 0 {
		t.Fatal(err)
	}
	for _, name := range recipes {
		if recipe := strings.TrimSuffix(filepath.Base(name), ".yaml"); !strings.Contains(read("README.md"), "`"+recipe+"`") {
			t.Errorf("the README does not name the recipe %s", recipe)
		}
	}
}

// isConventional names methods whose meaning the interface gives.
func isConventional(name string) bool {
	return slices.Contains([]string{"Error", "Unwrap", "String", "Is"}, name)
}

func mustDocument(t *testing.T, dir, name, text string) {
	t.Helper()
	if ast.IsExported(path.Base(strings.ReplaceAll(name, ".", "/"))) && strings.TrimSpace(text) == "" {
		t.Errorf("%s: %s has no comment", dir, name)
	}
}

func allCommented(decl *ast.GenDecl) bool {
	for _, spec := range decl.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || v.Doc == nil && v.Comment == nil {
			return false
		}
	}
	return true
}
