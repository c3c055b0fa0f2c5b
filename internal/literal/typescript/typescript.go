// Package typescript reads configuration files as package literal does, and takes the types
// out before.
package typescript

import (
	"encoding/json"
	"fmt"
	"path"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/literal"
)

// Loader is how esbuild reads a file of a name.
func Loader(name string) api.Loader {
	switch path.Ext(name) {
	case ".js", ".cjs", ".mjs":
		return api.LoaderJS
	}
	return api.LoaderTS
}

// Defines are what a file finds in import.meta.
func Defines(name string) map[string]string {
	return map[string]string{
		"import.meta.url": fmt.Sprintf("%q", "file://"+literal.Root+"/"+name), "import.meta.dirname": fmt.Sprintf("%q", literal.Root),
	}
}

// Read is [literal.Read] for a file of JavaScript or TypeScript. What is wrong with the
// syntax is a [literal.NotData], too.
func Read(f literal.File) (json.RawMessage, error) {
	if literal.TooLarge(f.Source) {
		return nil, literal.NotData("it is too large")
	}
	made := api.Transform(f.Source, api.TransformOptions{
		Loader: Loader(f.Name), Target: api.ES2020, Sourcefile: f.Name, Define: Defines(f.Name), Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, // blocks inside each other take the cube of their depth otherwise
	})
	if len(made.Errors) > 0 {
		return nil, literal.NotData(made.Errors[0].Text)
	}
	f.Source = string(made.Code)
	return literal.Read(f)
}
