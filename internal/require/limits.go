package require

import (
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

const (
	numeral   = `(\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|ninety|(a )?hundred)\b`
	ordinal   = `(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth)`
	forbids   = `\b(can ?not|can['’]?t|may not|must ?n['’o]t|must never|should ?n['’o]t|should never|do(es)?n['’]?t (let|allow)|do not (let|allow)|not (be )?(able|allowed|possible)|never|(nobody|no ?one) (can|may|should|is|gets)|refuses?|blocks?|stops?|prevents?|warns?|not to)\b`
	unlimited = `(characters?|chars|words?|letters?|digits|lines|columns|sections?|pages?|fonts?|colou?rs?|px|pixels?|[kmg]b|megabytes?|files?|decimals?|paragraphs?|sentences|width|height|screens?|libraries|frameworks?|dependencies|results|seconds?|ms|milliseconds|fps|guesses|attempts|tries|lives|moves|turns|levels|lines of code|years? old|stars?)`
)

var (
	// parted divides a sentence into the parts of which each may name a limit.
	parted = regexp.MustCompile(`[,;:()–—]\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but|so)\s+`)
	// limiting are the ways to say that something ends somewhere.
	limiting = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(holds?( only| up to)?|seats( only| up to)?|fits( only)?|(room|space|place) for( only)?|there are only|has only|only has|(have|own|got) only|only (have|own|got)|(groups?|parties) of up to) (about |exactly )?` + numeral),
		regexp.MustCompile(`(?i)\b(at (the )?(very )?most|(no|not|never) more than|not exceed(ing)?|max(imum)?( is| of)?|limit(ed)?( is)? (to|of|at)|limit is|cap(ped)?( is)? (at|of|to)|capacity (of|is)|(can|may)( \w+){0,3} (up to|only)|(stay|keep|remain|be) (within|below|under)) (about |exactly )?` + numeral),
		regexp.MustCompile(`(?i)\b` + numeral + `( [a-z]+){0,3} (max(imum)?|at most|at the (very )?most|and (no|not (one|a single)) more)\b`),
		regexp.MustCompile(`(?i)\b` + numeral + `( [a-z]+){0,5} (is|are) (the|our|my) ([a-z]+ )?(limit|max|maximum|most|ceiling|cap|longest|highest|largest)\b`),
		regexp.MustCompile(`(?i)\b(may|can|could|gets?|has|have|takes?|borrows?) ` + numeral + `( [a-z]+){1,4} (at a time|at once)\b`),
		regexp.MustCompile(`(?i)\b(not|no|never) (take |book |order |borrow |sell |spend |use |have |with |\w+ ){0,2}more( [a-z]+){0,2} than\b`),
		regexp.MustCompile(`(?i)` + forbids + `.*\b(more( [a-z]+){0,3} than|exceed\w*|go(es)? (over|above|beyond)|over(book|sell|spend|draw|fill|load)\w*|below (zero|0)|negative|minus|twice|two times|a second time|be [a-z]+( [a-z]+)? again|double[- ]?book\w*|the same [a-z]+|at the same time|already|overlap\w*|(that|which|when (it|there)) (is|are)( ?n['’]?t| not) (there|free|left|available|in stock))\b`),
		regexp.MustCompile(`(?i)\bthe same [a-z' ]{2,30} ` + forbids),
		regexp.MustCompile(`(?i)\b(nobody|no one|no [a-z]+) [a-z ]{1,24}\bmore than (a|an|one|his|her|their|the|` + numeral + `)`),
		regexp.MustCompile(`(?i)` + forbids + `.*\ba second (one|time|[a-z]+)\b`),
		regexp.MustCompile(`(?i)\ban? ` + ordinal + `( one| [a-z]+)? (must|may|can|has to|should|is|gets|will|won['’]?t)\b.*\b(not|no|stay|wait|waits|refused|turned|blocked|closed|possible)\b`),
		regexp.MustCompile(`(?i)\b` + numeral + `( [a-z]+){1,3} and not (one|a single) (one |cent |[a-z]+ )?(above|more|over|beyond)\b`),
		regexp.MustCompile(`(?i)\b(nobody|no one|no [a-z]+|never) ([a-z]+ )?two [a-z ]{2,30} (the same|one) (day|time|slot|hour|week|evening)\b`),
		left,
		regexp.MustCompile(`(?i)\b(over|above|beyond) (the |our |my )?` + numeral + `.*` + `\b(must ?n['’o]t|must not|can ?not|can['’]?t|not be|refused?|blocked?)\b`),
		regexp.MustCompile(`(?i)\b((only|just) once|once (only|each)|once per [a-z]+|not twice|never twice|no double[- ]?(booking|entr)\w*|no duplicates?|no overspending|no overbooking)\b`),
		regexp.MustCompile(`(?i)\b(one|a single) [a-z]+ (per|for each) [a-z]+\b.*\b(only|not more|no more)\b|\bonly (one|a single) [a-z]+ (per|for each|at a time)\b|\b(everybody|everyone|(every|each) [a-z]+) [a-z ]{2,20}(one single|only one|just one|a single) [a-z]+|\b(can|may) be [a-z]+ (a single time|one time only)`),
		regexp.MustCompile(`(?i)\b(when|once|until|if|with) [a-z0-9' ]{2,30} (is|are|gets?|has been) (full|sold out|booked out|used up|reached|taken|gone)\b`),
		regexp.MustCompile(`(?i)\b(only if|as long as) [a-z0-9' ]{0,30}\b(enough|left|available|free|in stock)\b`),
	}
	// unbounding are words of what is bounded in how a page is made, in what is typed, and of prices and hours, which are
	// other demands.
	unbounding = regexp.MustCompile(`(?i)` + numeral + `[ -]?([a-z]+ )?` + unlimited + `\b|\b(more|fewer|less) than ([a-z]+ )?` + unlimited + `\b|\b(up to date|max-width|no more than necessary|side by side|not a cent|in full)\b|` +
		`\b(per|each|every|on (a|one|the)) (page|screen|row|line)\b|\b(votes?|likes?|upvotes?)\b|\b\d+ ?(vh|vw|px|rem|%)|` +
		`\b(shows|showing|show (an?|the|my|me)|display\w*|loads?|loaded|clicked|runs?|open|opens|costs?|pays?|styles?|animation\w*|layout|carousel|testimonials?|alerts?|bars|headings?|slider|filter|notice|response|cooking|saving|quotes?|colou?rs?|fonts?|euros|months|posts?|tags)\b`)
	// left are limits by what there still is, which no field names.
	left = regexp.MustCompile(`(?i)\b(more|bigger|larger|higher|greater) than (what )?[a-z' ]{1,24}\b(left|there|available|in stock)\b`)
	// writes are forms by which one writes to somebody, of which there may be any number.
	writes = regexp.MustCompile(`(?i)\b(contact|newsletter|subscribe|message|feedback|enquir\w*|inquir\w*|log-?in)\b`)
	// taking are behaviours of sites on which something is taken, entered or kept, which can be bounded.
	taking = of(vitrine.BehaviorCreate, vitrine.BehaviorSubmit, vitrine.BehaviorCart, vitrine.BehaviorLedger, vitrine.BehaviorStatus, vitrine.BehaviorJoin, vitrine.BehaviorEdit, vitrine.BehaviorDrag, vitrine.BehaviorReply,
		vitrine.BehaviorDelete, vitrine.BehaviorPersist, vitrine.BehaviorAggregate, vitrine.BehaviorHistory, vitrine.BehaviorValidate, vitrine.BehaviorLookup)
	// forbidden are prohibitions, which are limits even where no act was read that they could limit.
	forbidden = regexp.MustCompile(`(?i)` + forbids + `|\b(nobody|no one)\b|\bper (order|person|customer|booking|member)\b|\bsold out\b`)
)

// limits are the limits that sentences name, of what can be done by other acts: "a table seats at most six", "the same
// plate cannot be parked twice". A sentence that asks for validation names what is refused already. The rules of a game
// are the game's.
func (r *reader) limits(list []sentence, acts []act) (more []act) {
	if r.game || r.scene || r.quiz {
		return nil
	}
	takes := slices.ContainsFunc(acts, func(a act) bool {
		return taking[a.does] && !(a.does == vitrine.BehaviorSubmit && writes.MatchString(a.quote))
	})
	for i, s := range list {
		if !left.MatchString(s.text) && slices.ContainsFunc(acts, func(a act) bool {
			return a.does == vitrine.BehaviorValidate && strings.Contains(strings.ToLower(s.text), strings.ToLower(a.quote))
		}) {
			continue
		}
		for _, part := range parted.Split(strings.ReplaceAll(s.text, " and not ", joined), -1) {
			part = strings.ReplaceAll(part, joined, " and not ")
			if (takes || forbidden.MatchString(part)) && !unbounding.MatchString(part) && slices.ContainsFunc(limiting, func(l *regexp.Regexp) bool { return l.MatchString(part) }) && len(more) < maxLimits {
				more = append(more, act{does: vitrine.BehaviorLimit, rank: 1, quote: bounded(strings.TrimSpace(part), 160), clause: 30000 + i})
			}
		}
	}
	return more
}

// joined stands for a conjunction that parts nothing: "30 credits and not a single one above".
const joined = "\x01"

// maxLimits bounds how many limits are taken from one text.
const maxLimits = 3
