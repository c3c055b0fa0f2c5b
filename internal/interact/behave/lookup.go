package behave

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var lookupWords = []string{"lookup", "look up", "track", "verify", "check status", "check", "query", "enter code", "tracking number", "reference", "reference number", "code", "id", "number", "symbol", "search", "find", "查询", "追踪", "验证"}

// codes are what keys of records look like.
var codes = regexp.MustCompile(`\b[A-Z]{1,6}[-#]?\d{2,}(?:-\d+)*\b|#\d{3,}\b|\b\d{5,}\b|\b[A-Z]{2,5}-[A-Z0-9]{2,}\b`)

// missing is what pages say of a key that does not exist.
var missing = regexp.MustCompile(`(?i)\b(no|not|none|never|invalid|unknown|0|zero|error|unable|cannot|couldn't|doesn't|don't|nothing|wrong|please|fail\w*|sorry|check|unrecogni[sz]ed|fake|counterfeit)\b|没有|未找到|不存在|无`)

// lookup proves that a key gives its own record: the records of two keys, which the site
// shows or names as examples, differ and are new on the page; a key of the same shape that
// no page foresees gives none. It cheats who shows the same record for any key. Data that
// come from another host cannot be told. (Relation 11.)
func lookup(ctx context.Context, p *prover) answer {
	fields := p.find(p.labels(lookupWords), func(c vitrine.Control, _ interact.Facts) bool {
		return (textField(c) || c.Role == "spinbutton") && c.Type != "password" && c.Tag != "textarea"
	})
	fields = slices.DeleteFunc(fields, func(h hit) bool { return len(h.place.view.formOf(h.control.Path).Fields) > maxKeyFields })
	slices.SortStableFunc(fields, func(a, b hit) int { // an example of a key says most
		return -cmp.Compare(len(codes.FindString(a.facts.Placeholder)), len(codes.FindString(b.facts.Placeholder)))
	})
	return bestOf(fields, 3, absent("no field takes a key"), func(h hit) answer { return p.lookupBy(ctx, h) })
}

// maxKeyFields is how many fields a form has at most that looks something up by a key.
const maxKeyFields = 3

func (p *prover) lookupBy(ctx context.Context, h hit) answer {
	keys := p.keys(h)
	if len(keys) == 0 { // an error message may list valid keys
		said, _ := p.askKey(ctx, h, p.tokens.word())
		keys = examplesIn(said)
	}
	if len(keys) == 0 {
		return fails("no key of a record is shown that could be looked up")
	}
	nobody := p.unlike(keys[0])
	unknown, blocked := p.askKey(ctx, h, nobody)
	if text := strings.Join(unknown, " "); len(termsOf(text)) > 2 && !missing.MatchString(text) {
		return fails("a key that does not exist gives %q", clip(text))
	}
	var found [][]string
	var named []string
	for _, key := range top(keys, 5) {
		got, b := p.askKey(ctx, h, key)
		blocked = blocked || b
		got = slices.DeleteFunc(got, func(line string) bool { // also the message for an unknown key, which repeats it
			return slices.ContainsFunc(unknown, func(other string) bool {
				return strings.Replace(other, nobody, "", 1) == strings.Replace(line, key, "", 1)
			})
		})
		if len(termsOf(strings.Join(got, " "))) < 3 {
			continue
		}
		if len(found) == 0 || differs(masked(strings.Join(found[0], " "), named), masked(strings.Join(got, " "), append(named, key)), 2) {
			found, named = append(found, got), append(named, key)
		}
		if len(found) == 2 {
			return works("%q and %q give records of their own, an unknown key gives none", named[0], named[1])
		}
	}
	switch {
	case blocked && len(found) == 0:
		return unclear("the records come from another host")
	case len(found) == 1:
		return fails("all keys give the same record: %q", clip(strings.Join(found[0], " ")))
	}
	return fails("looking up %q gives nothing that an unknown key does not", keys[0])
}

