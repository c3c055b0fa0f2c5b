package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/meta/answers"
	"vitrine/internal/meta/imports"
	"vitrine/internal/metarun"
)

type studying struct {
	metaAsking
	data  []string
	check bool
	seed  uint64
}

func metaStudyCommand(c *common) *cobra.Command {
	s := &studying{}
	cmd := &cobra.Command{
		Use:   "study FOLDER",
		Short: "Run a study of judges that somebody wrote down, again without a call",
		Long: `Run the study of a folder: study.yaml says which judges are asked about which data, and
which figures are to come of it. Answers are kept in the folder, so that another person runs
it again without a call. Judges that have not answered are asked by the model of -m; without
one they are named as not asked.

With --check nothing is asked, and the exit code is 99 where a figure is not what the study
expects. --data takes other data, such as rows of your own, with the answers beside them.` + metaIntervals,
		Example: `  vitrine meta study studies/known --check
  vitrine meta study studies/webdevjudge-guidance --data pairs.jsonl -m openai/gpt-5-mini`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args[0]) },
	}
	s.add(c, cmd.Flags(), anyKind...)
	for _, name := range []string{"judge", "repeats", "orders", "alone"} { // what the study says
		_ = cmd.Flags().MarkHidden(name)
	}
	cmd.Flags().StringArrayVar(&s.data, "data", nil, "file of the form in place of the study's data; may be given again")
	cmd.Flags().BoolVar(&s.check, "check", false, "ask nothing, and fail where figures are not what the study expects")
	cmd.Flags().Uint64Var(&s.seed, "seed", 1, "seed of the intervals")
	return cmd
}

func (s *studying) run(ctx context.Context, dir string) error {
	study, err := metarun.ReadStudy(dir)
	if err != nil {
		return err
	}
	data, file := study.Files()
	if len(s.data) > 0 {
		data, file = s.data, ""
	}
	file = cmp.Or(s.answers, file)
	names := map[string]string{}
	for _, j := range study.Judges {
		if names[j.As], file, err = s.juror(ctx, study, j, data, file); err != nil {
			return err
		}
	}
	if _, err := os.Stat(file); err == nil {
		data = append(slices.Clone(data), file)
	}
	set, err := imports.Open(data...)
	if err != nil {
		return err
	}
	return s.show(study.Measure(set, names, s.seed))
}

// juror is the name that a judge has in the answers, once it is asked; empty where it is not.
func (s *studying) juror(ctx context.Context, study *metarun.Study, j metarun.Juror, data []string, file string) (name, answersFile string, err error) {
	if j.Name != "" {
		return j.Name, file, nil
	}
	one := s.metaAsking
	one.judges, one.answers, one.Observe, one.alone = []string{j.Judge}, file, cmp.Or(j.Observe, s.Observe), j.Alone
	one.Temperature = cmp.Or(one.Temperature, j.Temperature)
	one.Model = cmp.Or(one.Model, j.Model)
	one.asking.Repeats, one.orders = max(1, study.Repeats), cmp.Or(study.Orders, "both")
	one.asking.Seed = s.seed
	if one.Model == "" && !free(j.Judge) {
		return "", file, nil
	}
	if s.check {
		names, err := one.named(data)
		return strings.Join(names, ""), one.answers, err
	}
	_, names, err := one.open(ctx, data, nil)
	if len(names) != 1 && err == nil {
		err = usage("a study asks one model, and "+j.As+" is several judges", "name one with -m, and data of one kind")
	}
	return strings.Join(names, ""), one.answers, err
}

func (s *studying) show(r metarun.Results) error {
	for _, as := range r.NotAsked {
		s.say("not asked: %s", as)
	}
	if s.json {
		if err := s.printJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(s.out, "%s\n%s\n\n", r.Title, r.Source)
		if err := answers.Print(s.out, answers.Figures{Figures: r.Figures, Notes: r.Notes}); err != nil {
			return err
		}
		if err := printPublished(s.out, r.Published); err != nil {
			return err
		}
	}
	for _, f := range r.Failed {
		s.say("not as expected: %s", f)
	}
	if s.check && len(r.Failed) > 0 {
		return exit(exitThreshold)
	}
	return nil
}

// printPublished prints each published figure, ours and the difference.
func printPublished(w io.Writer, published []metarun.Published) error {
	if len(published) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nquestion\tof\tcategory\tfigure\tpublished\tours\tdifference")
	for _, p := range published {
		ours, difference := "-", "-"
		if p.Ours != nil {
			ours, difference = fmt.Sprintf("%.4f", *p.Ours), fmt.Sprintf("%+.4f", *p.Difference)
		}
		fmt.Fprintln(t, strings.Join([]string{cmp.Or(p.Question, "all"), cmp.Or(p.Of, "people"), cmp.Or(p.Category, "all"), p.Figure.Figure, fmt.Sprint(p.Value), ours, difference}, "\t"))
	}
	return t.Flush()
}
