package fast

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
	"vitrine/internal/literal"
	"vitrine/internal/literal/typescript"
	"vitrine/internal/sandbox"
)

const (
	evalCPU    = 500 * time.Millisecond // of processor time, for one configuration file
	evalWall   = 10 * time.Second       // of it nothing can wait, so this is for a machine that is busy
	evalMemory = 256 << 20
	maxData    = 1 << 20   // bytes of JSON that a file may come to
	maxNested  = 64        // values inside each other in it
	configDir  = "/worker" // of the scripts that Node.js runs, inside
)

// A marker stands for what a configuration file got from a package and only
// handed on: {"$call": [name, arguments…]}.
const callMark = "$call"

//go:embed prelude.js
var prelude string

//go:embed evaluate.cjs
var evaluateScript string

// Evaluate returns the default export of a configuration file as JSON. It is read as it stands
// where that is enough. Else it is evaluated, in a sealed process of its own. What is no
// data gives a [literal.NotData] that says why.
func (b *Builder) Evaluate(ctx context.Context, f literal.File) (json.RawMessage, error) {
	if !build.PlainEnums(f.Source) {
		return nil, literal.NotData("it has enums with values that are computed")
	}
	if build.Nested(f.Source) {
		return nil, literal.NotData(fmt.Sprintf("it is nested deeper than %d", build.MaxNesting))
	}
	raw, err := typescript.Read(f)
	if !errors.Is(err, literal.ErrCode) {
		return raw, err
	}
	return b.evaluate(ctx, f)
}

// evaluate runs a configuration file in a process that ends with it.
func (b *Builder) evaluate(ctx context.Context, f literal.File) (json.RawMessage, error) {
	source, err := evaluated(f)
	if err != nil {
		return nil, err
	}
	run := program{
		key: "configuration", script: configDir + "/evaluate.cjs", binds: []sandbox.Bind{{Host: b.scripts, Inside: configDir}}, wall: evalWall, cpu: evalCPU,
		flags: []string{"--jitless", "--disallow-code-generation-from-strings", "--max-old-space-size=128"},
		// Memory that is asked for in one burst is refused by the kernel, at twice the figure.
		limits: sandbox.Limits{MemoryBytes: evalMemory, CPU: 4 * evalCPU, FileBytes: 1 << 20, Processes: 64},
	}
	var answer struct{ Data, Error string }
	err = b.configs.do(ctx, run, map[string]string{"program": source}, &answer)
	switch {
	case errors.Is(err, errDied) || errors.Is(err, errSpent):
		return nil, literal.NotData(fmt.Sprintf("it uses more than %s of processor time, or more than %d MB", evalCPU, evalMemory>>20))
	case err != nil:
		return nil, err
	case answer.Error != "":
		return nil, literal.NotData(build.Bounded(oneLine(answer.Error), 300))
	}
	return validData(answer.Data)
}

// evaluated is the program that evaluates a file: what it may see, the stand-ins, and the file itself.
func evaluated(f literal.File) (string, error) {
	made := api.Transform(f.Source, api.TransformOptions{
		Loader: typescript.Loader(f.Name), Format: api.FormatCommonJS, Target: api.ES2020, Sourcefile: f.Name, Define: typescript.Defines(f.Name),
		MinifyWhitespace: true, MinifyIdentifiers: true, // what is nested takes the cube of its depth otherwise
	})
	if len(made.Errors) > 0 {
		return "", literal.NotData(made.Errors[0].Text)
	}
	given, err := json.Marshal(map[string]any{
		"root": literal.Root, "env": f.Env, "environment": literal.Environment(), "theme": f.Modules, "loose": f.Loose, "arguments": f.Arguments,
		"builtins": literal.Builtins(),
	})
	if err != nil {
		return "", err
	}
	return "(() => { const given = JSON.parse(" + quoted(string(given)) + ");\n" + prelude + "\n" +
		"const module = { exports: {} };\n" +
		// A block, so that a file may declare __dirname and __filename itself.
		"(function (module, exports, require, __dirname, __filename) {{\n" + string(made.Code) + "\n}})" +
		"(module, module.exports, lookup, root, root + '/' + " + quoted(f.Name) + ");\n" +
		"let value = module.exports; if (value && value.__esModule) value = value.default;\n" +
		"if (typeof value === 'function' && !value.$call) value = value(given.arguments ?? {});\n" +
		"return JSON.stringify(plain(value, '')); })()", nil
}

// validData checks that an answer is data, whoever gave it: JSON that is neither too long nor
// too deep, and without keys that mean something else to JavaScript.
func validData(text string) (json.RawMessage, error) {
	if len(text) > maxData {
		return nil, literal.NotData("it is too large")
	}
	var data any
	if json.Unmarshal([]byte(text), &data) != nil {
		return nil, literal.NotData("it exports nothing")
	}
	return json.RawMessage(text), checkData(data, 0)
}

func checkData(data any, depth int) error {
	if depth > maxNested {
		return literal.NotData("it is nested too deeply")
	}
	switch data := data.(type) {
	case []any:
		for _, item := range data {
			if err := checkData(item, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, item := range data {
			if key == "__proto__" || key == "constructor" || key == "prototype" {
				return literal.NotData("it has a key " + key)
			}
			if err := checkData(item, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// refused is a refusal of a configuration that is no data. Other errors stay.
func refused(code Code, name string, err error) error {
	var why literal.NotData
	if errors.As(err, &why) {
		return cannot(code, "%s: %s", name, why)
	}
	return err
}

// quoted writes a text as a JavaScript string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals; HTML escapes are escapes of JavaScript, too
	return string(b)
}

func oneLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(s, "Error: "), "\n")
	first, _, _ = strings.Cut(first, " at ")
	return first
}
