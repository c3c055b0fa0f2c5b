package setup

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta"
	"vitrine/internal/model"
	"vitrine/internal/model/replay"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
)

// NoModel is the judge that asks no model.
const NoModel = "measured"

// Judging says who judges. Fields are values of the flags of their names.
type Judging struct {
	Models
	Profile     vitrine.Profile // by which models judge and exercise; empty: that of the recipe, else vitrine
	Judge       string          // protocols, comma-separated; empty: those that the recipe reads
	Model       string          // several, comma-separated, are a panel; empty: none
	Observe     string          // what the model is shown; empty: what the protocol says
	Prompt      string          // file; empty: the protocol's own
	Temperature string          // empty: left to the endpoint
	Variant     int             // of the protocol alignment, with its condition
	Condition   string
	// ScreenshotFirst shows alignment's screenshot before the instruction.
	ScreenshotFirst bool
	Repeats         int
	Calibration     string // file of the measured judge; empty: the one set by hand
	Rubric          string // file; empty: the rubric of the task
	First           string // model that is asked first; empty: none
	FirstRepeats    int
	Unsure          float64 // standard deviation from which the others are asked as well
	BudgetUSD       float64 // 0: no bound
	BudgetTokens    int     // 0: no bound
	Connections     int
	Tape, TapeDir   string
	// Asker asks in place of a client of its own, with the budget and the tape of that one;
	// nil: none.
	Asker *model.Client
	// Patience is how long one try may take; 0: [model.Settings] says.
	Patience time.Duration
}

// OpenCalibration reads the calibration of the measured judge, nil for the one set by hand.
func (v *Judging) OpenCalibration() (*calibrate.Calibration, error) {
	if v.Calibration == "" {
		return nil, nil
	}
	return meta.LoadCalibration(v.Calibration, measured.Name, measured.Looks())
}

