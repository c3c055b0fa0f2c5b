// Command vendor fetches the third-party scripts that Vitrine embeds, by name and
// version from npm, writes them with their licences where they are used, and lists them
// with their hashes in docs/third-party.md. Run it with `make vendor` after changing a
// version here.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// A script is one file of an npm package that is embedded as it is.
type script struct{ pkg, version, license, file, to string }

const react = "internal/build/component/third_party/react"

var scripts = []script{
	{"axe-core", "4.14.1", "MPL-2.0", "axe.min.js", "internal/capture/third_party/axe.min.js"},
	{"axe-core", "4.14.1", "", "LICENSE", "internal/capture/third_party/axe.LICENSE"},
	{"htmlhint", "1.9.2", "MIT", "dist/htmlhint.min.js", "internal/htmlhint/third_party/htmlhint.min.js"},
	{"htmlhint", "1.9.2", "", "LICENSE.md", "internal/htmlhint/third_party/htmlhint.LICENSE"},
	{"@tailwindcss/browser", "4.3.3", "MIT", "dist/index.global.js", "internal/build/component/third_party/tailwind.js"},
	{"@tailwindcss/browser", "4.3.3", "", "LICENSE", "internal/build/component/third_party/tailwind.LICENSE"},
	{"react", "18.3.1", "", "LICENSE", react + ".LICENSE"},
}

// reactHost makes the modules of React 18 reachable for components.
const reactHost = `
import * as React from 'react';
import * as ReactDOM from 'react-dom';
import * as Client from 'react-dom/client';
import * as JSX from 'react/jsx-runtime';
globalThis.__host = { 'react': React, 'react-dom': ReactDOM, 'react-dom/client': Client, 'react/jsx-runtime': JSX };`

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "vendor-")
	check(err)
	defer os.RemoveAll(dir)
	args := []string{"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "react-dom@18.3.1"}
	for _, s := range scripts {
		args = append(args, s.pkg+"@"+s.version)
	}
	cmd := exec.Command("npm", args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	check(cmd.Run())
	for _, s := range scripts {
		content, err := os.ReadFile(filepath.Join(dir, "node_modules", s.pkg, s.file))
		check(err)
		write(s.to, content)
	}
	write(react+".js", bundle(dir))
	write(page, []byte(list(os.DirFS("."))))
}

func bundle(dir string) []byte {
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: reactHost, ResolveDir: dir},
		Bundle: true, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Format: api.FormatIIFE, Target: api.ES2020, LegalComments: api.LegalCommentsInline,
		Define: map[string]string{"process.env.NODE_ENV": `"production"`},
	})
	if len(result.Errors) > 0 {
		log.Fatal(result.Errors[0].Text)
	}
	return result.OutputFiles[0].Contents
}

func write(name string, content []byte) {
	check(os.MkdirAll(filepath.Dir(name), 0o755))
	check(os.WriteFile(name, content, 0o644))
	fmt.Println(name, len(content))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
