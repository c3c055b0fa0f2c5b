package measured

import (
	"fmt"
	"regexp"
	"strings"

	"vitrine"
)

// filler are texts that stand where a text should be.
var filler = regexp.MustCompile(`(?i)\b(lorem ipsum|dolor sit amet|consectetur adipisc|(text|content|title|description|name|heading|image|price) goes here|placeholder (text|image|content)|this is (a |an )?(sample|placeholder|dummy|example) (text|paragraph|description|content|sentence)|insert (your )?(text|content|title|image) here|foo bar)\b|^(your |some |sample |dummy |placeholder |example )?(text|content|title|heading|description|caption|paragraph|subtitle|headline)( goes)? here$|^(your|sample|dummy|placeholder|example) (text|content|title|heading|description|caption|paragraph)$`)

// numbered are texts that name no thing but its number.
var numbered = regexp.MustCompile(`(?i)^(card|feature|item|product|service|section|title|heading|subtitle|description|content|text|paragraph|image|photo|picture|link|button|menu item|option|category|post|article|news|project|testimonial|name|user|column|row|block|box|widget|module|component|element|test|sample|example|option)( (title|name|heading|item|text|description|content|link|image))? ?#?(\d{1,3}|[a-h]|one|two|three|four|five|six)$`)

// fillerText asks how many of the texts stand for texts that were never written: lorem ipsum,
// "Your text here", "Card title 1" beside "Card title 2".
// What the instruction numbers itself, as "box 1", is a name.
func fillerText(in *input) vitrine.Finding {
	named := map[string]bool{}
	for _, m := range numberedAsked.FindAllStringSubmatch(in.asked.text, -1) {
		named[strings.ToLower(m[1])] = true
	}
	return eachView("There is no text to read.", func(f *viewFacts) (reading, bool) { return f.fillerText(named) })(in)
}

// numberedAsked is a noun with a number in an instruction.
var numberedAsked = regexp.MustCompile(`(?i)\b(\pL+) ?#?\d{1,3}\b`)

func (f *viewFacts) fillerText(named map[string]bool) (reading, bool) {
	all, inFiller, texts, counted := 0, 0, 0, 0
	counting := 0
	r := reading{score: 1, why: "No text stands for one that was not written."}
	for _, b := range f.blocks() {
		if b.Role == "code" || b.Role == "field" || b.Role == "drawing" || b.Role == "alt" {
			continue
		}
		n := len(tokens(b.Text))
		all += n
		s := strings.TrimSpace(b.Text)
		switch {
		case filler.MatchString(s):
			inFiller, texts = inFiller+n, texts+1
		case numbered.MatchString(s) && !named[strings.ToLower(numbered.FindStringSubmatch(s)[1])]:
			counting, counted = counting+n, counted+1
		default:
			continue
		}
		r.where = append(r.where, f.place(b.Box, quote(s)))
	}
	if all < 5 {
		return reading{}, false
	}
	if counted >= 3 {
		inFiller, texts = inFiller+counting, texts+counted
	}
	if texts > 0 {
		part := share(inFiller, all)
		r.score = min(1-0.05*float64(min(texts, 4)), ramp(part, 0.4, 0.05))
		r.why = fmt.Sprintf("%s for one that was not written, such as %s; they have %s of the words.", plural(texts, "text stands", "texts stand"), r.where[0].Label, percent(part))
	}
	return r, true
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
