package parse

import (
	"slices"
	"strings"

	"vitrine"
)

// A frame is the text taken apart by its frame tags.
type frame struct {
	reasoning string
	body      string  // all that is not reasoning
	toks      []token // of the body, if that is the whole text
	answer    string  // what the first <answer> of the body holds
	answered  bool    // whether there is one
	cot       vitrine.FormatScore
}

// A splitter is the state of split.
type splitter struct {
	*walker
	notes     *notes
	tags      [closeAnswer + 1]int // how often each frame tag stands there
	last      [closeAnswer + 1]int // where it stands last
	from      int                  // where the current piece of the body begins
	body      []string
	bodyLen   int
	reasoning []string
	answer    [2]int // begin and end in the body; -1 while unknown
	unclosed  bool   // an unclosed <think> was met: further ones are only counted
}

// split separates reasoning and body and judges the reasoning format s_cot
// (WebGen-R1 §2.3). What counts as a tag is told in the package comment.
func split(text string, n *notes) frame {
	s := &splitter{walker: newWalker(text, lex(text)), notes: n, answer: [2]int{-1, -1}}
	s.skipTemplate()
	for it, ok := s.next(); ok; it, ok = s.next() {
		if it.kind != itemTag || it.token > closeAnswer {
			continue
		}
		s.count(it.token, it.start)
		switch it.token {
		case openThink:
			s.think(it)
		case closeThink:
			s.unopened(it.start, it.end)
		case openAnswer:
			if s.answer[0] < 0 {
				s.answer[0] = s.bodyLen + it.end - s.from
			}
		case closeAnswer:
			if s.answer[0] >= 0 && s.answer[1] < 0 {
				s.answer[1] = s.bodyLen + it.start - s.from
			}
		}
	}
	s.cut(len(text), len(text))
	return s.frame()
}

func (s *splitter) count(kind tokenKind, at int) {
	s.tags[kind]++
	s.last[kind] = at
}

// cut ends the current piece of the body and begins the next one, on a line of its
// own so that the two ends do not become a tag together.
func (s *splitter) cut(end, next int) {
	s.body = append(s.body, s.text[s.from:end])
	s.bodyLen += end - s.from + len("\n")
	s.from = next
}

// think takes the reasoning behind an open tag out of the body, up to the first
// close tag.
func (s *splitter) think(it item) {
	if s.unclosed {
		return
	}
	if end := s.nextOf(closeThink, s.i); end < len(s.toks) {
		s.countUpTo(end + 1)
		s.reason(it, s.toks[end].start, s.toks[end].end)
		return
	}
	s.unclosed = true
	s.notes.add("think_unclosed", "<think> is never closed")
	end, stop := s.websiteAfter(), len(s.text)
	if end < len(s.toks) {
		stop = s.toks[end].start
	}
	s.countUpTo(end)
	s.reason(it, stop, stop)
}

// reason takes the text between an open tag and stop for reasoning; the body goes
// on at next.
func (s *splitter) reason(open item, stop, next int) {
	s.cut(open.start, next)
	s.reasoning = append(s.reasoning, s.text[open.end:stop])
}

// countUpTo counts the frame tags inside of reasoning and moves on behind them.
func (s *splitter) countUpTo(end int) {
	for ; s.i < end; s.i++ {
		if t := s.toks[s.i]; t.kind <= closeAnswer {
			s.count(t.kind, t.start)
		}
	}
}

// websiteAfter returns the index of the token that plainly begins a website, or
// the number of tokens. Reasoning talks about tags, so a mention is not enough.
func (s *splitter) websiteAfter() int {
	lastAction := -1
	for i := len(s.toks) - 1; i >= s.i && lastAction < 0; i-- {
		if k := s.toks[i].kind; k == openWebAction || k == openBoltAction {
			lastAction = i
		}
	}
	for i := s.i; i < len(s.toks); i++ {
		switch t := s.toks[i]; t.kind {
		case openArtifact:
			if i < lastAction {
				return i
			}
		case openAnswer:
			if startsLine(s.text, t.start, nil) {
				return i
			}
		case openDocument:
			return i
		case fenceLine:
			if isHTML(newBlock(s.text, t, t.end, t.end, false).lang) {
				return i
			}
		}
	}
	return len(s.toks)
}

