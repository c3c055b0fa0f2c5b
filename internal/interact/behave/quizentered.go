package behave

import (
	"context"
	"slices"
	"strings"
)

// quizEntered proves that a trainer asks what was entered: of three entries with a word and its counterpart each, one
// word is shown. Its counterpart gets one response, in a second run, too; another entry's, and one that differs by its
// last letter, get other ones. The runs come in an order that cannot be foreseen.
func (p *prover) quizEntered(ctx context.Context, pl *place) answer {
	none := absent("no question with options is asked")
	words := p.labels(createWords)
	doors := slices.DeleteFunc(p.forms(words), func(h hit) bool {
		texts := slices.DeleteFunc(slices.Clone(h.form.Fields), func(path string) bool { c, _, ok := h.place.view.control(path); return !ok || !textField(c) })
		return len(texts) != 2
	})
	if len(doors) == 0 {
		return none
	}
	given := []func(right string, pairs [][]string) string{itself, itself, otherEnd, counterpart}
	said, first := make([]string, len(given)), p.tokens.number(0, len(given)-1)
	for i := range given {
		at := (first + i*3) % len(given)
		text, ok := p.answerEntered(ctx, pl, doors[0], words, given[at])
		if !ok {
			return none
		}
		said[at] = text
	}
	switch {
	case said[2] == said[0] || said[3] == said[0]:
		return fails("a wrong answer gets the response of a right one")
	case said[0] != said[1]:
		return fails("two right answers get different responses")
	}
	return works("a word that was entered is asked; its counterpart gets one response, other words different ones")
}

// answerEntered enters three entries in a fresh state and answers the first question about them. The response is
// without numbers and without what was entered.
func (p *prover) answerEntered(ctx context.Context, pl *place, door hit, words []string, given func(string, [][]string) string) (said string, ok bool) {
	pairs := p.enterPairs(ctx, door, words)
	if len(pairs) < 3 {
		return "", false
	}
	v := p.toEntered(ctx, p.visit(ctx, pl), pairs)
	field, right, ok := askedOf(v, pairs)
	if !ok {
		return "", false
	}
	text := given(right, pairs)
	said = p.answerTyped(ctx, field, text)
	said = numeral.ReplaceAllString(said+strings.Join(p.look(ctx).fresh(v), "\n"), "#")
	for _, word := range append(slices.Concat(pairs...), text) {
		said = strings.ReplaceAll(said, word, "@")
	}
	return said, true
}

// itself is the right answer.
func itself(right string, _ [][]string) string { return right }

// otherEnd is a word of the prover, which is of plain letters, with another last letter.
func otherEnd(word string, _ [][]string) string {
	if strings.HasSuffix(word, "n") {
		return word[:len(word)-1] + "m"
	}
	return word[:len(word)-1] + "n"
}

// enterPairs enters three entries of two texts each in a fresh state, and gives their texts.
func (p *prover) enterPairs(ctx context.Context, door hit, words []string) (pairs [][]string) {
	v := p.open(ctx, door.place)
	for i := range 3 {
		if i > 0 {
			v = p.visitAgain(ctx, door)
		}
		f, _, why := p.enterAt(ctx, v, door, words)
		if why != "" {
			return nil
		}
		var pair []string
		for _, e := range f.entries {
			if e.token != "" {
				pair = append(pair, e.value)
			}
		}
		if len(pair) != 2 {
			return nil
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// toEntered begins what asks, until it asks for the counterpart of an entry.
func (p *prover) toEntered(ctx context.Context, v *view, pairs [][]string) *view {
	for range 2 {
		if _, _, ok := askedOf(v, pairs); ok {
			break
		}
		begin := v.best(quizStart)
		if begin == "" {
			break
		}
		p.click(ctx, begin)
		v = p.look(ctx)
	}
	return v
}

// askedOf are the empty field of a view that shows one text of one entry and not the other, and the text
// that is missing.
func askedOf(v *view, pairs [][]string) (field, missing string, ok bool) {
	for _, c := range v.Controls {
		if textField(c) && !off(c) && !c.Covered && c.Value == "" && field == "" {
			field = c.Path
		}
	}
	found := 0
	for _, pair := range pairs {
		for i, text := range pair {
			if v.names(keyOf(text)) {
				found++
				missing = pair[1-i]
			}
		}
	}
	return field, missing, field != "" && found == 1
}

// counterpart is the text of another entry that stands where a text does in its own.
func counterpart(text string, pairs [][]string) string {
	at := slices.IndexFunc(pairs, func(pair []string) bool { return slices.Contains(pair, text) })
	return pairs[(at+1)%len(pairs)][slices.Index(pairs[at], text)]
}
