package require

// own reads a clause that has a subject of its own: "and it tells us who owes whom". It reports
// whether an item is one.
func (r *reader) own(it item, toks []token) bool {
	if it.lead != leadAnd || len(toks) < 2 || toks[0].low != "it" && toks[0].low != "there" {
		return false
	}
	r.flush(nil, nil)
	r.how, r.verb = plain, ""
	r.nominal(toks)
	return true
}

// series reports whether an item is one of several verbs with one object, the next of which is
// none of building: "add, rename and delete beds".
func series(items []item, i int) bool {
	if i+1 >= len(items) || len(items[i].toks) != 1 || items[i+1].lead != leadAnd || len(items[i+1].toks) == 0 {
		return false
	}
	next := items[i+1].toks[0].low
	return known(next) && !builds[next] && !nouns[next]
}
