package behave

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

const boundNumber = `[^\d\n]{0,3}(\d[\d,]*(?:\.\d+)?)`

var (
	saysBetween = regexp.MustCompile(`(?i)\b(?:between|from|must be|range|allowed:)\s` + boundNumber + `\s*(?:and|to|-|–)\s*` + boundNumber)
	saysLeast   = regexp.MustCompile(`(?i)\b(?:at least|minimum(?: of| is)?|min\.?|(?:no|not) less than|above|over|more than)\s` + boundNumber)
	saysMost    = regexp.MustCompile(`(?i)\b(?:at most|maximum(?: of| is)?|max\.?|(?:no|not) more than|up to|(?:not|cannot) exceed|below|under|less than|(?:exceed\w*|over|beyond|above)(?: \w+){1,4} of|(?:capacity|limit|budget|balance|stock)(?: \w+)? (?:of|is)|(?:capacity|limit|budget|balance|stock)(?: left)?[:(]|(?:exceed\w*|over|beyond)(?: \w+){0,4}? (?:capacity|limit|budget|balance|stock) \()\s?` + boundNumber)
	saysLeft    = regexp.MustCompile(`(?i)(?:\bonly(?: have)?|\bthere (?:are|is)|\byou have|\bnot enough\b[^\d\n]*)\s` + boundNumber + `\s?[€$£]?\s?(?:\w+\s){0,3}(?:left|available|remain\w*|in stock|free|fit)\b`)
	told        = regexp.MustCompile(`(?i)^\W*(enter|bring|choose|use|give|type|pick|set)\b|\byou can\b|\bonly\b|\bno more than\b|\bat most\b`) // how to do better
	ofLetters   = regexp.MustCompile(`(?i)\b(characters?|letters?|words?|digits?)\b`)
)

// boundsSaid are the limits of numbers that lines of a refusal name, "bring between 200 and 2,000 chips".
func boundsSaid(lines []string) (low, high float64, ok bool) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, line := range lines {
		if ofLetters.MatchString(line) || !refusal.MatchString(line) && !told.MatchString(line) {
			continue
		}
		if m := saysBetween.FindStringSubmatch(line); m != nil {
			a, _ := number(m[1])
			b, _ := number(m[2])
			low, high = max(low, a), min(high, b)
			continue
		}
		if m := saysLeast.FindStringSubmatch(line); m != nil {
			n, _ := number(m[1])
			low = max(low, n)
		}
		for _, most := range []*regexp.Regexp{saysMost, saysLeft} {
			if m := most.FindStringSubmatch(line); m != nil {
				n, _ := number(m[1])
				high = min(high, n)
			}
		}
	}
	return low, high, low <= high && (!math.IsInf(low, -1) || !math.IsInf(high, 1))
}

// obey enters other numbers, within the limits by which the page refused those that were entered.
func (p *prover) obey(ctx context.Context, v *view, f *filling, said []string) (obeyed bool) {
	if f.futureRefused(said) {
		for i, e := range f.entries {
			if e.control.Type == "date" && e.value > clock.Format(time.DateOnly) {
				f.entries[i].value = clock.AddDate(0, 0, -p.tokens.number(1, 20)).Format(time.DateOnly)
				p.write(ctx, e.control.Path, f.entries[i].value)
				obeyed = true
			}
		}
	}
	for _, i := range f.wordsRefused(v, said) {
		e := &f.entries[i]
		if p.obeyed == nil {
			p.obeyed = map[string]string{}
		}
		p.obeyed[placeOfField(e.control, e.facts)] = exampleSaid(said)
		p.obeyAt(e)
		p.write(ctx, e.control.Path, e.value)
		obeyed = true
	}
	low, high, ok := boundsSaid(said)
	if !ok {
		return obeyed
	}
	const most = 1e9 // no page means more, and integers end
	from := max(low, 1)
	if from > most {
		return obeyed
	}
	to := min(high, from+50)
	for i, e := range f.entries {
		if !e.isNum || e.amount >= low && e.amount <= high {
			continue
		}
		least, largest := from, max(from, to)
		if first, given := number(e.control.Value); given && first > 0 && first <= high { // the limit may be of another field, and this one's near the value that it came with
			if a, b := max(from, math.Ceil(first/2)), min(high, math.Floor(1.5*first)+1); a <= b {
				least, largest = a, b
			}
		}
		n := p.tokens.number(int(math.Ceil(least)), int(math.Floor(largest)))
		f.entries[i].amount, f.entries[i].value = float64(n), fmt.Sprint(n)
		p.write(ctx, e.control.Path, f.entries[i].value)
		obeyed = true
	}
	return obeyed
}

