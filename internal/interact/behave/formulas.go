package behave

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A role is a number that goes into a formula: how its field is labelled, and which numbers a
// person would enter there.
type role struct {
	label     *regexp.Regexp
	low, high int
	date      bool
}

// A formula is what everybody knows that a noun stands for: the numbers that follow from its roles,
// or, where it has none, from all that is entered. It is enough that one of them is shown.
type formula struct {
	noun  *regexp.Regexp
	roles []role
	of    func(x []float64) []float64
	extra *regexp.Regexp // labels of fields that add to the result and have no role, though one matches; nil for none
}

func known(noun string, of func(x []float64) []float64, roles ...role) formula {
	return formula{noun: regexp.MustCompile(`(?i)` + noun), roles: roles, of: of}
}

// loanBy is a formula of the payments of a loan, to which many pages add taxes and the like.
func loanBy(of func(x []float64) []float64, roles ...role) formula {
	f := known(loanNoun, of, roles...)
	f.extra = beyondLoan
	return f
}

var beyondLoan = regexp.MustCompile(`(?i)\b(tax(es)?|insurance|trade[- ]?in|fees?|balloon|residual|extra|hoa|pmi)\b`)

func takes(label string, low, high int) role {
	return role{regexp.MustCompile(`(?i)` + label), low, high, false}
}

var (
	sumOf     = takes(`\b(bill|check|amount|price|cost|sub ?total|value|original|net|gross|number|sum|total)\b|金额|原价|价格|账单|消费`, 113, 971)
	loanOf    = takes(`\b(principal|principle|loan|amount|price|deposit|invest(ment|ed)?|balance|borrow(ed)?|home|house|property|value|initial|starting)\b|本金|金额|贷款|总额|房价`, 12100, 97300)
	rateOf    = takes(`%|\b(rate|interest|percent(age)?|apr|roi|annual|return)\b|利率|收益率`, 3, 14)
	shareOf   = takes(`%|\b(percent(age)?|tips?|rate|tax|vat|gst|discount|off|service|quality)\b|折扣|税率|比例|百分`, 7, 29)
	termOf    = takes(`\b(years?|months?|time|term|tenure|duration|period|length|yrs?)\b|年|月|期`, 3, 24)
	yearsOf   = takes(`\b(years?|yrs?)\b|年`, 3, 24)
	monthOf   = takes(`\bmonths?\b|月`, 1, 11)
	headsOf   = takes(`\b(people|persons?|guests?|diners?|split|heads?|friends|number of|ways|sharing|peopleamt)\b|人数`, 2, 9)
	weightOf  = takes(`\b(weights?|mass|kgs?|kilo(gram)?s?|lbs?|pounds?)\b|体重`, 52, 93)
	heightOf  = takes(`\b(height|cms?|centimet(er|re)s?|tall|h(ei|ie)ght)\b|身高`, 151, 193)
	feetOf    = takes(`\b(feet|foot|ft)\b`, 5, 6)
	inchOf    = takes(`\b(inch(es)?|in)\b`, 1, 11)
	wayOf     = takes(`\b(distance|miles?|kms?|kilomet(er|re)s?|trip|route|length)\b|距离|里程`, 113, 971)
	fuelOf    = takes(`\b(fuel|lit(er|re)s?|gallons?|gas|used|consum(ed|ption)|filled|amount)\b|油量|油耗`, 11, 67)
	mileageOf = takes(`\b(efficiency|mileage|mpg|consumption|economy|per|km/l)\b|油耗`, 6, 29)
	priceOf   = takes(`\b(price|cost|rate)\b|油价|价格`, 2, 9)
	countOf   = takes(`\b(quantity|qty|number|count|how many|items?|pieces?|units?)\b|数量`, 3, 29)
	downOf    = takes(`\b(down|deposit)\b|首付`, 1100, 9700)
	downPart  = takes(`\b(down|deposit)\b.*%|首付.*%`, 5, 29)
	anyOf     = takes(`\b$^`, 13, 97)
)

const (
	loanNoun  = `\b(loans?|mortgages?|emi|amorti[sz]\w+)\b|贷款|按揭`
	tipNoun   = `\btip\b|\bgratuity\b|\bsplit|小费|\bbills?\b.*\b(share|divid)`
	fuelNoun  = `\b(fuel|mileage|gas)\b|油耗|油费`
	pieceNoun = `^percent(age)?s?\b|百分比|百分数`
)

