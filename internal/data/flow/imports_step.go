package flow

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/parse"
)

// Imports keeps plots that import no other packages than these and Python's own (AesCoder,
// section 3.1). It reads the program and does not run it: what a program loads by other
// means than import is found out when it is run.
type Imports struct {
	Only []string `yaml:"only" json:"only"`
}

// standard are the modules of Python 3.11, a line each, without those that begin with "_".
//
//go:embed python_stdlib.txt
var standard string

var importing = regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+(.+))`)

func (s *Imports) check(*Pipeline) error {
	if len(s.Only) == 0 {
		return errors.New("only: name packages, such as matplotlib")
	}
	return nil
}

func (s *Imports) run(w *work) error {
	allowed := append(strings.Fields(standard), s.Only...)
	allowed = append(allowed, "__future__")
	return w.sift(func(r inputs.Record) string {
		parsed := parse.Output(vitrine.Output{Text: r.Text, Kind: vitrine.KindPlot})
		if len(parsed.Files) == 0 {
			return "no program"
		}
		for _, f := range parsed.Files {
			for _, name := range imported(f.Content) {
				if !slices.Contains(allowed, name) {
					return fmt.Sprintf("imports %.40s", name)
				}
			}
		}
		return ""
	})
}

// imported are the packages that a program imports.
func imported(program string) (names []string) {
	for _, m := range importing.FindAllStringSubmatch(program, -1) {
		rest, _, _ := strings.Cut(m[2], "#")
		rest, _, _ = strings.Cut(rest, ";")
		for one := range strings.SplitSeq(m[1]+","+rest, ",") {
			one, _, _ = strings.Cut(strings.TrimSpace(one), " ")
			if top, _, _ := strings.Cut(one, "."); top != "" {
				names = append(names, top)
			}
		}
	}
	return names
}
