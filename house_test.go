package vitrine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the path of this module.
const module = "vitrine"

// stages are the steps of the pipeline. A stage turns one noun into the next and
// knows no other stage.
var stages = []string{"internal/parse", "internal/build", "internal/capture", "internal/interact", "internal/judge", "internal/reward", "internal/report"}

// tools may be used by every stage and know no stage.
var tools = []string{"internal/browser", "internal/page", "internal/sandbox", "internal/runs", "internal/evidence", "internal/cache", "internal/blob", "internal/htmlhint", "internal/fixtures", "internal/inputs", "internal/npm", "internal/model", "internal/queue", "internal/strictyaml", "internal/literal", "internal/markup", "internal/require", "internal/project",
	"internal/digest", "internal/singleflight", "internal/disk", "internal/subprocess", "internal/memory", "internal/tracetext", "internal/picture", "internal/stats", "internal/buildinfo"}

// above are packages that compose stages and tools; no stage or tool knows them. Whatever
// stands on the pipeline is above as well.
var above = []string{"internal/pipeline", "internal/compare", "internal/meta", "internal/doctor", "internal/lint", "internal/figures", "internal/data", "cmd"}

// forbidden are imports that would break the shape of the house, each with its
// reason: neither the package nor any of ours below it may have them. A name also
// stands for the packages below it.
var forbidden = []struct{ from, to, why string }{
	{".", "os", "the nouns are data"},
	{".", "net", "the nouns are data: HTTP statuses are the server's"},
	{"internal/parse", "os", "parsing is pure: what a model wrote must not touch the disk"},
	{"internal/parse", "net", "parsing is pure"},
	{"internal/project", "os", "a project is read from memory: what a model wrote must not touch the disk"},
	{"internal/require", "os", "reading an instruction is a function of its text"},
	{"internal/require", "internal", "the nouns are all that reading an instruction needs"},
	{"internal/reward", "os", "rewards are arithmetic: who calls reads the recipe file"},
	{"internal/reward", "net", "rewards are arithmetic"},
	{"internal/judge", "internal/browser", "judging is a function of saved evidence: it must work years later, without a browser"},
	{"internal/judge", "internal/sandbox", "judging runs nothing"},
	{"internal/judge", "internal/runs", "a judgement is of evidence, not of a run"},
	{"internal/judge", "internal/cache", "who calls keeps judgements"},
	{"internal/judge", "internal/evidence", "who calls reads evidence"},
	{"internal/judge", "os", "judges see evidence, not folders"},
	{"internal/grpo", "os", "advantages and objectives are arithmetic"},
	{"internal/grpo", "internal", "advantages and objectives are arithmetic"},
	{"internal/refine", "os", "the loop is a state machine: who calls stores it"},
	{"internal/refine", "net", "the loop is a state machine: who calls serves it"},
	{"internal/refine", "internal", "the loop renders nothing and asks no model: policies and critics are handed to it"},
	{"internal/report", "internal/browser", "a report is made of files"},
	{"internal/browser", "internal/runs", "the browser knows nothing of runs"},
	{"internal/browser", "internal/cache", "who calls keeps what was seen"},
	{"internal/browser", "internal/evidence", "who calls keeps what was seen"},
	{"internal/sandbox", "internal/browser", "the sandbox is below the browser"},
	{"internal/model", "internal/browser", "asking a model opens no page"},
	{"internal/model", "internal/sandbox", "asking a model runs nothing"},
	{"internal/model", "internal/cache", "conversations are kept by the tape that is handed to it"},
	{"internal/model", "internal/evidence", "asking a model opens no folder"},
	{"internal/model", "internal/runs", "asking a model knows no runs: conversations are kept by the tape that is handed to it"},
	{"internal/inputs", "internal/browser", "reading an input shows nothing"},
	{"internal/inputs", "internal/sandbox", "reading an input runs nothing"},
	{"internal/meta", "internal/browser", "judges are judged on saved evidence"},
	{"internal/meta", "internal/pipeline", "judges are judged by themselves, without gates and recipes"},
	{"internal/redteam", "internal/pipeline", "the red team attacks rewards by the interface that it is given"},
	{"internal/redteam", "internal/judge", "the red team knows no judge: it attacks any"},
	{"internal/data/near", "os", "comparing is a function of what is compared"},
	{"internal/data/near", "internal", "comparing knows no records"},
	{"internal/worker", "internal/pipeline", "a worker scores by the interface that it is given"},
	{"internal/model/openai", "os", "keys and addresses come from the target, not from variables"},
	{"internal/model/anthropic", "os", "keys and addresses come from the target, not from variables"},
	{"internal/model/google", "os", "keys and addresses come from the target, not from variables"},
}

// offline are packages whose answer is a function of what they are given. Nothing
// below them, libraries and standard library included, reaches a network or starts
// a process.
var offline = []string{".", "internal/markup", "internal/parse", "internal/project", "internal/reward", "internal/grpo", "internal/refine", "internal/judge/measured", "internal/judge/calibrate", "internal/papers", "internal/redteam", "internal/require"}

