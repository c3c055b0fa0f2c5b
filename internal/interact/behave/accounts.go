package behave

import (
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// An account is a name and a password that a site names, as demonstrations do.
type account struct {
	name, secret string
	ranked       bool // it is called that of somebody with more rights
}

var (
	mailShown = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.]+`)
	userShown = regexp.MustCompile(`(?i)\b(?:user(?: ?name)?|login|e-?mail|id|name|account)\b\s*[:：=]\s*["'“]?([\w.@+-]+)`)
	passShown = regexp.MustCompile(`(?i)\b(?:password|pass|pwd|密码)\s*(?:is\s+|[:：=]\s*)?["'“]?([\w!@#$%^&*.-]{3,})`)
	pairShown = regexp.MustCompile(`([\w.+-]{2,}@?[\w.-]*)\s*(?:/|\||:|–|—| - )\s*([\w!@#$%^&*.-]{3,})`)
	codeHead  = regexp.MustCompile(`(?i)\b(pins?|passcodes?)\b`)
	codeShown = regexp.MustCompile(`(\p{L}[\p{L}.-]+)[ :=(–-]+(\d{4,8})\b`)
	nameShown = regexp.MustCompile(`^[\w.+@-]{2,}$`)
	noSecret  = regexp.MustCompile(`(?i)^(password|is|and|or|for|must|should|forgot\w*|reset|required|confirm\w*|again|the|your|name|here|https?.*)$`)
	passHead  = regexp.MustCompile(`(?i)^(password|pass|pwd|密码)$`)
	nameHead  = regexp.MustCompile(`(?i)^(user ?(name|id)?|login|e-?mail|account|name|用户名?)$`)
	between   = regexp.MustCompile(`\s*(?:[,;/(]|\band\b|\bor\b|\bwith\b)\s*`)
)

// named are the accounts that the instruction names, then those that the site does: in sentences, in pairs, in tables,
// in the values of the form and in what its empty fields show. Those that are stated come first.
func (p *prover) named() (all []account) {
	for _, m := range saidAccount.FindAllStringSubmatch(p.instruction, 4) {
		name, secret := m[1], strings.TrimRight(m[2], ".,;:)")
		if nameShown.MatchString(name) && !noSecret.MatchString(name) && !noSecret.MatchString(secret) && !fieldWord.MatchString(name) && !fieldWord.MatchString(secret) {
			all = append(all, account{name, secret, ranking.MatchString(name)})
		}
	}
	return append(all, accountsOf(p.site.places)...)
}

// fieldWord are names of fields, as in "with name, e-mail, password and role".
var fieldWord = regexp.MustCompile(`(?i)^(e-?mail|name|role|phone|address|fields?|both|login|user(name)?|confirmation)$`)

// saidAccount is how an instruction names an account: "user anna, password secret".
var saidAccount = regexp.MustCompile(`(?i)\b(?:user(?: ?name)?|log-?in|name|e-?mail|account)\b\W{0,3}([\w.@+-]+)["'”’]?(?:,|;|/|\band\b|\bwith\b|\s)*(?:the )?(?:password|pass|pin|passcode)\b(?: is)?\W{0,3}([\w!@#$%^&*.-]{3,})`)

// accountsOf are the accounts that some places name.
func accountsOf(places []*place) (all []account) {
	add := func(name, secret, about string) {
		name, secret = strings.Trim(name, ".,;:()"), strings.TrimRight(secret, ".,;:)")
		known := slices.ContainsFunc(all, func(a account) bool { return a.name == name && a.secret == secret })
		if nameShown.MatchString(name) && !noSecret.MatchString(name) && len(secret) > 2 && !noSecret.MatchString(secret) && !known {
			all = append(all, account{name, secret, ranking.MatchString(about) || ranking.MatchString(name)})
		}
	}
	for _, pl := range places {
		lines := pl.view.survey.Lines
		for i, line := range lines {
			stated(line, lines[max(i-2, 0):i], add)
		}
	}
	for _, pl := range places {
		tabled(pl.view, add)
		entered(pl.view, add)
	}
	return all
}

// stated reads accounts of a line of text; before are the lines above it.
func stated(line string, before []string, add func(name, secret, about string)) {
	at := 0
	for _, m := range passShown.FindAllStringSubmatchIndex(line, 4) {
		secret, rest := line[m[2]:m[3]], line[at:m[0]]
		at = m[1]
		named := len(before)
		if u := lastOf(userShown, rest); u != "" {
			add(u, secret, rest)
		} else if mail := mailShown.FindString(line); mail != "" {
			add(mail, secret, rest)
		} else {
			heard := rest
			if i := strings.LastIndexAny(rest, ":："); i >= 0 && strings.TrimSpace(rest[i:]) != ":" {
				heard = rest[i+1:]
			}
			for _, name := range between.Split(heard, -1) {
				add(strings.TrimSpace(name), secret, rest)
			}
			named = 0
		}
		for _, above := range before[named:] {
			if u := lastOf(userShown, above); u != "" {
				add(u, secret, above)
			} else if mail := mailShown.FindString(above); mail != "" {
				add(mail, secret, above)
			}
		}
	}
	for _, m := range pairShown.FindAllStringSubmatch(line, 6) {
		add(m[1], m[2], line)
	}
	if codeHead.MatchString(line) {
		for _, m := range codeShown.FindAllStringSubmatch(line, 8) {
			if !codeHead.MatchString(m[1]) {
				add(m[1], m[2], m[1])
			}
		}
	}
}

func lastOf(re *regexp.Regexp, text string) string {
	all := re.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// tabled reads accounts of tables that have a column of passwords.
func tabled(v *view, add func(name, secret, about string)) {
	name, secret := -1, -1
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if at := slices.IndexFunc(r.Cells, passHead.MatchString); at >= 0 {
				name, secret = slices.IndexFunc(r.Cells, nameHead.MatchString), at
				continue
			}
			if name >= 0 && max(name, secret) < len(r.Cells) {
				add(r.Cells[name], r.Cells[secret], r.Text)
			}
		}
	}
}

// entered reads an account of a form with a password that is filled in, or whose empty
// fields show one.
func entered(v *view, add func(name, secret, about string)) {
	for _, f := range v.survey.Forms {
		add(valuesOf(v, f))
	}
}

// valuesOf are the name and the password that the fields of a form have or show.
func valuesOf(v *view, f interact.Form) (name, secret, about string) {
	shown, word := "", ""
	for _, path := range f.Fields {
		c, facts, ok := v.control(path)
		switch {
		case !ok:
		case c.Type == "password":
			secret, word = c.Value, facts.Placeholder
		case textField(c) && name == "":
			name, shown = c.Value, strings.TrimPrefix(strings.ToLower(facts.Placeholder), "e.g. ")
		}
	}
	if name == "" && secret == "" {
		return shown, word, f.Title
	}
	return name, secret, f.Title
}
