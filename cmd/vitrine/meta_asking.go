package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
	"vitrine/internal/meta/imports"
	"vitrine/internal/metarun"
	"vitrine/internal/model"
	"vitrine/internal/model/replay"
	"vitrine/internal/setup"
)

// metaAsking are the flags by which judges are asked that have not answered yet.
type metaAsking struct {
	*common
	setup.Judging
	judges          []string
	answers, orders string
	alone, again    bool
	score           string
	asking          answers.Asking
	concurrency     int
	drop            string // a piece that the judge does without, of meta ablate
	looking         setup.Looking
	client          *model.Client // of one opening
	sites           *metarun.Sites
}

const metaLive = `

--judge names a judge of the file, or one to be asked about what the items show: measured,
behave (units and grades), or with -m a protocol, such as direct, likert, rubric, feasibility.
Its answers are added to a file, --answers, and what is in it is not asked again.`

func (a *metaAsking) add(c *common, flags *pflag.FlagSet, kinds ...answers.Kind) {
	a.common, a.asking.Kinds = c, kinds
	flags.StringArrayVar(&a.judges, "judge", nil, "only this judge of the file, or one to be asked: measured, behave, "+strings.Join(vlm.Protocols(false), ", ")+"; may be given again (default: all of the file)")
	flags.StringVarP(&a.Model, "model", "m", "", "model that is asked: provider/model or an alias; of several, comma-separated, each is a judge")
	flags.StringVar(&a.answers, "answers", "", "file of the answers of judges that are asked (default: DATA.answers.jsonl)")
	flags.BoolVar(&a.again, "retry-unjudged", false, "ask again what could not be answered")
	flags.IntVarP(&a.concurrency, "concurrency", "j", 4, "questions at once")
	flags.StringVar(&a.asking.Question, "question", "", "ask about items of this question alone (default: all)")
	flags.IntVar(&a.asking.Tasks, "sample", 0, "ask about so many tasks, drawn by --seed (default: all)")
	flags.IntVar(&a.asking.Repeats, "repeats", 1, "how often each question is asked, without using earlier answers")
	if slices.Contains(kinds, answers.Pair) {
		flags.StringVar(&a.orders, "orders", "both", "orders in which pairs are asked about: both or given")
		flags.BoolVar(&a.alone, "alone", false, "grade each of a pair by itself and compare the grades: direct, likert, rubric")
	}
	if slices.Contains(kinds, answers.Rating) {
		flags.StringVar(&a.score, "score", "", "score of the protocol that is the grade (default: the main one)")
	}
	flags.StringVar(&a.Observe, "observe", "", "what the model is shown: image, code or both, or of units trajectory, what was done on the site (default: what the protocol says)")
	flags.StringVar(&a.Prompt, "prompt", "", "file with a prompt of your own for the protocol")
	flags.StringVar(&a.Temperature, "temperature", "", "of the answers (default: that of the profile, else left to the endpoint)")
	flags.StringVar(&a.Rubric, "rubric", "", "rubric tree for the protocol rubric (default: that of the item)")
	flags.DurationVar(&a.Patience, "patience", 0, "for one try of a question, such as 20m for a small model on this machine (default: 3m)")
	addModels(&a.Models, c, flags)
	addAsking(&a.Judging, flags)
	rendering := pflag.NewFlagSet("", pflag.ContinueOnError) // for the defaults
	addRendering(&a.looking, rendering, lookingRecipe)
	addInteracting(&a.looking.Interacting, rendering)
}

// open reads files of the form, has the judges asked that are to be, and gives the names that
// they have in the set. Make makes of the items what is asked about; nil takes them as they are.
func (a *metaAsking) open(ctx context.Context, data []string, making makes) (*answers.Set, []string, error) {
	set, err := imports.Open(data...)
	if err != nil {
		return nil, nil, err
	}
	var names, live []string
	for _, judge := range a.judges {
		if len(a.asking.Kinds) == 0 || set.Knows(judge) {
			names = append(names, judge)
		} else {
			live = append(live, judge)
		}
	}
	if len(live) == 0 {
		return set, names, nil
	}
	if err := a.check(set, live); err != nil {
		return nil, nil, err
	}
	a.answers = a.answersFile(data)
	ctx, release := cancelOnSignal(ctx, a.common)
	defer release()
	defer a.close()
	asked, err := a.ask(ctx, data, live, making)
	if ctx.Err() != nil {
		return nil, nil, exit(exitInterrupted)
	}
	if err != nil {
		return nil, nil, err
	}
	set, err = imports.Open(append(slices.Clone(data), a.answers)...)
	return set, append(names, asked...), err
}

// answersFile is where the answers about these data are kept: --answers, or by the name of the first.
func (a *metaAsking) answersFile(data []string) string {
	name := filepath.Clean(data[0])
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return cmp.Or(a.answers, name+".answers.jsonl")
}

