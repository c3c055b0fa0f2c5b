package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/interact/agent"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/model"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
)

// trying are the flags of commands in which sites are tried out.
type trying struct {
	interact string
	n, try   int
	cases    string
	scripts  []script.Script // run in place of anybody else, where there are any
}

// triers are who can try a site out. Auto is explore where the recipe reads what came
// of it, else none.
var triers = []string{"auto", "none", string(vitrine.ByExplore), string(vitrine.ByAgent), string(vitrine.ByVerify)}

func (t *trying) add(flags *pflag.FlagSet) {
	flags.StringVar(&t.interact, "interact", "auto", "who tries the site out: explore (no model), agent or verify (the model of -m), none, or auto: explore where the recipe reads it")
	flags.IntVar(&t.n, "interactions", 3, "how many of the most important interactions count for s_interact")
	flags.IntVar(&t.try, "try", 0, "controls that explore tries, at most (default: as many as --interactions)")
	flags.StringVar(&t.cases, "cases", "", "test cases to try where the task has none: JSON lines with task and expected_result")
}

// who is who tries by these flags.
func (t *trying) who(r *reward.Recipe) (vitrine.TraceBy, error) {
	switch {
	case len(t.scripts) > 0:
		return vitrine.ByScript, nil
	case !slices.Contains(triers, t.interact):
		return "", usage(fmt.Sprintf("--interact: there is nobody called %q", t.interact), "use "+strings.Join(triers, ", "))
	case t.n < 1 || t.try < 0:
		return "", usage("--interactions and --try: must be 1 or more", "leave them out for the default")
	case t.interact == "auto" && r.Needs("interact."):
		return vitrine.ByExplore, nil
	case t.interact == "auto" || t.interact == "none":
		return "", nil
	}
	return vitrine.TraceBy(t.interact), nil
}

// asks reports whether somebody who tries asks a model.
func asks(by vitrine.TraceBy) bool { return by == vitrine.ByAgent || by == vitrine.ByVerify }

// name says who tries, for the header of a run: results of others are not mixed with
// them.
func (t *trying) name(by vitrine.TraceBy, v *vision) string {
	switch {
	case by == "":
		return "none"
	case asks(by):
		return fmt.Sprintf("%s by %s, %d count, cases %s", by, v.model, t.n, cmp.Or(t.cases, v.rubric, "of the task"))
	}
	return fmt.Sprintf("%s, %d of %d count", by, t.n, max(t.n, t.try))
}

// open is who tries sites out, nil for nobody. By auto it is the explorer where a
// recipe reads what came of it.
func (t *trying) open(by vitrine.TraceBy, v *vision, client *model.Client) (*pipeline.Interaction, error) {
	cases, err := readCases(t.cases)
	if err != nil {
		return nil, err
	}
	switch {
	case t.interact == "auto" && len(t.scripts) == 0:
		return &pipeline.Interaction{By: vitrine.ByExplore, Auto: true, N: t.n, Budget: max(t.n, t.try)}, nil
	case by == "":
		return nil, nil
	}
	i := &pipeline.Interaction{By: by, N: t.n, Budget: max(t.n, t.try), Cases: cases, Scripts: t.scripts}
	if !asks(by) {
		return i, nil
	}
	if client == nil {
		return nil, usage(string(by)+" asks a model, and none is named", "add -m provider/model, or let explore try without one")
	}
	if v.rubric != "" && by == vitrine.ByAgent {
		if i.Tree, err = readTree(v.rubric); err != nil {
			return nil, err
		}
	}
	if len(v.panel()) > 1 {
		return nil, usage(string(by)+" asks one model, and "+v.model+" are several", "name one with -m")
	}
	heat, err := temperature("--temperature", v.temperature)
	if err != nil {
		return nil, err
	}
	name := v.model
	i.Agent = &agent.Agent{Asker: client, Settings: agent.Settings{Model: name, N: t.n, Temperature: heat}}
	i.Verifier = &verify.Verifier{Asker: client, Settings: verify.Settings{Model: name, Temperature: heat}}
	return i, nil
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
	var cases []vitrine.TestCase
	if strings.HasPrefix(strings.TrimSpace(string(raw)), "[") {
		err = json.Unmarshal(raw, &cases)
	} else {
		cases, err = caseLines(string(raw))
	}
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

func caseLines(text string) (cases []vitrine.TestCase, err error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c vitrine.TestCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}
