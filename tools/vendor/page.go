package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// page lists what is embedded.
const page = "docs/third-party.md"

// list is the page about the embedded scripts that lie in tree.
func list(tree fs.FS) string {
	var b strings.Builder
	b.WriteString("# Third-party parts\n\nScripts that are embedded in the binary. `make vendor` fetches them from npm by name and version and writes this page; " +
		"`go test ./tools/vendor` compares the hashes with the files. The license texts lie next to the files. Go modules are listed in `go.mod`.\n\n" +
		"| package | source | license | file | SHA-256 |\n|---|---|---|---|---|\n")
	row := func(pkg, source, license, file string) {
		content, err := fs.ReadFile(tree, file)
		check(err)
		sum := sha256.Sum256(content)
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | `%s` |\n", pkg, source, license, file, hex.EncodeToString(sum[:]))
	}
	for _, s := range scripts {
		if s.license != "" {
			row(s.pkg+"@"+s.version, "`"+s.file+"`", s.license, s.to)
		}
	}
	row("react@18.3.1, react-dom@18.3.1", "bundled by esbuild from their modules (`tools/vendor`)", "MIT", react+".js")
	return b.String()
}
