package main

import (
	"strings"

	"github.com/spf13/pflag"

	"vitrine/internal/judge/vlm"
	"vitrine/internal/model"
	"vitrine/internal/model/replay"
	"vitrine/internal/setup"
)

// addJudging adds the flags of commands in which a model may judge.
func addJudging(v *setup.Judging, c *common, flags *pflag.FlagSet) {
	addModels(&v.Models, c, flags)
	flags.StringVar(&v.Judge, "judge", "", "protocols by which the model judges, comma-separated: "+strings.Join(vlm.Protocols(false), ", ")+" (default: those that the recipe reads); without -m: "+setup.NoModel)
	flags.StringVarP(&v.Model, "model", "m", "", "model that judges, too: provider/model or an alias, such as openai/gpt-5-mini; several, comma-separated, are a panel (default: none)")
	flags.IntVar(&v.Repeats, "repeats", 1, "how often each model is asked the same, without using earlier answers; the result is the mean")
	flags.StringVar(&v.Calibration, "calibration", "", "calibration of the measured judge, a file that judge calibrate made (default: the one set by hand)")
	addAsking(v, flags)
	addCriteria(v, flags)
}

// addCriteria adds what else decides a model's judgement.
func addCriteria(v *setup.Judging, flags *pflag.FlagSet) {
	flags.StringVar(&v.Observe, "observe", "", "what the model is shown: image, code or both (default: what the protocol says)")
	flags.StringVar(&v.Prompt, "prompt", "", "file with a prompt of your own for the protocol that --judge names (docs/judging.md)")
	flags.StringVar(&v.Temperature, "temperature", "", "of the answers (default: that of the profile, else left to the endpoint)")
	flags.IntVar(&v.Variant, "variant", 1, "which of the five templates of --judge alignment asks")
	flags.StringVar(&v.Condition, "condition", "variant", "under which condition --judge alignment asks: variant or invariant")
	flags.BoolVar(&v.ScreenshotFirst, "screenshot-first", false, "show the screenshot of --judge alignment before the instruction, not after it")
	flags.StringVar(&v.Rubric, "rubric", "", "rubric tree for --judge rubric, a file that vitrine rubric made (default: that of the task)")
	flags.StringVar(&v.First, "first", "", "cheaper model that is asked first; the others only where it is unsure")
	flags.IntVar(&v.FirstRepeats, "first-repeats", 3, "how often the first is asked the same")
	flags.Float64Var(&v.Unsure, "unsure", 0, "the first is unsure where the standard deviation of its scores is above this, in points of the protocol's scale")
}

// addAsking adds the flags of every question.
func addAsking(v *setup.Judging, flags *pflag.FlagSet) {
	flags.StringVar((*string)(&v.Profile), "profile", "", "reading of the papers by which models judge and exercise, published or vitrine: vitrine profile says what differs (default: that of the recipe, else vitrine)")
	addSpending(v, flags)
}

// addSpending adds the flags that bound what is asked, and where answers are kept.
func addSpending(v *setup.Judging, flags *pflag.FlagSet) {
	flags.Float64Var(&v.BudgetUSD, "budget-usd", 0, "stop before the model costs more, resumable, exit code 5")
	flags.IntVar(&v.BudgetTokens, "budget-tokens", 0, "stop before the model reads and writes more tokens, resumable, exit code 5")
	flags.IntVar(&v.Connections, "max-connections", 64, "conversations with one endpoint at once, at most")
	flags.StringVar(&v.Tape, "tape", string(replay.Auto), "earlier conversations: "+strings.Join(replay.Modes, ", "))
	flags.StringVar(&v.TapeDir, "tape-dir", "", "folder of conversations (default: conversations, in the cache folder)")
}

// spent tells what the model cost.
func spent(c *common, client *model.Client) {
	if client != nil {
		c.say("model  %s", client.Spent())
	}
}
