package vlm

import (
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"vitrine"
)

// Injection looks for text that is addressed to a judge, seen or hidden, in the
// evidence and in the code. The first finding, judge_injection, is 1 for none and 0
// for some; the second, hidden_text, says the same of text that a visitor cannot
// read. Each names its places. Neither changes a score: whoever reads them decides.
func Injection(ev *vitrine.Evidence, files []vitrine.File) []vitrine.Finding {
	if ev == nil && len(files) == 0 {
		return nil
	}
	var s scan
	if ev != nil {
		s.evidence(ev)
	}
	for _, f := range files {
		s.file(f)
	}
	return []vitrine.Finding{
		verdictOn("judge_injection", "No text is addressed to a judge.", "Text is addressed to the judge", s.addressed),
		verdictOn("hidden_text", "No text is hidden from visitors.", "Text is there that visitors cannot read", s.hidden),
	}
}

// maxPlaces bounds the places of a finding.
const maxPlaces = 12

func verdictOn(check, none, some string, places []vitrine.Place) vitrine.Finding {
	score := 1.0
	if len(places) == 0 {
		return vitrine.Finding{Check: check, Status: vitrine.StatusScored, Score: &score, Why: none}
	}
	score = 0
	return vitrine.Finding{
		Check: check, Status: vitrine.StatusScored, Score: &score,
		Why:   fmt.Sprintf("%s, in %d places; the first: %s.", some, len(places), places[0].Label),
		Where: places[:min(len(places), maxPlaces)],
	}
}

// scan gathers places, each text once.
type scan struct {
	addressed, hidden []vitrine.Place
	seen              map[string]bool
}

func (s *scan) evidence(ev *vitrine.Evidence) {
	for i := range ev.Views {
		v := &ev.Views[i]
		for k := range v.Elements {
			s.element(v, &v.Elements[k])
		}
		s.text(v, vitrine.Box{}, "title", v.Title, false)
		for _, n := range v.Accessibility {
			s.text(v, vitrine.Box{}, "accessible name", n.Name, false)
		}
		s.text(v, vitrine.Box{}, "text", v.Text, false)
		s.text(v, vitrine.Box{}, "route", v.Route, false)
		s.text(v, vitrine.Box{}, "route", wordsOf(v.Route), false)
		for _, l := range v.Links {
			s.text(v, l.Box, "address", wordsOf(l.Href), true)
		}
	}
	s.traffic(ev)
}

// traffic looks at what a page printed and asked for, which critiques may quote, and at
// what its build wrote.
func (s *scan) traffic(ev *vitrine.Evidence) {
	for i := range ev.Site.Steps {
		s.place(vitrine.Place{}, "build log", ev.Site.Steps[i].Log, true)
	}
	for i := range ev.Console {
		m := &ev.Console[i]
		s.place(vitrine.Place{Route: m.Route, Viewport: m.Viewport}, "console", m.Text, true)
	}
	for i := range ev.Requests {
		r := &ev.Requests[i]
		address, err := url.PathUnescape(strings.ReplaceAll(r.URL, "+", " "))
		if err != nil {
			address = r.URL
		}
		s.place(vitrine.Place{Route: r.Route}, "request", wordsOf(address), true)
	}
}

// wordsOf puts spaces where an address has other signs between its words.
func wordsOf(address string) string {
	return strings.NewReplacer("-", " ", "_", " ", "/", " ", "%20", " ").Replace(address)
}

func (s *scan) element(v *vitrine.View, e *vitrine.Element) {
	why := unreadableText(v, e)
	if why != "" && len(e.Text) >= minHidden {
		s.hidden = append(s.hidden, vitrine.Place{Route: v.Route, Viewport: v.Viewport.Name, Box: e.Box, Label: why + ": " + excerpt(e.Text, 0)})
	}
	s.text(v, e.Box, e.Tag, e.Text, why != "")
	s.text(v, e.Box, e.Tag+" name", e.Name, false)
	for _, a := range []string{"alt", "title", "aria-label", "placeholder", "value", "class", "id", "name"} {
		s.text(v, e.Box, e.Tag+" "+a, e.Attrs[a], true)
	}
}

// minHidden is how long hidden text is before it is worth telling.
const minHidden = 20

