package require

import (
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// chinesePhrases are what sayings are, in Chinese.
var chinesePhrases = []saying{
	{regexp.MustCompile(`刷新[^。；]{0,6}(还在|不丢|保留|恢复)|关(掉|闭)[^。；]{0,10}(还在|也在|仍在|保留|恢复)`), vitrine.BehaviorPersist},
	{regexp.MustCompile(`(没填|不填|未填|为空|不对|错误|无效|负数)[^。；，]{0,8}(提示|报错|警告|不应|不能|拒绝)`), vitrine.BehaviorValidate},
}

// phrased are the behaviours that sayings name and acts do not, each once, as far as this
// kind of site has them.
func (r *reader) phrased(list []sentence) (more []act) {
	named := map[vitrine.Behavior]bool{}
	for _, a := range r.acts {
		named[a.does] = true
	}
	wanted := func(b vitrine.Behavior) bool {
		return !named[b] && !(r.game && inGames[b]) && !(r.scene && inScenes[b])
	}
	for i, s := range list {
		found := func(b vitrine.Behavior, quote string) {
			if last := quote[strings.LastIndexByte(quote, ' ')+1:]; b == vitrine.BehaviorList && qualities[last] || b == vitrine.BehaviorCreate && controls[last] || b == vitrine.BehaviorDrag && resistance.MatchString(quote) {
				return // a grid of points is no list, who adds buttons builds the site, and drag may be a force
			}
			named[b] = true
			r.correct(b, quote)
			if b == vitrine.BehaviorValidate { // the rest of the sentence says what is wrong
				quote = s.text
			}
			more = append(more, act{does: b, quote: bounded(quote, 160), clause: 20000 + i})
		}
		said(topics.ReplaceAllString(s.text, ""), wanted, found)
		for _, c := range chinesePhrases {
			if wanted(c.does) {
				if quote := c.says.FindString(s.text); quote != "" {
					found(c.does, quote)
				}
			}
		}
	}
	return more
}

// correct takes back what a general verb or noun named in words that ask for something else:
// who sees "only the open tasks" or "the number of guests" is shown no second list.
func (r *reader) correct(does vitrine.Behavior, quote string) {
	if does == vitrine.BehaviorNav || does == vitrine.BehaviorPersist {
		return
	}
	r.acts = slices.DeleteFunc(r.acts, func(a act) bool {
		if !general[a.does] || a.verb == "list" || len(a.quote) < 4 {
			return false
		}
		whole := strings.ToLower(a.quote)
		_, object, _ := strings.Cut(whole, " ")
		if a.verb == "" {
			object = whole
		}
		return strings.HasPrefix(whole, bounded(quote, 12)) || len(object) > 3 && strings.Contains(quote, object) || strings.Contains(object, quote)
	})
}

// general are behaviours of verbs and nouns that are said of nearly anything.
var general = of(vitrine.BehaviorList, vitrine.BehaviorAggregate, vitrine.BehaviorJoin)

// topics are what a text is about, up to the end of the clause, or of the sentence where they
// are listed.
var topics = regexp.MustCompile(`(?i)\b(?:page|article|essay|text|story|poem|blog|film|facts?|information|column|novel) about\b[^,.;:]*|\bcovering\b.*`)

// inGames are behaviours that words of a game's rules seem to ask for and do not.
var inGames = of(vitrine.BehaviorDrag, vitrine.BehaviorScene, vitrine.BehaviorLive, vitrine.BehaviorQuiz, vitrine.BehaviorSearch, vitrine.BehaviorList, vitrine.BehaviorDetail, vitrine.BehaviorCustomize,
	vitrine.BehaviorFilter, vitrine.BehaviorCalculate, vitrine.BehaviorSubmit, vitrine.BehaviorCreate, vitrine.BehaviorDelete, vitrine.BehaviorStatus, vitrine.BehaviorReply, vitrine.BehaviorLookup, vitrine.BehaviorCart, vitrine.BehaviorCompare, vitrine.BehaviorNav)

// inScenes are the same of something that is looked at.
var inScenes = of(vitrine.BehaviorLive, vitrine.BehaviorList, vitrine.BehaviorDetail, vitrine.BehaviorSearch, vitrine.BehaviorLookup, vitrine.BehaviorChart, vitrine.BehaviorReport, vitrine.BehaviorStatus, vitrine.BehaviorFilter)

func of(list ...vitrine.Behavior) map[vitrine.Behavior]bool {
	m := map[vitrine.Behavior]bool{}
	for _, b := range list {
		m[b] = true
	}
	return m
}
