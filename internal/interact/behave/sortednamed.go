package behave

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/interact"
)

var (
	priceOrder   = regexp.MustCompile(`(?i)\b(prices?|costs?|fees?|rents?|salary|cheapest|amounts?)\b|价格`)
	starOrder    = regexp.MustCompile(`(?i)\b(rat(ed|ings?)|stars?)\b|评分`)
	dateOrder    = regexp.MustCompile(`(?i)\bdates?\b|日期|时间`)
	yearOrder    = regexp.MustCompile(`(?i)\byears?\b|年份`)
	datedBy      = regexp.MustCompile(`(?i)\b(joined|added|created|published|posted|uploaded|updated|due|deadline|listed)\b`)
	risingOrder  = regexp.MustCompile(`(?i)\b(low(est)? to high(est)?|ascending|asc|oldest|earliest|cheapest|fewest|least|lowest|shortest|smallest)\b|升序|从低到高`)
	fallingOrder = regexp.MustCompile(`(?i)\b(high(est)? to low(est)?|descending|desc|newest|latest|most recent|most|highest|longest|largest|biggest|top.rated|best.rated)\b|降序|从高到低`)
	surnames     = regexp.MustCompile(`(?i)\b(surname|last name|family name)s?\b`)
	pinned       = regexp.MustCompile(`(?i)\b(pinned|featured|sponsored|promoted|sticky)\b|📌|置顶`)
	starsText    = regexp.MustCompile(`(?i)(\d[\d,]*(?:\.\d+)?)\s*(?:★|⭐|/\s?5\b|stars?\b)|(?:★|⭐|\brat(?:ed|ing):?)\s*(\d[\d,]*(?:\.\d+)?)(?:[^\d\p{L}]|$)`)
	yearText     = regexp.MustCompile(`\b(\d{1,4})\s?B\.?C\b|\b(1\d{3}|20\d{2})\b`)
	orderWords   = []string{"sort", "sorted", "sorting", "by", "order", "most", "least", "fewest", "highest", "lowest", "high", "low", "first", "last", "to", "the", "number", "of", "total", "date", "dates", "name", "names", "title", "top", "best", "rated"}
)

// against says why rows that stand in the order of an option contradict its label; empty where they do
// not, or do not show what it sorts by. Heads says that the options are column headers.
func (t table) against(label string, heads bool) string {
	if slices.ContainsFunc(t.rows, func(r interact.Row) bool { return pinned.MatchString(r.Text) }) {
		return ""
	}
	if surnames.MatchString(label) && !t.bySurname() {
		return "the rows are not in the order of surnames"
	}
	rising, falling := risingOrder.MatchString(label), fallingOrder.MatchString(label)
	sign := 0
	switch {
	case rising && !falling:
		sign = 1
	case falling && !rising:
		sign = -1
	}
	why := ""
	for _, c := range t.meant(label, heads) {
		if c.directedBy(sign) {
			return ""
		}
		why = "the rows are not in the order of their " + c.name
	}
	return why
}

// meant are the columns that the label of an order may mean, of those that differ: the prices of the rows, their
// dates or years, their stars, or the number directly before or after a word of the label, as in "12 replies".
func (t table) meant(label string, heads bool) (all []column) {
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
		for i := range maxPrices {
			add("prices", func(text string) (float64, bool) { return nthPrice(text, i) })
		}
	case starOrder.MatchString(label):
		add("stars", func(text string) (float64, bool) { return onlyMatch(starsText, text) })
		add("stars", starSigns)
	case t.dated(label, heads):
		for _, swapped := range []bool{false, true} {
			for i := range maxDates {
				add("dates", func(text string) (float64, bool) { return nthDate(text, i, swapped) })
			}
		}
	case yearOrder.MatchString(label):
		add("years", onlyYear)
	}
	for _, w := range wordsOf(label) {
		if len(w) > 3 && !slices.Contains(orderWords, w) && !datedBy.MatchString(w) {
			for _, c := range t.numbersBeside(w) {
				add(w, c)
			}
		}
	}
	return all
}

