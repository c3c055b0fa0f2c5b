package inputs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shapes are rows as endpoints, trainers and people write them, each with the outputs
// that it gives, as id|instruction|model|text.
var shapes = []struct {
	name, row string
	want      []string
}{
	{"own format", `{"id":"a","instruction":"i","model":"m","output":"x"}`, []string{"a|i|m|x"}},
	{"completion", `{"id":"a","prompt":"i","completion":"x"}`, []string{"a|i||x"}},
	{"response", `{"id":"a","question":"i","response":"x"}`, []string{"a|i||x"}},
	{"generated_text", `{"id":"a","query":"i","generated_text":"x"}`, []string{"a|i||x"}},
	{"text", `{"id":"a","instruction":"i","text":"x"}`, []string{"a|i||x"}},
	{"Alpaca", `{"id":"a","instruction":"i","input":"more","output":"x"}`, []string{"a|i\n\nmore||x"}},
	{"AlpacaEval", `{"dataset":"d","instruction":"i","output":"x","generator":"m"}`, []string{"row1|i|m|x"}},
	{"n completions", `{"id":"a","prompt":"i","completions":["x","y"]}`, []string{"a.1|i||x", "a.2|i||y"}},
	{"output is a list", `{"id":"a","output":["x","y"]}`, []string{"a.1|||x", "a.2|||y"}},
	{"chat messages", `{"id":"a","messages":[{"role":"system","content":"s"},{"role":"user","content":"i"},{"role":"assistant","content":"x"}]}`, []string{"a|i||x"}},
	{"the last turn", `{"id":"a","messages":[{"role":"user","content":"i"},{"role":"assistant","content":"w"},{"role":"user","content":"more"},{"role":"assistant","content":"x"},{"role":"user","content":"thanks"}]}`, []string{"a|i\n\nmore||x"}},
	{"content parts", `{"id":"a","messages":[{"role":"user","content":[{"type":"text","text":"i"},{"type":"image_url","image_url":{"url":"data:"}}]},{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}]}`, []string{"a|i||xy"}},
	{"messages kept as a string", `{"id":"a","messages":"[{\"role\":\"user\",\"content\":\"i\"},{\"role\":\"assistant\",\"content\":\"x\"}]"}`, []string{"a|i||x"}},
	{"ShareGPT", `{"id":"a","conversations":[{"from":"human","value":"i"},{"from":"gpt","value":"x"}]}`, []string{"a|i||x"}},
	{"OpenAI chat", `{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant","content":"x","refusal":null},"finish_reason":"stop"}],"usage":{"completion_tokens":7}}`, []string{"chatcmpl-1||gpt-5|x"}},
	{"OpenAI chat, n", `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"x"}},{"index":1,"message":{"role":"assistant","content":"y"}}]}`, []string{"c.1|||x", "c.2|||y"}},
	{"OpenAI refusal", `{"id":"c","choices":[{"message":{"role":"assistant","content":null,"refusal":"I cannot"}}]}`, []string{"c|||I cannot"}},
	{"OpenAI completions", `{"id":"c","object":"text_completion","model":"m","choices":[{"text":"x","index":0}]}`, []string{"c||m|x"}},
	{"OpenAI Responses", `{"id":"resp_1","object":"response","status":"completed","model":"gpt-5","output":[{"type":"reasoning","summary":[]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x","annotations":[]}]}]}`, []string{"resp_1||gpt-5|x"}},
	{"OpenAI Batch", `{"id":"batch_req_1","custom_id":"a","response":{"status_code":200,"request_id":"r","body":{"id":"c","model":"gpt-5","choices":[{"message":{"role":"assistant","content":"x"}}]}},"error":null}`, []string{"a||gpt-5|x"}},
	{"OpenAI Batch of Responses", `{"id":"b","custom_id":"a","response":{"status_code":200,"body":{"model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}]}},"error":null}`, []string{"a||m|x"}},
	{"Anthropic", `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"output_tokens":3}}`, []string{"msg_1||claude|x"}},
	{"Anthropic batch", `{"custom_id":"a","result":{"type":"succeeded","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"x"}]}}}`, []string{"a||claude|x"}},
	{"Google", `{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"x"},{"text":"y"}]},"finishReason":"STOP"}],"modelVersion":"gemini"}`, []string{"row1||gemini|xy"}},
	{"Google batch", `{"key":"a","response":{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"}}],"modelVersion":"gemini"}}`, []string{"a||gemini|x"}},
	{"Vertex batch", `{"status":"","request":{"contents":[{"role":"user","parts":[{"text":"i"}]}]},"response":{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"}}],"modelVersion":"gemini"}}`, []string{"row1|i|gemini|x"}},
	{"Bedrock Converse", `{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}},"stopReason":"end_turn"}`, []string{"row1|||x"}},
	{"Bedrock batch", `{"recordId":"a","modelInput":{"messages":[{"role":"user","content":[{"type":"text","text":"i"}]}]},"modelOutput":{"type":"message","role":"assistant","content":[{"type":"text","text":"x"}]}}`, []string{"a|i||x"}},
	{"Ollama generate", `{"model":"qwen","response":"x","done":true,"eval_count":5}`, []string{"row1||qwen|x"}},
	{"Ollama chat", `{"model":"qwen","message":{"role":"assistant","content":"x"},"done":true}`, []string{"row1||qwen|x"}},
	{"llama.cpp", `{"index":0,"content":"x","model":"m","tokens_predicted":3}`, []string{"0||m|x"}},
	{"DashScope", `{"request_id":"a","output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"x"}}]}}`, []string{"a|||x"}},
	{"TGI", `{"generated_text":"x","details":{"finish_reason":"length"}}`, []string{"row1|||x"}},
	{"transformers pipeline", `[[{"generated_text":"x"},{"generated_text":"y"}]]`, []string{"row1.1|||x", "row1.2|||y"}},
	{"transformers chat pipeline", `{"id":"a","generated_text":[{"role":"user","content":"i"},{"role":"assistant","content":"x"}]}`, []string{"a|i||x"}},
	{"vLLM offline", `{"request_id":"0","prompt":"i","prompt_token_ids":[1,2],"outputs":[{"index":0,"text":"x","token_ids":[3],"finish_reason":"stop"},{"index":1,"text":"y","token_ids":[3],"finish_reason":"stop"}],"finished":true}`, []string{"0.1|i||x", "0.2|i||y"}},
	{"SGLang", `{"text":"x","meta_info":{"id":"a","completion_tokens":3}}`, []string{"row1|||x"}},
	{"lm-evaluation-harness", `{"doc_id":3,"doc":{"question":"i","answer":"gold"},"target":"gold","arguments":{"gen_args_0":{"arg_0":"prompt","arg_1":{}}},"resps":[["x","y"]],"filtered_resps":["x"]}`, []string{"3.1|i||x", "3.2|i||y"}},
	{"lm-evaluation-harness, arguments", `{"doc_id":3,"doc":{"n":1},"arguments":[["i",{"until":[]}]],"resps":[["x"]],"filtered_resps":["x"]}`, []string{"3|i||x"}},
	{"verl rollout", `{"input":"user\ni\nassistant\n","output":"x","gts":null,"score":0.5,"step":3}`, []string{"row1|user\ni\nassistant\n||x"}},
	{"verl generation", `{"data_source":"d","prompt":[{"role":"user","content":"i"}],"responses":["x","y"],"extra_info":{"index":1}}`, []string{"row1.1|i||x", "row1.2|i||y"}},
	{"TRL completions", `{"step":1,"prompt":"i","completion":"x","reward_func":0.1,"advantage":0.2}`, []string{"row1|i||x"}},
	{"TRL conversational", `{"prompt":[{"role":"user","content":"i"}],"completion":[{"role":"assistant","content":"x"}]}`, []string{"row1|i||x"}},
	{"TRL, a group", `{"prompt":[{"role":"user","content":"i"}],"completions":[[{"role":"assistant","content":"x"}],[{"role":"assistant","content":"y"}]]}`, []string{"row1.1|i||x", "row1.2|i||y"}},
	{"preferences", `{"id":"a","prompt":"i","chosen":"x","rejected":"y"}`, []string{"a.chosen|i||x", "a.rejected|i||y"}},
	{"preferences as conversations", `{"id":"a","chosen":[{"role":"user","content":"i"},{"role":"assistant","content":"x"}],"rejected":[{"role":"user","content":"i"},{"role":"assistant","content":"y"}]}`, []string{"a.chosen|i||x", "a.rejected|i||y"}},
	{"OpenRLHF", `{"input":"i","output":"x","reward":0.3}`, []string{"row1|i||x"}},
	{"arena", `{"question_id":"q","model_a":"m","model_b":"n","winner":"model_a","conversation_a":[{"role":"user","content":"i"},{"role":"assistant","content":"x"}],"conversation_b":[{"role":"user","content":"i"},{"role":"assistant","content":"y"}]}`, []string{"q.a|i|m|x", "q.b|i|n|y"}},
	{"ArtifactsBench", `{"index":57,"question":"i","class":"SVG","difficulty":"easy","checklist":[{"id":0}],"answer":"x"}`, []string{"57|i||x"}},
	{"WebGen-Bench", `{"id":"000001","instruction":"i","Category":{"primary_category":"c"},"ui_instruct":[{"task":"t"}],"output":"x"}`, []string{"000001|i||x"}},
	{"OpenDesign", `{"id":1,"prompt":"i","category":"3D Design","html":"x"}`, []string{"1|i||x"}},
	{"Inspect", `{"id":"a","input":"i","target":"","output":{"model":"m","choices":[{"message":{"role":"assistant","content":"x"}}]}}`, []string{"a|i|m|x"}},
	{"promptfoo", `{"results":{"version":3,"results":[{"id":"a","prompt":{"raw":"i","label":"l"},"response":{"output":"x"}}]}}`, []string{"a|i||x"}},
	{"a list inside", `{"config":{"n":1},"samples":[{"id":"a","output":"x"},{"id":"b","output":"y"}]}`, []string{"a|||x", "b|||y"}},
	{"a web search result in text", `{"id":"a","output":"[1,2]"}`, []string{"a|||[1,2]"}},
}

