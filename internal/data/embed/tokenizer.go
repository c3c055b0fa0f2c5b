package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A tokenizer splits a text into tokens by byte pair encoding as Llama 2 has it: spaces are
// ▁, one stands before the text, the text as a whole is merged by the ranks of its pairs,
// and a character without a token becomes the tokens of its bytes. It gives the ids that
// Hugging Face's tokenizers gives without special tokens.
type tokenizer struct {
	ids    map[string]int32
	bytes  [256]int32
	merges map[pair]merge
	added  []string // special tokens, found before anything else
}

type pair struct{ left, right int32 }

// merge is what a pair becomes, and how early.
type merge struct {
	rank int32
	id   int32
}

// tokenizerFile is Hugging Face's tokenizer.json as far as it is read.
type tokenizerFile struct {
	AddedTokens []struct {
		ID      int32  `json:"id"`
		Content string `json:"content"`
	} `json:"added_tokens"`
	Normalizer *struct {
		Type        string `json:"type"`
		Normalizers []struct {
			Type    string `json:"type"`
			Prepend string `json:"prepend"`
			Content string `json:"content"`
			Pattern struct{ String string }
		} `json:"normalizers"`
	} `json:"normalizer"`
	PreTokenizer *struct{} `json:"pre_tokenizer"`
	Model        struct {
		Type         string           `json:"type"`
		ByteFallback bool             `json:"byte_fallback"`
		Vocab        map[string]int32 `json:"vocab"`
		Merges       []mergePair      `json:"merges"`
	} `json:"model"`
}

// mergePair is "a b", or ["a","b"] as newer files have it.
type mergePair [2]string

// UnmarshalJSON reads both forms.
func (m *mergePair) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		var two []string
		if err := json.Unmarshal(b, &two); err != nil {
			return err
		}
		if len(two) != 2 {
			return errors.New("a merge is of two tokens")
		}
		*m = mergePair(two)
		return nil
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	left, right, ok := strings.Cut(text, " ")
	if !ok {
		return errors.New("a merge is of two tokens")
	}
	*m = mergePair{left, right}
	return nil
}

const space = "▁"

// newTokenizer reads a tokenizer.json of this one form, and refuses any other.
func newTokenizer(data []byte) (*tokenizer, error) {
	var f tokenizerFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	n := f.Normalizer
	if f.Model.Type != "BPE" || !f.Model.ByteFallback || f.PreTokenizer != nil || n == nil || len(n.Normalizers) != 2 ||
		n.Normalizers[0].Prepend != space || n.Normalizers[1].Pattern.String != " " || n.Normalizers[1].Content != space {
		return nil, errors.New("it is no byte pair encoding of the form that Llama 2 has")
	}
	t := &tokenizer{ids: f.Model.Vocab, merges: make(map[pair]merge, len(f.Model.Merges))}
	for b := range t.bytes {
		id, ok := t.ids[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			return nil, fmt.Errorf("the byte %#x has no token", b)
		}
		t.bytes[b] = id
	}
	for rank, m := range f.Model.Merges {
		left, l := t.ids[m[0]]
		right, r := t.ids[m[1]]
		id, i := t.ids[m[0]+m[1]]
		if !l || !r || !i {
			return nil, fmt.Errorf("the merge %q is of tokens that are not there", m)
		}
		t.merges[pair{left, right}] = merge{int32(rank), id}
	}
	for _, a := range f.AddedTokens {
		if a.Content != "" {
			t.ids[a.Content] = a.ID
			t.added = append(t.added, a.Content)
		}
	}
	return t, nil
}

// tokens are the ids of a text.
func (t *tokenizer) tokens(text string) []int32 {
	var all []int32
	for text != "" {
		at, special := len(text), ""
		for _, a := range t.added {
			if i := strings.Index(text, a); i >= 0 && (i < at || i == at && len(a) > len(special)) {
				at, special = i, a
			}
		}
		if at > 0 {
			all = append(all, t.merged(space+strings.ReplaceAll(text[:at], " ", space))...)
		}
		if special != "" {
			all = append(all, t.ids[special])
		}
		text = text[at+len(special):]
	}
	return all
}