// noFuture are refusals of days to come.
var noFuture = regexp.MustCompile(`(?i)\b(in|of) the future\b|\bfuture dates?\b|\b(later|after) than today\b|\bnot be (after|later than) today\b|将来|未来`)

// futureRefused reports whether a day to come was entered and refused as one.
func (f filling) futureRefused(said []string) bool {
	return slices.ContainsFunc(said, noFuture.MatchString) && slices.ContainsFunc(f.entries, func(e entry) bool {
		return e.control.Type == "date" && e.value > clock.Format(time.DateOnly)
	})
}

// obeyAt decides what is entered into a field that was refused for its words before: an example
// of the page, or a number.
func (p *prover) obeyAt(e *entry) (obeyed bool) {
	example, obeyed := p.obeyed[placeOfField(e.control, e.facts)]
	if !obeyed {
		return false
	}
	e.token, e.value = "", example
	if e.value == "" {
		e.value = fmt.Sprint(p.tokens.number(11, 99))
	}
	e.amount, e.isNum = number(e.value)
	return true
}

var (
	// asksNumber are refusals of words where a number is wanted.
	asksNumber = regexp.MustCompile(`(?i)\b(enter|be|use|type|only|expects?) (an? |the )?((whole|positive|valid|plain|natural) )*(numbers?|numeric|digits)\b`)
	forbids    = regexp.MustCompile(`(?i)\b(not|no|never|without|letters)\b`)
	// saysExample is a refusal that shows what is taken: "use the form 22:00-07:00".
	saysExample = regexp.MustCompile(`(?i)(?:\be\.g\.|\bsuch as|\bfor example|\buse the form(?:at)?)[\s,:]*["“'(]?([\w+#][\w+:/.#-]{1,30}\w(?: \d\w{1,4}\b)?)`)
)

// exampleSaid is what lines of a refusal show as an example, of which a part is a number.
func exampleSaid(lines []string) string {
	for _, line := range lines {
		if strings.Contains(line, "@") || !refusal.MatchString(line) && !told.MatchString(line) {
			continue
		}
		if m := saysExample.FindStringSubmatch(line); m != nil && strings.ContainsAny(m[1], "0123456789") {
			return m[1]
		}
	}
	return ""
}

// wordsRefused are the entries to replace where a refusal wants numbers, or shows an example:
// words in fields of text, but for the first, by which the entry is found. They are those that
// the page marks; an example is of one field alone. The view may be nil.
func (f filling) wordsRefused(v *view, said []string) (at []int) {
	example := exampleSaid(said) != ""
	if !example && !slices.ContainsFunc(said, func(line string) bool {
		return asksNumber.MatchString(line) && !forbids.MatchString(line) && (refusal.MatchString(line) || told.MatchString(line))
	}) {
		return nil
	}
	found := false
	var marked []int
	for i, e := range f.entries {
		switch {
		case e.token == "" || e.isNum || e.control.Tag != "input" || e.control.Type != "" && e.control.Type != "text" || strings.ContainsAny(e.token, "0123456789") && !(example && v != nil && v.marks(e.control.Path, said)):
		case !found:
			found = true
		default:
			at = append(at, i)
			if v != nil && v.marks(e.control.Path, said) {
				marked = append(marked, i)
			}
		}
	}
	if len(marked) > 0 {
		return marked
	}
	if example && len(at) > 1 {
		return nil
	}
	return at
}

// marks reports whether a field is marked as wrong, or has what is said in its label.
func (v *view) marks(path string, said []string) bool {
	c, _, ok := v.control(path)
	return ok && (slices.Contains(c.States, "invalid") || slices.ContainsFunc(said, func(line string) bool { return strings.Contains(c.Name, line) }))
}

// refusedFor reports whether a refusal names a limit, or today as the last day, and what was entered is beyond it, or wants numbers
// or an example where words were entered.
func (f filling) refusedFor(v *view, said []string) bool {
	low, high, ok := boundsSaid(said)
	return f.futureRefused(said) || len(f.wordsRefused(v, said)) > 0 || ok && slices.ContainsFunc(f.entries, func(e entry) bool { return e.isNum && (e.amount < low || e.amount > high) })
}
