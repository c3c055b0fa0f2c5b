package page

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"

	"vitrine/internal/fixtures"
	"vitrine/internal/markup"
)

// A Mirror answers a page's requests to other hosts without any network, the same
// request always the same. kind is Chromium's resource type, such as Script.
type Mirror interface {
	Answer(url, kind string) (fixtures.Answer, bool)
}

// integrityName finds the name of the attribute in a tag that has it.
var integrityName = regexp.MustCompile(`(?i)[\s"'/](integrity)\s*=`)

// renamed takes the place of the name integrity. It is as long, so that lines and
// columns in the console stay true.
const renamed = "data-hash"

// dropIntegrity takes the integrity attribute from elements of a page whose fixture has
// other bytes than the attribute wants: another version stands in, or the host
// minifies in its own way. Chromium would refuse them. Where the bytes are the
// same, the attribute stays.
func (n *Network) dropIntegrity(page []byte) []byte {
	page = bytes.Clone(page)
	for tag := range markup.Tags(string(page)) {
		integrity, address := tag.Value("integrity"), tag.Value("src")
		if tag.Data == "link" {
			address = tag.Value("href")
		}
		if integrity == "" || address == "" || tag.Data != "script" && tag.Data != "link" {
			continue
		}
		to, err := url.Parse(Origin)
		if err == nil {
			to, err = to.Parse(address)
		}
		if err != nil || to.Scheme+"://"+to.Host == Origin {
			continue
		}
		given, ok := n.settings.Mirror.Answer(to.String(), "Script")
		name := integrityName.FindStringSubmatchIndex(tag.Raw)
		if !ok || name == nil || hasHash(given.Body, integrity) {
			continue
		}
		copy(page[tag.Start+name[2]:], renamed)
		n.mu.Lock()
		if n.unsigned == nil {
			n.unsigned = map[string]bool{}
		}
		n.unsigned[to.String()] = true
		n.mu.Unlock()
	}
	return page
}

// hasHash holds bytes against an integrity attribute as browsers do: of the hashes
// that it lists, one of the strongest kind must fit.
func hasHash(body []byte, integrity string) bool {
	sums := []struct {
		prefix string
		sum    func() []byte
	}{
		{"sha512-", func() []byte { s := sha512.Sum512(body); return s[:] }},
		{"sha384-", func() []byte { s := sha512.Sum384(body); return s[:] }},
		{"sha256-", func() []byte { s := sha256.Sum256(body); return s[:] }},
	}
	for _, s := range sums {
		listed := false
		for _, hash := range strings.Fields(integrity) {
			value, ok := strings.CutPrefix(hash, s.prefix)
			value, _, _ = strings.Cut(value, "?")
			listed = listed || ok
			if ok && value == base64.StdEncoding.EncodeToString(s.sum()) {
				return true
			}
		}
		if listed {
			return false
		}
	}
	return true // no hash that a browser knows
}
