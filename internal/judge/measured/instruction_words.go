package measured

import (
	"fmt"
	"strings"
	"unicode"

	"vitrine"
)

// plainWords say how a site is to be made or are in every instruction; they say
// nothing about what it is about.
var plainWords = proseSet(`a about above academic accurate achieve across add added all allow allowing also an and any app appealing
application apply appropriate are as ask assign at attractive available based basic be beautiful best better between both brief browse browser build
but button by can capability choose class clean clear click code color colour complete component configure consider contain content
control corresponding create creating css current custom customizable data define demonstrate demonstration design designed designing detail
detailed develop different display displaying do document dynamic each easily easy effect element enable enabling engaging ensure ensuring
establish etc every example executable existing experience expert explore eye feature featuring file find first focus focusing follow following for
format framework friendly from front full fully function functional functionality further generate give good great group have help
here hero high highlighting how html i if image implement implementation implementing important in include including individual inform information
input inspired instruction interact interactive interface intuitive into is it item its javascript js key knowledge landing language layout let like link
list look main make making manage many may me mean menu mobile modern more most multiple must my name need needed new no not of offer on
one online only open operation option or other our out over overall own page part pattern people perform performance personal platform please possible present
primary process product professional program project prompt provide providing purpose put python react relate related relevant request require requirement respective
respond response responsive result screen seamless section see select separate set several should show showcase simple single
site small smooth so some specific specify standard step structure stunning style styling such suitable support sure system tag tailwind take task
team technology template text than that the their them theme then there these they thing this three through time to tool
topic type ui understand unique up update us usability use used useful user using ux value various vibrant via view visual visually want was way we
web webpage website welcome well what when where which while who will with within without work would write you your background base body header global interaction option`)

func proseSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[stem(w)] = true
	}
	return m
}

// instructionWords asks whether the page talks about what was asked for: the
// share of the instruction's own words that can be read on it.
func instructionWords(in *input) vitrine.Finding {
	if in.asked.text == "" {
		return notApplicable("There is no instruction to hold the site against.")
	}
	want := in.asked.contentWords()
	if len(want) < 3 {
		return notApplicable("The instruction has too few words of its own to look for.")
	}
	if foreign(in.asked.text) {
		return notApplicable("The instruction is in a script whose words cannot be told apart.")
	}
	var missing []string
	for _, w := range want {
		if p := toProse(w); !in.seen.text.has(p) && !in.seen.controls.has(p) && !in.seen.classWords.has(p) {
			missing = append(missing, w)
		}
	}
	found := len(want) - len(missing)
	why := fmt.Sprintf("%d of the %d words that say what the site is about can be read on it", found, len(want))
	if len(missing) > 0 {
		why += "; not “" + strings.Join(missing[:min(len(missing), 8)], "”, “") + "”"
	}
	// An instruction is wordier than the site it asks for: half of its words is
	// what good sites reach.
	return scored(reading{score: ramp(float64(found)/float64(len(want)), 0, 0.5), why: why + "."})
}

// contentWords are the words of an instruction that say what it is about, each
// once. Colors and parts that are asked for have checks of their own.
func (r request) contentWords() []string {
	var out []string
	seen := map[string]bool{stop: true}
	for i := range features {
		for _, phrase := range phrases(features[i].ask, singular) {
			if r.prose.has(phrase) {
				for _, w := range strings.Fields(string(phrase)) {
					seen[stem(w)] = true
				}
			}
		}
	}
	for _, w := range words(r.text) {
		base := stem(w)
		if seen[base] || plainWords[base] || len(w) < 3 || w[0] == '#' || isColorWord(w) {
			continue
		}
		seen[base] = true
		out = append(out, w)
	}
	return out
}

// foreign: mostly letters of a script that is written without spaces.
func foreign(s string) bool {
	letters, unspaced := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			unspaced += oneIf(unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai))
		}
	}
	return unspaced*3 > letters
}
