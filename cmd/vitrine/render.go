package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/store"
)

// maxFolderBytes bounds what render reads of a folder.
const maxFolderBytes = 100 << 20

type rendering struct {
	*common
	looking
	dir, instruction, kind string
}

func renderCommand(c *common) *cobra.Command {
	r := &rendering{common: c}
	cmd := &cobra.Command{
		Use:   "render SOURCE",
		Short: "Show a page, a folder or a model's output, and say what is seen",
		Long: `Show a page, a folder or a model's output, and say what is seen.

SOURCE is an .html, .svg, .tsx or .jsx file, a folder (a project with a package.json
or a static site), a text file with what a model wrote, or "-" for such a text on
standard input. Frames and everything gathered are written to an evidence folder.`,
		Example: `  vitrine render page.html --viewport desktop,mobile --instruction "A page for a bakery"
  vitrine render ./my-site --out evidence/my-site
  pbpaste | vitrine render -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0]) },
	}
	r.looking.add(c, cmd.Flags())
	r.trying.add(cmd.Flags())
	cmd.Flags().StringVar(&r.dir, "out", "", "evidence folder (default: one under .vitrine/renders)")
	cmd.Flags().StringVar(&r.instruction, "instruction", "", "what the model was asked, to judge the site against")
	cmd.Flags().StringVar(&r.kind, "kind", "", "what the text holds: page, project, component, svg (default: find out)")
	return cmd
}

func (r *rendering) run(ctx context.Context, source string) error {
	ctx, release := cancelOnSignal(ctx, r.common)
	defer release()
	output, artifact, err := r.read(source)
	if err != nil {
		return err
	}
	p, err := r.pipeline(r.common, nil)
	if err != nil {
		return err
	}
	defer p.Close()
	dir, err := r.folder(source)
	if err != nil {
		return err
	}
	scored, err := p.ScoreArtifact(ctx, output, artifact, dir)
	if err != nil {
		_ = os.RemoveAll(dir) // half gathered
		return exit(vitrine.ExitInterrupted)
	}
	if scored.Sample.Error != nil {
		_ = os.RemoveAll(dir)
		return scored.Sample.Error
	}
	if r.json {
		return r.printJSON(map[string]any{
			"evidence": dir, "outcome": scored.Sample.Outcome, "why": scored.Sample.Why, "validity": scored.Evidence.Validity,
			"views": views(scored.Evidence, dir), "judgement": scored.Judgement, "site": scored.Evidence.Site,
		})
	}
	printSeen(r.common, scored, dir)
	return nil
}

// read makes an output, or the files of a folder, of what is to be shown.
func (r *rendering) read(source string) (vitrine.Output, *vitrine.Artifact, error) {
	o := vitrine.Output{ID: "render", Instruction: r.instruction, Kind: vitrine.Kind(r.kind)}
	if r.kind != "" && !slices.Contains(vitrine.Kinds, o.Kind) {
		return o, nil, usage(fmt.Sprintf("--kind: %q is not a kind", r.kind), "use page, project, component or svg")
	}
	if source == "-" {
		b, err := io.ReadAll(r.in)
		o.Text = string(b)
		return o, nil, err
	}
	info, err := os.Stat(source)
	if err != nil {
		return o, nil, usage("cannot read the source: "+err.Error(), "give a file, a folder or -")
	}
	if info.IsDir() {
		a, err := folderArtifact(source)
		return o, a, err
	}
	b, err := os.ReadFile(source)
	if err != nil {
		return o, nil, usage("cannot read the source: "+err.Error(), "")
	}
	o.Text = string(b)
	return o, fileArtifact(source, o.Text), nil
}

// fileArtifact makes an artifact of a file that is no model's output but the
// thing itself; nil for any other.
func fileArtifact(name, content string) *vitrine.Artifact {
	one := func(kind vitrine.Kind, path string) *vitrine.Artifact {
		return &vitrine.Artifact{Kind: kind, Files: []vitrine.File{{Path: path, Content: content}}}
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return one(vitrine.KindPage, "index.html")
	case ".svg":
		return one(vitrine.KindSVG, "image.svg")
	case ".tsx", ".jsx":
		return one(vitrine.KindComponent, "page.tsx")
	}
	return nil
}

// leftOut are folders that are no part of a site's source.
var leftOut = map[string]bool{"node_modules": true, ".git": true, ".vitrine": true, ".next": true}

// folderArtifact reads a folder: a project if it has a package.json, else a
// static site. Environment files stay out of it.
func folderArtifact(dir string) (*vitrine.Artifact, error) {
	a := &vitrine.Artifact{Kind: vitrine.KindPage}
	size := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && leftOut[d.Name()] {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".env") {
			return nil
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if size += len(content); size > maxFolderBytes {
			return usage(fmt.Sprintf("%s holds more than %d MB", dir, maxFolderBytes>>20), "render a smaller folder")
		}
		rel, err := filepath.Rel(dir, name)
		a.Files = append(a.Files, vitrine.File{Path: filepath.ToSlash(rel), Content: string(content)})
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, ok := a.File("package.json"); ok {
		a.Kind = vitrine.KindProject
	} else if _, ok := a.File("index.html"); !ok {
		return nil, usage(dir+" has neither a package.json nor an index.html", "name the folder that holds one of them")
	}
	return a, nil
}

// folder makes an empty evidence folder. One with older evidence is replaced,
// never written into: its frames may be shared with the cache.
func (r *rendering) folder(source string) (string, error) {
	dir := r.dir
	if dir == "" {
		dir = filepath.Join(".vitrine", "renders", renderName(source))
	} else if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		if _, err := store.LoadEvidence(dir); err != nil {
			return "", usage("--out: "+dir+" holds something else than evidence", "name a new folder, or one that render made")
		}
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", vitrine.NewFault("store", vitrine.FaultUnwritable, err, "cannot make the evidence folder").WithFix("choose another with --out DIR")
	}
	return dir, nil
}

// renderName names a folder after what is shown.
func renderName(source string) string {
	name := strings.Trim(strings.Map(func(c rune) rune {
		if c < utf8.RuneSelf && (c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return c
		}
		return '_'
	}, filepath.Base(source)), "._-")
	if name == "" {
		return "stdin"
	}
	return name
}

// cancelOnSignal ends a context at the first Ctrl-C.
func cancelOnSignal(ctx context.Context, c *common) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-c.signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(); <-done }
}

// seenView is a view as render tells it to machines.
type seenView struct {
	Route    string           `json:"route"`
	Viewport string           `json:"viewport"`
	Validity vitrine.Validity `json:"validity"`
	Title    string           `json:"title"`
	Frames   []string         `json:"frames"`
}

func views(ev *vitrine.Evidence, dir string) []seenView {
	out := []seenView{}
	for _, v := range ev.Views {
		s := seenView{v.Route, v.Viewport.Name, v.Validity, v.Title, []string{}}
		for _, f := range v.Frames {
			s.Frames = append(s.Frames, filepath.Join(dir, f.File))
		}
		out = append(out, s)
	}
	return out
}

// printSeen tells a person what was seen: the frames on stdout, the talk beside.
func printSeen(c *common, s *pipeline.Scored, dir string) {
	c.say("%s", outcomeLine(s))
	for _, v := range views(s.Evidence, dir) {
		for _, f := range v.Frames {
			fmt.Fprintln(c.out, f)
		}
	}
	printJudgement(c, s.Judgement)
	for _, m := range s.Evidence.Console {
		if m.Level == "exception" || m.Level == "error" {
			first, _, _ := strings.Cut(m.Text, "\n")
			c.say("  console %s at %s %s: %s", m.Level, m.Route, m.Viewport, first)
		}
	}
	if f := s.Evidence.Site.Failure; f != nil && f.Log != "" {
		c.say("\n%s", f.Log)
	}
	c.say("evidence  %s", dir)
}

func outcomeLine(s *pipeline.Scored) string {
	line := strings.ReplaceAll(string(s.Sample.Outcome), "_", " ")
	if s.Sample.Why != "" {
		line += ": " + s.Sample.Why
	}
	return line
}
