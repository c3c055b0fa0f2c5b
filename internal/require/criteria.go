package require

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// byWhat leads to what rows are sorted, filtered or searched by: "sort them by price or rating".
var byWhat = regexp.MustCompile(`(?i)\b(sort|order|arrang|filter|narrow|search|find|look)(?:s|es|e|ed|ing|able)?\b(?: [\w'’-]+){0,5}? by `)

var (
	criteriaEnd = regexp.MustCompile(`[.;:!?()\n]|\b(?:so that|in order|when|where|which|that|with|from|to|as well|then|using|for|on|in|per)\b`)
	qualifier   = regexp.MustCompile(`(?i)^(?:(?:by|the|a|an|their|its|either|both|most|least|fewest|highest|lowest|number|amount|of) )+`)
	narrows     = map[string]vitrine.Behavior{"sort": vitrine.BehaviorOrder, "order": vitrine.BehaviorOrder, "arrang": vitrine.BehaviorOrder, "filter": vitrine.BehaviorFilter, "narrow": vitrine.BehaviorFilter, "search": vitrine.BehaviorSearch, "find": vitrine.BehaviorSearch, "look": vitrine.BehaviorSearch}
)

// inBrackets are remarks, as on the order that is meant: "price (low to high)".
var inBrackets = regexp.MustCompile(` ?\([^()]{0,120}\)`)

// describes is a "by" of what is searched or filtered, as in "search recipes written by users", and of orders that are goods.
var describes = regexp.MustCompile(`(?i)^\w+ .*\w+ed by $|^orders `)

// maxBehind is how much of a text is read for criteria, in bytes.
const maxBehind = 160

// maxCriteria bounds what is named one by one.
const maxCriteria = 6

// criteria notes by what an instruction lets rows be sorted, filtered and searched, and takes back what was read from
// these words alone: "sort by rating" asks for no way to rate.
func (g *gathering) criteria(text string) {
	text = inBrackets.ReplaceAllString(text, "")
	named := map[*vitrine.Requirement][]string{}
	var rest, lists strings.Builder
	end := 0
	for _, at := range byWhat.FindAllStringSubmatchIndex(text, 20) {
		if at[0] < end || describes.MatchString(text[at[0]:at[1]]) {
			continue
		}
		behind := bounded(text[at[1]:], maxBehind)
		names, used := criteriaOf(behind)
		if len(names) == 0 {
			continue
		}
		rest.WriteString(text[end:at[1]])
		end = at[1] + used
		lists.WriteString(text[at[1]:end] + " ")
		does := narrows[strings.ToLower(text[at[2]:at[3]])]
		for _, q := range g.list {
			if q.Behavior == does {
				named[q] = union(named[q], names, maxCriteria)
			}
		}
	}
	for q, names := range named {
		q.Fields = names
	}
	if end == 0 {
		return
	}
	rest.WriteString(text[end:])
	g.dropSaidOnly(tokens(lists.String()), tokens(rest.String()))
}

// criteriaOf are the names at the beginning of a text, as "price, rating or date added", and how long they are.
func criteriaOf(text string) (names []string, used int) {
	if at := criteriaEnd.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	for used < len(text) {
		part, n := text[used:], len(text)-used
		if at := betweenChoices.FindStringIndex(part); at != nil {
			part, n = part[:at[0]], at[1]
		}
		name := strings.ToLower(strings.TrimSpace(qualifier.ReplaceAllString(strings.TrimSpace(part), "")))
		words := strings.Fields(name)
		if len(words) == 0 || len(words) > 4 || gerund(words[0]) != "" && len(words) > 1 || known(words[0]) && len(words) > 1 && words[1] != "of" || narrows[words[0]] != "" {
			break // the next thing that is asked for
		}
		names = append(names, name)
		used += n
	}
	return names, used
}

// dropSaidOnly takes back what people do to rows that a word of lists of criteria asks for and no word of the rest
// of an instruction does.
func (g *gathering) dropSaidOnly(lists, rest []token) {
	for i := len(g.list) - 1; i >= 0; i-- {
		q := g.list[i]
		if q.Behavior != vitrine.BehaviorJoin && q.Behavior != vitrine.BehaviorReply && q.Behavior != vitrine.BehaviorStatus && q.Behavior != vitrine.BehaviorChart && q.Behavior != vitrine.BehaviorDetail || len(q.Cues) > 1 || q.Cues[0] != "instruction" {
			continue
		}
		by := tokens(cmp.Or(q.Verb, q.Quote))
		in := func(text []token) bool {
			return slices.ContainsFunc(by, func(t token) bool {
				return slices.ContainsFunc(text, func(o token) bool { return len(t.low) > 2 && strings.HasPrefix(o.low, t.low[:3]) }) // "rating", of rate
			})
		}
		if in(lists) && !in(rest) {
			g.drop(i)
		}
	}
}
