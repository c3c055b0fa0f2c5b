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

var (
	// importing is an import at the beginning of a statement, or behind "if x:" and the like.
	importing  = regexp.MustCompile(`(?:^|:)\s*(?:from\s+(\S+)\s+import\b|import\s+(.+))`)
	moduleName = regexp.MustCompile(`^\w+$`)
	// token is a string, a comment, a line that goes on, or a character.
	token = regexp.MustCompile(`(?s)"""(?:\\.|.)*?"""|'''(?:\\.|.)*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*|\\\r?\n|.`)
)

func (s *Imports) check(*Pipeline) error {
	if len(s.Only) == 0 {
		return errors.New("only: name packages, such as matplotlib")
	}
	return nil
}

// mostImports is how many reasons the step has, at most, and one or two more.
const mostImports = 100

func (s *Imports) run(w *work) error {
	allowed := append(strings.Fields(standard), s.Only...)
	allowed = append(allowed, "__future__")
	return w.sift(func(r inputs.Record) string {
		parsed := parse.Output(vitrine.Output{Text: r.Text, Kind: vitrine.KindPlot})
		if parsed.Kind != vitrine.KindPlot || len(parsed.Files) == 0 { // it may be a page
			return "no program"
		}
		for _, f := range parsed.Files {
			for _, name := range imported(f.Content) {
				switch {
				case slices.Contains(allowed, name):
				case moduleName.MatchString(name):
					reason := fmt.Sprintf("imports %.40s", name)
					if w.Reasons[reason] == 0 && len(w.Reasons) >= mostImports {
						return "imports others"
					}
					return reason
				default: // Python takes letters of other scripts for those of ASCII
					return "imports a name that is not of plain letters"
				}
			}
		}
		return ""
	})
}

// statements are those of a Python program, without comments and what is in strings.
func statements(program string) []string {
	var all []string
	var b strings.Builder
	for _, t := range token.FindAllString(program, -1) {
		switch {
		case t == "\n" || t == "\r" || t == ";":
			all = append(all, b.String())
			b.Reset()
		case t[0] == '#':
		case len(t) > 1 && (t[0] == '"' || t[0] == '\''):
			b.WriteString(`""`)
		case t[0] == '\\':
			b.WriteByte(' ')
		default:
			b.WriteString(t)
		}
	}
	return append(all, b.String())
}

// imported are the packages that a program imports, without what imports of its own.
func imported(program string) (names []string) {
	for _, statement := range statements(program) {
		m := importing.FindStringSubmatch(statement)
		if m == nil {
			continue
		}
		for one := range strings.SplitSeq(m[1]+","+m[2], ",") {
			one, _, _ = strings.Cut(strings.Join(strings.Fields(one), " "), " ")
			if top, _, _ := strings.Cut(one, "."); top != "" {
				names = append(names, top)
			}
		}
	}
	return names
}
