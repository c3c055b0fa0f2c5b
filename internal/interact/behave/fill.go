package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// An entry is what was entered into one field.
type entry struct {
	control vitrine.Control
	facts   interact.Facts
	value   string
	token   string // the part of the value that the page cannot foresee; empty for fields of other kinds
	amount  float64
	isNum   bool
}

// A filling is what was entered into a form.
type filling struct {
	form     interact.Form
	entries  []entry
	stages   int      // steps that the form had
	issued   []string // codes that the page gave for it
	previews          // of rows that showed what was entered before it was sent off
}

// words are the texts by which what was entered is found, the titles before the rest.
func (f filling) words() (all []string) {
	for _, e := range f.entries {
		if e.token != "" && e.control.Type != "password" {
			all = append(all, e.token)
		}
	}
	return all
}

// tokens are the words, or else times of day and numbers of three digits, as an alarm or a
// measurement takes nothing else.
func (f filling) tokens() []string {
	all := f.words()
	if len(all) > 0 {
		return all
	}
	for _, e := range f.entries {
		if e.control.Type == "time" || e.isNum && e.amount >= 100 {
			all = append(all, e.value)
		}
	}
	return all
}

var (
	numericLabel = regexp.MustCompile(`(?i)\b(amount|price|cost|qty|quantity|number of|age|budget|salary|income|total|count|minutes|hours|guests|people|rate|stock|weight|height|points|score|limit|duration|sets|reps|calories|distance|balance|year)\b|数量|价格|金额`)
	phoneLabel   = regexp.MustCompile(`(?i)phone|mobile|\btel\b|电话|手机`)
	countryCode  = regexp.MustCompile(`(?i)\b(country code|international)\b`)
	phoneShown   = regexp.MustCompile(`^(e\.g\. *)?\+\d[\d\s()-]{6,}$`)
	mailLabel    = regexp.MustCompile(`(?i)e-?mail|邮箱`)
	urlLabel     = regexp.MustCompile(`(?i)\burl\b|\bweb (address|link|page)\b|网址|链接`)
	dateLabel    = regexp.MustCompile(`(?i)\bdate\b|\bdeadline\b|日期`)
	optionalCode = regexp.MustCompile(`(?i)\boptional\b.*\b(cards?|codes?|coupons?|vouchers?|promo\w*|member\w*)\b|\b(cards?|codes?|coupons?|vouchers?|promo\w*|member\w*)\b.*\boptional\b`) // any other is refused
	titleLabel   = regexp.MustCompile(`(?i)\b(title|question|subject|headline|summary)\b|标题|问题`)
	placeholder  = regexp.MustCompile(`(?i)^(|-+.*|select.*|choose.*|pick.*|all\b.*|any\b.*|请选择.*)$|…|\.\.\.`)
)

// fill enters tokens into the fields of a form, each by its type, in order.
func (p *prover) fill(ctx context.Context, v *view, form interact.Form) filling {
	out := filling{form: form}
	groups, secret, chosen := map[string]bool{}, "", false
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		if ok && chosen && c.Type == "date" { // what is chosen may say which days there are
			v, chosen = p.look(ctx), false
			c, f, ok = v.control(path)
		}
		if !ok || off(c) || p.err != nil {
			continue
		}
		e := entry{control: c, facts: f}
		switch {
		case c.Type == "file":
			p.do(ctx, vitrine.Action{Kind: vitrine.ActUpload, Target: at(path), Text: interact.FileFor(f)})
			continue
		case c.Tag == "select":
			if e.value = p.listed(e, out); e.value != "" {
				p.choose(ctx, path, e.value)
				out.entries = append(out.entries, e)
				chosen = true
			}
			continue
		case c.Type == "checkbox" || c.Role == "checkbox":
			if slices.Contains(c.States, "required") {
				p.do(ctx, vitrine.Action{Kind: vitrine.ActCheck, Target: at(path)})
			}
			continue
		case c.Type == "radio" || c.Role == "radio":
			if group := radioGroup(c, f); !groups[group] {
				groups[group] = true
				p.do(ctx, vitrine.Action{Kind: vitrine.ActCheck, Target: at(p.fixedRadio(v, form, group, path))})
			}
			continue
		case c.Type == "color" && p.figures:
			e.value = fmt.Sprintf("#%06x", p.tokens.number(0x101010, 0xefefef))
			p.write(ctx, path, e.value)
			out.entries = append(out.entries, e)
			continue
		case c.Type == "range" || c.Type == "color" || c.Role == "slider" || optionalCode.MatchString(c.Name):
			continue
		}
		if e.value = p.fixed[keyOfField(c, f)]; e.value == "" {
			if !p.obeyAt(&e) {
				p.text(&e, &secret)
			}
			out.inOrder(&e)
			out.laterThatDay(p, &e)
		}
		p.write(ctx, path, e.value)
		out.entries = append(out.entries, e)
	}
	return out
}

