package prompt_test

import (
	"encoding/json"
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
		`"t1"`: {TaskID: "t1"}, `7`: {TaskID: "7"}, `null`: {}, `""`: {},
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
