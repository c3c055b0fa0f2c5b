package measured

import (
	"fmt"
	"strings"

	"vitrine"
)

// brokenImages counts pictures and films that did not load. One that lies outside
// and was never fetched says nothing about the site.
func brokenImages(in *input) vitrine.Finding {
	outside := in.notFetched()
	return eachView("The page has no pictures that could be checked.", func(f *viewFacts) (reading, bool) { return f.brokenImages(outside) })(in)
}

func (f *viewFacts) brokenImages(outside map[string]bool) (reading, bool) {
	var r reading
	n := 0
	for i := range f.Elements {
		e := &f.Elements[i]
		src := e.Attrs["src"]
		if e.Tag != "img" && e.Tag != "video" || e.Broken && outside[strings.TrimPrefix(strings.TrimPrefix(src, "https:"), "http:")] {
			continue
		}
		n++
		if e.Broken {
			r.where = append(r.where, f.place(e.Box, "did not load: "+src))
		}
	}
	if n == 0 {
		return r, false
	}
	r.score = decay(float64(len(r.where))/float64(n), 3)
	r.why = fmt.Sprintf("All of %s loaded.", count(n, "picture"))
	if len(r.where) > 0 {
		r.why = fmt.Sprintf("%d of %s did not load.", len(r.where), count(n, "picture"))
	}
	return r, true
}

// notFetched lists addresses outside the site that were not asked for, without
// their scheme.
func (in *input) notFetched() map[string]bool {
	m := map[string]bool{}
	for _, q := range in.ev.Requests {
		if q.Result == "blocked" || q.Result == "failed" {
			m[strings.TrimPrefix(strings.TrimPrefix(q.URL, "https:"), "http:")] = true
		}
	}
	return m
}
