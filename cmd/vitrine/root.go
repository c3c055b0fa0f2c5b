package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/sandbox"
	"vitrine/internal/setup"
)

// state is all that a command touches of the outside, besides files.
type state struct {
	in       io.Reader
	out, err io.Writer // data and talk
	getenv   func(string) string
	signals  <-chan os.Signal
}

// common are the flags that every command has.
type common struct {
	state
	json     bool
	browser  string
	unsafe   bool
	cacheDir string
}

func run(ctx context.Context, args []string, s state) int {
	c := &common{state: s}
	root := &cobra.Command{
		Use:           "vitrine",
		Short:         "Builds, sees, judges and rewards websites that language models write",
		Version:       vitrine.Version,
		SilenceErrors: true, SilenceUsage: true,
	}
	c.json = slices.Contains(args, "--json") // also where the flags cannot be read
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(err.Error(), cmd.CommandPath()+" --help lists the flags")
	})
	flags := root.PersistentFlags()
	flags.BoolVar(&c.json, "json", c.json, "print one JSON document on stdout and nothing else")
	flags.StringVar(&c.browser, "browser", s.getenv("VITRINE_BROWSER"), "path of Chromium (default: the first found; VITRINE_BROWSER)")
	flags.BoolVar(&c.unsafe, "unsafe-no-sandbox", false, "run without bubblewrap, on a machine that is itself a sandbox")
	flags.StringVar(&c.cacheDir, "cache-dir", defaultCacheDir(s.getenv), "folder of installed packages and earlier results (VITRINE_CACHE)")
	group(root, "Score outputs", demoCommand(c), scoreCommand(c), compareCommand(c), refineCommand(c), reportCommand(c), lintCommand(c), figuresCommand(c))
	group(root, "Measure models", generateCommand(c), benchCommand(c))
	group(root, "Look at one site", renderCommand(c), interactCommand(c))
	group(root, "Judge and study judges", judgeCommand(c), metaCommand(c), requireCommand(c), redteamCommand(c), rubricCommand(c), modelsCommand(c), papersCommand(c), profileCommand(c))
	group(root, "Serve trainers", promptCommand(c), serveCommand(c), workerCommand(c), trainCommand(c))
	group(root, "Make training sets", dataCommand(c))
	group(root, "This machine", doctorCommand(c), fixturesCommand(c), cacheCommand(c), versionCommand(c))
	root.AddCommand(aloneCommand(c))
	root.SetHelpCommandGroupID("This machine")
	root.SetCompletionCommandGroupID("This machine")
	strict(root.Commands())
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	return c.fail(err)
}

// strict makes command groups refuse an unknown subcommand: by default cobra prints the help of
// the group and succeeds.
func strict(commands []*cobra.Command) {
	for _, cmd := range commands {
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.Args, cmd.DisableFlagsInUseLine = cobra.NoArgs, true
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		strict(cmd.Commands())
	}
}

// group adds commands that the help lists under a title.
func group(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
	for _, c := range commands {
		c.GroupID = title
		root.AddCommand(c)
	}
}

// fail tells an error with what, why and the fix, and returns its exit code.
func (c *common) fail(err error) int {
	var code exit
	if errors.As(err, &code) {
		return int(code)
	}
	var fault *vitrine.Fault
	if !errors.As(err, &fault) {
		fault = vitrine.NewFault("command", vitrine.FaultInternal, nil, err.Error())
		if isUsage(err) {
			fault = usage(err.Error(), "vitrine --help lists the commands, and vitrine COMMAND --help what each takes")
		}
	}
	if c.json {
		_ = json.NewEncoder(c.out).Encode(map[string]any{"error": fault})
	}
	fmt.Fprintf(c.err, "error: %s\n", fault.Message)
	if cause := errors.Unwrap(fault); cause != nil {
		fmt.Fprintf(c.err, "  why  %v\n", cause)
	}
	if fault.Fix != "" {
		fmt.Fprintf(c.err, "  fix  %s\n", fault.Fix)
	}
	return exitCode(fault.Code)
}

func usage(message, fix string) *vitrine.Fault {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, message).WithFix(fix)
}

// isUsage recognises cobra's own complaints, which have no type.
func isUsage(err error) bool {
	for _, mark := range []string{"unknown command", "accepts ", "requires at least", "requires "} {
		if len(err.Error()) >= len(mark) && err.Error()[:len(mark)] == mark {
			return true
		}
	}
	return false
}

func (c *common) sandbox() sandbox.Sandbox { return sandbox.Sandbox{Unsafe: c.unsafe} }

func (c *common) machine() setup.Machine {
	return setup.Machine{Browser: c.browser, Sandbox: c.sandbox(), CacheDir: c.cacheDir, Getenv: c.getenv}
}

// printJSON writes a document for machines.
func (c *common) printJSON(v any) error {
	enc := json.NewEncoder(c.out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// say talks to the person, unless a machine listens.
func (c *common) say(format string, args ...any) {
	fmt.Fprintf(c.err, format+"\n", args...)
}

func defaultCacheDir(getenv func(string) string) string {
	if dir := getenv("VITRINE_CACHE"); dir != "" {
		return dir
	}
	if dir := getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "vitrine")
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".cache", "vitrine")
	}
	return filepath.Join(os.TempDir(), "vitrine-cache")
}
