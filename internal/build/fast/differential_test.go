package fast

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"vitrine/internal/literal"
	"vitrine/internal/literal/typescript"
	"vitrine/internal/project"
)

// asked is the evaluation that a build asks of a configuration file.
func asked(name, source string) literal.File {
	if strings.HasPrefix(name, "vite.") {
		return project.ViteFile(name, source, map[string]string{"VITE_API": "https://api.example", "PORT": "3000"})
	}
	return literal.File{Name: name, Source: source, Modules: map[string]json.RawMessage{
		"tailwindcss/defaultTheme": json.RawMessage(`{"fontFamily":{"sans":["ui-sans-serif","system-ui"],"mono":["Menlo"]},"screens":{"sm":"640px"},"width":{"$code":true},"spacing":{"4":"1rem","0.5":"2px","px":"1px"}}`),
		"tailwindcss/colors":       json.RawMessage(`{"inherit":"inherit","slate":{"50":"#f8fafc","900":"#0f172a"},"amber":{"500":"#f59e0b"}}`),
	}}
}

// What is read as it stands is what evaluating the file gives, to the byte; and what is
// refused then is refused by evaluation, too. VITRINE_CONFIGS may name a folder with more
// files: projects, each a folder of its own.
func TestReadingIsEvaluating(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, _ := store(t)
	files := configs(t)
	needed, projects := map[string]bool{}, map[string]bool{}
	for place, source := range files {
		folder, name := filepath.Split(place)
		projects[folder] = true
		e := asked(name, source)
		read, readErr := typescript.Read(e)
		if errors.Is(readErr, literal.ErrCode) {
			needed[folder] = true
			t.Logf("%s is evaluated", place)
			continue
		}
		made, err := b.evaluate(t.Context(), e)
		if (err == nil) != (readErr == nil) {
			t.Errorf("%s: read: %s, %v; evaluated: %s, %v", place, read, readErr, made, err)
		} else if diff := cmp.Diff(string(made), string(read)); diff != "" {
			t.Errorf("%s: (-evaluated +read)\n%s", place, diff)
		}
	}
	t.Logf("%d of %d projects need an evaluation, with %d files in all", len(needed), len(projects), len(files))
}

// configs are configuration files by their place: those of the test projects and of
// testdata/configs.txtar, and those in VITRINE_CONFIGS.
func configs(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	examples, err := txtar.ParseFile("testdata/configs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range examples.Files {
		all[f.Name] = string(f.Data)
	}
	for _, root := range []string{"../../../testdata/projects", os.Getenv("VITRINE_CONFIGS")} {
		names, err := filepath.Glob(filepath.Join(root, "*", "*.config.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(source)
		}
	}
	return all
}
