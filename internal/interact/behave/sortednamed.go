package behave

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

var (
	priceOrder   = regexp.MustCompile(`(?i)\b(prices?|costs?|fees?|rents?|salary|cheapest|amounts?)\b|价格`)
	starOrder    = regexp.MustCompile(`(?i)\b(rat(ed|ings?)|stars?)\b|评分`)
	dateOrder    = regexp.MustCompile(`(?i)\b(dates?|joined|added|created|published|posted|updated|due|deadline|since)\b|日期|时间`)
	risingOrder  = regexp.MustCompile(`(?i)\b(low(est)? to high(est)?|ascending|asc|oldest|earliest|cheapest|fewest|least|lowest|shortest|smallest)\b|↑|升序|从低到高`)
	fallingOrder = regexp.MustCompile(`(?i)\b(high(est)? to low(est)?|descending|desc|newest|latest|most recent|most|highest|longest|largest|biggest|top.rated|best.rated)\b|↓|降序|从高到低`)
	yearOrder    = regexp.MustCompile(`(?i)\byears?\b|年份`)
	yearText     = regexp.MustCompile(`\b(\d{1,4})\s?B\.?C\b|\b([1-9]\d{2}|1\d{3}|20\d{2})\b`)
	surnames     = regexp.MustCompile(`(?i)\b(surname|last name|family name)s?\b`)
	pinned       = regexp.MustCompile(`(?i)\b(pinned|featured|sponsored|promoted|sticky)\b|📌|置顶`)
	starsText    = regexp.MustCompile(`(?i)(\d(?:\.\d+)?)\s*(?:★|⭐|/\s?5\b|stars?\b)|(?:★|⭐|\brat(?:ed|ing):?)\s*(\d(?:\.\d+)?)`)
	orderWords   = []string{"sort", "sorted", "sorting", "by", "order", "most", "least", "fewest", "highest", "lowest", "high", "low", "first", "last", "to", "the", "number", "of", "total", "date", "dates", "name", "names", "title", "top", "best", "rated"}
)

// against says why rows that stand in the order of an option contradict its label; empty where they do
// not, or do not show what it goes by.
func (t table) against(label string) string {
	if slices.ContainsFunc(t.rows, func(r interact.Row) bool { return pinned.MatchString(r.Text) }) {
		return ""
	}
	rising, falling := risingOrder.MatchString(label), fallingOrder.MatchString(label)
	sign := map[bool]int{rising: 1, falling: -1}[true]
	if rising == falling {
		sign = 0
	}
	if surnames.MatchString(label) && !t.bySurname() {
		return "the rows are not in the order of surnames"
	}
	why := ""
	for _, c := range t.meant(label) {
		if c.directedBy(sign) {
			return ""
		}
		why = "the rows are not in the order of their " + c.name
	}
	return why
}

// meant are the columns that the label of an order may mean, of those that differ: the prices of the rows, their only
// dates, their stars, or the numbers right beside a word of the label, as in "12 replies".
func (t table) meant(label string) (all []column) {
	add := func(name string, read func(text string) (float64, bool)) {
		c := column{name: name, number: true}
		for _, r := range t.rows {
			n, ok := read(r.Text)
			if !ok {
				return
			}
			c.values = append(c.values, value{n: n})
		}
		if distinct(c.values, func(v value) string { return fmt.Sprint(v.n) }) > 1 {
			all = append(all, c)
		}
	}
	switch {
	case priceOrder.MatchString(label):
		add("prices", moneyOf)
		add("last prices", lastMoney)
	case starOrder.MatchString(label):
		add("stars", func(text string) (float64, bool) { return onlyMatch(starsText, text) })
		add("stars", starSigns)
	case byAge.MatchString(label) || dateOrder.MatchString(label):
		for _, swapped := range []bool{false, true} {
			for i := range maxDates {
				add("dates", func(text string) (float64, bool) { return nthDate(text, i, swapped) })
			}
		}
		add("years", onlyYear)
	case yearOrder.MatchString(label):
		add("years", onlyYear)
	}
	for _, w := range wordsOf(label) {
		if len(w) < 4 || slices.Contains(orderWords, w) {
			continue
		}
		word := regexp.QuoteMeta(stem(w)) + `\p{L}{0,3}`
		before := regexp.MustCompile(`(?i)(\d[\d,]*(?:\.\d+)?)\s*` + word + `\b`)
		behind := regexp.MustCompile(`(?i)\b` + word + `\W{0,3}(\d[\d,]*(?:\.\d+)?)`)
		for _, read := range []*regexp.Regexp{before, behind} {
			add(w, func(text string) (float64, bool) { return onlyMatch(read, text) })
		}
	}
	return all
}

// directedBy reports whether the values rise (1), fall (-1) or do either (0).
func (c column) directedBy(sign int) bool {
	up, down := true, true
	for i := 1; i < len(c.values); i++ {
		d := cmp.Compare(c.values[i-1].n, c.values[i].n)
		up, down = up && d <= 0, down && d >= 0
	}
	return up && sign >= 0 || down && sign <= 0
}

// onlyMatch is the number that the first group that took part found, where the pattern is found once.
func onlyMatch(read *regexp.Regexp, text string) (float64, bool) {
	all := read.FindAllStringSubmatch(text, 2)
	if len(all) != 1 {
		return 0, false
	}
	return number(cmp.Or(all[0][1:]...))
}

// starSigns counts the filled stars of a text.
func starSigns(text string) (float64, bool) {
	n := strings.Count(text, "★")
	return float64(n), n > 1 || strings.Contains(text, "☆")
}

func lastMoney(text string) (float64, bool) {
	all := money.FindAllString(text, -1)
	if len(all) == 0 {
		return 0, false
	}
	return moneyOf(all[len(all)-1])
}

// onlyYear is the year of a text that has one alone; those before Christ are negative.
func onlyYear(text string) (float64, bool) {
	n, ok := onlyMatch(yearText, text)
	if beforeChrist.MatchString(text) {
		n = -n
	}
	return n, ok
}

// bySurname reports whether some texts of the rows stand in the order of their last words.
func (t table) bySurname() bool {
	return slices.ContainsFunc(t.columns(), func(c column) bool {
		return !c.number && slices.ContainsFunc([]func(string) string{lastName, surname}, func(last func(string) string) bool {
			return directed(c.values, func(a, b value) int { return cmp.Compare(last(a.s), last(b.s)) })
		})
	})
}
