package behave

import (
	"fmt"
	"regexp"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

const timeOfDay = "15:04"

// laterThatDay makes times of day random, such that a page that shows them with twelve hours
// writes them alike, and the second of two later than the first, as work ends after it
// began.
func (f filling) laterThatDay(p *prover, e *entry) {
	if e.control.Type != "time" || e.facts.Min != "" || e.facts.Max != "" {
		return
	}
	minute := p.tokens.number(11, 49)
	if e.facts.Step != "" {
		minute = 30
	}
	e.value = fmt.Sprintf("%02d:%02d", p.tokens.number(10, 11), minute)
	for _, before := range f.entries {
		if began, err := time.Parse(timeOfDay, before.value); err == nil {
			e.value = began.Add(time.Duration(p.tokens.number(3, 19)) * 30 * time.Minute).Format(timeOfDay)
		}
	}
}

// hours is how long it is from the first time of day that was entered to the next; 0 where
// there are no two.
func (f filling) hours() float64 {
	var began *time.Time
	for _, e := range f.entries {
		at, err := time.Parse(timeOfDay, e.value)
		switch {
		case err != nil || e.control.Type != "time":
		case began == nil:
			began = &at
		default:
			return at.Sub(*began).Hours()
		}
	}
	return 0
}

// birthLabel names the day on which somebody was born.
var birthLabel = regexp.MustCompile(`(?i)\b(birth\w*|born|dob)\b|出生|生日`)

// date is a day of the next months within the bounds of a field, or one on which an adult was born.
func (p *prover) date(c vitrine.Control, f interact.Facts) string {
	day := clock.AddDate(0, 0, p.tokens.number(20, 200)).Format(time.DateOnly)
	if birthLabel.MatchString(c.Name + " " + identifier(c.Path)) {
		day = clock.AddDate(-p.tokens.number(20, 60), 0, -p.tokens.number(20, 200)).Format(time.DateOnly)
	}
	if pastLabel.MatchString(c.Name + " " + identifier(c.Path) + " " + f.FieldName) {
		day = clock.AddDate(0, 0, -p.tokens.number(1, 60)).Format(time.DateOnly)
	}
	if f.Min != "" && day < f.Min {
		day = f.Min
	}
	if f.Max != "" && day > f.Max {
		day = f.Max
	}
	return day
}

// pastLabel names days that have been.
var pastLabel = regexp.MustCompile(`(?i)\b(production|purchase[ds]?|manufactur\w*|made|hired?|joined|founded|acquired|published|watched|incident|occurred|visited|received|issued)\b|生产|购买|入职`)

// dayBefore is a day of the ten up to the last one, each time another, and none before the first.
func (p *prover) dayBefore(first, last string) string {
	day, err := time.Parse(time.DateOnly, last)
	if err != nil {
		return last
	}
	if p.dayBack == 0 {
		p.dayBack = p.tokens.number(1, 10)
	}
	p.dayBack = p.dayBack%10 + 1
	if back := day.AddDate(0, 0, 1-p.dayBack).Format(time.DateOnly); first == "" || back >= first {
		return back
	}
	return last
}
