package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var chatWords = []string{"send", "chat", "message", "type your message", "type a message", "ask", "ask me anything", "write a message", "say something", "reply", "prompt", "发送", "聊天", "输入消息"}

// answering are words of instructions and labels that promise an answer.
var answering = regexp.MustCompile(`(?i)\b(bot|chatbot|ai|assistant|ask|answers?|support|respond\w*|reply|replies|agent|faq|tutor)\b|智能|助手|客服`)

// chat proves that a message is sent and, where the instruction promises one, answered: it
// stands once in the conversation, not before it is sent; the field is empty then; the
// first stays when the second comes; an empty one adds nothing; what follows is more than
// the message, and not the same to three different questions, nor to three more that have
// the words of the page. An answer that needs another host cannot be told. (Relation 22.)
func chat(ctx context.Context, p *prover) answer {
	fields := p.find(p.labels(chatWords), func(c vitrine.Control, _ interact.Facts) bool {
		return textField(c) && c.Type != "search" && c.Type != "email" && c.Type != "password"
	})
	if len(fields) > 0 && fields[0].score > 0 && fields[0].alone() { // where there is a field for messages, another form must not pass in its place
		least := 0.7 * fields[0].score
		fields = slices.DeleteFunc(fields, func(h hit) bool { return h.score < least })
	}
	return bestOf(fields, 3, absent("no field takes a message"), func(h hit) answer { return p.chatBy(ctx, h) })
}

// alone reports whether a field is the only one of its form that takes text: a form to contact someone
// has others.
func (h hit) alone() bool {
	for _, form := range h.place.view.survey.Forms {
		if !slices.Contains(form.Fields, h.control.Path) {
			continue
		}
		texts := 0
		for _, path := range form.Fields {
			if c, _, ok := h.place.view.control(path); ok && textField(c) {
				texts++
			}
		}
		return texts == 1
	}
	return true
}

// A turn is what came of one message.
type turn struct {
	view    *view
	replies []string // lines that follow, without what was said
	blocked bool
	why     string
}

func (p *prover) chatBy(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	questions := []string{"Hello, what can you do?", "How much does it cost?", "Where is the nearest station?"}
	var turns []turn
	var words []string
	say := func(questions []string) (why string) {
		for _, q := range questions {
			words = append(words, p.tokens.word())
			t := p.say(ctx, v, h, words[len(words)-1]+". "+q, words)
			if t.why != "" {
				return t.why
			}
			turns = append(turns, t)
			v = t.view
		}
		return ""
	}
	onTopic := onTopicOf(p.need.Quote, v.survey.Lines)
	why := say(questions)
	if why == "" && len(onTopic) > 0 && p.promised() && sameAnswers(turns, words) { // it may know its own subject alone
		why = say(onTopic)
	}
	if why != "" {
		return fails("%s", why)
	}
	for _, w := range words {
		if _, ok := v.shows(w); !ok {
			return fails("the message %q is gone when others are sent", w)
		}
	}
	before := len(v.survey.Lines)
	p.sendMessage(ctx, v, h)
	if empty := p.look(ctx); len(empty.survey.Lines) > before {
		return fails("sending nothing adds a message: %q", clip(strings.Join(empty.fresh(v), " ")))
	}
	return p.judgeTurns(turns, words)
}

func (p *prover) judgeTurns(turns []turn, words []string) answer {
	promised := p.promised()
	blocked, silent := false, 0
	for _, t := range turns {
		blocked = blocked || t.blocked
		if len(t.replies) == 0 {
			silent++
		}
	}
	switch {
	case silent > 0 && blocked:
		return unclear("the answers come from another host")
	case silent == len(turns) && promised:
		return fails("messages stand in the conversation, and get no answer")
	case silent == len(turns):
		return works("messages stand in the conversation, each once and in order")
	case promised && silent > 0:
		return fails("%d of %d messages get no answer", silent, len(turns))
	case promised && sameAnswers(turns, words):
		return fails("%d different questions get the same answer: %q", len(turns), clip(turns[0].replies[0]))
	}
	return works("messages stand in the conversation and are answered: %q", clip(strings.Join(turns[len(turns)-1].replies, " ")))
}

