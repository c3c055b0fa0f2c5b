package behave

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// months are their names, whole or shortened: "Junior 21" is no date.
const months = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

var (
	isoDate  = regexp.MustCompile(`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`)
	wordDate = regexp.MustCompile(`(?i)\b(` + months + `)\.? (\d{1,2})(?:st|nd|rd|th)?\b,? ?(\d{4})?`)
	dayFirst = regexp.MustCompile(`(?i)\b(\d{1,2})\.? (` + months + `)\b\.?,? ?(\d{4})?`)
	slashed  = regexp.MustCompile(`\b(\d{1,2})/(\d{1,2})/(\d{2,4})\b`)
)

// dayFirstOf is the first date of a text that is written with slashes, the day before the month.
func dayFirstOf(text string) (float64, bool) {
	m := slashed.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return dateOf(m[2] + "/" + m[1] + "/" + m[3])
}

// dateOf is the first date in a text, as a number of days.
func dateOf(text string) (float64, bool) {
	day := func(y, m, d string) (float64, bool) {
		year, _ := number(y)
		month, _ := number(m)
		date, _ := number(d)
		if year == 0 {
			year = float64(clock.Year())
		}
		return float64(time.Date(int(year), time.Month(int(month)), int(date), 0, 0, 0, 0, time.UTC).Unix() / 86400), true
	}
	month := func(name string) string {
		return fmt.Sprint(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(name[:3]))/3 + 1)
	}
	if m := isoDate.FindStringSubmatch(text); m != nil {
		return day(m[1], m[2], m[3])
	}
	if m := wordDate.FindStringSubmatch(text); m != nil {
		return day(m[3], month(m[1]), m[2])
	}
	if m := dayFirst.FindStringSubmatch(text); m != nil {
		return day(m[3], month(m[2]), m[1])
	}
	if m := slashed.FindStringSubmatch(text); m != nil {
		return day(m[3], m[1], m[2])
	}
	return 0, false
}

// maxDates bounds the dates that are read from one row, such as a start and an end.
const maxDates = 3

// nthDate is one of the dates of a text; swapped, those with slashes have the day first.
func nthDate(text string, n int, swapped bool) (float64, bool) {
	for _, form := range []*regexp.Regexp{isoDate, wordDate, dayFirst, slashed} {
		all := form.FindAllString(text, maxDates)
		if len(all) == 0 {
			continue
		}
		if n >= len(all) {
			return 0, false
		}
		if swapped {
			return dayFirstOf(all[n])
		}
		return dateOf(all[n])
	}
	return 0, false
}
