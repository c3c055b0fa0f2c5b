package behave

import (
	"math"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// sumsShown proves it of what is shown without an entry: a number is the sum of a column of
// rows. One that is nearly such a sum, by less than a hundredth, is a wrong one, and then no
// other makes up for it.
func (p *prover) sumsShown(otherwise answer) answer {
	for _, pl := range p.site.places {
		a := sumsOfColumns(pl.view)
		if a.verdict == vitrine.VerdictFail {
			return a
		}
		if a.verdict == vitrine.VerdictWorks && otherwise.verdict != vitrine.VerdictWorks {
			otherwise = a
		}
	}
	return otherwise
}

// sumsOfColumns compares the sums of the columns of each list of a view with the numbers
// outside of its rows.
func sumsOfColumns(v *view) answer {
	best := absent("no number is the sum of a column")
	for _, g := range slices.Concat(v.lists(), v.survey.Groups) { // what is alike in several places has a sum in each
		if g.Total != len(g.Rows) || g.Total < 3 {
			continue
		}
		lines := slices.DeleteFunc(slices.Clone(v.survey.Lines), func(line string) bool {
			return slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return strings.Contains(r.Text, line) })
		})
		for col := range 8 {
			sum, n := columnSum(g, col)
			if n < 3 || n < g.Total-1 || sum < 100 {
				continue
			}
			exact, near := sumIn(lines, sum)
			switch {
			case exact != "":
				best = works("%q is the sum of %d rows", clip(exact), n)
			case near != "" && n == g.Total:
				return fails("%q is not the sum of %d rows, %.6g", clip(near), n, sum)
			}
		}
	}
	return best
}

// columnSum adds up the cells of a column that hold one number each; n are how many do.
func columnSum(g interact.Group, col int) (sum float64, n int) {
	for _, r := range g.Rows {
		if col < len(r.Cells) {
			if all := numbers(r.Cells[col]); len(all) == 1 {
				sum += all[0]
				n++
			}
		}
	}
	return sum, n
}

// sumIn are the first lines with a sum, and with a price that is nearly it.
func sumIn(lines []string, sum float64) (exact, near string) {
	for _, line := range lines {
		for _, x := range numbers(line) {
			if exact == "" && near01(x, sum) {
				exact = line
			}
		}
		if x, ok := moneyOf(line); ok && near == "" && math.Abs(x-sum) < 0.01*sum {
			near = line
		}
	}
	return exact, near
}