// Client makes the client that asks.
func (v *Judging) Client(here Machine) (*model.Client, error) {
	if v.Asker != nil {
		return v.Asker, nil
	}
	tape, err := replay.Open(cmp.Or(v.TapeDir, filepath.Join(here.CacheDir, "conversations")), replay.Mode(v.Tape))
	if err != nil {
		return nil, err
	}
	client, err := v.Models.Client(here, model.Settings{
		Tape: tape, BudgetUSD: v.BudgetUSD, BudgetTokens: v.BudgetTokens, MaxConnections: v.Connections,
		AttemptDeadline: v.Patience, Deadline: 3 * v.Patience,
	})
	if err != nil {
		return nil, err
	}
	if v.Tape == string(replay.Replay) {
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
func (v *Judging) models() []string {
	var names []string
	if v.Model != "" {
		names = v.panel()
	}
	if v.First != "" {
		names = append(names, v.First)
	}
	return names
}

func (v *Judging) panel() []string { return strings.Split(v.Model, ",") }

// behind is what the names of models stand for, by name: an alias may stand for another
// model tomorrow.
func (v *Judging) behind(client *model.Client) map[string]string {
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

// Vision is how the models are asked.
func (v *Judging) Vision(client *model.Client) (*pipeline.Vision, error) {
	settings, err := v.settings()
	if err != nil {
		return nil, err
	}
	look := &pipeline.Vision{Judges: vlm.Judges{Asker: client, Models: v.panel(), Repeats: v.Repeats, Settings: settings}}
	if v.First != "" {
		look.First = &vlm.First{Model: v.First, Repeats: v.FirstRepeats, Unsure: vlm.Unsure{Spread: v.Unsure}}
	}
	if v.Rubric != "" {
		look.Tree, err = ReadTree(v.Rubric)
	}
	return look, err
}

// settings are those of every question.
func (v *Judging) settings() (vlm.Settings, error) {
	s := vlm.Settings{Profile: v.Profile, Observation: vlm.Observation(v.Observe), Variant: v.Variant, Condition: v.Condition, ScreenshotFirst: v.ScreenshotFirst}
	if err := v.CheckProfile(); err != nil {
		return s, err
	}
	var err error
	if s.Temperature, err = ParseTemperature("--temperature", v.Temperature); err != nil {
		return s, err
	}
	if v.Prompt == "" {
		return s, nil
	}
	if v.Judge == "" || strings.Contains(v.Judge, ",") {
		return s, usage("--prompt is for one protocol", "name it with --judge")
	}
	text, err := os.ReadFile(v.Prompt)
	if err != nil {
		return s, usage("--prompt: "+err.Error(), "docs/judging.md shows what a prompt can say")
	}
	s.Template = string(text)
	return s, nil
}

// CheckProfile says if there is no such profile.
func (v *Judging) CheckProfile() error {
	if v.Profile == "" || slices.Contains(vitrine.Profiles, v.Profile) {
		return nil
	}
	return usage(fmt.Sprintf("--profile: there is no profile %q", v.Profile), "say published or vitrine, or leave it out for that of the recipe")
}

// ParseTemperature reads a flag; nil where it is left out.
func ParseTemperature(flag, value string) (*float64, error) {
	if value == "" {
		return nil, nil
	}
	t, err := strconv.ParseFloat(value, 64)
	if err != nil || t < 0 || t > 2 {
		return nil, usage(fmt.Sprintf("%s: %q is not a number from 0 to 2", flag, value), "leave it out to leave it to the endpoint")
	}
	return &t, nil
}

// ParseTopP reads a flag; nil where it is left out.
func ParseTopP(flag, value string) (*float64, error) {
	if value == "" {
		return nil, nil
	}
	p, err := strconv.ParseFloat(value, 64)
	if err != nil || !(p > 0 && p <= 1) {
		return nil, usage(fmt.Sprintf("%s: %q is not a number above 0 and up to 1", flag, value), "leave it out to leave it to the endpoint")
	}
	return &p, nil
}

// Open is who looks with the measured judge: nil, and no client to close, without a
// model. A model that exercises sites need not look as well.
func (v *Judging) Open(here Machine, recipe *reward.Recipe, tries bool) (*pipeline.Vision, *model.Client, error) {
	if err := v.CheckProfile(); err != nil {
		return nil, nil, err
	}
	if v.Model == "" {
		if v.Judge != "" && v.Judge != NoModel {
			return nil, nil, usage("--judge "+v.Judge+" asks a model, and none is named", "add -m provider/model; vitrine models ls lists some")
		}
		return nil, nil, nil
	}
	if v.Judge == NoModel && !tries {
		return nil, nil, usage("--judge measured asks no model", "leave out -m, or name protocols with --judge")
	}
	client, err := v.Client(here)
	if err != nil {
		return nil, nil, err
	}
	look, err := v.Vision(client)
	if err == nil && tries && (v.Judge == NoModel || v.Judge == "" && !look.Reads(recipe)) {
		return nil, client, nil
	}
	if err == nil && v.Judge != "" {
		look.Protocols = strings.Split(v.Judge, ",")
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
func (v *Judging) name(p *calibrate.Calibration) string {
	name := NoModel
	if p != nil {
		name = measured.NameWith(p)
	}
	if v.Model == "" {
		return name
	}
	protocols := strings.Split(v.Judge, ",")
	slices.Sort(protocols)
	name = fmt.Sprintf("%s, %s by %s, %d times", name, cmp.Or(strings.Join(protocols, "+"), "what the recipe reads"), v.Model, v.Repeats)
	for _, set := range []struct{ flag, value string }{
		{"observe", v.Observe}, {"prompt", v.Prompt}, {"temperature", v.Temperature}, {"rubric", v.Rubric},
		{"template", fmt.Sprintf("%d %s", v.Variant, v.Condition)},
	} {
		if set.value != "" {
			name += ", " + set.flag + " " + set.value
		}
	}
	if v.ScreenshotFirst {
		name += ", screenshot first"
	}
	if v.First != "" {
		name += fmt.Sprintf(", where %s asked %d times spreads by more than %g", v.First, v.FirstRepeats, v.Unsure)
	}
	return name
}