// unreadableText says why a visitor cannot read an element's own text, or nothing.
func unreadableText(v *vitrine.View, e *vitrine.Element) string {
	st := e.Style
	switch {
	case e.Text == "":
		return ""
	case st.FontSize > 0 && st.FontSize < 5:
		return fmt.Sprintf("%g px letters", st.FontSize)
	case st.Opacity < 0.1:
		return fmt.Sprintf("opacity %g", st.Opacity)
	case st.Color.A < 26:
		return "transparent letters"
	case st.BackdropKnown && distance(st.Color, st.Backdrop) < 24:
		return fmt.Sprintf("%v letters on %v", st.Color, st.Backdrop)
	case e.TextBox.W > 0 && (e.TextBox.W < 3 || e.TextBox.H < 3):
		return "a box of no size"
	case v.PageWidth > 0 && e.TextBox.X >= float64(max(v.PageWidth, v.Viewport.Width)):
		return "beyond the edge of the page"
	}
	return ""
}

// distance is the largest difference of a channel.
func distance(a, b vitrine.Color) int {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}

// text notes text that is addressed to a judge. What is hidden needs less to be
// suspected.
func (s *scan) text(v *vitrine.View, box vitrine.Box, where, text string, hidden bool) {
	s.place(vitrine.Place{Route: v.Route, Viewport: v.Viewport.Name, Box: box}, where, text, hidden)
}

func (s *scan) place(p vitrine.Place, where, text string, hidden bool) {
	if at, found := addressed(text, hidden); at >= 0 {
		p.Label = where + ": " + excerpt(found, at)
		s.note(p)
	}
}

// file looks at code, where comments, meta tags and what a script will write are.
func (s *scan) file(f vitrine.File) {
	s.place(vitrine.Place{}, "file name", f.Path, true)
	s.place(vitrine.Place{}, "file name", wordsOf(f.Path), true)
	if unreadable(f) != "" || path.Ext(f.Path) == ".svg" && len(f.Content) > 1<<20 {
		return
	}
	for i, line := range strings.Split(f.Content, "\n") {
		for start := 0; start < len(line); start += maxLine {
			piece := line[start:min(len(line), start+maxLine+overlap)]
			s.place(vitrine.Place{}, fmt.Sprintf("%s:%d", excerpt(f.Path, 0), i+1), piece, false)
		}
	}
	// What is broken over lines is found in the whole.
	s.place(vitrine.Place{}, excerpt(f.Path, 0), f.Content, false)
}

// Long lines are looked at in pieces that overlap.
const (
	maxLine = 4000
	overlap = 300
)

func (s *scan) note(p vitrine.Place) {
	key := p.Label[strings.Index(p.Label, ": ")+1:]
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if !s.seen[key] {
		s.seen[key] = true
		s.addressed = append(s.addressed, p)
	}
}

// Patterns of text that wants to steer whoever judges. They are held against folded
// text: lower case, one space, look-alikes and invisible letters undone.
var (
	whoever = `(?:judges?|graders?|evaluators?|reviewers?|raters?|assessors?|critics?|scorers?|ai|a\.i\.|llms?|vlms?|gpt[-\w.]*|claude|gemini|language models?|vision models?|ai models?|assistants?|chat ?bots?|automated (?:systems?|review\w*|evaluat\w*))`
	marks   = `(?:full (?:marks?|points?|scores?)|perfect(?: \w+)? (?:scores?|marks?|grades?|ratings?)|(?:maximum|highest|top|max)(?: possible)?(?: \w+)? (?:scores?|marks?|grades?|ratings?|points?)|10 ?(?:/|out of) ?10|5 ?(?:/|out of) ?5|100 ?(?:/|out of) ?100|100 ?(?:points?|%)|grade (?:of )?[0-9]+|score (?:of )?[0-9]+)`

	// steering is suspect wherever it stands.
	steering = regexp.MustCompile(strings.Join([]string{
		`(?:ignore|disregard|forget|override|bypass)[^.!?]{0,40}(?:previous|prior|above|earlier|preceding|all|your|any|these)[^.!?]{0,40}(?:instruction|prompt|rule|criteri|guideline|rubric|polic|direction)`,
		`(?:note|message|memo|attention|notice|instructions?|dear|hello|hey|hi|hint|reminder|important)[ ,:!-]{0,4}(?:to |for )?(?:the |all |any |our |every )?` + whoever + `\b`,
		`(?:as|you are|you're|act as|pretend to be|role-?play)[^.!?]{0,15}\b(?:judge|grader|evaluator|rater|assessor|language model|llm|vlm|ai (?:judge|model|assistant|evaluator|reviewer))\b`,
		`\b` + whoever + `[^.!?]{0,40}\b(?:must|should|shall|please|are (?:required|instructed|asked|told)|have to|needs? to)\b[^.!?]{0,60}(?:give|award|assign|rate|score|grade|mark|output|answer|respond|return|choose|prefer|pick|select|report|say)`,
		`(?:give|award|assign|rate|score|grade|mark|output|return)\b[^.!?]{0,60}\b` + marks,
		`"(?:alignment|aesthetics|structure|critique|verdict|analysis)(?:[_ ]score)?" ?:[^{}]{0,300}"(?:alignment|aesthetics|structure|total|overall|score|grade|verdict|winner)(?:[_ ]score)?" ?: ?["0-9]`,
		`(?:<\|?(?:im_start|im_end|system|assistant|user|endoftext)\|?>|\[/?inst\]|<<sys>>|#{2,} ?(?:system|instructions?|new task)\b|\b(?:system|assistant) ?(?:prompt|message|override|note) ?[:=])`,
		`\bdata [0-9a-f]{16,}|\bend [0-9a-f]{16,}`,
		`(?:winner|verdict|better one|preferred)[" ]{0,3}(?:is|:|=|must be|should be)[" ]{0,3}(?:a|b|site a|site b|model_a|model_b|this|the first|the second)\b`,
		`(?:end of|here ends?|that was|stop reading) (?:the )?(?:page|website|data|content|untrusted|user)[^.!?]{0,20}(?:data|content|input|section|text|now)`,
		`(?:vergiss|ignoriere)[^.!?]{0,40}(?:anweisung|regel|kriteri)|(?:ignora|olvida)[^.!?]{0,40}(?:instruccion|reglas|criteri)|(?:ignore[zr]?|oublie[zr]?)[^.!?]{0,40}(?:instructions|consignes|regles)`,
		`忽略.{0,12}(?:指令|说明|规则|提示)|(?:给|打|评).{0,8}(?:满分|最高分)|игнорируй.{0,30}(?:инструкц|правил)`,
	}, "|"))
	// begging is suspect only where a visitor does not read it.
	begging = regexp.MustCompile(marks + `|\b(?:rate|score|grade|judge|evaluate)\b[^.!?]{0,40}\b(?:highly|high|best|excellent|perfect|flawless|favou?rabl[ey])\b|\b(?:flawless|perfect|excellent)\b[^.!?]{0,30}\b(?:page|site|website|design)\b[^.!?]{0,40}\b(?:score|grade|rating|mark)`)
)

