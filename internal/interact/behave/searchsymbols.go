package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// examples are the words that a field gives as examples of what to search for.
var examples = regexp.MustCompile(`(?i)(?:e\.g\.?|for example|such as|like|try|如|例如|比如)[:：,]?\s*([\p{L}\d ,，、/|"'‘’“”-]+)`)

// searchSymbols proves it of rows that are signs without a word, as emoji: of two words that
// the field gives as examples each leaves a part of them, another one, and the same part
// again; nonsense leaves none, and an empty search brings all back.
func (p *prover) searchSymbols(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	g, ok := v.signs()
	words := examplesOf(h)
	if !ok || len(words) < 2 {
		return absent("there are no rows to search in")
	}
	left := func(q string) string {
		now, _ := p.ask(ctx, v, h, q, tableOf(g), nil).same(g)
		if now.Total == 0 || now.Total == g.Total {
			return strings.Repeat("all", min(now.Total, 1))
		}
		return strings.Join(tableOf(now).keys, " ")
	}
	first, second, again := left(words[0]), left(words[1]), left(words[0])
	switch {
	case first == "" || first == "all" || second == "" || second == "all":
		return fails("%q and %q, which the field names, leave all or none of %d rows", words[0], words[1], g.Total)
	case first == second || first != again:
		return fails("%q and %q leave the same rows, or others the second time", words[0], words[1])
	case left(strings.ToLower(p.tokens.word())) != "":
		return fails("a word that no page foresees leaves rows")
	case left("") != "all":
		return fails("an empty search does not bring all %d rows back", g.Total)
	}
	return works("of %d rows %q and %q leave their own, nonsense none, nothing all", g.Total, words[0], words[1])
}

// signs is the largest group of rows without a word, more than a menu has.
func (v *view) signs() (best interact.Group, ok bool) {
	for _, g := range v.survey.Groups {
		worded := slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return hasWords.MatchString(r.Text) || r.Text == "" })
		if g.Total > max(maxMenu, best.Total) && !worded {
			best, ok = g, true
		}
	}
	return best, ok
}

func examplesOf(h hit) (all []string) {
	m := examples.FindStringSubmatch(h.facts.Placeholder + " " + h.control.Name)
	if m == nil {
		return nil
	}
	for _, w := range wordsOf(m[1]) {
		if w != "or" && w != "and" && len(w) > 2 && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}
