// Package digest names values by their content: cache entries, conversations with
// models and states of pages.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Of hashes the JSON of values that are plain data of ours, such as settings: 32
// hexadecimal digits, the first half of SHA-256.
func Of(values ...any) string {
	b, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return bytes(b)
}

// Text hashes a text byte by byte, whether or not it is UTF-8: 32 hexadecimal digits.
func Text(text string) string { return bytes([]byte(text)) }

func bytes(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
