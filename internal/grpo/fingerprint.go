package grpo

import (
	"hash/fnv"
	"math/bits"
	"strings"
	"unicode"
)

// shingle is how many words in a row are looked at together.
const shingle = 3

// NearBits is how many of the 64 bits of two fingerprints may differ in near
// duplicates (Manku, Jain and Das Sarma 2007).
const NearBits = 3

// A Fingerprint is a simhash (Charikar 2002) of the runs of three words of a text:
// texts that share nearly all their runs differ in few bits. A word is a run of
// letters and digits, or one other visible character; case and white space do not
// count. The same text has the same fingerprint everywhere.
type Fingerprint uint64

// Print makes the fingerprint of a text, in linear time.
func Print(text string) Fingerprint {
	tokens := words(text)
	var votes [64]int
	for i := range max(1, len(tokens)-shingle+1) {
		h := hash(tokens[min(i, len(tokens)):min(i+shingle, len(tokens))])
		for b := range votes {
			votes[b] += int(h>>b&1)*2 - 1
		}
	}
	var f Fingerprint
	for b, v := range votes {
		if v > 0 {
			f |= 1 << b
		}
	}
	return f
}

// Near reports whether two texts are near duplicates by their fingerprints.
func (f Fingerprint) Near(o Fingerprint) bool { return bits.OnesCount64(uint64(f^o)) <= NearBits }

func words(text string) []string {
	var found []string
	text = strings.ToLower(text)
	start := -1
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if letter && start < 0 {
			start = i
		}
		if !letter && start >= 0 {
			found, start = append(found, text[start:i]), -1
		}
		if !letter && !unicode.IsSpace(r) {
			found = append(found, string(r))
		}
	}
	if start >= 0 {
		found = append(found, text[start:])
	}
	return found
}

// hash is FNV-1a of the words, mixed once more: its high bits hardly move for short
// texts (the finaliser of MurmurHash3).
func hash(words []string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		_, _ = h.Write([]byte(w))
		_, _ = h.Write([]byte{0})
	}
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
