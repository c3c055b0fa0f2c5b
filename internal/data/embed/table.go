package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"golang.org/x/sync/errgroup"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"vitrine"
)

// The files of a table's folder.
const (
	TableFile     = "table.safetensors"
	TokenizerFile = "tokenizer.json"
)

// maxFile bounds each file of a table in bytes.
const maxFile = 1 << 30

// A Table has a vector for each token. It is safe for concurrent use.
type Table struct {
	Dim  int    // length of a vector
	Hash string // SHA-256 over both files

	tokens *tokenizer
	rows   []float32 // row by row, Dim each
}

// Open reads the table of a folder.
func Open(dir string) (*Table, error) {
	table, err := readFile(filepath.Join(dir, TableFile))
	if err != nil {
		return nil, err
	}
	file, err := readFile(filepath.Join(dir, TokenizerFile))
	if err != nil {
		return nil, err
	}
	t := &Table{}
	if t.Dim, t.rows, err = readTable(table); err != nil {
		return nil, broken(dir, TableFile, err)
	}
	if t.tokens, err = newTokenizer(file); err != nil {
		return nil, broken(dir, TokenizerFile, err)
	}
	for _, id := range t.tokens.ids {
		if id < 0 || int(id) >= len(t.rows)/t.Dim {
			return nil, broken(dir, TokenizerFile, fmt.Errorf("the table has no row %d", id))
		}
	}
	a, b := sha256.Sum256(table), sha256.Sum256(file)
	both := sha256.Sum256(append(a[:], b[:]...))
	t.Hash = hex.EncodeToString(both[:])
	return t, nil
}

func readFile(name string) ([]byte, error) {
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, vitrine.NewFault("data", vitrine.FaultUsage, nil, "there is no table of vectors: "+name+" is missing").
			WithFix("run vitrine data embedder --sync, once")
	case err == nil && info.Size() > maxFile:
		return nil, broken(filepath.Dir(name), filepath.Base(name), errors.New("it is larger than 1 GiB"))
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, broken(filepath.Dir(name), filepath.Base(name), err)
	}
	return b, nil
}

func broken(dir, file string, err error) error {
	return vitrine.NewFault("data", vitrine.FaultUsage, err, filepath.Join(dir, file)+" cannot be used").
		WithFix("run vitrine data embedder --sync again, or mend the file: docs/data/cluster.md has the form")
}

// readTable reads a safetensors file with one tensor of two axes, of 16 or 32 bit floats:
// the length of a JSON header in 8 bytes, the header, the numbers, all little-endian.
func readTable(data []byte) (dim int, rows []float32, err error) {
	if len(data) < 8 {
		return 0, nil, errors.New("it is too short")
	}
	n := binary.LittleEndian.Uint64(data)
	data = data[8:]
	if n > uint64(len(data)) {
		return 0, nil, errors.New("its header is cut off")
	}
	tensors := map[string]json.RawMessage{}
	if err := json.Unmarshal(data[:n], &tensors); err != nil {
		return 0, nil, err
	}
	delete(tensors, "__metadata__")
	if len(tensors) != 1 {
		return 0, nil, fmt.Errorf("it holds %d tensors; want one", len(tensors))
	}
	var tensor struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	for _, raw := range tensors {
		if err := json.Unmarshal(raw, &tensor); err != nil {
			return 0, nil, err
		}
	}
	size := map[string]int{"F16": 2, "F32": 4}[tensor.DType]
	shape, data := tensor.Shape, data[n:]
	if size == 0 || len(shape) != 2 || shape[0] < 1 || shape[1] < 1 || shape[0] > maxFile/shape[1] {
		return 0, nil, fmt.Errorf("its tensor is of %s and shape %v; want F16 or F32 of two axes", tensor.DType, shape)
	}
	if o := tensor.Offsets; len(o) != 2 || o[0] != 0 || o[1] != len(data) || o[1] != shape[0]*shape[1]*size {
		return 0, nil, errors.New("it is not as long as its shape says")
	}
	rows, err = floats(data, size)
	return shape[1], rows, err
}

// floats reads numbers of 2 or 4 bytes, which must be finite.
func floats(data []byte, size int) ([]float32, error) {
	rows := make([]float32, len(data)/size)
	if size == 4 {
		if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, rows); err != nil {
			return nil, err
		}
	} else {
		for i := range rows {
			rows[i] = half(binary.LittleEndian.Uint16(data[2*i:]))
		}
	}
	for _, v := range rows {
		if math.IsInf(float64(v), 0) || v != v {
			return nil, errors.New("it has numbers that are not finite")
		}
	}
	return rows, nil
}

// half is an IEEE 754 number of 16 bits.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	case 0: // subnormal
		v := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// Embed writes the mean of the rows of a text's tokens into dst, of length Dim. A text
// without tokens has none and leaves dst at zero.
func (t *Table) Embed(text string, dst []float32) (ok bool) {
	clear(dst)
	ids := t.tokens.tokens(text)
	for _, id := range ids {
		for i, v := range t.rows[int(id)*t.Dim : (int(id)+1)*t.Dim] {
			dst[i] += v
		}
	}
	for i := range dst {
		dst[i] /= float32(max(1, len(ids)))
	}
	return len(ids) > 0
}

// Tokens are the ids of a text's tokens.
func (t *Table) Tokens(text string) []int32 { return t.tokens.tokens(text) }

// Rows is the number of tokens.
func (t *Table) Rows() int { return len(t.rows) / t.Dim }

// EmbedAll are the vectors of texts, one after the other, each of length 1 (AesCoder names
// no scale; so a distance is one of directions, whatever the length of a text). A text
// without tokens stays at zero.
func (t *Table) EmbedAll(ctx context.Context, texts []string) ([]float32, error) {
	x := make([]float32, len(texts)*t.Dim)
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, text := range texts {
		workers.Go(func() error {
			v := x[i*t.Dim : (i+1)*t.Dim]
			t.Embed(text, v)
			Unit(v)
			return ctx.Err()
		})
	}
	return x, workers.Wait()
}

// Unit scales a vector to length 1; one of length 0 stays.
func Unit(v []float32) {
	sum := 0.0
	for _, a := range v {
		sum += float64(a) * float64(a)
	}
	if sum > 0 {
		for k := range v {
			v[k] = float32(float64(v[k]) / math.Sqrt(sum))
		}
	}
}
