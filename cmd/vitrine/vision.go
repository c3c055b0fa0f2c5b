package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"vitrine/internal/judge/calibrate"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta"
	"vitrine/internal/model"
	"vitrine/internal/model/replay"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
)

// noModel is the judge that asks no model.
const noModel = "measured"

// vision are the flags of commands in which a model may judge.
type vision struct {
	asking
	judge, model  string
	observe       string
	prompt        string
	temperature   string
	variant       int
	condition     string
	repeats       int
	profile       string
	rubric        string
	first         string
	firstRepeats  int
	unsure        float64
	budgetUSD     float64
	budgetTokens  int
	connections   int
	tape, tapeDir string
}

func (v *vision) add(c *common, flags *pflag.FlagSet) {
	v.asking.add(c, flags)
	flags.StringVar(&v.judge, "judge", "", "protocols by which the model judges, comma-separated: "+strings.Join(vlm.Protocols(false), ", ")+" (default: those that the recipe reads); without -m: "+noModel)
	flags.StringVarP(&v.model, "model", "m", "", "model that judges, too: provider/model or an alias, such as openai/gpt-5-mini; several, comma-separated, are a panel (default: none)")
	flags.IntVar(&v.repeats, "repeats", 1, "how often each model is asked the same, anew each time; the result is the mean")
	flags.StringVar(&v.profile, "profile", "", "profile of the measured judge, a file that judge calibrate made (default: the one set by hand)")
	v.addAsking(flags)
	v.addCriteria(flags)
}

// addCriteria adds what else decides a model's judgement.
func (v *vision) addCriteria(flags *pflag.FlagSet) {
	flags.StringVar(&v.observe, "observe", "", "what the model is shown: image, code or both (default: what the protocol says)")
	flags.StringVar(&v.prompt, "prompt", "", "file with a prompt of your own for the protocol that --judge names (docs/judging.md)")
	flags.StringVar(&v.temperature, "temperature", "", "of the answers (default: left to the endpoint)")
	flags.IntVar(&v.variant, "variant", 1, "which of the five templates of --judge alignment asks")
	flags.StringVar(&v.condition, "condition", "variant", "under which condition --judge alignment asks: variant or invariant")
	flags.StringVar(&v.rubric, "rubric", "", "rubric tree for --judge rubric, a file that vitrine rubric made (default: that of the task)")
	flags.StringVar(&v.first, "first", "", "cheaper model that is asked first; the others only where it is unsure")
	flags.IntVar(&v.firstRepeats, "first-repeats", 3, "how often the first is asked the same")
	flags.Float64Var(&v.unsure, "unsure", 0, "the first is unsure where the standard deviation of its scores is above this, in points of the protocol's scale")
}

// roll reads the profile of the measured judge, nil for the one set by hand.
func (v *vision) roll() (*calibrate.Profile, error) {
	if v.profile == "" {
		return nil, nil
	}
	return meta.LoadProfile(v.profile, measured.Name, measured.Checks())
}

// addAsking adds the flags of every question.
func (v *vision) addAsking(flags *pflag.FlagSet) {
	flags.Float64Var(&v.budgetUSD, "budget-usd", 0, "stop before the model costs more, resumable, exit code 5")
	flags.IntVar(&v.budgetTokens, "budget-tokens", 0, "stop before the model reads and writes more tokens, resumable, exit code 5")
	flags.IntVar(&v.connections, "max-connections", 64, "conversations with one endpoint at once, at most")
	flags.StringVar(&v.tape, "tape", string(replay.Auto), "earlier conversations: "+strings.Join(replay.Modes, ", "))
	flags.StringVar(&v.tapeDir, "tape-dir", "", "folder of conversations (default: conversations, in the cache folder)")
}

// client makes the client that asks.
func (v *vision) client(c *common) (*model.Client, error) {
	tape, err := replay.Open(cmp.Or(v.tapeDir, filepath.Join(c.cacheDir, "conversations")), replay.Mode(v.tape))
	if err != nil {
		return nil, err
	}
	client, err := v.asking.client(c, model.Settings{
		Tape: tape, BudgetUSD: v.budgetUSD, BudgetTokens: v.budgetTokens, MaxConnections: v.connections,
	})
	if err != nil {
		return nil, err
	}
	if v.tape == string(replay.Replay) {
		return client, nil
	}
	for _, name := range v.models() {
		if err := client.Ready(name); err != nil {
			client.Close()
			return nil, err
		}
	}
	return client, nil
}

// models are the names of those that judge, the first of a cascade last.
func (v *vision) models() []string {
	names := v.panel()
	if v.first != "" {
		names = append(names, v.first)
	}
	return names
}

func (v *vision) panel() []string { return strings.Split(v.model, ",") }