// reached is what a package imports, itself and through others, tests left out. Names
// of this module are without its path; the root package is ".".
type reached struct {
	ours []string // imports of the package and of those of ours below it
	all  []string // every package below it
}

// production are the packages of the module with what they reach.
var production = sync.OnceValues(func() (map[string]reached, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	type listed struct {
		ImportPath    string
		Imports, Deps []string
	}
	packages := map[string]listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		packages[p.ImportPath] = p
	}
	result := map[string]reached{}
	for _, p := range packages {
		var r reached
		for _, name := range append(p.Deps, p.ImportPath) {
			for _, imp := range packages[name].Imports {
				r.ours = append(r.ours, short(imp))
			}
			r.all = append(r.all, short(name))
		}
		slices.Sort(r.ours)
		r.ours = slices.Compact(r.ours)
		result[short(p.ImportPath)] = r
	}
	return result, nil
})

func short(name string) string {
	if name == module {
		return "."
	}
	return strings.TrimPrefix(name, module+"/")
}

// packages are those of [production], of which there are some.
func packages(t *testing.T) map[string]reached {
	t.Helper()
	all, err := production()
	if err != nil || len(all["internal/pipeline"].all) == 0 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	return all
}

// goFiles are the Go files of the module, tests included.
func goFiles(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// eachPackage parses the sources of every package, without tests and without
// programs that are only run by go generate.
func eachPackage(t *testing.T, visit func(dir string, files []*ast.File, fset *token.FileSet)) {
	t.Helper()
	dirs := map[string][]string{}
	for _, name := range goFiles(t) {
		if !strings.HasSuffix(name, "_test.go") {
			dir := filepath.ToSlash(filepath.Dir(name))
			dirs[dir] = append(dirs[dir], name)
		}
	}
	for dir, names := range dirs {
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(string(source), "//go:build ignore") {
				continue
			}
			f, err := parser.ParseFile(fset, name, source, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if len(files) > 0 {
			visit(dir, files, fset)
		}
	}
}

// within reports whether a package is name or below it.
func within(pkg, name string) bool {
	return pkg == name || strings.HasPrefix(pkg, strings.TrimSuffix(name, "/")+"/")
}

func anyWithin(pkg string, names []string) string {
	for _, n := range names {
		if within(pkg, n) {
			return n
		}
	}
	return ""
}

func TestForbiddenImports(t *testing.T) {
	for pkg, r := range packages(t) {
		for _, imp := range r.ours {
			for _, rule := range forbidden {
				if within(pkg, rule.from) && within(imp, rule.to) {
					t.Errorf("%s reaches %s: %s", pkg, imp, rule.why)
				}
			}
		}
	}
}

func TestPureStagesReachNoNetworkAndStartNothing(t *testing.T) {
	for pkg, r := range packages(t) {
		if anyWithin(pkg, offline) == "" {
			continue
		}
		for _, name := range []string{"net", "net/http", "os/exec"} {
			if slices.Contains(r.all, name) {
				t.Errorf("%s reaches %s: its answer is a function of what it is given", pkg, name)
			}
		}
	}
}

func TestStagesKnowNoOtherStage(t *testing.T) {
	for pkg, r := range packages(t) {
		from := anyWithin(pkg, slices.Concat(stages, tools))
		if from == "" {
			continue
		}
		for _, imp := range r.ours {
			if to := anyWithin(imp, stages); to != "" && to != from {
				t.Errorf("%s reaches %s: only internal/pipeline composes stages", pkg, imp)
			}
			if anyWithin(imp, above) != "" {
				t.Errorf("%s reaches %s, which is above it", pkg, imp)
			}
		}
	}
}

// chooser is the builder that has the others.
const chooser = "internal/build/auto"

func TestBuildersKnowNoOtherBuilder(t *testing.T) {
	for pkg, r := range packages(t) {
		for _, imp := range r.ours {
			if strings.HasPrefix(pkg, "internal/build/") && strings.HasPrefix(imp, "internal/build/") && pkg != chooser {
				t.Errorf("%s reaches %s: only %s chooses between builders", pkg, imp, chooser)
			}
		}
	}
}

func TestTheNounsImportOnlyTheStandardLibrary(t *testing.T) {
	for _, imp := range packages(t)["."].ours {
		if strings.Contains(strings.Split(imp, "/")[0], ".") || within(imp, "internal") {
			t.Errorf("the root package imports %s", imp)
		}
	}
}

func TestNamesOfPackages(t *testing.T) {
	for pkg := range packages(t) {
		switch name := path.Base(pkg); name {
		case "common", "util", "utils", "helpers", "models", "types", "misc":
			t.Errorf("%s: %q says nothing; name what it does", pkg, name)
		}
	}
}