// formulas are known ones. A noun may have several: the page has one of them.
var formulas = []formula{
	known(`\bbmi\b|\bbody mass\b`, func(x []float64) []float64 {
		h := 12*x[1] + x[2]
		return []float64{703 * x[0] / (h * h), x[0] / sq(0.0254*h)}
	}, weightOf, feetOf, inchOf),
	known(`\bbmi\b|\bbody mass\b|体质指数`, func(x []float64) []float64 {
		w, h := x[0], x[1]
		return []float64{w / (h * h / 1e4), w / (h * h), 703 * w / (h * h), 0.45359237 * w / (h * h / 1e4), 0.45359237 * w / (h * h), w / sq(0.3048*h), w / sq(0.0254*h), 703 * w / sq(12*h)}
	}, weightOf, heightOf),

	known(tipNoun, func(x []float64) []float64 { return []float64{x[0] * x[1] / 100, x[0] * (1 + x[1]/100)} }, sumOf, shareOf),
	known(tipNoun, func(x []float64) []float64 {
		return []float64{x[0] * x[1] / 100 / x[2], x[0] * (1 + x[1]/100) / x[2]}
	}, sumOf, shareOf, headsOf),
	known(`\bsplit|\bbills?\b.*\b(share|divid)`, func(x []float64) []float64 { return []float64{x[0] / x[1]} }, sumOf, headsOf),

	known(pieceNoun, func(x []float64) []float64 {
		return []float64{x[0] * x[1] / 100, x[0] / x[1] * 100, x[0] * (1 + x[1]/100), x[0] * (1 - x[1]/100), (x[0] - x[1]) / x[1] * 100, math.Abs(x[0]-x[1]) / x[1] * 100}
	}, anyOf, anyOf),
	known(`\bdiscount calculator\b|\bdiscounts?\b.*(%|\bpercent)|(%|\bpercent).*\bdiscount|\bsale price\b`, func(x []float64) []float64 { return []float64{x[0] * x[1] / 100, x[0] * (1 - x[1]/100)} }, sumOf, shareOf),
	known(`折扣`, func(x []float64) []float64 {
		return []float64{x[0] * x[1] / 100, x[0] * (1 - x[1]/100), x[0] * x[1] / 10, x[0] * (1 - x[1]/10)}
	}, sumOf, shareOf),

	loanBy(func(x []float64) []float64 { return payments(x[0]*(1-x[3]/100), x[1], x[2]) }, loanOf, rateOf, termOf, downPart),
	loanBy(func(x []float64) []float64 { return payments(x[0]-x[3], x[1], x[2]) }, loanOf, rateOf, termOf, downOf),
	loanBy(func(x []float64) []float64 { return payments(x[0], x[1], x[2]) }, loanOf, rateOf, termOf),
	loanBy(func(x []float64) []float64 { return payments(x[0], x[1], x[2]+x[3]/12)[:3] }, loanOf, rateOf, yearsOf, monthOf),

	known(`\bsimple interest\b`, func(x []float64) []float64 {
		i := x[0] * x[1] * x[2] / 100
		return []float64{i, x[0] + i, i / 12, x[0] + i/12}
	}, loanOf, rateOf, termOf),

	known(`\baverages?\b|\bmean\b|平均`, func(x []float64) []float64 { return []float64{mean(x)} }),
	known(fuelNoun, func(x []float64) []float64 { return []float64{x[0] / x[1], x[1] / x[0] * 100} }, wayOf, fuelOf),
	known(fuelNoun, func(x []float64) []float64 {
		return []float64{x[0] / x[1] * x[2], x[0] * x[1] / 100 * x[2]}
	}, wayOf, mileageOf, priceOf),
	known(statedPrice.String(), func(x []float64) []float64 { return []float64{x[0] * x[1]} }, priceStated, countOf),
	known(statedPrice.String(), func(x []float64) []float64 {
		return []float64{x[0] * x[1] * (1 + x[2]/100), x[0] * x[1] * (1 - x[2]/100)}
	}, priceStated, countOf, shareStated),
	known(statedShare.String(), func(x []float64) []float64 {
		return []float64{x[0] * x[1] / 100, x[0] * (1 + x[1]/100), x[0] * (1 - x[1]/100)}
	}, sumOf, shareStated),

	known(`\bage\b|年龄`, func(x []float64) []float64 { return []float64{ageOn(clock, x[0])} }, birthOf),
	known(`\bage\b|年龄`, func(x []float64) []float64 { return []float64{float64(clock.Year()-1) - x[0]} }, yearOf, monthOf, dayOf),
}