// behind is what the names of models stand for, by name: an alias may stand for another
// model tomorrow.
func (v *vision) behind(client *model.Client) map[string]string {
	full := map[string]string{}
	if client == nil {
		return full
	}
	for _, name := range v.models() {
		full[name] = name
		if info, err := client.Describe(name); err == nil { // else who asks it will say so
			full[name] = info.Name
		}
	}
	return full
}

// look is how the models are asked.
func (v *vision) look(client *model.Client) (*pipeline.Vision, error) {
	settings, err := v.settings()
	if err != nil {
		return nil, err
	}
	look := &pipeline.Vision{Asker: client, Models: v.panel(), Repeats: v.repeats, Settings: settings}
	if v.first != "" {
		look.First = &pipeline.First{Model: v.first, Repeats: v.firstRepeats, Unsure: vlm.Unsure{Spread: v.unsure}}
	}
	if v.rubric != "" {
		look.Tree, err = readTree(v.rubric)
	}
	return look, err
}

// settings are those of every question.
func (v *vision) settings() (vlm.Settings, error) {
	s := vlm.Settings{Observation: vlm.Observation(v.observe), Variant: v.variant, Condition: v.condition}
	var err error
	if s.Temperature, err = temperature("--temperature", v.temperature); err != nil {
		return s, err
	}
	if v.prompt == "" {
		return s, nil
	}
	if v.judge == "" || strings.Contains(v.judge, ",") {
		return s, usage("--prompt is for one protocol", "name it with --judge")
	}
	text, err := os.ReadFile(v.prompt)
	if err != nil {
		return s, usage("--prompt: "+err.Error(), "docs/judging.md shows what a prompt can say")
	}
	s.Template = string(text)
	return s, nil
}

// temperature reads a flag; nil where it is left out.
func temperature(flag, value string) (*float64, error) {
	if value == "" {
		return nil, nil
	}
	t, err := strconv.ParseFloat(value, 64)
	if err != nil || t < 0 || t > 2 {
		return nil, usage(fmt.Sprintf("%s: %q is not a number from 0 to 2", flag, value), "leave it out to leave it to the endpoint")
	}
	return &t, nil
}

// open is who looks beside the measured judge: nil and nobody to close without a
// model. A model that exercises sites need not look as well.
func (v *vision) open(c *common, recipe *reward.Recipe, tries bool) (*pipeline.Vision, *model.Client, error) {
	if v.model == "" {
		if v.judge != "" && v.judge != noModel {
			return nil, nil, usage("--judge "+v.judge+" asks a model, and none is named", "add -m provider/model; vitrine models ls lists some")
		}
		return nil, nil, nil
	}
	if v.judge == noModel && !tries {
		return nil, nil, usage("--judge measured asks no model", "leave out -m, or name protocols with --judge")
	}
	client, err := v.client(c)
	if err != nil {
		return nil, nil, err
	}
	look, err := v.look(client)
	if err == nil && tries && (v.judge == noModel || v.judge == "" && !look.Reads(recipe)) {
		return nil, client, nil
	}
	if err == nil && v.judge != "" {
		look.Protocols = strings.Split(v.judge, ",")
	}
	if err == nil {
		err = look.Check(recipe)
	}
	if err != nil {
		client.Close()
		return nil, nil, err
	}
	return look, client, nil
}

// name says who judges, for the header of a run: results of other judges are not
// mixed with them.
func (v *vision) name(p *calibrate.Profile) string {
	name := noModel
	if p != nil {
		name = measured.NameWith(p)
	}
	if v.model == "" {
		return name
	}
	protocols := strings.Split(v.judge, ",")
	slices.Sort(protocols)
	name = fmt.Sprintf("%s, %s by %s, %d times", name, cmp.Or(strings.Join(protocols, "+"), "what the recipe reads"), v.model, v.repeats)
	for _, set := range []struct{ flag, value string }{
		{"observe", v.observe}, {"prompt", v.prompt}, {"temperature", v.temperature}, {"rubric", v.rubric},
		{"template", fmt.Sprintf("%d %s", v.variant, v.condition)},
	} {
		if set.value != "" {
			name += ", " + set.flag + " " + set.value
		}
	}
	if v.first != "" {
		name += fmt.Sprintf(", where %s asked %d times spreads by more than %g", v.first, v.firstRepeats, v.unsure)
	}
	return name
}

// spent tells what the model cost.
func spent(c *common, client *model.Client) {
	if client == nil {
		return
	}
	s := client.Spent()
	cost := fmt.Sprintf("$%.4f", s.USD)
	if s.Unpriced > 0 {
		cost = "$?"
		if s.USD > 0 {
			cost = fmt.Sprintf("$%.4f and what %d calls of unknown price cost", s.USD, s.Unpriced)
		}
	}
	c.say("model  %d calls, %d from earlier, %d retries, %d failed; %d tokens in, %d out; %s", s.Calls, s.Cached, s.Retries, s.Failed, s.In, s.Out, cost)
}
