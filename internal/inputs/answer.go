package inputs

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// answers are the texts that a model wrote for one prompt, and where they were.
type answers struct {
	texts  []string
	path   string // of the first
	model  string // as a response names it
	tokens string // of the answer, as a response counts them; where there is one answer
	prompt string // the turns before it, of a conversation
	parts  []string
	why    string // why there is no text, where a value was of a known shape
}

// outputNames are the fields that hold an answer, by the endpoints and trainers that
// write them: first names that mean nothing else.
var outputNames = []string{
	"output", "completion", "response", "generated_text", "choices", "candidates", "outputs", "completions", "responses", "generations",
	"resps", "filtered_resps", "modelOutput", "messages", "conversations", "conversation", "message", "generation",
	"model_output", "output_text", "raw_output", "generated", "prediction", "pred", "answer", "solution", "assistant",
	"html", "code", "page", "body", "result", "parts", "content", "text", "refusal",
}

// maxDepth bounds how deep an answer may lie.
const maxDepth = 12

// answerIn finds the answers in an object by the names of its fields.
func (o *object) answerIn(depth int) (a answers, ok bool) {
	for _, name := range outputNames {
		v, there := o.values[name]
		if !there {
			continue
		}
		if isNull(v) {
			a.why = orWhy(a.why, name, "null")
			continue
		}
		got, ok := answerOf(name, v, depth+1)
		if ok {
			got.path = joinPath(name, got.path)
			got.model = firstText(got.model, o, "model", "modelVersion", "model_name")
			got.tokens = firstText(got.tokens, o, "completion_tokens", "output_tokens", "eval_count", "tokens_predicted")
			if usage, err := parseObject(o.values["usage"]); err == nil {
				got.tokens = firstText(got.tokens, usage, "completion_tokens", "output_tokens")
			}
			return got, true
		}
		a.why = orWhy(a.why, name, got.why)
	}
	return a, false
}

// orWhy keeps the first reason.
func orWhy(first, name, why string) string {
	if first != "" || why == "" {
		return first
	}
	return name + ": " + why
}

// answerOf finds the answers in a value that has a name.
func answerOf(name string, v json.RawMessage, depth int) (answers, bool) {
	if depth > maxDepth {
		return answers{why: "nested too deep"}, false
	}
	if slices.Contains(structured, name) {
		v = opened(v)
	}
	if s, ok := stringOf(v); ok {
		if slices.Contains(structured, name) && pythonList.MatchString(s) {
			return answers{why: "a list as Python prints it, which is no JSON: write it with json.dumps"}, false
		}
		return answers{texts: []string{s}}, true
	}
	if o, err := parseObject(v); err == nil {
		return o.answerIn(depth)
	}
	list, err := parseList(v)
	if err != nil {
		return answers{why: kindOf(v)}, false
	}
	if turns, ok := messagesOf(list); ok {
		return lastTurn(turns)
	}
	if joined, ok := partsOf(name, list, depth); ok {
		return joined, len(joined.texts) > 0
	}
	return manyOf(name, list, depth)
}

// pythonList begins a list of dictionaries that was written by str().
var pythonList = regexp.MustCompile(`^\s*\[?\{'(role|from|content|message|text|generated_text)'\s*:`)

// structured are the fields whose text may be a list or an object that a table keeps
// as a string.
var structured = []string{
	"choices", "candidates", "outputs", "completions", "responses", "generations", "resps", "filtered_resps", "modelOutput",
	"messages", "conversations", "conversation", "message", "body", "result", "completion", "response",
	"conversation_a", "conversation_b", "chosen", "rejected",
}

// manyOf are the answers of a list, each a sample of one prompt.
func manyOf(name string, list []json.RawMessage, depth int) (answers, bool) {
	all := answers{}
	for _, v := range list {
		a, ok := answerOf(name, v, depth+1)
		if !ok {
			if all.why == "" {
				all.why = a.why
			}
			continue
		}
		if len(all.texts) == 0 {
			all.path, all.model, all.prompt, all.tokens = joinPath("0", a.path), a.model, a.prompt, a.tokens
		}
		all.texts = append(all.texts, a.texts...)
	}
	if len(list) == 0 {
		all.why = "an empty list"
	}
	if len(all.texts) > 1 {
		all.tokens = ""
	}
	return all, len(all.texts) > 0
}

// textParts are the types of parts that a model returns as text; those of Google have
// none.
var textParts = []string{"", "text", "output_text", "message", "refusal"}

// partsOf joins the parts of one answer: what is text in them. Reasoning, calls of
// tools and pictures are no part of what a model returns.
func partsOf(name string, list []json.RawMessage, depth int) (answers, bool) {
	joined, all := answers{}, strings.Builder{}
	typed := name == "content" || name == "parts"
	for i, v := range list {
		o, err := parseObject(v)
		if err != nil || o.text("type") == "" && !typed {
			return answers{}, false
		}
		if !slices.Contains(textParts, o.text("type")) || string(o.values["thought"]) == "true" {
			continue
		}
		if a, ok := answerOf("text", firstValue(o, "text", "content", "refusal"), depth+1); ok {
			all.WriteString(a.texts[0])
			if joined.texts == nil {
				joined.texts, joined.path = []string{""}, joinPath(itoa(i), "text")
			}
		}
	}
	if joined.texts != nil {
		joined.texts[0] = all.String()
	} else {
		joined.why = "no part of it is text"
	}
	return joined, len(list) > 0
}

// pairNames are the two sides of a comparison.
var pairNames = [][2]string{
	{"conversation_a", "conversation_b"}, {"response_a", "response_b"}, {"output_a", "output_b"}, {"completion_a", "completion_b"},
	{"answer_a", "answer_b"}, {"web_code_a", "web_code_b"}, {"code_a", "code_b"}, {"html_a", "html_b"},
	{"response_1", "response_2"}, {"output_1", "output_2"},
	{"chosen", "rejected"},
}

// pairIn finds two answers that were compared.
func (o *object) pairIn() (answers, bool) {
	for _, pair := range pairNames {
		both := answers{path: pair[0] + " and " + pair[1]}
		for _, name := range pair {
			v, there := o.values[name]
			if !there {
				break
			}
			a, ok := answerOf(name, v, 1)
			if !ok {
				break
			}
			both.texts, both.prompt = append(both.texts, a.texts[0]), a.prompt
			both.parts = append(both.parts, name[strings.LastIndexByte(name, '_')+1:])
		}
		if len(both.texts) == 2 {
			return both, true
		}
	}
	return answers{}, false
}

func (o *object) has(name string) bool { _, ok := o.values[name]; return ok }

// text is a field that is a string or a number; empty if it is not there.
func (o *object) text(name string) string {
	s, _ := scalar(o.values[name])
	return s
}

// firstText is what is there already, else the first field that is.
func firstText(have string, o *object, names ...string) string {
	for _, name := range names {
		if have == "" {
			have = o.text(name)
		}
	}
	return have
}

func firstValue(o *object, names ...string) json.RawMessage {
	for _, name := range names {
		if v, ok := o.values[name]; ok && !isNull(v) {
			return v
		}
	}
	return nil
}

func joinPath(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}
