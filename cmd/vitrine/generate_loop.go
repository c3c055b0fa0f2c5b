package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vitrine/internal/build"
	"vitrine/internal/generate"
	"vitrine/internal/model"
	"vitrine/internal/model/replay"
	"vitrine/internal/npm"
	"vitrine/internal/refine"
	"vitrine/internal/refinerun"
	"vitrine/internal/runs"
	"vitrine/internal/setup"
)

// The ways in which answers are written.
const (
	loopSingle     = "single"
	loopReLook     = "relook"
	loopCriticFree = "critic-free"
)

// looping are the flags of answers that are written in several rounds.
type looping struct {
	how      string
	settings refine.Settings
	looking  setup.Looking
	// rounds are flags that only loops have, and seeing those that only a critic has.
	rounds, seeing *pflag.FlagSet
}

func (l *looping) add(flags *pflag.FlagSet) {
	l.settings = refine.Defaults()
	l.looking = setup.Looking{
		Until: npm.Until, MaxRoutes: 8, Interacting: setup.Interacting{By: "auto", N: 3}, Judging: setup.Judging{Repeats: 1},
	}
	flags.StringVar(&l.how, "loop", loopSingle, "how each answer is written: single, relook (it is seen, scored and written again, as by vitrine refine), or critic-free (the model goes over it without seeing it)")
	l.rounds, l.seeing = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	addRounds(&l.settings, l.rounds)
	flags.AddFlagSet(l.rounds)
	l.seeing.StringVarP(&l.looking.Judging.Model, "critic", "J", "", "vision model that scores and says what to mend (default: the measured judge)")
	l.seeing.StringVar((*string)(&l.looking.Judging.Profile), "profile", "", "reading of the papers by which the critic judges, published or vitrine (default: that of the recipe)")
	l.seeing.StringVar(&l.looking.Recipe, "recipe", "relook", "reward recipe that scores versions")
	l.seeing.StringVar(&l.looking.Builder, "builder", string(build.Auto), "who builds projects: auto, fast or exact")
	l.seeing.StringVar(&l.looking.Viewports, "viewport", "desktop", "window sizes at which versions are seen")
	l.seeing.StringVar(&l.looking.Times, "times", "0,1,2", "seconds of page time after load at which frames are taken, rising")
	flags.AddFlagSet(l.seeing)
}

// check refuses flags that would say nothing.
func (l *looping) check() error {
	var idle []*pflag.FlagSet
	switch l.how {
	case loopReLook:
	case loopCriticFree:
		l.settings.CriticFree, idle = true, []*pflag.FlagSet{l.seeing}
	case loopSingle:
		idle = []*pflag.FlagSet{l.rounds, l.seeing}
	default:
		return usage(fmt.Sprintf("--loop: there is no way %q", l.how), "use single, relook or critic-free")
	}
	for _, set := range idle {
		var given []string
		set.VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				given = append(given, "--"+f.Name)
			}
		})
		if len(given) > 0 {
			return usage(strings.Join(given, ", ")+": not of --loop "+l.how, "add --loop relook, or leave it out")
		}
	}
	if err := l.settings.Check(); err != nil {
		return usage(err.Error(), "vitrine generate --help shows the settings")
	}
	return nil
}

// author is who writes the answers to a file, nil where each is asked for once, and what
// ends it. Policy and critic are asked by one client, with one budget.
func (l *looping) author(ctx context.Context, g *generating, out string, resume bool, client *model.Client) (generate.Author, func(), error) {
	if l.how == loopSingle {
		return nil, func() {}, nil
	}
	a := &refinerun.Author{Dir: out + ".loops", Settings: l.settings, Client: client, Model: g.asking.Model, Header: runs.Header{Started: time.Now().UTC(), Input: out}}
	if _, err := os.Stat(a.Dir); !resume && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, usage(a.Dir+" is there already, with the versions of other answers", "go on with --resume, remove it, or choose another file with --out")
	}
	if l.how == loopCriticFree {
		return a, func() {}, nil
	}
	l.looking.Judging.Models, l.looking.Judging.Asker = g.asking.Models, client
	if critic := l.looking.Judging.Model; critic != "" && g.asking.Tape != string(replay.Replay) {
		for _, name := range strings.Split(critic, ",") {
			if err := client.Ready(name); err != nil {
				return nil, nil, err
			}
		}
	}
	p, err := l.looking.Open(g.machine(), nil)
	if err != nil {
		return nil, nil, err
	}
	if a.Header, err = p.Header(ctx, out); err != nil {
		p.Close()
		return nil, nil, err
	}
	a.Pipeline, a.Recipe, a.Settings = p.Pipeline, p.Recipe, refinerun.ByRecipe(l.settings, p.Recipe)
	return a, p.Close, nil
}

// printPace prints the mean rounds and seconds a query, and the seconds that ReLook publishes.
func (l *looping) printPace(c *common, p generate.Pace) {
	if p.Rounds == nil {
		return
	}
	took := "no answer was timed: all are from the tape or the cache"
	if p.Seconds != nil {
		took = fmt.Sprintf("%.2f s a query, over %d that are not from the tape or the cache", *p.Seconds, p.Timed)
	}
	if l.how == loopSingle {
		c.say("mean  %s", took)
		return
	}
	c.say("mean  %.2f rounds of %.2f versions; %s", *p.Rounds, *p.Versions, took)
	c.say("      published, one query at a time (ReLook, 3.5): 123.04 s with the critic, 18.03 s without")
}