// keys are what the site shows as keys: codes in its texts and examples, values that the
// instruction names, else the first cells of its rows.
func (p *prover) keys(h hit) (all []string) {
	add := func(key string) {
		if key = strings.TrimSpace(key); key != "" && !slices.Contains(all, key) && len(all) < 12 {
			all = append(all, key)
		}
	}
	for _, m := range codes.FindAllString(h.facts.Placeholder, -1) {
		add(m)
	}
	for _, example := range examplesIn([]string{h.facts.Placeholder}) {
		add(example)
	}
	for _, pl := range append([]*place{h.place}, p.site.places...) {
		for _, m := range codes.FindAllString(pl.view.Text, -1) {
			add(m)
		}
	}
	for _, value := range p.need.Values {
		add(value)
	}
	for i, pl := range append([]*place{h.place}, p.site.places...) {
		for _, g := range pl.view.lists() {
			for _, r := range g.Rows {
				if (i == 0 || len(all) < 2) && len(r.Cells) > 0 && len(wordsOf(r.Cells[0])) < 5 {
					add(r.Cells[0])
				}
			}
		}
	}
	for _, example := range examplesIn(h.place.view.survey.Lines) {
		add(example)
	}
	return all
}

// examplesIn are the keys that short lines give as examples: "Try AAPL, Tesla or Coca-Cola."
func examplesIn(lines []string) (all []string) {
	for _, line := range lines {
		m := forExample.FindStringSubmatch(line)
		if m == nil || len(wordsOf(line)) > 16 {
			continue
		}
		for _, example := range betweenExamples.Split(m[1], -1) {
			if example = strings.Trim(example, ` .…"'“”`); len(wordsOf(example)) < 5 {
				all = append(all, example)
			}
		}
	}
	return all
}

var (
	forExample      = regexp.MustCompile(`(?i)(?:e\.g\.?,?|for example|for instance|such as|\btry\b|(?:valid|known) (?:codes?|keys?|names?|numbers?|ids?|symbols?)(?: are)?|例如|如)[:：]?\s*(.+)$`)
	betweenExamples = regexp.MustCompile(`(?i)\s*(?:,|\bor\b|/|或|、)\s*`)
)

// unlike is a key of the same shape as another one, which no page foresees.
func (p *prover) unlike(key string) string {
	var b strings.Builder
	for _, r := range key {
		switch {
		case r >= '0' && r <= '9':
			b.WriteByte(byte('0' + p.tokens.number(0, 9)))
		case r >= 'A' && r <= 'Z' && !strings.ContainsAny(key, "0123456789"):
			b.WriteByte(byte('A' + p.tokens.number(0, 25)))
		case r >= 'a' && r <= 'z':
			b.WriteByte(byte('a' + p.tokens.number(0, 25)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// askKey looks a key up from a fresh state, and gives the lines that are new then.
func (p *prover) askKey(ctx context.Context, h hit, key string) (said []string, blocked bool) {
	v := p.open(ctx, h.place)
	began := len(p.steps)
	p.write(ctx, h.control.Path, key)
	p.press(ctx, h.control.Path, "Enter")
	after := p.look(ctx)
	if said = after.fresh(v); len(termsOf(strings.Join(said, " "))) < 2 {
		if b := button(after, after.formOf(h.control.Path), p.labels(lookupWords)); b != "" {
			p.click(ctx, b)
		}
		p.wait(ctx, 3000)
		after = p.look(ctx)
		said = after.fresh(v)
	}
	for _, s := range p.steps[began:] {
		said = append(said, dialogTexts(s)...)
		blocked = blocked || slices.ContainsFunc(s.Effect.Requests, func(r string) bool { return outside.MatchString(r) })
	}
	return slices.DeleteFunc(said, func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), key) }), blocked
}

func dialogTexts(s vitrine.Step) (all []string) {
	for _, d := range s.Effect.Dialogs {
		all = append(all, d.Text)
	}
	return all
}
