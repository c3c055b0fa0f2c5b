package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/generate"
	"vitrine/internal/model"
	"vitrine/internal/setup"
	"vitrine/internal/starter"
)

// generating are the flags of a model that answers tasks.
type generating struct {
	*common
	asking      setup.Judging
	temperature string
	topP        string
	samples     int
	runs        int
	maxTokens   int
	seed        int64
	system      string
	atOnce      int
	limit       int
}

// add adds the flags. Those of asking say nothing of the sites.
func (g *generating) add(flags *pflag.FlagSet) {
	flags.StringVarP(&g.asking.Model, "model", "m", "", "model that answers: provider/model, an alias, or URL#MODEL of a server that speaks OpenAI's protocol")
	addModels(&g.asking.Models, g.common, flags)
	addSpending(&g.asking, flags)
	flags.IntVarP(&g.samples, "samples", "n", 1, "answers to each task")
	flags.IntVar(&g.runs, "runs", 1, "runs over all tasks with other seeds, one after the other: tables give the mean and the standard deviation over them")
	flags.StringVar(&g.temperature, "temperature", "", "of the answers (default: left to the endpoint)")
	flags.StringVar(&g.topP, "top-p", "", "share of the likeliest tokens of which each is drawn, above 0 to 1 (default: left to the endpoint)")
	flags.IntVar(&g.maxTokens, "max-tokens", 16384, "of one answer, reasoning included")
	flags.Int64Var(&g.seed, "seed", 0, "of the first answer to each task; the next ones have the numbers after it (default: none is sent; with --runs 0)")
	flags.StringVar(&g.system, "system", "", `file of the system prompt, or "project" for the one that vitrine prompt shows (default: none)`)
	flags.IntVarP(&g.atOnce, "concurrency", "j", 8, "questions under way at once, at most")
	flags.IntVar(&g.limit, "limit", 0, "first tasks alone, so many (default: all)")
	flags.DurationVar(&g.asking.Patience, "patience", 10*time.Minute, "for one try of a question")
}

