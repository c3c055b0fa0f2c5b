package require

import (
	"regexp"
	"slices"

	"vitrine"
)

const (
	oneName  = `[A-Z][\p{L}\d'’-]*(?: [A-Z][\p{L}\d'’-]*){0,2}`
	between  = `(?:, and |, | and | & )`
	listThem = `(?:[Ll]ists?|[Ll]isting|[Nn]amely):? `
	begin    = `[Bb]egins? with `
)

var (
	namedList = regexp.MustCompile(`\b(?:` + listThem + `(?:` + oneName + between + `){2,}` + oneName + `|` + begin + `(?:` + oneName + between + `)+` + oneName + `)`)
	rowName   = regexp.MustCompile(oneName)
	ledBy     = regexp.MustCompile(`^(?:` + listThem + `|` + begin + `)`)
)

// namedRows asks for a list of the rows that an instruction names, as "It lists Kiwi, Lemon and
// Pear" does: whoever shows others has not done what was asked for.
func (g *gathering) namedRows(text string) {
	for _, quote := range namedList.FindAllString(text, 4) {
		q := g.merge(act{does: vitrine.BehaviorList, verb: "list", quote: bounded(quote, 160)}, "instruction", 1)
		for _, name := range rowName.FindAllString(ledBy.ReplaceAllString(quote, ""), maxListed) {
			if len(q.Values) < maxListed && !slices.Contains(q.Values, name) {
				q.Values = append(q.Values, name)
			}
		}
	}
}
