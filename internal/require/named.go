package require

import (
	"regexp"
	"slices"
	"strings"

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

// named notes what an instruction names one by one: rows of lists, values of settings, and by what rows are sorted,
// filtered and searched.
func (g *gathering) named(text string) {
	g.namedRows(text)
	g.alternatives(text)
	g.criteria(text)
}

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

const oneChoice = `[\p{L}\d+/.-]+(?: [\p{L}\d+/.-]+)?`

// alternatives are the values that an instruction lets one choose from, "switch between day, week and year".
var alternatives = regexp.MustCompile(`(?i)\b(?:switch|toggle|chang|choos|select|pick|alternat)\w* (?:between|from|among) (?:the )?((?:` + oneChoice + `, ){0,5}` + oneChoice + `,? (?:and|or) [\p{L}\d+/.-]+)`)

// betweenChoices parts them.
var betweenChoices = regexp.MustCompile(`,? (?:and|or) |, `)

// alternatives notes the values of a setting.
func (g *gathering) alternatives(text string) {
	for _, q := range g.list {
		if q.Behavior != vitrine.BehaviorSetting || q.Verb == "" {
			continue
		}
		for _, m := range alternatives.FindAllStringSubmatch(text, 4) {
			if !strings.HasPrefix(strings.ToLower(m[0]), strings.TrimSuffix(q.Verb, "e")) {
				continue // something else is chosen there
			}
			q.Values = union(q.Values, betweenChoices.Split(m[1], -1), maxListed)
		}
	}
}