// named are the names that the judge to be asked has among the answers, without asking it.
func (a *metaAsking) named(data []string) (names []string, err error) {
	defer a.close()
	a.answers, a.Tape = a.answersFile(data), string(replay.Replay)
	set, err := imports.Open(data...)
	if err != nil {
		return nil, err
	}
	judges, err := a.judgesOf(a.judges[0])
	if err != nil {
		return nil, err
	}
	items, _ := set.Items(a.asking)
	for _, i := range items {
		for _, j := range judges {
			if name, err := j.Name(i); err != nil {
				return nil, err
			} else if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// free says whether a judge asks no model.
func free(judge string) bool {
	return judge == setup.NoModel || judge == "behave" || slices.Contains(metarun.WorkflowJudges, judge)
}

// makes makes other items of those that can be asked about, such as attacked versions.
type makes func(ctx context.Context, a *metaAsking, items []answers.Item) ([]answers.Item, error)

func (a *metaAsking) ask(ctx context.Context, data, live []string, making makes) (names []string, err error) {
	unlock, err := metarun.Lock(a.answers)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := metarun.Mend(a.answers, a.again); err != nil {
		return nil, err
	}
	if _, err := os.Stat(a.answers); err == nil {
		data = append(slices.Clone(data), a.answers)
	}
	set, err := imports.Open(data...)
	if err != nil {
		return nil, err
	}
	items, without := set.Items(a.asking)
	if len(items) == 0 {
		return nil, usage(fmt.Sprintf("no item shows anything that a judge could be asked about; %d of the kind show nothing", without), "give items shown, see docs/meta-data.md")
	}
	if without > 0 {
		a.say("%d items show nothing and are not asked about", without)
	}
	if making != nil {
		if items, err = making(ctx, a, items); err != nil {
			return nil, err
		}
		if err := metarun.AddItems(a.answers, set, items); err != nil {
			return nil, err
		}
	}
	a.asking.Swapped = a.orders == "both" && !a.alone
	for _, judge := range live {
		asked, err := a.askEach(ctx, set, items, judge)
		if names = append(names, asked...); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// askEach asks a judge, of several models each.
func (a *metaAsking) askEach(ctx context.Context, set *answers.Set, items []answers.Item, judge string) (names []string, err error) {
	judges, err := a.judgesOf(judge)
	if err != nil {
		return nil, err
	}
	for _, j := range judges {
		settings := metarun.Settings{Asking: a.asking, File: a.answers, Concurrency: a.concurrency, Say: a.say}
		settings.Swapped = settings.Swapped && !free(judge) // what measures knows no order
		asked, err := metarun.Ask(ctx, set, items, j, settings)
		if names = append(names, asked...); err != nil {
			return nil, err
		}
	}
	return names, nil
}

func (a *metaAsking) judgesOf(judge string) (judges []metarun.Judge, err error) {
	if a.sites == nil {
		a.sites = &metarun.Sites{Looking: a.looking, Here: a.machine(), Dir: filepath.Join(a.cacheDir, "shown")}
	}
	if a.drop != "" && free(judge) {
		return nil, usage("--drop "+a.drop+": "+judge+" is given no such piece", "name a protocol with --judge")
	}
	if w, ok := metarun.WorkflowOf(judge); ok {
		return []metarun.Judge{w}, nil
	}
	switch judge {
	case setup.NoModel:
		return []metarun.Judge{metarun.Measured{Sites: a.sites}}, nil
	case "behave":
		return []metarun.Judge{metarun.Behave{Sites: a.sites}}, nil
	}
	v := a.Judging
	v.Judge = judge
	if v.Observe == "trajectory" {
		v.Observe = ""
	}
	if a.client == nil {
		if a.client, err = v.Client(a.machine()); err != nil {
			return nil, err
		}
	}
	look, err := v.Vision(a.client)
	if err != nil {
		return nil, err
	}
	for _, name := range look.Models {
		m := &metarun.Model{Asker: a.client, Settings: look.Settings, Tree: look.Tree, Score: a.score, Sites: a.sites}
		m.Settings.Protocol, m.Settings.Model, m.Settings.Observation = judge, name, vlm.Observation(a.Observe)
		if a.alone {
			m.Settings.Position = vlm.PositionAlone
		}
		if err := without(a.drop, m); err != nil {
			return nil, err
		}
		judges = append(judges, m)
	}
	return judges, nil
}

// check says what is wrong with what is to be asked.
func (a *metaAsking) check(set *answers.Set, live []string) error {
	known := append(slices.Concat(vlm.Protocols(false), vlm.Protocols(true), metarun.WorkflowJudges), setup.NoModel, "behave")
	for _, judge := range live {
		switch {
		case !slices.Contains(known, judge):
			return set.Has(judge)
		case !free(judge) && a.Model == "":
			return usage("--judge "+judge+" asks a model, and none is named", "add -m provider/model; vitrine models ls lists some")
		}
	}
	switch {
	case a.orders != "" && a.orders != "both" && a.orders != "given":
		return usage(fmt.Sprintf("--orders: there is no %q", a.orders), "say both or given")
	case a.asking.Repeats < 1 || a.asking.Tasks < 0 || a.concurrency < 1:
		return usage("--repeats and -j must be 1 or more, and --sample 0 or more", "leave them out for the default")
	}
	return nil
}

func (a *metaAsking) close() {
	if a.sites != nil {
		a.sites.Close()
	}
	if a.client != nil {
		spent(a.common, a.client)
		a.client.Close()
	}
	a.client, a.sites = nil, nil
}
