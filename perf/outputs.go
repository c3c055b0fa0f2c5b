package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/hostiletest"
)

func outputsCommand() *cobra.Command {
	var pages int
	cmd := &cobra.Command{
		Use:   "outputs [FOLDER...]",
		Short: "Write a fixed set of outputs, known by its hash: the demo, the fixtures, hostile ones, and pages of other people",
		Long: `Write a fixed set of outputs as JSON lines: the demo, the sites and projects of testdata, the attacks
of the hostile suite with their victims, hostile pages and texts that speak to a judge, and HTML files of
the folders, spread evenly over each. The last line on standard error is their number and SHA-256.`,
		RunE: func(cmd *cobra.Command, folders []string) error {
			sum := sha256.New()
			w := bufio.NewWriter(io.MultiWriter(cmd.OutOrStdout(), sum))
			n, err := writeFixedSet(w, folders, pages)
			if err != nil {
				return err
			}
			say("%d outputs, sha256 %s", n, hex.EncodeToString(sum.Sum(nil)))
			return nil
		},
	}
	cmd.Flags().IntVar(&pages, "pages", 40, "pages of each folder, at most; 0 takes all")
	return cmd
}

func writeFixedSet(w *bufio.Writer, folders []string, pages int) (int, error) {
	all, err := readOutputs([]string{demoInput}, 0)
	if err != nil {
		return 0, err
	}
	for _, s := range hostiletest.Victims() {
		all = append(all, hostileOutput(s))
	}
	for _, group := range hostiletest.Groups() {
		for _, a := range group.Attacks {
			all = append(all, hostileOutput(a.Sample))
		}
	}
	projects, err := filepath.Glob("testdata/projects/*")
	if err != nil {
		return 0, err
	}
	for _, dir := range projects {
		o, err := projectOutput(dir)
		if err != nil {
			return 0, err
		}
		o.ID = dir
		all = append(all, o)
	}
	for _, dir := range []string{"testdata/sites", "testdata/hostile"} {
		found, err := pagesBelow(dir, 0)
		if err != nil {
			return 0, err
		}
		all = append(all, found...)
	}
	for _, dir := range folders {
		found, err := pagesBelow(dir, pages)
		if err != nil {
			return 0, err
		}
		all = append(all, found...)
	}
	enc := json.NewEncoder(w)
	for _, o := range all {
		if err := enc.Encode(o); err != nil {
			return 0, err
		}
	}
	return len(all), w.Flush()
}

// hostileOutput writes a sample of the hostile suite as a model would.
func hostileOutput(s hostiletest.Sample) vitrine.Output {
	o := vitrine.Output{ID: "hostile/" + s.ID, Kind: s.Kind, Text: s.Text, Instruction: "A page about a garden."}
	if s.Files != nil {
		o.Text = artifactText(s.Files)
	}
	return o
}

// pagesBelow are the HTML files below a folder, in the order of their names. The name of an
// output does not depend on where the folder lies.
func pagesBelow(dir string, limit int) ([]vitrine.Output, error) {
	var names []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(name, ".html") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no .html files", dir)
	}
	var all []vitrine.Output
	for _, name := range spread(names, limit) {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return nil, err
		}
		id := filepath.ToSlash(filepath.Join(filepath.Base(dir), rel))
		all = append(all, vitrine.Output{ID: id, Kind: vitrine.KindPage, Instruction: "Build this page.", Text: strings.ToValidUTF8(string(b), "\uFFFD")})
	}
	return all, nil
}
