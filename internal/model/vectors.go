package model

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
)

// VectorText is how vectors are the text of a [Response]: numbers of 32 bits, little-endian,
// in base64, which keeps them to the last bit at a fourth of the length of decimals.
func VectorText(x []float32) string {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Vectors are those of the n texts of [Request.Embed], one after the other, dim finite
// numbers each. The error is of a tape that is not as it was written.
func (r Response) Vectors(n int) (x []float32, dim int, err error) {
	b, err := base64.StdEncoding.DecodeString(r.Text)
	if err != nil || len(b) == 0 || n < 1 || len(b)%(4*n) != 0 {
		return nil, 0, fmt.Errorf("these are no vectors of %d texts", n)
	}
	x = make([]float32, len(b)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if v := float64(x[i]); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, 0, fmt.Errorf("number %d of the vectors is not finite", i)
		}
	}
	return x, len(x) / n, nil
}
