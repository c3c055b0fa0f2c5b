package setup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/interact/behave"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/judge/requirements"
	"vitrine/internal/model"
	"vitrine/internal/model/dialog"
	"vitrine/internal/model/replay"
	"vitrine/internal/require"
	"vitrine/internal/reward"
)

// Interacting says how sites are exercised. Fields are values of the flags of their names.
type Interacting struct {
	By     string   // one of the methods
	N, Try int      // how many interactions count; how many controls are tried at most, 0 for as many
	Budget int      // actions of behave on one site; 0 for its default
	Seed   string   // of behave; empty for that of this installation
	Only   []string // behaviours that behave proves; empty for all that are asked for
	// Require is the model that reads what behave proves; empty for the rules.
	Require string
	Cases   string // file; empty: those of the task
	// Scripts are run in place of any other method, where there are any.
	Scripts script.Scripts
}

// methods are the values of --interact. Auto is behave or explore where the recipe reads
// what came of it, else none.
var methods = []string{"auto", "none", string(vitrine.ByBehave), string(vitrine.ByExplore), string(vitrine.ByAgent), string(vitrine.ByVerify)}

// method is how sites are exercised by these flags; "" for not at all.
func (f *Interacting) method(r *reward.Recipe) (vitrine.TraceBy, error) {
	switch {
	case len(f.Scripts) > 0:
		return vitrine.ByScript, nil
	case !slices.Contains(methods, f.By):
		return "", usage(fmt.Sprintf("--interact: there is no method %q", f.By), "use "+strings.Join(methods, ", "))
	case f.N < 1 || f.Try < 0:
		return "", usage("--interactions and --try: must be 1 or more", "leave them out for the default")
	case f.By == "auto" && r.Needs("interact.function"):
		return vitrine.ByBehave, nil
	case f.By == "auto" && r.Needs("interact."):
		return vitrine.ByExplore, nil
	case f.By == "auto" || f.By == "none":
		return "", nil
	}
	return vitrine.TraceBy(f.By), nil
}

// Asks reports whether a method asks a model.
func Asks(by vitrine.TraceBy) bool { return by == vitrine.ByAgent || by == vitrine.ByVerify }

// name says how sites are exercised, for the header of a run: results of other methods are
// not mixed with them.
func (f *Interacting) name(by vitrine.TraceBy, v *Judging) string {
	switch {
	case by == "":
		return "none"
	case by == vitrine.ByBehave && f.Require != "":
		return fmt.Sprintf("%s of what %s reads", by, f.Require)
	case by == vitrine.ByBehave:
		return string(by)
	case Asks(by):
		return fmt.Sprintf("%s by %s, %d count, cases %s", by, v.Model, f.N, cmp.Or(f.Cases, v.Rubric, "of the task"))
	}
	return fmt.Sprintf("%s, %d of %d count", by, f.N, max(f.N, f.Try))
}

// open is how sites are exercised, nil for not at all, and whether only where the recipe
// reads what came of it: then by behave where it reads of required behaviours.
func (f *Interacting) open(here Machine, by vitrine.TraceBy, v *Judging, client *model.Client) (set *interact.Settings, auto bool, err error) {
	set = &interact.Settings{N: f.N}
	if set.Cases, err = readCases(f.Cases); err != nil {
		return nil, false, err
	}
	explorer := explore.Explorer{Budget: max(f.N, f.Try)}
	prover := &behave.Prover{Read: f.requirements(client), Budget: f.Budget}
	if f.Require != "" {
		info, err := client.Describe(f.Require)
		if err != nil {
			return nil, false, err
		}
		prover.Reader = info.Name + " " + requirements.PromptHash() + " " + requirements.Version
	}
	auto = f.By == "auto" && len(f.Scripts) == 0
	if auto || by == vitrine.ByBehave {
		if prover.Seed, err = f.seed(here); err != nil {
			return nil, false, err
		}
	}
	switch {
	case auto:
		set.Method, set.Prover = explorer, prover
	case by == vitrine.ByExplore:
		set.Method = explorer
	case by == vitrine.ByBehave:
		set.Method = prover
	case by == vitrine.ByScript:
		set.Method = f.Scripts
	case by == "":
		return nil, false, nil
	default:
		set.Method, err = f.asking(by, v, client, explorer)
	}
	return set, auto, err
}

// asking is a method that asks a model.
func (f *Interacting) asking(by vitrine.TraceBy, v *Judging, client *model.Client, explorer explore.Explorer) (interact.Method, error) {
	if client == nil {
		return nil, usage(string(by)+" asks a model, and none is named", "add -m provider/model, or let explore try without one")
	}
	if len(v.panel()) > 1 {
		return nil, usage(string(by)+" asks one model, and "+v.Model+" are several", "name one with -m")
	}
	heat, err := ParseTemperature("--temperature", v.Temperature)
	if err != nil {
		return nil, err
	}
	if by == vitrine.ByVerify {
		return &verify.Verifier{Asker: client, Settings: verify.Settings{Model: v.Model, Temperature: heat}, Explorer: explorer}, nil
	}
	a := &agent.Agent{Asker: client, Settings: agent.Settings{Model: v.Model, N: f.N, Temperature: heat}}
	if v.Rubric != "" {
		a.Leaves, err = readLeaves(v.Rubric)
	}
	return a, err
}

// reader is the client that asks who reads instructions: the one that there is, or a new one.
// Answers must be kept, or outputs of one instruction would be held to different things.
func (f *Interacting) reader(here Machine, by vitrine.TraceBy, v *Judging, client *model.Client) (*model.Client, error) {
	var err error
	switch {
	case f.Require == "":
		return client, nil
	case by != vitrine.ByBehave:
		err = usage("--require has a model read what behave proves, and behave does not run", "add --interact behave, or leave out --require")
	case v.Tape != string(replay.Auto) && v.Tape != string(replay.Replay):
		err = usage("--require needs its answers kept: outputs of one instruction must be held to the same", "use --tape auto, the default, or replay")
	case client == nil:
		client, err = v.Client(here)
	}
	if f.Require = v.Models.At(f.Require); err == nil && v.Tape != string(replay.Replay) {
		err = client.Ready(f.Require)
	}
	if err != nil && client != nil {
		client.Close()
	}
	return client, err
}

// requirements reads what an instruction asks for, as far as it is to be proved.
func (f *Interacting) requirements(client *model.Client) func(context.Context, string, []vitrine.TestCase, string) (vitrine.Requirements, vitrine.Cost, error) {
	return func(ctx context.Context, instruction string, cases []vitrine.TestCase, topic string) (all vitrine.Requirements, cost vitrine.Cost, err error) {
		cost = vitrine.Free()
		if f.Require == "" {
			all = require.Read(instruction, cases, topic)
		} else {
			var calls []vitrine.Call
			all, calls, err = requirements.Read(ctx, client, f.Require, instruction, cases, topic)
			cost = dialog.Cost(calls)
		}
		if len(f.Only) > 0 {
			all.Behaviors = slices.DeleteFunc(all.Behaviors, func(r vitrine.Requirement) bool { return !slices.Contains(f.Only, string(r.Behavior)) })
		}
		return all, cost, err
	}
}

// readLeaves reads the leaves of a rubric: each with the requirements that it is part of.
func readLeaves(name string) (all []agent.Leaf, err error) {
	tree, err := ReadTree(name)
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
