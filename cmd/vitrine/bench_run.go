package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/bench/own"
	"vitrine/internal/build"
	"vitrine/internal/digest"
	"vitrine/internal/generate"
	"vitrine/internal/model"
	"vitrine/internal/runs"
)

// benching are the flags of vitrine bench run.
type benching struct {
	*common
	asked      generating // a model that answers first
	scoring    scoring    // of benchmarks whose answers are sites
	reading    reading
	outputs    string
	data       string
	out        string
	categories []string
	seeded     bool
	method     bool // --interact was given
	// oracle measures the benchmark's own solutions in place of a model's answers.
	oracle      bool
	asPublished bool
	recipe      bool // --recipe was given
	judge       string
	given       *pflag.FlagSet
	asking      *model.Client // of the model that answers; nil: none is asked
}

func benchRunCommand(c *common) *cobra.Command {
	r := &benching{common: c, asked: generating{common: c}, scoring: scoring{common: c, noReport: false}}
	cmd := &cobra.Command{
		Use:   "run NAME|OWN.yaml",
		Short: "Measure outputs on a benchmark, or have a model answer it first",
		Long: `Measure outputs on a benchmark (--outputs), or have a model answer its tasks first
(-m), and show the table.

Outputs are of any form that score reads; the task of each is found by its task_id, its
id or its instruction. An interrupted or killed run goes on with the same command:
nothing that is answered, scored or tested is so again. What could not be judged is in
no figure and is counted.

Sites are built, seen and tried out as by vitrine score, into a run folder with its
report; what a benchmark measures with a vision model is asked of -J. Without one the
table has what can be known without, in columns of their own.`,
		Example: `  vitrine bench run webgen-bench --outputs outputs.jsonl --out runs/wgb
  vitrine bench run webgen-bench -m openai/gpt-5-mini -J openai/gpt-5-mini --interact verify
  vitrine bench run webapp1k -m http://localhost:8000/v1#qwen --limit 100 -n 4 --temperature 0.7
  vitrine bench run tea-shops.yaml --outputs outputs.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags := cmd.Flags()
			r.given = flags
			r.seeded, r.method, r.recipe = flags.Changed("seed"), flags.Changed("interact"), flags.Changed("recipe")
			return r.run(cmd.Context(), args[0])
		},
	}
	flags := cmd.Flags()
	r.asked.add(flags)
	r.reading.add(flags)
	flags.StringVar(&r.outputs, "outputs", "", "file or folder of outputs that are there already")
	flags.StringVar(&r.data, "data", "", "file or folder of the benchmark's data that is not the one of bench pull, such as a part of it")
	flags.StringVar(&r.out, "out", "", "folder of the run (default: one under .vitrine/bench, named by benchmark and outputs)")
	flags.StringSliceVar(&r.categories, "category", nil, "tasks of these categories alone, comma-separated")
	flags.BoolVar(&r.oracle, "oracle", false, "the benchmark's own solutions in place of a model's answers (web-bench)")
	flags.BoolVar(&r.asPublished, "as-published", false, "run at each step the tests of all steps so far, as published, at ten times the cost (web-bench)")
	flags.StringVarP(&r.judge, "judge-model", "J", "", "vision model that judges, and that tries sites by --interact agent or verify")
	l := &r.scoring.Looking
	flags.StringVar(&l.Recipe, "recipe", "", "reward recipe by which sites are built and gated (default: that of the benchmark)")
	flags.StringVar(&l.Builder, "builder", string(build.Auto), "who builds projects: auto, fast or exact")
	flags.StringVar(&l.Viewports, "viewport", "desktop", "window sizes at which sites are seen")
	addInteracting(&l.Interacting, flags)
	r.scoring.cluster.addCommand(flags)
	flags.StringVar(&r.scoring.progress, "progress", "auto", "progress display: auto, live, plain or none")
	return cmd
}

func (r *benching) run(ctx context.Context, name string) error {
	b, err := r.find(name)
	if err != nil {
		return err
	}
	name = b.Info().Name
	if r.asked.atOnce < 1 || r.asked.limit < 0 {
		return usage("-j must be 1 or more, and --limit not below 0", "leave them out for the default")
	}
	if err := r.oneSource(b); err != nil {
		return err
	}
	l, err := bench.Load(b, r.data, r.cacheDir)
	if err != nil {
		return err
	}
	tasks, err := bench.Select(b, l.Tasks, r.categories, r.asked.limit)
	if err != nil {
		return err
	}
	run, err := bench.Open(r.folder(name), bench.Header{
		Benchmark: name, Title: b.Info().Title, Verified: l.Verified, Data: l.Hash, Categories: r.categories, Limit: r.asked.limit,
		Tasks: len(tasks), Of: len(l.Tasks), From: r.from(), Columns: bench.ColumnsOf(b),
	}, tasks)
	if err != nil {
		return err
	}
	answers, measured, err := r.answered(ctx, b, run, tasks, l)
	if err != nil {
		return err
	}
	run.Header.Others, run.Header.Unusable = len(answers.Others), len(answers.Unusable)
	results := bench.Results(b, tasks, answers, measured)
	if err := run.Finish(results); err != nil {
		return err
	}
	if err := reported(run); err != nil {
		return err
	}
	r.say("run  %s\nreport  %s", run.Dir, filepath.Join(run.Dir, bench.ReportFile))
	if err := showTable(r.common, []string{run.Dir}, bench.Strict, nil, "markdown"); err != nil {
		return err
	}
	if n := bench.Unjudged(results); 10*n > len(answers.Outputs) {
		r.say("%d of %d answers could not be judged: the same command tries them again", n, len(answers.Outputs))
		return exit(exitUnjudged)
	}
	return nil
}

// reported writes the report of a run that is done.
func reported(run *bench.Run) error {
	var tables [2]bench.Table
	for i, rule := range []bench.Rule{bench.Strict, bench.Compat} {
		t, err := tabulated([]string{run.Dir}, rule, nil)
		if err != nil {
			return err
		}
		tables[i] = t
	}
	return run.WriteReport(tables[0], tables[1])
}

// oneSource sees to it that answers are from one source, and flags for this benchmark.
func (r *benching) oneSource(b bench.Benchmark) error {
	sources := 0
	for _, given := range []bool{r.outputs != "", r.asked.asking.Model != "", r.oracle} {
		if given {
			sources++
		}
	}
	_, stepped := b.(bench.Stepped)
	if stepped && r.scoring.cluster.nats != "" {
		return usage("--nats: the steps of "+b.Info().Name+" follow one another on one machine", "run parts of it on several, such as by --category, and name all runs to vitrine bench table")
	}
	if !stepped && (r.oracle || r.asPublished) {
		return usage("--oracle and --as-published are not for "+b.Info().Name, "leave them out")
	}
	if sources != 1 {
		return usage("either outputs that are there or a model that answers is wanted", "add --outputs FILE, or -m provider/model")
	}
	return r.scoring.cluster.unbudgeted(r.judge, &r.asked.asking)
}

// answered are the answers with what was measured of each.
func (r *benching) answered(ctx context.Context, b bench.Benchmark, run *bench.Run, tasks []vitrine.Task, l bench.Loaded) (bench.Answers, map[string]bench.Measured, error) {
	if stepped, ok := b.(bench.Stepped); ok {
		return r.walk(ctx, stepped, run, tasks, l)
	}
	answers, err := r.answers(ctx, b, run, tasks, l.Tasks)
	if err != nil {
		return answers, nil, err
	}
	for _, line := range answers.Remarks(tasks) {
		r.say("%s", line)
	}
	measured, err := r.measure(ctx, b, run, tasks, answers)
	return answers, measured, err
}

// find returns the benchmark of a name, or the user's own that a YAML file describes; its
// data is in the folder of that file.
func (r *benching) find(name string) (bench.Benchmark, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		return bench.Find(benchmarks, name)
	}
	b, err := own.Load(name)
	if r.data == "" {
		r.data = b.Data()
	}
	return b, err
}

// from says where the outputs are from, so that a run is gone on with by the same.
func (r *benching) from() string {
	how := ""
	if r.asPublished {
		how = ", tested as published"
	}
	if r.oracle {
		return "its own solutions" + how
	}
	if r.outputs != "" {
		content, err := os.ReadFile(r.outputs) // a folder has no hash: its pages are taken as they are
		if err != nil {
			return r.outputs + how
		}
		return r.outputs + " of hash " + digest.Of(content)[:12] + how
	}
	g := r.asked
	if g.runs > 1 {
		how = fmt.Sprintf(", %d runs", g.runs) + how
	}
	return fmt.Sprintf("%s, %d a task, temperature %s, at most %d tokens%s", g.asking.Model, g.samples, orElse(g.temperature, "of the endpoint"), g.maxTokens, how)
}

// folder is that of the run. The same command finds the same.
func (r *benching) folder(name string) string {
	if r.out != "" {
		return r.out
	}
	return filepath.Join(".vitrine", "bench", name+"~"+runs.FolderName(runs.SourceName(orElse(r.outputs, r.from()))))
}

// answers are the outputs of the run: those of a file, or what a model answers.
func (r *benching) answers(ctx context.Context, b bench.Benchmark, run *bench.Run, tasks, all []vitrine.Task) (bench.Answers, error) {
	source := r.outputs
	if source == "" {
		source = filepath.Join(run.Dir, bench.AnswersFile)
		if err := r.generate(ctx, b, tasks, source); err != nil {
			return bench.Answers{}, err
		}
	}
	in, err := r.reading.open(ctx, r.common, source, false)
	if err != nil {
		return bench.Answers{}, err
	}
	defer in.Close()
	a, err := bench.Match(in, tasks, all)
	if err != nil {
		return a, err
	}
	return a, run.Keep(a.Outputs)
}

// generate has the model answer what it has not answered yet.
func (r *benching) generate(ctx context.Context, b bench.Benchmark, tasks []vitrine.Task, out string) error {
	settings, client, err := r.asked.open(r.seeded)
	if err != nil {
		return err
	}
	defer client.Close()
	r.asking = client
	settings.Prompt = b.Prompt
	if r.asked.system != "" {
		system, err := r.asked.prompt()
		if err != nil {
			return err
		}
		settings.Prompt = func(t vitrine.Task) generate.Prompt { return generate.Prompt{System: system, Text: b.Prompt(t).Text} }
	}
	progress, err := r.asked.answer(ctx, tasks, out, true, settings, client)
	if err == nil && progress.Failed > 0 {
		r.say("%d have no answer (%s): the same command asks again", progress.Failed, generate.FailuresFile(out))
	}
	return err
}