// addressed is where somebody speaks to a judge in a text as it is found in: folded,
// and turned round or put together where its letters were turned or spaced; or −1.
func addressed(text string, hidden bool) (at int, found string) {
	if text == "" {
		return -1, ""
	}
	if strings.Contains(text, "&#") {
		text = html.UnescapeString(text)
	}
	texts := []string{folded(text)}
	if strings.ContainsRune(text, '\u202e') { // what follows is shown from right to left
		texts = append(texts, reversed(texts[0]))
	}
	if spaced.MatchString(texts[0]) {
		texts = append(texts, spaced.ReplaceAllStringFunc(texts[0], func(s string) string { return strings.ReplaceAll(s, " ", "") }))
	}
	for _, text := range texts {
		if at := steering.FindStringIndex(text); at != nil {
			return at[0], text
		}
		if at := begging.FindStringIndex(text); hidden && at != nil {
			return at[0], text
		}
	}
	return -1, ""
}

// spaced is a run of single letters, such as "i g n o r e".
var spaced = regexp.MustCompile(`(?:\b[a-z] ){5,}[a-z]\b`)

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// folded undoes the usual disguises: letter case, white space, invisible letters,
// tag characters, full-width forms and Cyrillic or Greek look-alikes in Latin words.
func folded(text string) string {
	latin := strings.Map(func(r rune) rune {
		switch {
		case r >= 0xE0020 && r <= 0xE007E: // invisible copies of ASCII
			return r - 0xE0000
		case r >= 0xFF01 && r <= 0xFF5E: // full-width forms
			r -= 0xFEE0
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r):
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	words := strings.Fields(latin)
	for i, w := range words {
		if strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
			words[i] = lookalikes.Replace(w)
		}
	}
	return strings.Join(words, " ")
}

var lookalikes = strings.NewReplacer("а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ѕ", "s", "ј", "j", "һ", "h", "ԁ", "d", "ɡ", "g", "ο", "o", "α", "a", "ν", "v", "ι", "i", "ı", "i")

// excerpt is the piece of a text at an index, on one line.
func excerpt(text string, at int) string {
	const length = 120
	start := at
	for start > 0 && text[start]&0xC0 == 0x80 {
		start--
	}
	piece := []rune(strings.Join(strings.Fields(text[start:runeCut(text, min(len(text), start+4*length))]), " "))
	if len(piece) > length {
		return string(piece[:length]) + "…"
	}
	return string(piece)
}