// payments are the equal monthly payments by which a loan is paid back, its sum and the interest in
// it, at a rate a year in percent, for a term in years or in months.
func payments(loan, rate, term float64) (all []float64) {
	for _, months := range []float64{12 * term, term} {
		m := rate / 1200
		each := loan * m / (1 - math.Pow(1+m, -months))
		all = append(all, each, each*months, each*months-loan)
	}
	return all
}

// statedPrice and statedShare are numbers of the instruction that go into a result, as in "at $5
// each" and "with 8 % tax".
var (
	statedPrice = regexp.MustCompile(`(?i)[$€£₹]\s?(\d+(?:\.\d+)?)\s*(?:/|each\b|apiece\b|per\b|a piece\b|an? \w+\b)`)
	statedShare = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s?(?:%|percent)\s*(?:\w+ )?(?:tax|tip|vat|gst|discount|off|commission|fee|gratuity|service)\b`)
	priceStated = takes(`^stated price$`, 0, 0)
	shareStated = takes(`^stated %$`, 0, 0)
)

// statedNumbers are the numbers that the instruction gives, each where it gives one of its kind.
func statedNumbers(asked string) (all []arg) {
	for _, s := range []struct {
		text  *regexp.Regexp
		label string
	}{{statedPrice, "stated price"}, {statedShare, "stated %"}} {
		found := map[string]bool{}
		for _, m := range s.text.FindAllStringSubmatch(asked, -1) {
			found[m[1]] = true
		}
		for text := range found {
			if n, ok := number(text); ok && len(found) == 1 && !(s.label == "stated price" && furtherCosts.MatchString(asked)) {
				all = append(all, arg{label: s.label, path: s.label, value: n})
			}
		}
	}
	return all
}

var furtherCosts = regexp.MustCompile(`(?i)\b(shipping|delivery|fees?|deposit)\b`)

// stated counts the roles of a formula that the instruction gives; -1 where it does not give one.
func (f formula) stated(given []arg) (n int) {
	for _, r := range f.roles {
		if !strings.Contains(r.label.String(), "^stated ") {
			continue
		}
		if !slices.ContainsFunc(given, func(a arg) bool { return r.label.MatchString(a.label) }) {
			return -1
		}
		n++
	}
	return n
}

var (
	birthOf = role{label: anyOf.label, date: true}
	dayOf   = takes(`\b(days?|dd)\b|日`, 2, 27)
	yearOf  = takes(`\b(years?|yyyy)\b|年`, 1961, 2007)

	sumsOfTwo = []formula{known(``, func(x []float64) []float64 {
		return []float64{x[0] + x[1], x[0] - x[1], x[0] * x[1], x[0] / x[1], math.Pow(x[0], x[1])}
	}, anyOf, anyOf)}
)

func sq(x float64) float64 { return x * x }

func mean(x []float64) (sum float64) {
	for _, n := range x {
		sum += n
	}
	return sum / float64(len(x))
}

func ageOn(at time.Time, born float64) float64 {
	b := time.Unix(int64(born), 0).UTC()
	years := at.Year() - b.Year()
	if at.YearDay() < b.YearDay() {
		years--
	}
	return float64(years)
}

// otherNouns make another calculation of a known one: the age of a dog, a weighted average, whether
// to refinance a loan, a bill of single dishes, a price with a code.
var otherNouns = regexp.MustCompile(`(?i)\b(dogs?|cats?|pets?|biological|gestational|weighted|c?gpa|grades?|fat|calories?|download|upload|internet|typing|reading|wind|carbon|refinanc\w+|payoff|eligib\w+|affordab\w+|compar\w+|(re)?payment date|due date|promo(tion)? codes?|vouchers?|dish(es)?|itemi[sz]ed)\b`)

func formulasOf(asked string) (all []formula) {
	for _, f := range formulas {
		if f.noun.MatchString(asked) {
			all = append(all, f)
		}
	}
	return all
}