// dated reports whether the label of an order means the dates that rows show. A label such as "Posted" does where it is a
// column header or all rows have that word, and "Newest" where all rows date their creation: another date, such as a due date,
// does not contradict it.
func (t table) dated(label string, heads bool) bool {
	by := datedBy.FindString(label)
	if by == "" && byAge.MatchString(label) && !dateOrder.MatchString(label) {
		return !slices.ContainsFunc(t.rows, func(r interact.Row) bool { return !cameBy.MatchString(r.Text) })
	}
	if by == "" || heads {
		return by != "" || dateOrder.MatchString(label)
	}
	return !slices.ContainsFunc(t.rows, func(r interact.Row) bool { return !strings.Contains(strings.ToLower(r.Text), strings.ToLower(by)) })
}

// cameBy are words by which rows date their creation.
var cameBy = regexp.MustCompile(`(?i)\b(posted|added|created|listed|published|uploaded)\b`)

// numbersBeside are the ways to read the number directly before or after a word. A number after it is read only where all rows
// have it in one unit; times of day, abbreviated numbers such as 1.2k and relative times are not read.
func (t table) numbersBeside(w string) (reads []func(string) (float64, bool)) {
	word := regexp.QuoteMeta(stem(w)) + `\p{L}{0,3}`
	before := regexp.MustCompile(`(?i)(?:^|[^\d.,:])(\d[\d,]*(?:\.\d+)?)\s*` + word + `\b`)
	behind := regexp.MustCompile(`(?i)\b` + word + `\W{0,3}(\d[\d,]*(?:\.\d+)?)(:|\s?\p{L}*)`)
	units := map[string]bool{}
	for _, r := range t.rows {
		if strings.Contains(r.Text, " ago") {
			return nil
		}
		if m := behind.FindStringSubmatch(r.Text); m != nil {
			units[strings.ToLower(strings.TrimSpace(m[2]))] = true
		}
	}
	reads = append(reads, func(text string) (float64, bool) { return onlyMatch(before, text) })
	if len(units) == 1 && !units[":"] && !units["h"] {
		reads = append(reads, func(text string) (float64, bool) {
			m := behind.FindAllStringSubmatch(text, 2)
			if len(m) != 1 {
				return 0, false
			}
			return number(m[0][1])
		})
	}
	return reads
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

// firstPrice is the first price of a text, see nthPrice.
func firstPrice(text string) (float64, bool) { return nthPrice(text, 0) }

// maxPrices bounds the prices that are read from one row, such as the old price and the discounted one.
const maxPrices = 3

// nthPrice is one of the prices of a text, with its sign and in thousands or millions where it says so.
func nthPrice(text string, n int) (float64, bool) {
	all := money.FindAllStringIndex(text, maxPrices)
	if n >= len(all) {
		return 0, false
	}
	at := all[n]
	price, ok := moneyOf(text[at[0]:at[1]])
	if minusBefore.MatchString(text[:at[0]]) {
		price = -price
	}
	if m := scaleBehind.FindStringSubmatch(text[at[1]:]); m != nil {
		price *= map[string]float64{"k": 1e3, "m": 1e6, "b": 1e9}[strings.ToLower(m[1])]
	}
	return price, ok
}

var (
	minusBefore = regexp.MustCompile(`[-−–]\s?$`)
	scaleBehind = regexp.MustCompile(`^\s?([kKmMbB])(?:[^\p{L}]|$)`)
)

// onlyYear is the year of a text that has one alone; those before Christ are negative.
func onlyYear(text string) (float64, bool) {
	n, ok := onlyMatch(yearText, money.ReplaceAllString(text, ""))
	if beforeChrist.MatchString(text) {
		n = -n
	}
	return n, ok
}

// bySurname reports whether some texts of the rows stand in the order of surnames, or are too few to tell.
func (t table) bySurname() bool {
	if len(t.rows) < manyValues {
		return true
	}
	collator := collate.New(language.English)
	return slices.ContainsFunc(t.columns(), func(c column) bool {
		return !c.number && slices.ContainsFunc([]func(string) string{lastName, surname, beforeComma}, func(last func(string) string) bool {
			return directed(c.values, func(a, b value) int { return collator.CompareString(last(a.s), last(b.s)) })
		})
	})
}

// beforeComma is the surname of a name that is written with it first, as "Smith, John".
func beforeComma(text string) string {
	name, _, _ := strings.Cut(strings.ToLower(text), ",")
	return name
}
