package vlm

import (
	"regexp"
	"strconv"
	"strings"

	"vitrine"
)

// The rules below are how published scripts compute their figures, with their
// faults, so that a paper's table can be compared. Each name says whose rule it is.
// No reward and no judgement uses them.

var firstDigitAfterGrade = regexp.MustCompile(`(?s)Grade.*?(\d)`)

// CompatGrade is WebGen-R1's and WebGen-Bench's reading of a grade: the first digit
// after the first "Grade", whatever stands between. Without one there is none; the
// published reward then takes 0.
func CompatGrade(text string) (grade int, ok bool) {
	m := firstDigitAfterGrade.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return int(m[1][0] - '0'), true
}

// CompatWebGenBenchAppearance is the mean appearance: the sum over all tasks, one
// without a grade counting 0. WebGen-Bench divides by its 101 tasks.
func CompatWebGenBenchAppearance(grades []int, tasks int) float64 {
	sum := 0
	for _, g := range grades {
		sum += g
	}
	return float64(sum) / float64(tasks)
}

// CompatWebGenBenchVerdict reads the last words of an agent: 1 where "YES" is
// anywhere in them, else 0.5 for "PARTIAL", else 0.
func CompatWebGenBenchVerdict(text string) float64 {
	switch {
	case strings.Contains(text, "YES"):
		return 1
	case strings.Contains(text, "PARTIAL"):
		return 0.5
	}
	return 0
}

// CompatWebGenBenchAccuracy is in percent, over all test cases: those that never
// ran are failures.
func CompatWebGenBenchAccuracy(verdicts []float64, cases int) float64 {
	sum := 0.0
	for _, v := range verdicts {
		sum += v
	}
	return sum / float64(cases) * 100
}

// CompatOpenDesign are OpenDesign's mean total and good rate (totals of at least 75),
// both over answers that parsed and are not 0: a model that fails more looks better.
// nil is an answer that did not parse. ok is false where nothing is left.
func CompatOpenDesign(totals []*float64) (mean, good float64, ok bool) {
	sum, n, fine := 0.0, 0.0, 0.0
	for _, t := range totals {
		if t == nil || *t == 0 {
			continue
		}
		sum += *t
		n++
		if *t >= 75 {
			fine++
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	return sum / n, fine / n, true
}

// CompatOpenDesignInteractive is the mean over sites of the sums of their 0/1
// scores, of which a site has at most three.
func CompatOpenDesignInteractive(sites [][]int) float64 {
	sum := 0
	for _, scores := range sites {
		for _, s := range scores {
			sum += s
		}
	}
	return float64(sum) / float64(len(sites))
}

// overallScores are ArtifactsBench's patterns, English first. Alternatives are tried
// from the left, so that of a range ("35-40") the first number is taken.
var overallScores = []*regexp.Regexp{
	regexp.MustCompile(`"Overall Score":\s*(")?(\d+(\.\d+)?|\d+-\d+)(")?`),
	regexp.MustCompile(`"总体打分":\s*(")?(\d+(\.\d+)?|\d+-\d+)(")?`),
}

// CompatArtifactsBenchOverall is the last overall score in an answer, by the first
// pattern that is found at all. Without a match the answer is dropped.
func CompatArtifactsBenchOverall(text string) (score float64, ok bool) {
	for _, pattern := range overallScores {
		if all := pattern.FindAllStringSubmatch(text, -1); all != nil {
			score, err := strconv.ParseFloat(all[len(all)-1][2], 64)
			return score, err == nil
		}
	}
	return 0, false
}

// CompatArtifactsBenchMean is over answers that parsed only.
func CompatArtifactsBenchMean(answers []string) (mean float64, ok bool) {
	sum, n := 0.0, 0.0
	for _, a := range answers {
		if score, ok := CompatArtifactsBenchOverall(a); ok {
			sum += score
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / n, true
}

// CompatLikertVerdict is WebDevJudge's: A wins above B + 1, and the other way round.
func CompatLikertVerdict(a, b, threshold float64) vitrine.Verdict {
	switch {
	case a > b+threshold:
		return vitrine.VerdictA
	case b > a+threshold:
		return vitrine.VerdictB
	}
	return vitrine.VerdictTie
}

// CompatDimension is one dimension of an answered rubric: how many nodes, leaves or
// not, hold a value that counts, and how many leaves there are.
type CompatDimension struct {
	Counted int `json:"counted"`
	Leaves  int `json:"leaves"`
}

// CompatRubricScore is WebDevJudge's sum over dimensions, weights 1. Since any node
// with a value counts, a dimension can give more than 1.
func CompatRubricScore(dimensions []CompatDimension) float64 {
	sum := 0.0
	for _, d := range dimensions {
		sum += float64(d.Counted) / float64(d.Leaves)
	}
	return sum
}

// CompatRubricVerdict is the higher score; only exact equality is a tie.
func CompatRubricVerdict(a, b float64) vitrine.Verdict { return CompatLikertVerdict(a, b, 0) }

// CompatGUIDynamic is the dynamic score of WebDevJudge's GUI agent: complex leaves
// count twice above the line and once below it, so that it can exceed 1.
func CompatGUIDynamic(basic, complex, leaves int) float64 {
	return float64(basic+2*complex) / float64(leaves)
}

// CompatWebDevJudgeAccuracy is correct over all: errors are wrong answers. An empty
// prediction is an error.
func CompatWebDevJudgeAccuracy(predicted, labels []vitrine.Verdict) float64 {
	right := 0
	for i, p := range predicted {
		if p == labels[i] {
			right++
		}
	}
	return float64(right) / float64(len(predicted))
}

// CompatWebBenchPass is web-bench's pass@k in percent: how many tasks come before
// the first that has no success in its first k attempts. Tasks build on one another.
func CompatWebBenchPass(tasks [][]bool, k int) float64 {
	passed := 0
	for _, attempts := range tasks {
		ok := false
		for _, success := range attempts[:min(k, len(attempts))] {
			ok = ok || success
		}
		if !ok {
			break
		}
		passed++
	}
	return float64(passed) / float64(len(tasks)) * 100
}

// CompatInteractWebVisual is InteractWeb-Bench's visual score: 3 where the answer
// does not parse.
func CompatInteractWebVisual(parsed *float64) float64 {
	if parsed == nil {
		return 3
	}
	return *parsed
}