// radioGroup names a set of radio buttons: by the name of its inputs or, for elements with the
// ARIA role, by the path of their parent.
func radioGroup(c vitrine.Control, f interact.Facts) string {
	if c.Type == "radio" {
		return f.Group
	}
	return upper(c.Path, 1)
}

// text decides what is typed into a field.
func (p *prover) text(e *entry, secret *string) {
	c, f := e.control, e.facts
	about := strings.Join([]string{c.Name, f.FieldName, f.Placeholder, identifier(c.Path)}, " ")
	word := p.tokens.word()
	switch {
	case c.Type == "password":
		if *secret == "" {
			*secret = word + "!7q" + fmt.Sprint(p.tokens.number(10, 99))
		}
		e.value = *secret
	case c.Type == "email" || mailLabel.MatchString(about):
		e.token = strings.ToLower(word)
		e.value = e.token + "@example.org"
	case c.Type == "url" || c.Type == "text" && (urlLabel.MatchString(about) || strings.HasPrefix(f.Placeholder, "http") || strings.HasPrefix(c.Value, "http")):
		e.token = strings.ToLower(word)
		e.value = "https://" + e.token + ".example.org/?utm_source=mail&n=7"
	case c.Type == "tel" || phoneLabel.MatchString(about) || phoneShown.MatchString(f.Placeholder):
		e.token = fmt.Sprintf("555%07d", p.tokens.number(1000000, 9999999))
		if e.value = e.token; strings.Contains(about, "+") || countryCode.MatchString(about) {
			e.value = "+1" + e.token
		}
	case f.Pattern == "" && p.coded(e):
	case c.Type == "number" || c.Role == "spinbutton" || f.InputMode == "numeric" || f.InputMode == "decimal" || c.Type == "text" && (p.figures || numericLabel.MatchString(about)) && f.Pattern == "":
		e.isNum = true
		e.amount = float64(p.amount(about, f))
		e.value = fmt.Sprintf("%g", e.amount)
	case c.Type == "date" && c.Value != "" && f.Max != "" && (c.Value == f.Max || p.dayBack > 0):
		e.value = p.dayBefore(f.Min, f.Max) // the field takes no later day, and a day may have one entry only
	case c.Type == "date" && c.Value != "":
		e.value = c.Value // the day that is offered, as that of the calendar which is shown
	case c.Type == "date" || c.Type == "text" && dateLabel.MatchString(about):
		e.value = p.date(c, f)
	case c.Type == "time" || c.Type == "month" || c.Type == "week" || c.Type == "datetime-local" || f.Pattern != "":
		e.value = interact.FieldValue(c, f)
	default:
		e.token, e.value = word, word
		if c.Tag == "textarea" || titleLabel.MatchString(about) && c.Type == "text" {
			e.value = p.sentence(word)
		}
		if fullName.MatchString(about) {
			e.value = word + " " + p.tokens.word()
		}
		if f.MinLength > len(e.value) {
			e.value += strings.Repeat(" "+word, (min(f.MinLength, 400)-len(e.value))/(len(word)+1)+1)
		}
		if f.MaxLength > 0 && len(e.value) > f.MaxLength {
			e.value = strings.TrimSpace(e.value[:f.MaxLength])
			e.token = e.value[:min(len(e.token), len(e.value))]
		}
	}
}

// sentence is a word and more of its kind: many pages refuse a message of a few letters.
func (p *prover) sentence(word string) string {
	for range 4 {
		word += " " + strings.ToLower(p.tokens.word())
	}
	return word
}

// usualBounds are the numbers that people give of themselves: pages refuse others, and say
// so only then.
var usualBounds = []struct {
	named     *regexp.Regexp
	low, high int
}{
	{regexp.MustCompile(`(?i)^\W*((publication|release|graduation|model|construction|birth|start|end) )?year( (of \w+|built|published|released|made))?\W*$|\(year\b|年份`), 2001, 2024},
	{regexp.MustCompile(`(?i)\b(year of birth|birth year)\b|\bborn( in)?\W{0,2}year\b`), 1931, 1979},
	{regexp.MustCompile(`(?i)\b(year of death|death year)\b|\bdied( in)?\W{0,2}year\b`), 1991, 2019},
	{regexp.MustCompile(`(?i)\bage\b|how old|年龄`), 19, 79},
	{regexp.MustCompile(`(?i)\bsleep\b|睡眠`), 4, 11},
	{regexp.MustCompile(`(?i)percent|%`), 2, 98},
	{regexp.MustCompile(`(?i)\bsystolic\b|\bsys\b|收缩压`), 101, 159},
	{regexp.MustCompile(`(?i)\bdiastolic\b|\bdia\b|舒张压`), 61, 95},
	{regexp.MustCompile(`(?i)\b(pulse|heart ?rate|bpm)\b|心率`), 55, 99},
	{regexp.MustCompile(`(?i)\b(body weight|weight \(kg|weight in kg)`), 51, 119},
	{regexp.MustCompile(`(?i)\bheight \(cm|\bheight in cm`), 151, 195},
	{regexp.MustCompile(`(?i)\b(people|persons|guests|diners)\b`), 2, 9},
	{regexp.MustCompile(`(?i)^\W*(number of )?(adults|children|kids|nights|party size)\b`), 2, 5},
}

