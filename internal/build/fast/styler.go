package fast

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine/internal/build"
	"vitrine/internal/sandbox"
)

//go:embed tailwind.cjs
var tailwindScript string

const (
	jobTime      = 20 * time.Second // for one stylesheet
	snapshotTime = time.Minute
	styleMemory  = 2 << 30
	modulesAt    = "/deps/node_modules"
	stylerScript = "tailwind.cjs"
	stylerBlob   = "tailwind.blob"
)

// styleFlags are the same for who makes a snapshot and who starts from it. A process that
// lives for one stylesheet does not live long enough to gain by optimised code.
var styleFlags = []string{"--no-opt", "--max-old-space-size=1024"}

// A job asks for one stylesheet, or for modules that are data.
type job struct {
	CSS     string          `json:"css,omitempty"`
	From    string          `json:"from,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Content []content       `json:"content,omitempty"`
	Prefix  bool            `json:"prefix,omitempty"`
	Modules []string        `json:"modules,omitempty"`
}

// content is a source that Tailwind looks for class names in.
type content struct {
	Raw       string `json:"raw"`
	Extension string `json:"extension"`
}

type reply struct {
	CSS     string                     `json:"css"`
	Modules map[string]json.RawMessage `json:"modules"`
	Error   string                     `json:"error"`
	Reason  string                     `json:"reason"`
}

// themeModules are modules of Tailwind that a configuration may read.
var themeModules = []string{"tailwindcss/defaultTheme", "tailwindcss/colors"}

// stylePlugins are the plugins of Tailwind that are run. They are packages of the project's
// own set, and what a configuration gives them is data.
var stylePlugins = []string{
	"@headlessui/tailwindcss", "@tailwindcss/aspect-ratio", "@tailwindcss/container-queries", "@tailwindcss/forms", "@tailwindcss/line-clamp", "@tailwindcss/typography",
	"daisyui", "tailwind-scrollbar", "tailwind-scrollbar-hide", "tailwindcss-animate", "tailwindcss-animated", "tailwindcss-radix",
}

// checkPlugins refuses a configuration that asks for more than these.
func checkPlugins(set build.Set, config map[string]json.RawMessage) error {
	for key, raw := range config {
		if key != "plugins" && strings.Contains(string(raw), `"`+callMark+`"`) {
			return fmt.Errorf("%s comes from a package", key)
		}
	}
	var plugins []json.RawMessage
	if raw := config["plugins"]; raw != nil && json.Unmarshal(raw, &plugins) != nil {
		return errors.New("plugins is no list")
	}
	for _, raw := range plugins {
		name, arguments, ok := marked(raw)
		switch {
		case !ok:
			return errors.New("a plugin that is written in the configuration")
		case !slices.Contains(stylePlugins, name):
			return fmt.Errorf("the plugin %s", build.Bounded(name, 100))
		case setVersion(set, name) == "":
			return fmt.Errorf("the plugin %s is not installed", name)
		}
		for _, a := range arguments {
			if strings.Contains(string(a), `"`+callMark+`"`) {
				return fmt.Errorf("options of the plugin %s that come from a package", name)
			}
		}
	}
	return nil
}

// theme asks for the modules of Tailwind that are data, in a process that no project has
// been in. A set never changes, so it is asked once.
func (b *Builder) theme(ctx context.Context, set build.Set) (map[string]json.RawMessage, error) {
	if t, ok := b.themes.get(set.Key); ok {
		return t, nil
	}
	r, err := b.tailwind(ctx, set, job{Modules: themeModules})
	if err != nil {
		return nil, err
	}
	if r.Error != "" {
		return nil, cannot(CannotTailwind, "%s", build.Bounded(oneLine(r.Error), 300))
	}
	b.themes.put(set.Key, r.Modules)
	return r.Modules, nil
}

// tailwind has a process of its own do a job with the packages of a set.
func (b *Builder) tailwind(ctx context.Context, set build.Set, j job) (reply, error) {
	run, err := b.styler(ctx, set)
	if err != nil {
		return reply{}, err
	}
	var r reply
	err = b.styles.do(ctx, run, j, &r)
	switch {
	case errors.Is(err, errDied):
		err = cannot(CannotWorker, "the Node.js process of Tailwind died")
	case errors.Is(err, errSpent):
		err = cannot(CannotTime, "Tailwind did not finish a stylesheet within %s", run.wall)
	}
	return r, err
}

// styler is the program that runs Tailwind of a set. It is bundled once, started once and
// kept as a snapshot, from which a process starts in a fraction of the time that loading
// the packages takes. Everything of it is made of the set alone.
func (b *Builder) styler(ctx context.Context, set build.Set) (program, error) {
	at := b.modulesFor(set)
	sum := sha256.Sum256([]byte(Version + "\x00" + tailwindScript + "\x00" + strings.Join(styleFlags, " ") + "\x00" + at))
	key := set.Key + "/tailwind-" + hex.EncodeToString(sum[:8])
	dir := filepath.Join(b.settings.Store, "libraries", filepath.FromSlash(key))
	blob, known := b.stylers.get(key)
	if _, err := os.Stat(filepath.Join(dir, stylerScript)); err != nil || !known {
		made, err, _ := b.making.Do(key, func() (any, error) { return b.makeStyler(context.WithoutCancel(ctx), set, dir) })
		if err != nil {
			return program{}, err
		}
		blob = made.(string)
		b.stylers.put(key, blob)
	}
	run := b.styleProgram(set, dir)
	run.key = key
	if blob != "" {
		run.flags = append(run.flags, "--snapshot-blob="+path.Join(configDir, blob))
	}
	return run, nil
}

func (b *Builder) styleProgram(set build.Set, dir string) program {
	return program{
		script: path.Join(configDir, stylerScript), flags: slices.Clone(styleFlags), wall: b.styleTime,
		binds:  []sandbox.Bind{{Host: set.Modules, Inside: modulesAt}, {Host: dir, Inside: configDir}},
		limits: sandbox.Limits{MemoryBytes: styleMemory, FileBytes: 1 << 20, Processes: 128},
	}
}

// modulesFor is where Tailwind's process finds the packages of a set.
func (b *Builder) modulesFor(set build.Set) string {
	if b.settings.Sandbox.Unsafe {
		return set.Modules
	}
	return modulesAt
}

// makeStyler makes what a styler is, as far as it is not there, and returns the name of its
// snapshot. A set that no snapshot can be made of does without: it is only slower.
func (b *Builder) makeStyler(ctx context.Context, set build.Set, dir string) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, stylerScript)); err != nil {
		script, err := b.bundleStyler(ctx, set)
		if err != nil {
			return "", err
		}
		if err := errors.Join(os.MkdirAll(dir, 0o755), replaceFile(filepath.Join(dir, stylerScript), script)); err != nil {
			return "", err
		}
	}
	tag, err := b.nodeTag(ctx)
	if err != nil {
		return "", err
	}
	blob := tag + "-" + stylerBlob
	if _, err := os.Stat(filepath.Join(dir, blob)); err == nil {
		return blob, nil
	}
	if b.makeSnapshot(ctx, set, dir, blob) != nil {
		return "", ctx.Err()
	}
	return blob, nil
}

// bundleStyler bundles Tailwind, PostCSS and the plugins that are known, with the script
// that uses them.
func (b *Builder) bundleStyler(ctx context.Context, set build.Set) (string, error) {
	core := []string{"tailwindcss", "tailwindcss/defaultTheme", "tailwindcss/colors", "postcss", "autoprefixer"}
	var err error
	for _, names := range [][]string{slices.Concat(core, stylePlugins), core} { // a plugin may be of a kind that does not bundle
		var made api.BuildResult
		made, err = run(ctx, libraryTime, api.BuildOptions{
			Stdin:  &api.StdinOptions{Contents: b.packages(set, names) + tailwindScript, ResolveDir: filepath.Dir(set.Modules), Sourcefile: stylerScript},
			Bundle: true, Platform: api.PlatformNode, Format: api.FormatCommonJS, MainFields: []string{"main"}, Conditions: []string{}, Outfile: "/" + stylerScript,
			AbsWorkingDir: filepath.Dir(set.Modules), MinifyWhitespace: true, LegalComments: api.LegalCommentsNone, Define: map[string]string{"process.env.NODE_ENV": `"production"`},
			Plugins: []api.Plugin{b.nodeModules(set)}, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}",
		})
		if err != nil {
			return "", err
		}
		if len(made.Errors) == 0 {
			return string(made.OutputFiles[0].Contents), nil
		}
		err = cannot(CannotTailwind, "the packages of Tailwind do not bundle: %s", made.Errors[0].Text)
	}
	return "", err
}

// packages is the script that names what the set has of some packages.
func (b *Builder) packages(set build.Set, names []string) string {
	var s strings.Builder
	s.WriteString("const packages = {\n")
	for _, name := range names {
		parts := strings.SplitN(name, "/", 2+strings.Count(name[:1], "@"))
		owner := strings.Join(parts[:1+strings.Count(name[:1], "@")], "/")
		if setVersion(set, owner) == "" {
			continue
		}
		fmt.Fprintf(&s, "%s: () => require(%[1]s),\n", quoted(name))
	}
	return s.String() + "}\n"
}

// unused are packages that only read configuration files, which come as data.
var unused = regexp.MustCompile(`/node_modules/(?:jiti|sucrase|chokidar)/`)

// nodeModules serves files of the set, as Node.js would see them inside.
func (b *Builder) nodeModules(set build.Set) api.Plugin {
	return api.Plugin{Name: "modules", Setup: func(pb api.PluginBuild) {
		pb.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := readInside(set, a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			if unused.MatchString(filepath.ToSlash(a.Path)) {
				content = "module.exports = () => { throw new Error('no configuration is read here') }"
				return api.OnLoadResult{Contents: &content, Loader: api.LoaderJS}, nil
			}
			loader := api.LoaderJS
			switch path.Ext(a.Path) {
			case ".js", ".cjs", ".mjs":
				if rel, err := filepath.Rel(set.Modules, a.Path); err == nil && strings.Contains(content, "__dirname") {
					content = "var __dirname = " + quoted(path.Dir(path.Join(b.modulesFor(set), filepath.ToSlash(rel)))) + ";" + content
				}
			case ".json":
				loader = api.LoaderJSON
			default:
				return api.OnLoadResult{}, cannot(CannotPackage, "a package imports a file of kind %s", path.Ext(a.Path))
			}
			return api.OnLoadResult{Contents: &content, Loader: loader, ResolveDir: filepath.Dir(a.Path)}, nil
		})
	}}
}

// makeSnapshot starts a styler, sealed, and keeps what it is then.
func (b *Builder) makeSnapshot(ctx context.Context, set build.Set, dir, name string) error {
	node, err := findNode()
	if err != nil {
		return err
	}
	out, err := os.MkdirTemp(dir, ".making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	made := b.styleProgram(set, dir)
	made.binds = append(made.binds, sandbox.Bind{Host: out, Inside: "/out", Write: true})
	made.flags = append(made.flags, "--snapshot-blob=/out/"+stylerBlob, "--build-snapshot")
	made.limits.FileBytes, made.limits.DiskBytes, made.limits.DiskFiles, made.limits.Wall = 128<<20, 256<<20, 10, snapshotTime
	if err := b.settings.Sandbox.Run(ctx, node.spec(b.settings.Sandbox, made)); err != nil {
		return err
	}
	blob := filepath.Join(out, stylerBlob)
	if info, err := os.Lstat(blob); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fmt.Errorf("the snapshot is no file"))
	}
	return errors.Join(os.Chmod(blob, 0o644), os.Rename(blob, filepath.Join(dir, name)))
}

// nodeTag tells versions of Node.js apart, and machines, as far as snapshots depend on them.
func (b *Builder) nodeTag(ctx context.Context) (string, error) {
	if tag, ok := b.stylers.get("node"); ok {
		return tag, nil
	}
	node, err := findNode()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	spec := node.spec(b.settings.Sandbox, program{flags: append(slices.Clone(styleFlags), "-p"), script: `process.version + "-" + process.arch + "-" + require("v8").cachedDataVersionTag()`})
	spec.Stdout, spec.Limits.Wall = &out, snapshotTime
	if err := b.settings.Sandbox.Run(ctx, spec); err != nil {
		return "", fmt.Errorf("ask Node.js for its version: %w", err)
	}
	tag := unsafeName.ReplaceAllString(strings.TrimSpace(out.String()), "_")
	b.stylers.put("node", tag)
	return tag, nil
}