func generateCommand(c *common) *cobra.Command {
	g, loop := &generating{common: c}, &looping{}
	var out string
	var resume bool
	cmd := &cobra.Command{
		Use:   "generate TASKS.jsonl",
		Short: "Have a model answer each task of a file, into outputs that score reads",
		Long: `Have a model answer each task of a file, once or several times, into outputs.jsonl,
which vitrine score reads.

Each line of TASKS is a JSON object with "id" and "instruction"; the files of
WebGen-Bench, OpenDesign and ArtifactsBench are read as they are. An answer is added
to the file the moment it is there, with its tokens, cost, seconds, seed and finish
reason; what the endpoint gives as reasoning is kept apart. A run that was interrupted
or killed goes on with --resume and asks for nothing that it has. What has no answer
after all tries is in OUT.failures.jsonl with its cause, and is asked again then.

With --loop relook each answer is the best version of ReLook's loop, that of vitrine
refine: it is built, seen, scored and written again; with --loop critic-free the model
goes over its own work, without a browser. Each has its versions in a run folder below
OUT.loops. At the end come the mean rounds and seconds a query; -j 1 times as published.`,
		Example: `  vitrine generate webgen-bench.jsonl -m openai/gpt-5-mini --system project --out outputs.jsonl
  vitrine generate tasks.jsonl -m http://localhost:8000/v1#qwen -n 4 --temperature 0.7 --seed 1 --out outputs.jsonl
  vitrine generate tasks.jsonl -m ollama/qwen3-coder --out outputs.jsonl --resume
  vitrine generate tasks.jsonl -m http://localhost:8000/v1#qwen --loop relook -J openai/gpt-5-mini --rounds 3 --runs 3 -j 1 --out relook.jsonl
  vitrine score outputs.jsonl --tasks tasks.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			tasks, err := setup.ListTasks(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				return usage("where to? No file is named for the outputs", "add --out outputs.jsonl")
			}
			if err := loop.check(); err != nil {
				return err
			}
			return g.into(cmd.Context(), tasks, loop, out, resume, cmd.Flags().Changed("seed"))
		},
	}
	flags := cmd.Flags()
	g.add(flags)
	loop.add(flags)
	flags.StringVar(&out, "out", "", "file of the outputs, such as outputs.jsonl")
	flags.BoolVar(&resume, "resume", false, "go on with the file in --out")
	return cmd
}

// into answers tasks into a file and says what came of it.
func (g *generating) into(ctx context.Context, tasks []vitrine.Task, loop *looping, out string, resume, seeded bool) error {
	if critic := &loop.looking.Judging.Model; *critic != "" {
		*critic = g.asking.Models.At(*critic)
	}
	settings, client, err := g.open(seeded)
	if err != nil {
		return err
	}
	defer client.Close()
	system, err := g.prompt()
	if err != nil {
		return err
	}
	settings.Prompt = func(t vitrine.Task) generate.Prompt { return generate.Prompt{System: system, Text: t.Instruction} }
	author, end, err := loop.author(ctx, g, out, resume, client)
	if err != nil {
		return err
	}
	defer end()
	settings.Author = author
	progress, err := g.answer(ctx, tasks, out, resume, settings, client)
	if err != nil {
		return err
	}
	loop.printPace(g.common, progress.Pace)
	if g.json {
		err = g.printJSON(map[string]any{"outputs": out, "tasks": len(tasks), "answers": progress.Done, "failed": progress.Failed, "cut_off": progress.Cut, "refused": progress.Refused, "pace": progress.Pace, "spent": client.Spent()})
	} else {
		_, err = fmt.Fprintln(g.out, out)
	}
	if err == nil && progress.Failed > 0 {
		g.say("%d have no answer: %s says why. Ask for them again with the same command and --resume", progress.Failed, generate.FailuresFile(out))
		return exit(exitUnjudged)
	}
	return err
}

// answer has the tasks answered; the error is said.
func (g *generating) answer(ctx context.Context, tasks []vitrine.Task, out string, resume bool, s generate.Settings, client *model.Client) (generate.Progress, error) {
	if g.limit > 0 {
		tasks = tasks[:min(g.limit, len(tasks))]
	}
	file, err := generate.Open(out, resume)
	if err != nil {
		return generate.Progress{}, err
	}
	defer file.Close()
	ctx, stop, release := interruptible(ctx, g.common, func() { g.say("waiting for the answers under way; Ctrl-C again to stop now") })
	defer release()
	s.Stop, s.Told = stop, tellEvery(g.err, 5*time.Second, client)
	progress, err := generate.Run(ctx, tasks, file, s)
	g.say("%d of %d answers, %d failed, %d cut off, %d refused, in %s", progress.Done, progress.Total, progress.Failed, progress.Cut, progress.Refused, progress.Elapsed.Round(time.Second))
	spent(g.common, client)
	if isClosed(stop) || ctx.Err() != nil {
		g.say("interrupted: %d answers are saved. Go on with the same command and --resume", progress.Done)
		return progress, exit(exitInterrupted)
	}
	if err != nil {
		g.say("%d answers are saved. Go on with the same command and --resume", progress.Done)
	}
	return progress, err
}

// tellEvery writes how far a run got and what it has cost, at most once in a time.
func tellEvery(w io.Writer, often time.Duration, client *model.Client) func(generate.Progress) {
	last := time.Now()
	return func(p generate.Progress) {
		if time.Since(last) < often {
			return
		}
		last = time.Now()
		left := ""
		if d := p.Left(); d > 0 {
			left = ", " + d.Round(time.Second).String() + " left"
		}
		fmt.Fprintf(w, "%d/%d answers, %d failed, %s%s, %s\n", p.Done, p.Total, p.Failed, p.Elapsed.Round(time.Second), left, client.Spent().Cost())
	}
}

// open makes the client and what does not depend on the tasks.
func (g *generating) open(seeded bool) (s generate.Settings, client *model.Client, err error) {
	switch {
	case g.asking.Model == "":
		return s, nil, usage("no model is named that answers", "add -m provider/model; vitrine models ls lists some")
	case g.samples < 1 || g.runs < 1 || g.atOnce < 1 || g.maxTokens < 1 || g.limit < 0:
		return s, nil, usage("-n, --runs, -j, --max-tokens and --limit: must be 1 or more", "leave them out for the default")
	}
	heat, err := setup.ParseTemperature("--temperature", g.temperature)
	if err != nil {
		return s, nil, err
	}
	topP, err := setup.ParseTopP("--top-p", g.topP)
	if err != nil {
		return s, nil, err
	}
	g.asking.Model = g.asking.Models.At(g.asking.Model)
	client, err = g.asking.Client(g.machine())
	if err != nil {
		return s, nil, err
	}
	info, err := client.Describe(g.asking.Model)
	if err != nil {
		client.Close()
		return s, nil, err
	}
	s = generate.Settings{Asker: client, Model: g.asking.Model, Name: info.Name, N: g.samples, Runs: g.runs, Temperature: heat, TopP: topP, MaxTokens: g.maxTokens, Concurrency: g.atOnce}
	if seeded || g.runs > 1 {
		s.Seed = &g.seed
	}
	return s, client, nil
}

// prompt is the system prompt.
func (g *generating) prompt() (string, error) {
	switch g.system {
	case "":
		return "", nil
	case "project":
		return starter.System(), nil
	}
	text, err := os.ReadFile(g.system)
	if err != nil {
		return "", usage("--system: "+err.Error(), `name a file, or "project" for the prompt that vitrine prompt shows`)
	}
	return string(text), nil
}
