package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"vitrine"
)

// Rows of each table of the terminal summary, so that all of it fits on a
// screen: together at most 40 lines.
const (
	textModels    = 5
	textChecks    = 5
	textErrors    = 3
	textFallbacks = 2
)

// Text writes the terminal summary of a run: aligned, ASCII only, at most 40
// lines. What it leaves out it says.
func Text(w io.Writer, s Summary) {
	fmt.Fprintf(w, "%s: %d samples, %d scored, %d unjudged, %d input errors\n\n", plain(s.Recipe, 60), s.Samples, s.Scored, s.Unjudged, s.InputErrors)
	fmt.Fprintf(w, "  VRR          %-8s  %d of %d scored are rendered%s\n", textShare(s.VRR), s.Outcomes[vitrine.OutcomeRendered], s.Scored, leftOut(s.Unjudged))
	fmt.Fprintf(w, "  mean reward  %-8s  %s, n %d%s\n", textNumber(s.Reward.Mean), textInterval(s.Reward), s.Reward.N, leftOut(s.Unjudged))
	fmt.Fprintf(w, "  outcomes     %s\n", textOutcomes(s))
	fmt.Fprintf(w, "  cache hits   build %d, capture %d, judge %d\n", s.CacheHits.Build, s.CacheHits.Capture, s.CacheHits.Judge)
	if c := s.Cost; c.USD == nil || *c.USD > 0 || c.TokensIn+c.TokensOut > 0 {
		fmt.Fprintf(w, "  cost         %s, %d tokens in, %d out\n", textUSD(c.USD), c.TokensIn, c.TokensOut)
	}
	textMeans(w, s)
	textStages(w, s)
	textTrouble(w, s)
}

// textUSD is a price; one that is not known is never 0.
func textUSD(usd *float64) string {
	if usd == nil {
		return "price unknown"
	}
	return fmt.Sprintf("$%.4f", *usd)
}

func textMeans(w io.Writer, s Summary) {
	if len(s.Models) > 0 {
		fmt.Fprintf(w, "\n  %-28s %8s %9s  %-22s %6s %9s\n", "model", "VRR", "mean", "95 % bootstrap CI", "n", "unjudged")
		for _, m := range s.Models[:min(len(s.Models), textModels)] {
			ci := strings.TrimSuffix(strings.TrimPrefix(textInterval(m.Reward), "95 % CI "), " (bootstrap)")
			fmt.Fprintf(w, "  %-28s %8s %9s  %-22s %6d %9d\n", plain(m.Model, 28), textShare(m.VRR), textNumber(m.Reward.Mean), ci, m.Reward.N, m.Reward.Unjudged)
		}
		textMore(w, len(s.Models)-textModels, "models")
	}
	if len(s.Checks) == 0 || s.Checks[0].Mean == nil {
		return
	}
	fmt.Fprintf(w, "\n  %-28s %8s %9s %s\n", "lowest checks", "mean", "n", leftOut(s.Unjudged))
	for _, c := range s.Checks[:min(len(s.Checks), textChecks)] {
		if c.Mean != nil {
			fmt.Fprintf(w, "  %-28s %8s %9d\n", plain(c.Check, 28), textNumber(c.Mean), c.N)
		}
	}
}

func textStages(w io.Writer, s Summary) {
	fmt.Fprintf(w, "\n  %-28s %8s %9s %9s %9s %9s\n", "stage, milliseconds", "mean", "p50", "p95", "n", "cached")
	for _, t := range s.Stages {
		if t.N+t.Cached > 0 {
			fmt.Fprintf(w, "  %-28s %8s %9s %9s %9d %9d\n", t.Stage, t.text(t.MeanMS), t.text(t.P50MS), t.text(t.P95MS), t.N, t.Cached)
		}
	}
}

func (t StageTime) text(ms float64) string {
	if t.N == 0 {
		return "-"
	}
	return strconv.FormatFloat(ms, 'f', 1, 64)
}

func textTrouble(w io.Writer, s Summary) {
	if len(s.Errors) > 0 {
		fmt.Fprintf(w, "\n  unjudged, because of\n")
		for _, e := range s.Errors[:min(len(s.Errors), textErrors)] {
			fmt.Fprintf(w, "  %6d  %s: %s\n", e.N, plain(strings.Trim(e.Stage+" "+string(e.Code), " "), 40), plain(e.Message, 100))
		}
		textMore(w, len(s.Errors)-textErrors, "causes")
	}
	if len(s.Fallbacks) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  fallbacks used\n")
	for _, f := range s.Fallbacks[:min(len(s.Fallbacks), textFallbacks)] {
		fmt.Fprintf(w, "  %6d  %s: %s in place of %s\n", f.N, plain(f.Part, 30), plain(f.Used, 40), plain(f.Wanted, 40))
	}
	textMore(w, len(s.Fallbacks)-textFallbacks, "fallbacks")
}

func textMore(w io.Writer, n int, what string) {
	if n > 0 {
		fmt.Fprintf(w, "  and %d more %s\n", n, what)
	}
}

func textOutcomes(s Summary) string {
	parts := make([]string, len(outcomes))
	for i, o := range outcomes {
		parts[i] = fmt.Sprintf("%s %d", o, s.Outcomes[o])
	}
	return strings.Join(parts, ", ")
}

func leftOut(unjudged int) string { return fmt.Sprintf(" (%d unjudged left out)", unjudged) }

func textNumber(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', 3, 64)
}

func textShare(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", *v*100)
}

func textInterval(m Mean) string {
	if m.Low == nil {
		return "no interval"
	}
	return fmt.Sprintf("95 %% CI %.3f to %.3f (bootstrap)", *m.Low, *m.High)
}

// plain makes an untrusted text safe for a terminal: ASCII that prints, on
// one line, at most n characters.
func plain(s string, n int) string {
	s = strconv.QuoteToASCII(s)
	s = strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`)
	if s == "" {
		return "-"
	}
	if len(s) > n {
		return s[:n-3] + "..."
	}
	return s
}