func TestShapesOfRows(t *testing.T) {
	t.Parallel()
	if len(shapes) < 40 {
		t.Errorf("%d shapes, want 40", len(shapes))
	}
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			for _, format := range []string{"in.jsonl", "-", "in.json"} {
				items, bad := readText(t, format, shape.row, Settings{})
				if diff := cmp.Diff(shape.want, summaries(items)); diff != "" || bad != nil {
					t.Errorf("%s: bad %q (-want +got):\n%s", format, bad, diff)
				}
			}
		})
	}
}

// summaries are items as id|instruction|model|text. What is made of a row's content is left
// out of ids.
func summaries(items []Item) []string {
	var all []string
	for _, o := range items {
		if head, rest, ok := strings.Cut(o.ID, "-"); ok && strings.HasPrefix(head, "row") {
			_, part, _ := strings.Cut(rest, ".")
			o.ID = strings.TrimSuffix(head+"."+part, ".")
		}
		all = append(all, fmt.Sprintf("%s|%s|%s|%s", o.ID, o.Instruction, o.Model, o.Text))
	}
	return all
}

// Rows that are no outputs say what they are and what to do.
func TestShapesThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		row, want string
		endpoint  bool
	}{
		"OpenAI Batch, HTTP error":   {`{"custom_id":"a","response":{"status_code":429,"body":{"error":{"message":"slow down","type":"rate"}}},"error":null}`, "HTTP 429 rate slow down", true},
		"OpenAI Batch, expired":      {`{"custom_id":"a","response":null,"error":{"code":"batch_expired","message":"too late"}}`, "batch_expired too late", true},
		"Anthropic batch, errored":   {`{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request","message":"no"}}}}`, "errored error invalid_request no", true},
		"Anthropic batch, expired":   {`{"custom_id":"a","result":{"type":"expired"}}`, "expired", true},
		"Google batch, error":        {`{"key":"a","error":{"code":13,"message":"internal"}}`, "13 internal", true},
		"Vertex batch, error":        {`{"status":"Bad Request: {\"error\"}","request":{"contents":[]},"response":{}}`, "Bad Request", true},
		"an empty answer, an error":  {`{"id":"a","response":"","error":"timeout after 600 s"}`, "timeout after 600 s", true},
		"a question without answer":  {`{"id":"a","messages":[{"role":"user","content":"i"}]}`, "a conversation in which the model says nothing", false},
		"only calls of tools":        {`{"id":"a","choices":[{"message":{"role":"assistant","content":null,"tool_calls":[]}}]}`, "choices: ", false},
		"a field of another name":    {`{"id":"a","my_site":"<h1>Tea shop</h1>"}`, "add --map output=my_site", false},
		"a field inside another one": {`{"id":"a","reply":{"md":"<h1>Tea shop</h1>"}}`, "add --map output=reply.md", false},
		"no field of text":           {`{"id":"a","n":5}`, "add --map output=COLUMN", false},
		"nothing in it":              {`{}`, "an empty object", false},
		"a task":                     {`{"id":1,"prompt":"A pair of water molecules","category":"3D"}`, "these may be tasks, which --tasks takes", false},
		"a task with lists":          {`{"index":1,"question":"A page","checklist":[{"id":0,"text":"It has a title"}]}`, "these may be tasks, which --tasks takes", false},
		"a list of Python":           {`{"id":"a","messages":"[{'role': 'assistant', 'content': 'x'}]"}`, "write it with json.dumps", false},
	} {
		in, err := Bytes("in.jsonl", []byte(test.row), Settings{})
		must(t, err)
		if s := in.Survey; s.Outputs != 0 || s.Unusable != 1 || s.Endpoint == 1 != test.endpoint || !strings.Contains(s.First[0].Error(), test.want) {
			t.Errorf("%s: got %+v, %v, want %q", name, s, s.First, test.want)
		}
	}
}
