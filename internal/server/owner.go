package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"strings"
)

// tokens are those that requests may carry, as hashes: what is compared has one length
// and tells nothing by the time that it takes.
type tokens []token

type token struct {
	sum   [sha256.Size]byte
	owner string // in turns, limits and logs; the token cannot be made of it
}

func newTokens(all []string) (t tokens) {
	for _, text := range all {
		sum := sha256.Sum256([]byte(text))
		t = append(t, token{sum, "token-" + hex.EncodeToString(sum[:6])})
	}
	return t
}

// find is the token that was given; nil if it is none of them. All are compared.
func (t tokens) find(text string) (found *token) {
	sum := sha256.Sum256([]byte(text))
	for i := range t {
		if subtle.ConstantTimeCompare(sum[:], t[i].sum[:]) == 1 {
			found = &t[i]
		}
	}
	return found
}

// given takes the token as a bearer, as the key that ORS clients send, or as the
// password of a user, which is what clients make of one in a URL, and browsers of a
// form.
func given(r *http.Request) string {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		_, text, ok = r.BasicAuth()
	}
	if !ok {
		text = r.Header.Get("X-API-Key")
	}
	return text
}

// ownerKey is where the context of a request has its owner.
type ownerKey struct{}

// Owner is who a request comes from: its token where several are configured, else its
// address. Nothing that a body or another header says can change it.
func Owner(r *http.Request) string {
	if owner, ok := r.Context().Value(ownerKey{}).(string); ok {
		return owner
	}
	return address(r.RemoteAddr)
}

// Client is whose turn a request takes: owners take turns and, within an owner's, the
// names that it gives.
func Client(r *http.Request, name string) string { return client(Owner(r), name) }

func client(owner, name string) string {
	if name == "" {
		return owner
	}
	return owner + " " + name
}

// address is without the port.
func address(remote string) string {
	if host, _, err := net.SplitHostPort(remote); err == nil {
		return host
	}
	return remote
}
