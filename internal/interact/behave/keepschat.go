package behave

import (
	"context"

	"vitrine"
	"vitrine/internal/interact"
)

// keepsChat proves it of a conversation: messages that were sent stand in it when the document
// is loaded again, twice, and what was typed and not sent does not.
func (p *prover) keepsChat(ctx context.Context) answer {
	fields := p.find(chatWords, func(c vitrine.Control, _ interact.Facts) bool {
		return textField(c) && c.Type != "search" && c.Type != "email" && c.Type != "password"
	})
	return bestOf(fields, 1, absent("no message can be sent that could be kept"), func(h hit) answer {
		v := p.open(ctx, h.place)
		var sent []string
		for range 2 {
			word := p.tokens.word()
			sent = append(sent, word)
			if t := p.say(ctx, v, h, word, sent); t.why != "" {
				return absent("%s", t.why)
			}
			p.reload(ctx)
			v = p.walk(ctx, h.place.way, sent...)
			for _, w := range sent {
				if _, ok := v.shows(w); !ok {
					return fails("the message %q is gone when the page is loaded again", w)
				}
			}
		}
		loose := p.tokens.word()
		p.write(ctx, h.control.Path, loose)
		p.reload(ctx)
		if _, ok := p.walk(ctx, h.place.way, loose).shows(loose); ok {
			return fails("what was typed and not sent is there when the page is loaded again")
		}
		return works("the messages %q and %q are there when the page is loaded again", sent[0], sent[1])
	})
}