// rangeShown is a range that a label or a placeholder names: "30 – 55".
var rangeShown = regexp.MustCompile(`(?:^|[\s(])(\d+(?:\.\d+)?) ?(?:–|—|-|to|\.\.) ?(\d+(?:\.\d+)?)(?:$|[\s)%a-zA-Z])`)

// amount is a random number within the bounds of a field, with three digits where it may.
func (p *prover) amount(about string, f interact.Facts) int {
	low, high := 113, 971
	for _, b := range usualBounds {
		if b.named.MatchString(about) {
			low, high = b.low, b.high
		}
	}
	if most := p.limited(); most >= 20 { // of what is entered together: some of it must be left
		high = min(high, max(3, int(most)/4))
		low = min(low, max(1, high/3))
	}
	if m := rangeShown.FindStringSubmatch(about); m != nil {
		from, _ := number(m[1])
		to, _ := number(m[2])
		if int(math.Ceil(from)) < int(to) && to < 1e5 {
			low, high = int(math.Ceil(from)), int(to)
		}
	}
	if n, ok := number(f.Max); ok {
		high = min(high, int(min(n, 1e6)))
		low = min(low, high)
	}
	if n, ok := number(f.Min); ok {
		low = max(low, int(n))
		if high < low {
			low, high = int(n), int(n)+50
		}
	}
	if high-low < 3 {
		if n, ok := number(f.Min); ok {
			low = int(n)
		} else {
			low = 1
		}
	}
	n := p.tokens.number(low, high)
	if step := stepOf(f); step >= 2 {
		if n = int(snap(f, float64(n))); n < max(low, 1) {
			n += int(step)
		}
	}
	return n
}

// inOrder makes a day later than the one that was entered before it, by a few days, as the
// end of a stay is later than its beginning.
func (f filling) inOrder(e *entry) {
	for i := len(f.entries) - 1; i >= 0; i-- {
		before, err := time.Parse(time.DateOnly, f.entries[i].value)
		if err != nil {
			continue
		}
		day, err := time.Parse(time.DateOnly, e.value)
		if later := before.AddDate(0, 0, 2+day.Day()%5).Format(time.DateOnly); err == nil && (e.facts.Max == "" || later <= e.facts.Max) {
			e.value = later
		}
		return
	}
}

// unchosen is a list without the options that were chosen from other lists of the same options: a team does not
// play against itself.
func (f filling) unchosen(list interact.Facts) interact.Facts {
	rest := slices.DeleteFunc(slices.Clone(list.Options), func(o string) bool {
		return !noOne.MatchString(o) && slices.ContainsFunc(f.entries, func(e entry) bool {
			return e.control.Tag == "select" && e.value == o && slices.Equal(e.facts.Options, list.Options)
		})
	})
	if len(rest) > 0 {
		list.Options = rest
	}
	return list
}

// noOne is the option of a list that leaves open who or what it is.
var noOne = regexp.MustCompile(`(?i)^[\s–—-]*(unknown|not known|nobody|no one)[\s–—-]*$`)

// listed is the option that is chosen of a list: the fixed one, else one that no list of the same options has, else any.
func (p *prover) listed(e entry, f filling) string {
	if fixed := sameOption(e.facts, p.fixed[keyOfField(e.control, e.facts)]); fixed != "" {
		return fixed
	}
	if other := p.option(e.control, f.unchosen(e.facts)); other != "" {
		return other
	}
	return p.option(e.control, e.facts)
}

// option picks one of a list that is no placeholder.
func (p *prover) option(c vitrine.Control, f interact.Facts) string {
	var open []string
	for _, o := range f.Options {
		switch {
		case strings.HasPrefix(o, "\x00") || placeholder.MatchString(o):
		case noOne.MatchString(o) && !slices.Contains(c.States, "required"): // who may be named, as a mother, and need not be
			return o
		default:
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		return ""
	}
	return open[p.tokens.number(0, len(open)-1)]
}

// clock is the page time at which every site begins.
var clock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
