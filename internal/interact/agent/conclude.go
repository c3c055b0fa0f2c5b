package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// tellMet reads "met: why" or "not met: why".
func tellMet(text string) (conclusion, error) {
	text = strings.TrimSpace(text)
	verdicts := []struct {
		prefix  string
		verdict vitrine.CaseVerdict
	}{{"met:", vitrine.VerdictPass}, {"not met:", vitrine.VerdictFail}}
	for _, v := range verdicts {
		if why, ok := strings.CutPrefix(text, v.prefix); ok && strings.TrimSpace(why) != "" {
			return conclusion{verdict: v.verdict, why: strings.TrimSpace(why)}, nil
		}
	}
	return conclusion{}, fmt.Errorf("finished says %s; want content='met: …' or content='not met: …', with what you saw", quoted(text))
}

// tellFound reads "found: 1, 3" or "found: none" of a list of n.
func tellFound(text string, n int) (conclusion, error) {
	list, ok := strings.CutPrefix(strings.TrimSpace(text), "found:")
	list = strings.TrimSpace(list)
	if !ok || list == "" {
		return conclusion{}, fmt.Errorf("finished says %s; want content='found: 1, 3' or content='found: none'", quoted(text))
	}
	c := conclusion{verdict: vitrine.VerdictPass}
	if list == "none" {
		return c, nil
	}
	for _, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		i, err := strconv.Atoi(word)
		if err != nil || word != strconv.Itoa(i) || i < 1 || i > n || slices.Contains(c.found, i) {
			return conclusion{}, fmt.Errorf("found names %s; want each number from 1 to %d at most once, with commas between", quoted(word), n)
		}
		c.found = append(c.found, i)
	}
	slices.Sort(c.found)
	return c, nil
}
