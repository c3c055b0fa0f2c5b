package require

import "strings"

// participleOf are the verbs of the table by their participles.
var participleOf = func() map[string]string {
	m := map[string]string{}
	for v := range rulesOf {
		if !lasting[v] {
			m[pastForm(v)] = v
		}
	}
	return m
}()

// lasting are verbs whose participle behind "is" says what something is like, and asks for
// nothing to be done: "is located", "is found at", "is designed".
var lasting = set("design locate find understand experience use work highlight maintain connect engage sell host run build execute achieve play order attract assess learn print network gain seek assist improve enhance")

// conditions lead what has happened before something else does.
var conditions = set("when if because whenever until once before after so")

// beings are the words before a participle.
var beings = set("be is are gets get been being")

// passive reads "results should be displayed, sorted and exported" and "notes are added by
// typing". The subject stands in the item before, or before the verb. It reports whether an
// item is one.
func (r *reader) passive(items []item, i int) bool {
	it := items[i]
	toks, negative := opened(it)
	if negative || conditions[it.by] {
		return false
	}
	at := -1
	for k, t := range toks {
		if beings[t.low] {
			at = k
		}
	}
	switch {
	case at >= 0 || it.lead == leadVerb && len(it.toks) > 1 && it.toks[0].low == "be":
		subject := toks[:max(at, 0)]
		if len(subject) == 0 && i > 0 {
			subject = items[i-1].toks
		}
		if np, _ := nounPhrase(subject); len(np) > 0 {
			r.undergoes = np
		}
		toks = toks[at+1:]
	case it.lead != leadAnd:
		r.undergoes = nil
	}
	if len(r.undergoes) == 0 {
		return false
	}
	for len(toks) > 0 && (strings.HasSuffix(toks[0].low, "ly") || fillers[toks[0].low]) {
		toks = toks[1:]
	}
	if len(toks) == 0 || participleOf[toks[0].low] == "" || siteNouns[r.undergoes[len(r.undergoes)-1].low] {
		return false
	}
	r.flush(nil, nil)
	r.clause++
	line := append(append([]token{}, r.undergoes...), toks[1:]...)
	from := len(r.acts)
	r.keep(verbAt{participleOf[toks[0].low], r.clause}, r.undergoes, line)
	if len(r.acts) == from {
		r.scan(r.undergoes)
	}
	r.after(toks[1:])
	return true
}
