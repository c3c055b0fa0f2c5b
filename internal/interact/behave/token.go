package behave

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// Tokens are words and numbers that a page cannot foresee and that we can repeat: HMACs of
// a secret seed, a hash of what the site shows at its start, the relation, the try, and how
// many were drawn. What it shows stands for the site, rather than its files, so that a page
// that is only written differently is tried with the same tokens.
type tokens struct {
	seed  []byte
	about string // site, requirement and try
	drawn int
}

func (t *tokens) draw() uint64 {
	mac := hmac.New(sha256.New, t.seed)
	fmt.Fprintf(mac, "%s/%d", t.about, t.drawn)
	t.drawn++
	return binary.BigEndian.Uint64(mac.Sum(nil))
}

const (
	consonants = "bdfgklmnprstvz"
	vowels     = "aeiou"
)

// word is pronounceable and of seven letters, such as "Vokuzan".
func (t *tokens) word() string {
	n, b := t.draw(), strings.Builder{}
	for i := range 7 {
		set := consonants
		if i%2 == 1 {
			set = vowels
		}
		b.WriteByte(set[n%uint64(len(set))])
		n /= uint64(len(set))
	}
	s := b.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

// number lies in [low, high].
func (t *tokens) number(low, high int) int {
	if high <= low {
		return low
	}
	return low + int(t.draw()%uint64(high-low+1))
}

// sum is n bytes that stand for the seed without giving it away.
func (t *tokens) sum(n int) []byte {
	mac := hmac.New(sha256.New, t.seed)
	mac.Write([]byte(t.about))
	return mac.Sum(nil)[:n]
}
