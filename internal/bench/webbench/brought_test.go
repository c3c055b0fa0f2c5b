package webbench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
)

func TestWhatAPersonMustBringIsAskedForByName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{"nosql": "mongod 7.0.14", "prisma": "query engine", "nuxt": "sqlite3 5.1.7"} {
		_, _, err := bring(dir, name, "v20.20.2")
		if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUnsupportedKind || !strings.Contains(err.Error(), want) || f.Fix == "" {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if binds, env, err := bring(dir, "react", "v20.20.2"); err != nil || len(binds)+len(env) > 0 {
		t.Errorf("react: %v %v %v", binds, env, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "node_sqlite3.node"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	binds, env, err := bring(dir, "nuxt", "v20.20.2")
	if err != nil || len(binds) != 1 || binds[0].Inside != "/build/compiled/20.20.2/linux/x64/node_sqlite3.node" || len(env) != 1 {
		t.Errorf("nuxt: %v %v %v", binds, env, err)
	}
	_, compiled, _ := strings.Cut(env[0], "=")
	for _, root := range []string{"/build/project/node_modules/sqlite3", "/build/project/src/.output/server/node_modules/sqlite3"} { // where its package may be
		if at := filepath.Join(root, compiled, "20.20.2/linux/x64/node_sqlite3.node"); at != binds[0].Inside {
			t.Errorf("from %s it is looked for at %s", root, at)
		}
	}
}

// A project that cannot be tested here is unjudged, whoever answers, and the run goes on.
func TestWhatCannotBeTestedIsUnjudged(t *testing.T) {
	t.Parallel()
	w := said(false)
	w.test = func(context.Context, string, map[string]string, string, []string) (tested, error) {
		_, _, err := bring(t.TempDir(), "nosql", "v20.20.2")
		return tested{}, err
	}
	a := answers{"tiny/init": {page("init")}}
	walked, err := w.Walk(t.Context(), tinyTask(t), a.ask, journal(t))
	if err != nil || walked.Error == nil || walked.Strict["pass1"] != nil || walked.Outcome != "unjudged" {
		t.Errorf("%+v, %v", walked, err)
	}
	reference, err := w.Reference(t.Context(), tinyTask(t), journal(t))
	if err != nil || reference.Error == nil || reference.Outcome != "unjudged" {
		t.Errorf("%+v, %v", reference, err)
	}
}
