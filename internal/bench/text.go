package bench

import (
	"encoding/json"

	"vitrine"
	"vitrine/internal/parse"
)

// Columns of the text of answers. The lengths are of every benchmark.
var (
	tokens   = Column{Key: "tokens", Title: "tokens", About: "mean length of an answer in tokens, thinking included, as the endpoint counted them, else by the tokenizer o200k", Times: 1, Digits: 0, Lower: true}
	answer   = Column{Key: "tokens_answer", Title: "of the answer", About: "tokens without the thinking, where the endpoint keeps that apart", Times: 1, Digits: 0, Lower: true}
	thinking = Column{Key: "tokens_thinking", Title: "of the thinking", About: "tokens of what the model thought, where the endpoint keeps it apart", Times: 1, Digits: 0, Lower: true}
)

// Form are columns for benchmarks whose prompt asks for WebGen-R1's form of an answer, which
// Figures 12 and 13 of the paper show: the format scores of §2.3.
var Form = []Column{
	{Key: "s_cot", Title: "s_cot %", About: "share of answers with the form <think>…</think><answer>…</answer>; unjudged where the endpoint took the thinking out", Times: 100, Digits: 1, Share: true},
	{Key: "s_code", Title: "s_code %", About: "share of answers whose files have the form that was asked for", Times: 100, Digits: 1, Share: true},
}

// ColumnsOf are the columns of a benchmark with those that all have.
func ColumnsOf(b Benchmark) []Column { return append(b.Columns(), tokens, answer, thinking) }

// ofText are the parts of an output that its text and the endpoint decide on.
func ofText(o vitrine.Output, formed bool) Parts {
	p := Parts{}
	apart := reasoning(o)
	lengths(o, apart, p)
	if !formed {
		return p
	}
	a := parse.Output(o)
	p[Form[0].Key], p[Form[1].Key] = One(float64(a.CoT.Score)), One(float64(a.Code.Score))
	if a.CoT.Score == 0 && apart != "" {
		p[Form[0].Key] = nil
	}
	return p
}

// reasoning is what the endpoint gave apart from the text, if it did.
func reasoning(o vitrine.Output) (text string) {
	_ = json.Unmarshal(o.Meta["reasoning"], &text) // a value that is not a string counts as none: the file may be of another program
	return text
}

// lengths adds how long an output is, as vitrine generate and endpoints say it, else by our
// own count. Outputs without a text have no length, but where it is said.
func lengths(o vitrine.Output, apart string, p Parts) {
	var usage struct {
		Out        *float64 `json:"out"`
		Completion *float64 `json:"completion_tokens"`
		Reasoning  float64  `json:"reasoning"`
		Details    struct {
			Reasoning float64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	if json.Unmarshal(o.Meta["usage"], &usage) != nil {
		usage.Out, usage.Completion = nil, nil
	}
	out := usage.Out
	if out == nil {
		out = usage.Completion
	}
	thought := max(usage.Reasoning, usage.Details.Reasoning)
	switch {
	case out != nil && thought > 0:
		p[thinking.Key], p[answer.Key] = One(thought), One(max(0, *out-thought))
	case apart != "":
		p[thinking.Key], p[answer.Key] = counted(vitrine.Output{Text: apart}), counted(vitrine.Output{Text: o.Text})
	}
	switch {
	case out != nil:
		p[tokens.Key] = One(*out)
	case o.Text != "":
		n := counted(o)
		if t := p[thinking.Key]; t != nil && n != nil {
			n.Sum += t.Sum
		}
		p[tokens.Key] = n
	}
}

// counted is the length of a text; nil where it cannot be counted.
func counted(o vitrine.Output) *Part {
	n, err := parse.Tokens(o)
	if err != nil {
		return nil
	}
	return One(n)
}