// skipTemplate looks, before all else, for a </think> on a line of its own whose
// open tag a chat template put into the prompt. Reasoning is full of half fences,
// so what would be content elsewhere does not hide it; a page that shows the tag
// is told by having no website behind it.
func (s *splitter) skipTemplate() {
	at, content := 0, false
	for ; at < len(s.toks) && s.toks[at].kind != closeThink; at++ {
		switch s.toks[at].kind {
		case openThink, openArtifact, openWebAction, openBoltAction:
			return
		case fenceLine, openDocument:
			content = true
		}
	}
	if at == len(s.toks) || !s.alone(s.toks[at]) || content && !opensWebsite(s.toks[at+1:]) || blank(s.text[s.toks[at].end:]) {
		return
	}
	s.countUpTo(at + 1)
	s.unopened(s.toks[at].start, s.toks[at].end)
}

// alone tells whether a tag has a line for itself, but for an answer tag.
func (s *splitter) alone(t token) bool {
	rest := strings.TrimLeft(s.text[t.end:], " \t")
	return startsLine(s.text, t.start, nil) && (rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "<answer>"))
}

func opensWebsite(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		return t.kind == openAnswer || t.kind == openArtifact || t.kind == openDocument || t.kind == fenceLine && !t.fence.bare
	})
}

// unopened handles a </think> without a <think>: all before it is reasoning. At
// the very end of the text it is a stray tag.
func (s *splitter) unopened(start, end int) {
	if s.tags[openThink] > 0 || s.tags[closeThink] > 1 || blank(s.text[end:]) {
		return
	}
	s.notes.add("think_unopened", "</think> has no <think> before it; all before it is reasoning")
	s.reasoning = append(s.reasoning, s.text[:start])
	s.from = end
	s.answer = [2]int{-1, -1}
}

// frame puts the pieces together.
func (s *splitter) frame() frame {
	f := frame{body: s.body[0], toks: s.toks, cot: s.score()}
	if len(s.reasoning) > 0 {
		f.body, f.toks = strings.Join(s.body, "\n"), nil
	}
	for i := range s.reasoning {
		s.reasoning[i] = strings.TrimSpace(s.reasoning[i])
	}
	f.reasoning = strings.Join(s.reasoning, "\n\n")
	if s.answer[0] < 0 {
		return f
	}
	f.answered = true
	if s.answer[1] < 0 {
		s.answer[1] = len(f.body)
		s.notes.add("answer_unclosed", "<answer> is never closed")
	}
	f.answer = f.body[s.answer[0]:s.answer[1]]
	return f
}

// score judges s_cot. The order is only judged where each tag is there once.
func (s *splitter) score() vitrine.FormatScore {
	var failed []vitrine.FailedRule
	once := func(rule, name string, open, end tokenKind) {
		if s.tags[open] != 1 || s.tags[end] != 1 {
			failed = append(failed, rulef(rule, "<%s> is there %d times and </%s> %d times; each belongs there once",
				name, s.tags[open], name, s.tags[end]))
		}
	}
	once("think_once", "think", openThink, closeThink)
	once("answer_once", "answer", openAnswer, closeAnswer)
	if len(failed) == 0 && !(s.last[openThink] < s.last[closeThink] &&
		s.last[closeThink] < s.last[openAnswer] && s.last[openAnswer] < s.last[closeAnswer]) {
		failed = append(failed, rulef("order", "<think>…</think> does not come before <answer>…</answer>"))
	}
	return scored(failed)
}
