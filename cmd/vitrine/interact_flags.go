package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/model"
	"vitrine/internal/reward"
)

// interactFlags are those of commands that exercise sites.
type interactFlags struct {
	interact string
	n, try   int
	cases    string
	scripts  script.Scripts // run in place of any other method, where there are any
}

// methods are the values of --interact. Auto is explore where the recipe reads what came
// of it, else none.
var methods = []string{"auto", "none", string(vitrine.ByExplore), string(vitrine.ByAgent), string(vitrine.ByVerify)}

func (f *interactFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.interact, "interact", "auto", "how the site is exercised: explore (no model), agent or verify (the model of -m), none, or auto: explore where the recipe reads it")
	flags.IntVar(&f.n, "interactions", 3, "how many of the most important interactions count for s_interact")
	flags.IntVar(&f.try, "try", 0, "controls that explore tries, at most (default: as many as --interactions)")
	flags.StringVar(&f.cases, "cases", "", "test cases where the task has none: JSON lines with task and expected_result")
}

// method is how sites are exercised by these flags; "" for not at all.
func (f *interactFlags) method(r *reward.Recipe) (vitrine.TraceBy, error) {
	switch {
	case len(f.scripts) > 0:
		return vitrine.ByScript, nil
	case !slices.Contains(methods, f.interact):
		return "", usage(fmt.Sprintf("--interact: there is no method %q", f.interact), "use "+strings.Join(methods, ", "))
	case f.n < 1 || f.try < 0:
		return "", usage("--interactions and --try: must be 1 or more", "leave them out for the default")
	case f.interact == "auto" && r.Needs("interact."):
		return vitrine.ByExplore, nil
	case f.interact == "auto" || f.interact == "none":
		return "", nil
	}
	return vitrine.TraceBy(f.interact), nil
}

// asks reports whether a method asks a model.
func asks(by vitrine.TraceBy) bool { return by == vitrine.ByAgent || by == vitrine.ByVerify }

// name says how sites are exercised, for the header of a run: results of other methods are
// not mixed with them.
func (f *interactFlags) name(by vitrine.TraceBy, v *vision) string {
	switch {
	case by == "":
		return "none"
	case asks(by):
		return fmt.Sprintf("%s by %s, %d count, cases %s", by, v.model, f.n, cmp.Or(f.cases, v.rubric, "of the task"))
	}
	return fmt.Sprintf("%s, %d of %d count", by, f.n, max(f.n, f.try))
}

// open is how sites are exercised, nil for not at all, and whether only where the recipe
// reads what came of it.
func (f *interactFlags) open(by vitrine.TraceBy, v *vision, client *model.Client) (set *interact.Settings, auto bool, err error) {
	set = &interact.Settings{N: f.n}
	if set.Cases, err = readCases(f.cases); err != nil {
		return nil, false, err
	}
	explorer := explore.Explorer{Budget: max(f.n, f.try)}
	switch auto = f.interact == "auto" && len(f.scripts) == 0; {
	case auto || by == vitrine.ByExplore:
		set.Method = explorer
	case by == vitrine.ByScript:
		set.Method = f.scripts
	case by == "":
		return nil, false, nil
	default:
		set.Method, err = f.asking(by, v, client, explorer)
	}
	return set, auto, err
}

// asking is a method that asks a model.
func (f *interactFlags) asking(by vitrine.TraceBy, v *vision, client *model.Client, explorer explore.Explorer) (interact.Method, error) {
	if client == nil {
		return nil, usage(string(by)+" asks a model, and none is named", "add -m provider/model, or let explore try without one")
	}
	if len(v.panel()) > 1 {
		return nil, usage(string(by)+" asks one model, and "+v.model+" are several", "name one with -m")
	}
	heat, err := temperature("--temperature", v.temperature)
	if err != nil {
		return nil, err
	}
	if by == vitrine.ByVerify {
		return &verify.Verifier{Asker: client, Settings: verify.Settings{Model: v.model, Temperature: heat}, Explorer: explorer}, nil
	}
	a := &agent.Agent{Asker: client, Settings: agent.Settings{Model: v.model, N: f.n, Temperature: heat}}
	if v.rubric != "" {
		a.Leaves, err = readLeaves(v.rubric)
	}
	return a, err
}

// readLeaves reads the leaves of a rubric: each with the requirements that it is part of.
func readLeaves(name string) (all []agent.Leaf, err error) {
	tree, err := readTree(name)
	if err != nil {
		return nil, err
	}
	for _, l := range tree.Leaves() {
		all = append(all, agent.Leaf{ID: l.ID, Dimension: l.Dimension, Description: strings.Join(l.Path, ": "), Complex: l.Complex})
	}
	return all, nil
}

// readCases reads test cases: JSON lines, or one JSON list, with the fields of
// WebGen-Bench.
func readCases(file string) ([]vitrine.TestCase, error) {
	if file == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("--cases: "+err.Error(), `each line is a JSON object such as {"task":"…","expected_result":"…"}`)
	}
	cases, err := decodeCases(raw)
	for i, c := range cases {
		if err == nil && c.Task == "" {
			err = fmt.Errorf("case %d has no task", i+1)
		}
	}
	if err == nil && len(cases) == 0 {
		err = fmt.Errorf("%s holds no test case", file)
	}
	if err != nil {
		return nil, usage("--cases: "+err.Error(), `each line is a JSON object such as {"task":"…","expected_result":"…"}`)
	}
	return cases, nil
}

func decodeCases(raw []byte) (cases []vitrine.TestCase, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		err = json.Unmarshal(raw, &cases)
		return cases, err
	}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		var c vitrine.TestCase
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}
