package prompt_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/server/prompt"
)

func TestAnsweredAndAsked(t *testing.T) {
	for name, c := range map[string]struct{ prompt, answer, ends string }{
		"ChatML":   {"<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nA tea shop<|im_end|>\n<|im_start|>assistant\n", "<h1>Tea</h1>\n<p>x", "<|im_end|>\n<|endoftext|>"},
		"Llama 3":  {"<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nA tea shop<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n", "<h1>Tea", "<|eot_id|>"},
		"Gemma":    {"<bos><start_of_turn>user\nA tea shop<end_of_turn>\n<start_of_turn>model\n", "<h1>Tea", "<end_of_turn>"},
		"Mistral":  {"<s>[INST] A tea shop [/INST]", "<h1>Tea", "</s>"},
		"DeepSeek": {"<｜begin▁of▁sentence｜><｜User｜>A tea shop<｜Assistant｜>", "<h1>Tea", "<｜end▁of▁sentence｜>"},
		"Phi":      {"<|user|>\nA tea shop<|end|>\n<|assistant|>\n", "<h1>Tea", "<|end|>"},
	} {
		if got := prompt.Answered(c.prompt+c.answer+c.ends, c.prompt); got != c.answer {
			t.Errorf("%s, with its prompt: %q", name, got)
		}
		if got := prompt.Answered(c.prompt+c.answer+c.ends, ""); strings.TrimSpace(got) != c.answer {
			t.Errorf("%s, without: %q", name, got)
		}
		if got := prompt.Asked(c.prompt); got != "A tea shop" {
			t.Errorf("%s: asked %q", name, got)
		}
	}
	if got := prompt.Asked("A tea shop"); got != "A tea shop" {
		t.Errorf("without marks: %q", got)
	}
	if got := prompt.Answered("just <b>this</b>", ""); got != "just <b>this</b>" {
		t.Errorf("without marks: %q", got)
	}
}

func TestLabels(t *testing.T) {
	for text, want := range map[string]prompt.Label{
		`"t1"`: {TaskID: "t1", Bare: true}, `7`: {TaskID: "7", Bare: true}, `null`: {}, `""`: {},
		`{"task_id":"t1","group_id":3}`:              {TaskID: "t1", GroupID: "3"},
		`"{\"instruction\":\"x\",\"kind\":\"svg\"}"`: {Instruction: "x", Kind: "svg"},
	} {
		var l prompt.Label
		if err := json.Unmarshal([]byte(text), &l); err != nil || l != want {
			t.Errorf("%s: %+v, %v", text, l, err)
		}
	}
	for _, text := range []string{`[1]`, `"{broken"`, `true`} {
		if err := json.Unmarshal([]byte(text), new(prompt.Label)); err == nil {
			t.Errorf("%s is taken for a label", text)
		}
	}
}

// Labels of data sets are often something else than the id of a task.
func TestLabelsThatNameNoTask(t *testing.T) {
	known := func(id string) bool { return id == "t1" }
	for name, c := range map[string]struct {
		label, prompt     string
		task, instruction string
	}{
		"a task":                  {`"t1"`, "A game", "t1", ""},
		"a reference answer":      {`"42"`, "<|user|>A game<|end|>", "", "A game"},
		"a number":                {`42`, "A game", "", "A game"},
		"one, without a prompt":   {`"42"`, "", "42", ""},
		"a task that is not here": {`{"task_id":"t9"}`, "A game", "t9", ""},
		"no label":                {`null`, "A game", "", "A game"},
	} {
		var l prompt.Label
		if err := json.Unmarshal([]byte(c.label), &l); err != nil {
			t.Fatal(err)
		}
		it := l.About(c.prompt, known).Item("x", c.prompt)
		if string(it.TaskID) != c.task || it.Instruction != c.instruction {
			t.Errorf("%s: task %q, instruction %q", name, it.TaskID, it.Instruction)
		}
	}
}

func TestReadFallback(t *testing.T) {
	for text, fine := range map[string]bool{"": true, "mean": true, "-1": true, "1e3": true, "nan": false, "inf": false, "-Inf": false, "1e999": false, "abc": false, "Mean": false} {
		f, err := prompt.ReadFallback(url.Values{"fallback": {text}})
		if (err == nil) != fine || fine && f.Mean != (text == "mean") || (f.Value != nil) != (fine && text != "" && text != "mean") {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
}

// Whatever comes is a part of the query: nothing is made up.
func FuzzAnswered(f *testing.F) {
	f.Add("<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\ny<|im_end|>", "<|im_start|>user\nx<|im_end|>\n")
	f.Add("[INST]a[/INST]b</s></s>", "")
	f.Fuzz(func(t *testing.T, query, asked string) {
		if got := prompt.Answered(query, asked); !strings.Contains(query, got) {
			t.Errorf("%q is not in %q", got, query)
		}
		if got := prompt.Asked(query); !strings.Contains(query, got) {
			t.Errorf("asked %q is not in %q", got, query)
		}
	})
}
