package measured

import (
	"fmt"
	"strings"
)

// Titles that starters and editors leave behind.
var starterTitles = map[string]bool{
	"": true, "document": true, "untitled": true, "title": true, "vite app": true, "vite + react": true, "vite + react + ts": true,
	"react app": true, "my app": true, "create next app": true, "page title": true, "website": true, "index.html": true,
}

// titleLang asks for a title that names the site and for the language of its text.
var titleLang = eachView("No view of the site could be looked at.", (*viewFacts).titleLang)

func (f *viewFacts) titleLang() (reading, bool) {
	titled := !starterTitles[strings.ToLower(strings.TrimSpace(f.Title))]
	r := reading{score: 0.7*float64(oneIf(titled)) + 0.3*float64(oneIf(f.Lang != ""))}
	r.why = fmt.Sprintf("The title is %s", quote(f.Title))
	if !titled {
		r.why += ", which names nothing"
	}
	if f.Lang == "" {
		r.why += "; the language is not given"
	}
	r.why += "."
	return r, true
}
