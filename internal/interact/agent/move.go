package agent

import "vitrine"

// A move is what the model decided in one turn.
type move struct {
	thought string
	// actions are carried out one after the other: one, or typing and Enter. None
	// when the model is done.
	actions []vitrine.Action
	done    bool
	// previous is the model's judgement on its last action: 1, 0, or nil.
	previous    *float64
	previousWhy string
	item        int // of the plan, from 1; 0 where there is none
	conclusion  conclusion
}

// A conclusion is what a run came to, in the model's words.
type conclusion struct {
	verdict vitrine.CaseVerdict // empty while there is none
	why     string
	found   []int // of a list, in order
}

// typing are the actions of typing a text, with Enter where it is wanted.
func typing(at *vitrine.Target, text string, enter bool) []vitrine.Action {
	var actions []vitrine.Action
	if text != "" {
		actions = append(actions, vitrine.Action{Kind: vitrine.ActType, Target: at, Text: text})
	}
	if enter {
		actions = append(actions, vitrine.Action{Kind: vitrine.ActPress, Text: "Enter"}) // where the focus is now
	}
	return actions
}