// promised reports whether the request is for answers.
func (p *prover) promised() bool {
	return answering.MatchString(strings.Join([]string{p.need.Entity, p.need.Quote, p.need.Verb}, " "))
}

// sameAnswers reports whether all messages got the same answer.
func sameAnswers(turns []turn, words []string) bool {
	different := map[string]bool{}
	for _, t := range turns {
		different[masked(strings.Join(t.replies, " "), words)] = true
	}
	return len(different) == 1 && !different[""]
}

// onTopicOf are three questions that have the words of the request and of the page dealt
// among them: whoever answers by keywords knows some of these words, if any.
func onTopicOf(request string, lines []string) (questions []string) {
	dealt := make([][]string, 3)
	seen := map[string]bool{}
	for _, text := range append([]string{request}, lines...) {
		for _, w := range wordsOf(text) {
			if len(w) < 4 || seen[w] || len(seen) == maxTopics {
				continue
			}
			dealt[len(seen)%3] = append(dealt[len(seen)%3], w)
			seen[w] = true
		}
	}
	for _, words := range dealt {
		if len(words) > 0 {
			questions = append(questions, "Tell me about "+strings.Join(words, ", ")+"!")
		}
	}
	return questions
}

// maxTopics is how many words are asked about.
const maxTopics = 36

// say sends one message and waits for what follows.
func (p *prover) say(ctx context.Context, v *view, h hit, text string, words []string) turn {
	word := words[len(words)-1]
	p.write(ctx, h.control.Path, text)
	typed := p.look(ctx, words...)
	if _, ok := typed.shows(word); ok && h.control.Tag != "div" {
		return turn{why: "what is typed stands in the conversation before it is sent"}
	}
	began := len(p.steps)
	sent := p.sendMessage(ctx, typed, h, word)
	if !sent {
		return turn{why: "the message " + word + " is not shown when it is sent"}
	}
	p.wait(ctx, 6000)
	t := turn{view: p.look(ctx, words...)}
	c, _, ok := t.view.control(h.control.Path)
	if ok && strings.Contains(c.Value, word) {
		t.why = "the message stays in the field when it is sent"
	}
	for _, s := range p.steps[began:] {
		for _, r := range s.Effect.Requests {
			t.blocked = t.blocked || outside.MatchString(r) && !strings.HasPrefix(r, "GET ") || strings.Contains(r, "ws")
		}
	}
	copies := 0
	for _, f := range t.view.survey.Found {
		if f.Where == "text" && f.Token == word && strings.TrimSpace(f.Text) == text {
			copies++
		}
	}
	if copies > 1 && !nested(t.view, word) && t.view.rowsWith(word) > 2 {
		t.why = "the message stands in the conversation several times"
	}
	known := map[string]int{}
	for _, line := range typed.survey.Lines {
		known[line]++
	}
	for _, line := range t.view.survey.Lines {
		if known[line]--; known[line] >= 0 {
			continue
		}
		if hasWords.MatchString(line) && !strings.Contains(line, word) && !strings.Contains(text, line) && !clockLine.MatchString(line) {
			t.replies = append(t.replies, line)
		}
	}
	return t
}

var clockLine = regexp.MustCompile(`(?i)^\W*(you|me|user|sent|delivered|seen|read|just now|now|today)?\W*\d{0,2}:?\d{0,2}(:\d\d)?\s*([ap]m)?\W*$`)

// sendMessage sends off what is in the field, by Enter or by the button beside it, and
// reports whether the word is shown then.
func (p *prover) sendMessage(ctx context.Context, v *view, h hit, word ...string) bool {
	p.press(ctx, h.control.Path, "Enter")
	if len(word) == 0 {
		return false
	}
	after := p.look(ctx, word...)
	if _, ok := after.shows(word[0]); ok {
		return true
	}
	form := after.formOf(h.control.Path)
	b := button(after, form, chatWords)
	if b == "" {
		return false
	}
	p.click(ctx, b)
	_, ok := p.look(ctx, word...).shows(word[0])
	return ok
}
