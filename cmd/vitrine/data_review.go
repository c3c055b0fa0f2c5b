package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"vitrine/internal/data/review"
	"vitrine/internal/meta/answers"
)

// reviewing are the flags of data review.
type reviewing struct {
	*common
	review.Settings
	reviewer, pairs, listen, apply string
}

func dataReviewCommand(c *common) *cobra.Command {
	r := &reviewing{common: c}
	cmd := &cobra.Command{
		Use:   "review DIR|FILE | --pairs PAIRS.jsonl",
		Short: "Let people say yes or no to rows, or which of two sites is better",
		Long: `Let people say yes or no to rows, or which of two sites is better, in a page that this
machine serves to itself (keys: y, n; arrows of a pair; b back, s skip). Of a folder it asks
about the records that dedup left to a person and the rows of which another step was
unsure, then about a sample of the rows (--sample).
Of --pairs it shows the frames of two evidence folders a line, such as
{"id":"1","a":"evidence/1a","b":"evidence/1b"}, without saying whose they are.

Answers are kept one by one, a file a reviewer, in DIR/reviews (of a file: beside it), in
the form that vitrine meta raters and between read. Without --reviewer it shows how far
reviewers have come and agree. --apply writes the rows without what most refused.`,
		Example: `  vitrine data review clean --reviewer ann --sample 50
  vitrine data review clean
  vitrine data review clean --apply reviewed
  vitrine data review --pairs pairs.jsonl --reviewer bob
  vitrine meta raters pairs.reviews/*.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (r.pairs != "") {
				return usage("name what is reviewed", "give a folder or file of rows, or --pairs PAIRS.jsonl")
			}
			if r.Sample < 0 || r.reviewer != "" && r.apply != "" || r.pairs != "" && r.apply != "" {
				return usage("these flags do not go together", "--sample is a count; --reviewer asks, --apply writes rows, of which pairs have none")
			}
			r.Path = r.pairs
			if len(args) == 1 {
				r.Path = args[0]
			}
			return r.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.reviewer, "reviewer", "", "name of who answers; the page is served until Ctrl-C")
	flags.StringVar(&r.pairs, "pairs", "", "file of pairs of evidence folders, as vitrine compare --pairs takes it")
	flags.IntVar(&r.Sample, "sample", 0, "rows that are asked about for their quality")
	flags.Uint64Var(&r.Seed, "seed", 1, "of the sample, the order and the sides")
	flags.StringArrayVar(&r.Against, "against", nil, "benchmark or file of its tasks, for their texts; again for each")
	flags.StringArrayVar(&r.Runs, "runs", nil, "run folder of vitrine score whose pictures are shown, by id; again for each")
	flags.StringVar(&r.listen, "listen", "127.0.0.1:0", "address of the page")
	flags.StringVar(&r.apply, "apply", "", "folder for the rows without what reviewers refused")
	return cmd
}

func (r *reviewing) run(ctx context.Context) error {
	switch {
	case r.apply != "":
		done, err := review.Apply(ctx, r.Path, r.apply)
		if err != nil {
			return err
		}
		if r.json {
			return r.printJSON(done)
		}
		if done.Absent > 0 {
			r.say("answers about %d rows are of none, since these rows are not there", done.Absent)
		}
		fmt.Fprintf(r.out, "read      %d\nkept      %d, reviewers are split on %d\ndropped   %d\nin        %s\n", done.Read, done.Kept, done.Split, done.Dropped, done.Out)
		return nil
	case r.reviewer == "":
		return r.agreement()
	}
	items, err := r.items(ctx)
	if err != nil {
		return err
	}
	store, err := review.OpenStore(review.Folder(r.Path), r.reviewer)
	if err != nil {
		return err
	}
	err = review.NewServer(items, store, r.Seed).Serve(ctx, r.listen, func(url string) {
		r.say("%d of %d answered; open %s (Ctrl-C ends)", store.Count(items), len(items), url)
	})
	if err == nil {
		r.say("%d of %d answered", store.Count(items), len(items))
	}
	return err
}

func (r *reviewing) items(ctx context.Context) ([]review.Item, error) {
	if r.pairs != "" {
		return review.Pairs(r.pairs)
	}
	var err error
	if r.Against, err = r.against(r.Against); err != nil {
		return nil, err
	}
	return review.Items(ctx, r.Settings)
}

// agreement shows what people said, and how far they agree.
func (r *reviewing) agreement() error {
	files := review.Files(review.Folder(r.Path))
	if _, err := os.Stat(r.Path); err != nil {
		return usage("cannot read "+r.Path, "name what vitrine data review --reviewer was given")
	}
	if len(files) == 0 {
		return usage("nobody has answered yet", "answer with --reviewer NAME")
	}
	set, err := answers.Open(files...)
	if err != nil {
		return err
	}
	figures := answers.Raters(set, r.Seed)
	if r.json {
		return r.printJSON(figures)
	}
	return answers.Print(r.out, figures)
}
