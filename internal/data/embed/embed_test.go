package embed_test

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/embed/embedtest"
)

func tiny(t testing.TB) *embed.Table {
	t.Helper()
	dir := t.TempDir()
	if err := embedtest.Write(dir); err != nil {
		t.Fatal(err)
	}
	table, err := embed.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestTextsAreMergedByTheEarliestRule has the tokens that Hugging Face's tokenizers gives.
func TestTextsAreMergedByTheEarliestRule(t *testing.T) {
	t.Parallel()
	table, names := tiny(t), embedtest.Tokens()
	for text, want := range map[string]string{
		"low":         "▁low",
		"lower shop":  "▁low er ▁shop",
		"slower":      "▁ s low er",
		" low":        "▁ ▁low",
		"shoplow":     "▁shop low",
		"é":           "▁ <0xC3> <0xA9>",
		"<s>low</s>x": "<s> ▁low </s> ▁ x",
		"<s":          "▁ <0x3C> s",
		"A":           "▁ <0x41>",
		"":            "",
	} {
		var got []string
		for _, id := range table.Tokens(text) {
			got = append(got, names[id])
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q is %s; want %s", text, g, want)
		}
	}
}

func TestTextsAreMeansOfTheirTokens(t *testing.T) {
	t.Parallel()
	table := tiny(t)
	vector := func(text string) []float32 {
		v := make([]float32, table.Dim)
		table.Embed(text, v)
		return v
	}
	low, both := vector("low"), vector("low game")
	for i, v := range vector("game") {
		if want := (low[i] + v) / 2; math.Abs(float64(both[i]-want)) > 1e-6 {
			t.Errorf("dimension %d is %v; want %v", i, both[i], want)
		}
	}
	none := make([]float32, table.Dim)
	if none[0] = 7; table.Embed("", none) || none[0] != 0 {
		t.Errorf("no text has the vector %v", none)
	}
}

// TestNumbersOfSixteenBits reads the corners of the format.
func TestNumbersOfSixteenBits(t *testing.T) {
	t.Parallel()
	_, tokenizer := embedtest.Files()
	rows := len(embedtest.Tokens())
	var data []byte
	want := map[uint16]float32{0x3c00: 1, 0xc000: -2, 0x0001: 1.0 / (1 << 24), 0x83ff: -1023.0 / (1 << 24), 0x0400: 1.0 / (1 << 14), 0x7bff: 65504, 0x3555: 0.333251953125, 0: 0}
	order := []uint16{0x3c00, 0xc000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0x3555, 0}
	for range rows {
		for _, h := range order {
			data = binary.LittleEndian.AppendUint16(data, h)
		}
	}
	table, err := open(t, embedtest.Safetensors("F16", rows, len(order), data), tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, table.Dim)
	table.Embed("<s>", got)
	for i, h := range order {
		if got[i] != want[h] {
			t.Errorf("%#x is %v; want %v", h, got[i], want[h])
		}
	}
}

func open(t testing.TB, table, tokenizer []byte) (*embed.Table, error) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{embed.TableFile: table, embed.TokenizerFile: tokenizer} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return embed.Open(dir)
}

