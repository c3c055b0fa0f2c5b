package behave

import (
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// forms ranks the forms of the site by their buttons, titles and labels.
func (p *prover) forms(words []string) []hit {
	var all []hit
	known := map[string]int{}
	for _, pl := range p.site.places {
		for _, form := range pl.view.survey.Forms {
			h := p.weigh(pl, form, words)
			i, ok := known[form.Path+pl.route]
			switch {
			case h.score <= 0:
			case !ok:
				known[form.Path+pl.route] = len(all)
				all = append(all, h)
			case all[i].place.view.lacksOptions(all[i].form) && !pl.view.lacksOptions(form):
				all[i] = h
			}
		}
	}
	slices.SortStableFunc(all, func(a, b hit) int { return int(1000*b.score) - int(1000*a.score) })
	return all
}

// likely are the first of ranked forms, without those whose labels fit much worse than the first one's do: that another
// form of the site takes what is entered says nothing of the one that is meant.
func likely(all []hit) []hit {
	return slices.DeleteFunc(slices.Clone(all), func(h hit) bool { return h.score < all[0].score-muchWorse })
}

const muchWorse = 25

var (
	searchLabel = regexp.MustCompile(`(?i)\b(search|find|filter)\b|搜索|查找`)
	loginLabel  = regexp.MustCompile(`(?i)\b(log ?in|sign ?in|password)\b|登录`)
)

// weigh says how likely a form is the one that takes what the words name.
func (p *prover) weigh(pl *place, form interact.Form, words []string) hit {
	h := hit{place: pl, form: form}
	texts, labels := 0, []string{}
	for _, path := range form.Fields {
		c, f, ok := pl.view.control(path)
		if !ok || c.Covered {
			continue
		}
		labels = append(labels, c.Name+" "+f.Placeholder)
		if textField(c) || c.Role == "spinbutton" {
			texts++
		}
	}
	if texts == 0 {
		return h
	}
	h.score = 5 + float64(min(texts, 5))
	for _, b := range form.Buttons {
		if c, _, ok := pl.view.control(b); ok {
			h.score = max(h.score, 10+matches(c.Name, words)+0.3*matches(c.Name, submitLabels))
		}
	}
	all := strings.Join(labels, " ")
	h.score += 0.4 * matches(form.Title+" "+all, append(append([]string{}, p.need.Fields...), p.need.Entity))
	h.score += 0.3 * matches(pl.via.Name, words)
	if texts == 1 && searchLabel.MatchString(all) {
		h.score -= 40
	}
	if loginLabel.MatchString(all) {
		h.score -= 25
	}
	if p.foreign(form.Title + " " + pl.via.Name + " " + all) {
		h.score -= 35
	}
	h.score -= float64(p.site.depth(pl))
	if loginLabel.MatchString(all) {
		h.score = max(h.score, 0.5) // where there is no other
	}
	return h
}
