package require

// controls are nouns for what is pressed; the word before them says what it does.
var controls = set("button buttons icon icons link links key keys checkbox checkboxes")

// emblems are pictures on controls, with the verbs that they stand for.
var emblems = map[string]string{
	"trash": "delete", "bin": "delete", "x": "delete", "pencil": "edit", "heart": "like", "star": "favorite", "thumb": "like", "thumbs-up": "like", "plus": "add",
	"printer": "print", "clipboard": "copy", "basket": "buy", "cart": "buy", "bag": "buy", "magnifier": "search", "funnel": "filter", "bookmark": "bookmark",
}

// controlOf is the verb of a control that the tokens name at a place, "a delete button",
// or empty.
func controlOf(toks []token, i int) string {
	if i+1 >= len(toks) || !controls[toks[i+1].low] {
		return ""
	}
	if toks[i].low == "add" && toks[i+1].low != toks[i+1].base { // who builds the site adds buttons
		return ""
	}
	if _, ok := emblems[toks[i].base]; !ok && formAt(toks, i) != nil {
		return ""
	}
	return verbOfLabel(toks[i])
}

// verbOfLabel is the verb of a word on a control, or empty.
func verbOfLabel(t token) string {
	w := t.base
	if v, ok := emblems[w]; ok {
		return v
	}
	if !known(w) || onControls[w] {
		return ""
	}
	return w
}

// onControls are verbs that labels have and that say nothing of what comes of them.
var onControls = set("play start open close show hide toggle click tap press swipe submit pause stop set select navigate navigation go control contact follow help access")

// severalControls are nouns for more than one control; the verbs that stand before them are
// joined: "add, edit and delete buttons".
var severalControls = set("buttons icons links controls options actions")

// joined reads the verbs of controls that are named together, but for the last before a
// button, which is read by itself.
func (r *reader) joined(toks []token) {
	for i, t := range toks {
		if !severalControls[t.low] || i < 3 {
			continue
		}
		last := verbOfLabel(toks[i-1])
		if last == "" {
			continue
		}
		from := len(r.acts)
		for j := i - 2; j > 0 && (toks[j].mark || toks[j].low == "and" || toks[j].low == "or"); j-- {
			if toks[j-1].mark { // ", and"
				continue
			}
			verb := verbOfLabel(toks[j-1])
			if verb == "" {
				break
			}
			r.clause++
			r.keep(verbAt{verb, r.clause}, nil, nil)
			j--
		}
		if len(r.acts) > from && !controls[t.low] {
			r.clause++
			r.keep(verbAt{last, r.clause}, nil, nil)
		}
	}
}