func TestBrokenTablesAreRefused(t *testing.T) {
	t.Parallel()
	table, tokenizer := embedtest.Files()
	rows := len(embedtest.Tokens())
	infinite := make([]float32, rows)
	infinite[3] = float32(math.Inf(1))
	for name, test := range map[string]struct {
		table, tokenizer []byte
		want             string
	}{
		"empty":         {nil, tokenizer, "too short"},
		"cut":           {table[:len(table)-1], tokenizer, "not as long"},
		"header":        {append(binary.LittleEndian.AppendUint64(nil, 1<<63), '{'), tokenizer, "cut off"},
		"type":          {embedtest.Safetensors("I8", rows, 1, make([]byte, rows)), tokenizer, "of I8"},
		"negative":      {embedtest.Safetensors("F32", -1, -4, make([]byte, 16)), tokenizer, "two axes"},
		"infinite":      {embedtest.Safetensors("F32", rows, 1, embedtest.Floats(infinite...)), tokenizer, "not finite"},
		"few rows":      {embedtest.Safetensors("F32", 1, 1, embedtest.Floats(1)), tokenizer, "has no row"},
		"no tokenizer":  {table, []byte("{}"), "no byte pair encoding"},
		"no JSON":       {table, []byte("["), "tokenizer.json cannot be used"},
		"merge":         {table, []byte(strings.Replace(string(tokenizer), `"l o"`, `"lo"`, 1)), "of two tokens"},
		"merge of none": {table, []byte(strings.Replace(string(tokenizer), `"l o"`, `["l","?"]`, 1)), "not there"},
		"bytes":         {table, []byte(strings.Replace(string(tokenizer), `\u003c0x41\u003e`, `A`, 1)), "the byte 0x41"},
	} {
		_, err := open(t, test.table, test.tokenizer)
		if err == nil || !strings.Contains(err.Error(), test.want) || vitrine.AsFault("", err).Code != vitrine.FaultUsage {
			t.Errorf("%s: %v; want a fault that has %q", name, err, test.want)
		}
	}
	if _, err := embed.Open(t.TempDir()); err == nil || !strings.Contains(vitrine.AsFault("", err).Fix, "vitrine data embedder --sync") {
		t.Errorf("no table: %v", err)
	}
}

// TestOtherWheelsAreRefused: what has not the pinned hash is not kept.
func TestOtherWheelsAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files []string
		want  string
	}{
		"other files": {[]string{"wordllama/weights/l2_supercat_256.safetensors", "wordllama/tokenizers/l2_supercat_tokenizer_config.json"}, "not what it was"},
		"no files":    {nil, "has no usable"},
	} {
		wheel := filepath.Join(t.TempDir(), "a.whl")
		f, err := os.Create(wheel)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for _, name := range test.files {
			if w, err := z.Create(name); err != nil {
				t.Fatal(err)
			} else if _, err := w.Write([]byte("{}")); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := embed.Take(wheel, dir); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
		if _, err := embed.Open(embed.Default(dir)); err == nil {
			t.Errorf("%s: a table was kept", name)
		}
	}
	if _, err := embed.Take(filepath.Join(t.TempDir(), "none.whl"), t.TempDir()); err == nil {
		t.Error("a wheel that is not there was taken")
	}
}

// FuzzTokens: the tokens of a text say the text, with ▁ for spaces and one before it.
func FuzzTokens(f *testing.F) {
	table, names := tiny(f), embedtest.Tokens()
	for _, text := range []string{"lower shop game", "日本 👍\n", "<s> </s", "\xff low", "▁▁ shopshop"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		for _, id := range table.Tokens(text) {
			name := names[id]
			var code byte
			if n, _ := fmt.Sscanf(name, "<0x%02X>", &code); n == 1 {
				b.WriteByte(code)
			} else {
				b.WriteString(name)
			}
		}
		if strings.Contains(text, "<") || !utf8.ValidString(text) {
			return // special tokens begin new pieces, and bytes that are no text are replaced
		}
		want := ""
		if text != "" {
			want = "▁" + strings.ReplaceAll(text, " ", "▁")
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Error(diff)
		}
	})
}

// FuzzTable: no file makes reading it panic.
func FuzzTable(f *testing.F) {
	table, tokenizer := embedtest.Files()
	f.Add(table[:300], tokenizer[:300])
	f.Add(embedtest.Safetensors("F32", 2, 2, embedtest.Floats(1, 2, 3, 4)), []byte(`{"model":{"type":"BPE","merges":["a b",["a"]]}}`))
	f.Add(table, tokenizer)
	f.Fuzz(func(t *testing.T, table, tokenizer []byte) {
		if opened, err := open(t, table, tokenizer); err == nil {
			opened.Embed("low <s> é", make([]float32, opened.Dim))
		}
	})
}
