package inputs

import (
	"encoding/json"
	"slices"
	"strings"
)

// A turn of a conversation.
type turn struct {
	role    string
	content json.RawMessage
	at      string // path of the content
}

// The names by which data sets and endpoints call who speaks.
var (
	assistants = []string{"assistant", "model", "gpt", "ai", "bot", "chatgpt", "chatbot", "gemini", "claude"}
	people     = []string{"user", "human", "prompter"}
)

// messagesOf reads a list as a conversation: role and content, or from and value
// (ShareGPT).
func messagesOf(list []json.RawMessage) ([]turn, bool) {
	var turns []turn
	for i, v := range list {
		o, err := parseObject(v)
		if err != nil {
			return nil, false
		}
		t := turn{role: strings.ToLower(firstText("", o, "role", "from"))}
		if t.role == "" {
			return nil, false
		}
		for _, name := range []string{"content", "value", "parts", "text", "refusal"} {
			if c, ok := o.values[name]; ok && !isNull(c) && t.content == nil {
				t.content, t.at = c, itoa(i)+"."+name
			}
		}
		turns = append(turns, t)
	}
	return turns, len(turns) > 0
}

// lastTurn is the last that the model said, and what it was asked.
func lastTurn(turns []turn) (answers, bool) {
	for i := len(turns) - 1; i >= 0; i-- {
		if !slices.Contains(assistants, turns[i].role) || turns[i].content == nil {
			continue
		}
		a, ok := answerOf("content", turns[i].content, 1)
		if !ok {
			return answers{why: "the last answer in it has no text"}, false
		}
		a.path, a.prompt = turns[i].at, asked(turns[:i])
		return a, true
	}
	return answers{why: "a conversation in which the model says nothing"}, false
}

// asked is what people said.
func asked(turns []turn) string {
	var all []string
	for _, t := range turns {
		if !slices.Contains(people, t.role) {
			continue
		}
		if a, ok := answerOf("content", t.content, 1); ok {
			all = append(all, a.texts[0])
		}
	}
	return strings.Join(all, "\n\n")
}

// promptNames are the fields that hold what a model was asked.
var promptNames = []string{
	"instruction", "prompt", "question", "query", "problem", "user_prompt", "raw_prompt", "input", "messages", "contents", "conversation",
	"doc", "request", "modelInput", "arguments", "gen_args_0", "arg_0", "raw", "text",
}

// asks is how many of promptNames are said of a row, and not of what holds rows.
const asks = 7

// promptIn finds what the model was asked in a row, but not in the field that its
// answer is from.
func (o *object) promptIn(except string, depth int) (text, path string) {
	for _, name := range promptNames {
		v, there := o.values[name]
		if !there || name == except || depth == 0 && (name == "text" || name == "raw") {
			continue
		}
		if text, below := promptOf(v, depth+1); strings.TrimSpace(text) != "" {
			if more := o.text("input"); name == "instruction" && depth == 0 && more != "" && except != "input" {
				text += "\n\n" + more // Alpaca
			}
			return text, joinPath(name, below)
		}
	}
	return "", ""
}

func promptOf(v json.RawMessage, depth int) (text, path string) {
	if depth > maxDepth {
		return "", ""
	}
	if s, ok := stringOf(v); ok && string(opened(v)) == string(v) {
		return s, ""
	}
	v = opened(v)
	if o, err := parseObject(v); err == nil {
		return o.promptIn("", depth)
	}
	list, err := parseList(v)
	if err != nil || len(list) == 0 {
		return "", ""
	}
	if turns, ok := messagesOf(list); ok {
		return asked(turns), ""
	}
	if parts, ok := partsOf("content", list, depth); ok && len(parts.texts) > 0 {
		return parts.texts[0], ""
	}
	text, path = promptOf(list[0], depth+1)
	return text, joinPath("0", path)
}
