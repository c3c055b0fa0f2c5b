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
			subject = antecedent(items[:i])
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

// antecedent are the tokens of the last item, or where that is a relative pronoun alone ("a list of
// entries that can be deleted") the last thing of the item before it.
func antecedent(items []item) []token {
	last := items[len(items)-1]
	if len(last.toks) > 0 || last.lead != leadThat || len(items) < 2 {
		return last.toks
	}
	toks := items[len(items)-2].toks
	if endsIn(toks, "kind") { // "the kind that can be edited"
		return nil
	}
	if len(toks) > 0 && prepositions[toks[len(toks)-1].low] && len(items) > 2 { // ", each of which"
		toks = items[len(items)-3].toks
	}
	if n := len(toks); n > 0 && (siteNouns[toks[n-1].low] || controls[toks[n-1].low] || toks[n-1].base == "form") {
		return nil
	}
	for i := len(toks) - 1; i >= 0; i-- {
		if prepositions[toks[i].low] || known(toks[i].low) && i+1 < len(toks) && !nouns[toks[i].low] || i == 0 && builds[toks[0].low] {
			return toks[i+1:]
		}
	}
	return toks
}
