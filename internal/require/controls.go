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
	w := toks[i].base
	if v, ok := emblems[w]; ok {
		return v
	}
	if formAt(toks, i) != nil || !known(w) || onControls[w] {
		return ""
	}
	return w
}

// onControls are verbs that labels have and that say nothing of what comes of them.
var onControls = set("play start open close show hide toggle click tap press swipe submit pause stop set select navigate navigation go control contact follow help access")
