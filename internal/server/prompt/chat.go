package prompt

import (
	"regexp"
	"strings"
)

// Chat templates mark whose turn begins and where one ends; a query comes with all
// of these marks. These are of the common families: ChatML, Llama 3, Gemma, Llama
// 2 and Mistral, DeepSeek, Phi and Zephyr.
var (
	assistantBegins = regexp.MustCompile(`<\|im_start\|>assistant\s|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model\s|\[/INST\]|<｜Assistant｜>|<\|assistant\|>`)
	userBegins      = regexp.MustCompile(`<\|im_start\|>user\s|<\|start_header_id\|>user<\|end_header_id\|>|<start_of_turn>user\s|\[INST\]|<｜User｜>|<\|user\|>`)
	turnEnds        = regexp.MustCompile(`<\|im_end\|>|<\|eot_id\|>|<\|end_of_text\|>|<\|endoftext\|>|<end_of_turn>|<eos>|</s>|<｜end▁of▁sentence｜>|<\|end\|>|<pad>|<\|finetune_right_pad_id\|>`)
)

// Answered is what the model answered: what follows the prompt, or else the last
// mark of an assistant's turn; without the marks that end it.
func Answered(query, prompt string) string {
	rest, cut := strings.CutPrefix(query, prompt)
	if !cut || prompt == "" {
		rest = query
		if marks := assistantBegins.FindAllStringIndex(query, -1); len(marks) > 0 {
			rest = query[marks[len(marks)-1][1]:]
		}
	}
	for {
		rest = strings.TrimRight(rest, " \n")
		marks := turnEnds.FindAllStringIndex(rest, -1)
		if len(marks) == 0 || marks[len(marks)-1][1] != len(rest) {
			return strings.TrimLeft(rest, "\n")
		}
		rest = rest[:marks[len(marks)-1][0]]
	}
}

// Asked is what the last user said, of a prompt with its marks; all of one without.
func Asked(prompt string) string {
	if marks := userBegins.FindAllStringIndex(prompt, -1); len(marks) > 0 {
		prompt = prompt[marks[len(marks)-1][1]:]
	}
	if end := turnEnds.FindStringIndex(prompt); end != nil {
		prompt = prompt[:end[0]]
	}
	if next := assistantBegins.FindStringIndex(prompt); next != nil {
		prompt = prompt[:next[0]]
	}
	return strings.TrimSpace(prompt)
}
