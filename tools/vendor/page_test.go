package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page names every embedded script with its hash and license.
func TestThePageIsOfTheFiles(t *testing.T) {
	t.Chdir("../..")
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != list(os.DirFS(".")) {
		t.Errorf("%s is not what `make vendor` writes for the files that are here", page)
	}
	files, err := filepath.Glob("internal/*/third_party/*.js")
	if err != nil {
		t.Fatal(err)
	}
	deeper, err := filepath.Glob("internal/*/*/third_party/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, deeper...) {
		if !strings.Contains(string(have), "`"+file+"`") {
			t.Errorf("%s does not list %s", page, file)
		}
	}
}
