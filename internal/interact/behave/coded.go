package behave

import (
	"fmt"
	"math"
	"regexp"
	"slices"
)

// coded are fields that take so many digits, by their labels. Pages refuse fewer and more.
var coded = []struct {
	named  *regexp.Regexp
	digits int
}{
	{regexp.MustCompile(`邮编|邮政编码`), 6},
	{regexp.MustCompile(`(?i)\b(zip|postal|post ?code|plz)\b`), 5},
	{regexp.MustCompile(`(?i)\b(cvc|cvv|security code)\b`), 3},
	{regexp.MustCompile(`(?i)^\W*(enter )?(your |a |new )?pin( code)?\W*$`), 4},
}

var (
	cardLabel   = regexp.MustCompile(`(?i)\bcard (no|num(ber)?)\b|银行卡号|卡号`)
	expiryLabel = regexp.MustCompile(`(?i)\bexpir\w*\b|\bmm ?/ ?yy\b|有效期`)
	fullName    = regexp.MustCompile(`(?i)\bfull ?name\b|\bfirst and last name\b`)
)

// coded enters a code of as many digits as a field takes, and reports whether it takes one.
func (p *prover) coded(e *entry) bool {
	about := e.control.Name // an id may be of the form
	switch {
	case !slices.Contains([]string{"", "text", "tel", "number"}, e.control.Type) || e.control.Tag == "textarea":
		return false
	case cardLabel.MatchString(about):
		e.value = "4111 1111 1111 1111" // whose check digit is right
		return true
	case expiryLabel.MatchString(about) && e.control.Type != "number":
		e.value = "12/29"
		return true
	}
	for _, c := range coded {
		if c.named.MatchString(about) {
			low := int(math.Pow10(c.digits - 1))
			e.value = fmt.Sprint(p.tokens.number(low, 10*low-1))
			if c.digits > 4 { // shorter ones stand on pages by chance
				e.token = e.value
			}
			return true
		}
	}
	return false
}
