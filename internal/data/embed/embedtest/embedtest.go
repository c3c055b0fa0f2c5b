// Package embedtest writes a small table of vectors for tests.
package embedtest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"

	"vitrine/internal/data/embed"
)

// Dim is the length of its vectors.
const Dim = 16

// Merges are the rules of its tokenizer, the earliest first.
var Merges = []string{"l o", "lo w", "e r", "▁ low", "s h", "o p", "sh op", "▁ shop", "g a", "m e", "ga me", "▁ game"}

// Tokens are its tokens by their ids: those that are special, bytes, characters, what rules make.
func Tokens() []string {
	all := []string{"<unk>", "<s>", "</s>"}
	for b := range 256 {
		all = append(all, fmt.Sprintf("<0x%02X>", b))
	}
	all = append(all, "▁")
	for c := 'a'; c <= 'z'; c++ {
		all = append(all, string(c))
	}
	for _, m := range Merges {
		var left, right string
		if _, err := fmt.Sscan(m, &left, &right); err != nil {
			panic(err) // they are two words each
		}
		all = append(all, left+right)
	}
	return all
}

// Files are a table of 16 bit floats and its tokenizer. Vectors are pseudorandom.
func Files() (table, tokenizer []byte) {
	vocab, rows := map[string]int{}, []byte{}
	for id, token := range Tokens() {
		vocab[token] = id
		for i := range Dim {
			h := fnv.New32a()
			fmt.Fprint(h, token, i)
			sign, fraction := uint16(h.Sum32()>>31), uint16(h.Sum32()>>8&1023)
			rows = binary.LittleEndian.AppendUint16(rows, sign<<15|15<<10|fraction) // 1 to 2, or its negative
		}
	}
	added := []map[string]any{}
	for id, token := range Tokens()[:3] {
		added = append(added, map[string]any{"id": id, "content": token})
	}
	tokenizer, err := json.Marshal(map[string]any{
		"added_tokens": added,
		"normalizer": map[string]any{"type": "Sequence", "normalizers": []any{
			map[string]any{"type": "Prepend", "prepend": "▁"},
			map[string]any{"type": "Replace", "pattern": map[string]any{"String": " "}, "content": "▁"},
		}},
		"model": map[string]any{"type": "BPE", "unk_token": "<unk>", "byte_fallback": true, "vocab": vocab, "merges": Merges},
	})
	if err != nil {
		panic(err) // JSON holds all of it
	}
	return Safetensors("F16", len(vocab), Dim, rows), tokenizer
}

// Safetensors is a file of one tensor.
func Safetensors(dtype string, rows, dim int, data []byte) []byte {
	header := fmt.Sprintf(`{"embedding.weight":{"dtype":%q,"shape":[%d,%d],"data_offsets":[0,%d]}}`, dtype, rows, dim, len(data))
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

// Floats are numbers as a tensor of 32 bit floats has them.
func Floats(all ...float32) (data []byte) {
	for _, v := range all {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// Write puts the table into a folder, which it makes.
func Write(dir string) error {
	table, tokenizer := Files()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, embed.TableFile), table, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, embed.TokenizerFile), tokenizer, 0o644)
}
