package require

import "strings"

// plainer are verbs of several words, and loose ones, parted by |, with the verb of the
// table that means the same. They are put in its place before a sentence is split, in any
// form of their first word: "getting rid of" is "removing".
var plainer = []struct{ plain, said string }{
	{"remove", "get rid of|throw away|throw out|take away|do away with|bin|trash|purge|wipe"},
	{"join", "take part in|participate in|opt into"},
	{"like", "give a like to|give a heart to"},
	{"rate", "give stars to|give a rating to"},
	{"look-up", "look up"},
	{"search", "hunt for|search through"},
	{"enter", "put in|key in|type in|punch in"},
	{"add", "jot down|note down|write down|put down|jot|put on the list"},
	{"create", "set up|put up|start a new"},
	{"deposit", "top up|pay in|recharge"},
	{"tick", "tick off|check off|cross off|cross out|strike out|strike through|mark off|mark as|mark them|mark it"},
	{"rearrange", "move around|shift around|push around"},
	{"compare", "weigh up|hold against|set against|put side by side|put next to each other"},
	{"upload", "hand in|bring in|read in|load in"},
	{"download", "back up|take home"},
	{"step", "step through|flip through|page through|leaf through|click through|swipe through|scroll through"},
	{"browse", "look through|go through|look over|scan through"},
	{"learn", "find out about|find out more about|read up on"},
	{"view", "take a look at|have a look at|look at|call up|pull up"},
	{"view past", "look back at|look back on|go back over"},
	{"view detail of", "dive into|drill down into|drill into"},
	{"calculate", "work out|figure out"},
	{"request", "ask for"},
	{"checkout", "check out"},
	{"sign in", "log on|log on to"},
	{"play", "play back"},
	{"customize", "try out different|put together"},
	{"switch", "change over|flip between"},
	{"reply", "write back|answer back"},
	{"edit", "touch up|retitle|reword|alter|amend|tweak the text of"},
}

// A wording is a verb as texts have it, in one form, with the words to read instead.
type wording struct{ words, plain []string }

// wordings are all forms of the verbs of plainer by their first word.
var wordings = func() map[string][]wording {
	m := map[string][]wording{}
	for _, p := range plainer {
		for said := range strings.SplitSeq(p.said, "|") {
			words, plain := strings.Fields(said), strings.Fields(p.plain)
			for form, ending := range []func(string) string{func(w string) string { return w }, thirdForm, gerundForm, pastForm} {
				w := append([]string{ending(words[0])}, words[1:]...)
				instead := append([]string{ending(plain[0])}, plain[1:]...)
				if form == 3 && w[0] == words[0] {
					continue
				}
				m[w[0]] = append(m[w[0]], wording{w, instead})
			}
		}
	}
	return m
}()

// plainly puts plainer verbs for those of several words. The text of the tokens stays.
func plainly(toks []token) []token {
	var out []token
	for i := 0; i < len(toks); {
		w := wordingAt(toks[i:])
		if w == nil || i > 0 && determiners[toks[i-1].low] && len(w.words) == 1 {
			out = append(out, toks[i])
			i++
			continue
		}
		for k, p := range w.plain {
			t := word(p)
			if t.text = ""; k == 0 {
				t.text = textOf(toks[i : i+len(w.words)])
			}
			out = append(out, t)
		}
		i += len(w.words)
	}
	return out
}

// wordingAt is the longest wording that the tokens begin with, or nil.
func wordingAt(toks []token) (best *wording) {
	for k, w := range wordings[toks[0].low] {
		if best != nil && len(w.words) <= len(best.words) || len(w.words) > len(toks) {
			continue
		}
		same := true
		for i, s := range w.words {
			same = same && toks[i].low == s
		}
		if same {
			best = &wordings[toks[0].low][k]
		}
	}
	return best
}

// thirdForm is the third person of a base form.
func thirdForm(w string) string {
	switch {
	case strings.HasSuffix(w, "y") && !vowelBefore(w):
		return w[:len(w)-1] + "ies"
	case strings.HasSuffix(w, "o"), strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "x"):
		return w + "es"
	}
	return w + "s"
}

// gerundForm is the -ing form of a base form.
func gerundForm(w string) string {
	switch {
	case doubled[w]:
		return w + w[len(w)-1:] + "ing"
	case strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "ee"):
		return w[:len(w)-1] + "ing"
	}
	return w + "ing"
}

// pastForm is the participle of a base form.
func pastForm(w string) string {
	switch {
	case irregular[w] != "":
		return irregular[w]
	case doubled[w]:
		return w + w[len(w)-1:] + "ed"
	case strings.HasSuffix(w, "e"):
		return w + "d"
	case strings.HasSuffix(w, "y") && !vowelBefore(w):
		return w[:len(w)-1] + "ied"
	}
	return w + "ed"
}

func vowelBefore(w string) bool {
	return len(w) > 1 && strings.ContainsRune("aeiou", rune(w[len(w)-2]))
}

// doubled are verbs whose last letter is doubled before -ing and -ed.
var doubled = set("get put set bin log plan plot drag drop tag pin submit flip scan spin step swap quit clip chat tap stop trim ship bet run cut sit hit win begin")

// irregular are participles that do not end in -ed, by their verbs.
var irregular = map[string]string{
	"get": "got", "put": "put", "take": "taken", "show": "shown", "see": "seen", "find": "found", "buy": "bought", "sell": "sold", "send": "sent", "pay": "paid",
	"write": "written", "draw": "drawn", "choose": "chosen", "set": "set", "spend": "spent", "make": "made", "give": "given", "keep": "kept", "undo": "undone",
	"read": "read", "hear": "heard", "leave": "left", "bring": "brought", "hold": "held", "win": "won", "build": "built", "redo": "redone", "throw": "thrown",
	"strike": "struck", "do": "done", "go": "gone", "spin": "spun", "eat": "eaten", "begin": "begun", "cut": "cut", "bet": "bet", "bid": "bid", "hide": "hidden", "tell": "told",
}
