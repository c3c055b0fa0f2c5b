package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

const operation = `\b(add(s|ition)?|plus|subtract(s|ion)?|minus|multipl(y|ies|ication)|times|divi(de|des|sion))\b`

var (
	convertWords     = regexp.MustCompile(`(?i)\bconver(t|ts|ters?|tors?|sions?|ting)\b|换算|转换|互转`)
	otherConversions = regexp.MustCompile(`(?i)\bconversion rates?\b|\btime ?zones?\b|\bleads\b|\bastronomical\b|\blight[- ]years?\b|\bsizes?\b`)
	unitWords        = regexp.MustCompile(`(?i)\bunits?\b|\b(lengths?|distances?|weights?|mass|temperatures?|volumes?|pressure|energy)\b|单位|长度|重量|温度|体积|面积`)
	currencyWords    = regexp.MustCompile(`(?i)\b(currency|currencies|exchange rates?|forex|euros?|dollars?|rupees?|yen|usd|eur|gbp|inr)\b|货币|汇率|外汇|币种`)
	exchangeWords    = regexp.MustCompile(`(?i)\bexchang(e|es|ing)\b|汇率|外汇`)
	// plainCalculator names one that only does sums: no noun says of what, or operations are named.
	plainCalculator = regexp.MustCompile(`(?i)(^|\b(an?|the|my|simple|basic|plain|pocket|standard|scientific|working|functional|desk|online|web|digital|maths?|arithmetic|four[- ]function|keypad)) *calculator( app| application| page| website)?\W*($|[.,;:(]|with\b|using\b|in\b)|\bcalculator (that|which|to) (adds?|subtracts?|multipl(y|ies)|divides?|sums?)\b|` +
		operation + `.*` + operation + `|^\s*(简单|科学)?计算器\s*$`)
	// otherCalculator names what is calculated otherwise than by keys.
	otherCalculator = regexp.MustCompile(`(?i)\b(age|area|perimeter|shipping|calorie|carbon|footprint|budget|salary|tax|savings?|retirement|pregnancy|date|time|grade|gpa|roi|profit|currency|price|cost|quote|investment|fuel|speed|velocity)s?\b[\w -]*\bcalculator\b`)
)

// request is what the instruction has a site calculate: the words that ask for it and the
// sentences around them. It decides which proof is required.
func (p *prover) request() (asked string) {
	asked = p.noun() + ". "
	for _, sentence := range sentenceEnd.Split(p.instruction, -1) {
		if strings.Contains(strings.ToLower(sentence), strings.ToLower(p.need.Quote)) {
			asked += sentence + ". "
		}
	}
	return asked
}

var sentenceEnd = regexp.MustCompile(`[.!?;]\s|\n|[。！？；]`)

// A proof is one way in which a form can be shown to calculate what was asked for. It says what
// is wrong, or nothing where it holds.
type proof func(ctx context.Context, h hit, words []string) (why string)

// proofs are those of which the instruction requires one; none where it names nothing that is known.
func (p *prover) proofs() (all []proof) {
	asked := p.request()
	converts := p.converts()
	switch {
	case exchangeWords.MatchString(p.noun()) || converts && currencyWords.MatchString(asked):
		return []proof{p.misexchanges}
	case converts && (unitWords.MatchString(asked) || len(unitsIn(p.noun())) > 0):
		return []proof{p.unconverted}
	case converts:
		return nil
	}
	if p.plain() {
		all = []proof{p.follow(sumsOfTwo), p.misevaluates}
	}
	if known := p.formulas(); len(known) > 0 {
		all = append(all, p.follow(known))
	}
	return all
}

// converts reports whether a converter is asked for.
func (p *prover) converts() bool {
	return convertWords.MatchString(p.noun()) && !otherConversions.MatchString(p.request())
}

// plain reports whether a calculator is asked for and not of what.
func (p *prover) plain() bool {
	return slices.ContainsFunc(strings.Split(p.request(), ". ")[1:], plainCalculator.MatchString)
}

// formulas are those of the noun that is asked for, or else of the numbers that the instruction
// gives: the ones that take most of them, as a total with tax is not shown by the one without.
func (p *prover) formulas() []formula {
	if otherNouns.MatchString(p.request()) {
		return nil
	}
	unstated := func(asked string) []formula {
		return slices.DeleteFunc(formulasOf(asked), func(f formula) bool { return f.stated(nil) < 0 })
	}
	if known := unstated(p.noun()); len(known) > 0 {
		return known
	}
	if known := unstated(p.request()); len(known) > 0 && len(p.request()) < 160 { // of a longer one it may be something else
		return known
	}
	known, given, most := formulasOf(p.request()), statedNumbers(p.instruction), 1
	for _, f := range known {
		most = max(most, f.stated(given))
	}
	return slices.DeleteFunc(known, func(f formula) bool { return f.stated(given) < most })
}

// noun is what is calculated, in the words that ask for it.
func (p *prover) noun() string { return strings.TrimSpace(p.need.Entity + " " + p.need.Quote) }

func (p *prover) follow(known []formula) proof {
	return func(ctx context.Context, h hit, words []string) string { return p.misformed(ctx, h, words, known) }
}

// takesKeypad reports whether keys with digits and signs are what was asked for.
func (p *prover) takesKeypad() bool {
	return !p.converts() && (p.plain() || len(p.formulas()) == 0 && !otherCalculator.MatchString(p.request()))
}

// proved tries the required proofs on the likeliest forms, and gives the one for which one holds.
func (p *prover) proved(ctx context.Context, words []string, required []proof) (a answer, form string) {
	best := absent("no field whose value could be calculated with")
	for _, h := range top(p.inputs(words), 5) {
		for _, wrong := range required {
			why := wrong(ctx, h, words)
			if why == "" {
				return works("it calculates what was asked for: the numbers are right"), h.form.Path
			}
			if best.verdict == vitrine.VerdictAbsent {
				best = fails("%s", why)
			}
		}
	}
	return best, ""
}

// mistakes is what is wrong with a calculation of the site that everybody knows, but for a form
// that was tried already.
func (p *prover) mistakes(ctx context.Context, words []string, but string) string {
	for _, each := range top(p.inputs(words), 4) {
		if each.form.Path == but {
			if why := p.misknown(ctx, each, words); why != "" {
				return why
			}
			continue
		}
		for _, mistake := range []func(context.Context, hit, []string) string{p.misconverts, p.misknown} {
			if why := mistake(ctx, each, words); why != "" {
				return why
			}
		}
	}
	return ""
}
