package redteam

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tdewolff/parse/v2/js"
)

// A Kind is what a person notices of a fault.
type Kind string

// The kinds of faults, and pages that are only written differently.
const (
	WrongResult Kind = "wrong result"
	Missing     Kind = "missing"
	Silent      Kind = "no response"
	WrongPlace  Kind = "wrong place"
	Equivalent  Kind = "equivalent"
)

// mix is how many of the real faults of four web applications are of each kind, as
// WebTestPilot classified them.
var mix = []struct {
	kind  Kind
	share int
}{{WrongResult, 43}, {Missing, 29}, {Silent, 21}, {WrongPlace, 13}}

// An Operator makes mutants of a page.
type Operator struct {
	Name string
	Kind Kind
	Says string // what it does
	// of selects the sites that are changed together; nil changes one site a mutant.
	of    func(site int) bool
	apply func(*mutation)
}

// A Mutant is a page that an operator changed.
type Mutant struct {
	Operator string
	Kind     Kind
	Site     int // the number of the place that was changed, from 0; 0 for operators on many places
	Changed  int // how many places were changed
	HTML     string
}

// A mutation applies an operator to a document. The operator asks at each place that it
// could change whether to change it.
type mutation struct {
	*document
	wanted  func(site int) bool
	sites   int
	changed int
	seed    uint64
}

// hit counts a place and says whether to change it.
func (m *mutation) hit() bool {
	m.sites++
	if !m.wanted(m.sites - 1) {
		return false
	}
	m.changed++
	return true
}

// eachCode calls do with every program of the page, and notes those in which a place was
// changed.
func (m *mutation) eachCode(do func(*code)) {
	for _, c := range m.codes {
		if c.program() == nil {
			continue
		}
		before := m.changed
		do(c)
		c.changed = c.changed || m.changed > before
	}
}

// exprs asks about every expression of the page's code.
func (m *mutation) exprs(replace func(js.IExpr) js.IExpr) {
	m.eachCode(func(c *code) { walk{expr: replace}.over(c.tree) })
}

// nodes shows every node of the page's code.
func (m *mutation) nodes(visit func(any)) {
	m.eachCode(func(c *code) { walk{node: visit}.over(c.tree) })
}

// Operators are all operators, those that change what a page does first.
func Operators() []Operator {
	return slices.Concat(wrongResults, missing, silent, misplaced, equivalents)
}

// all selects every site.
func all(int) bool { return true }

// sites is how many places of a page an operator can change.
func (o Operator) sites(d *document, seed uint64) int {
	m := &mutation{document: d, wanted: func(int) bool { return false }, seed: seed}
	o.apply(m)
	return m.sites
}

// mutate changes the places of a page that are wanted. It is nil if nothing changes.
func (o Operator) mutate(page string, seed uint64, site int) *Mutant {
	wanted := o.of
	if wanted == nil {
		wanted = func(i int) bool { return i == site }
	}
	m := &mutation{document: read(page), wanted: wanted, seed: seed}
	o.apply(m)
	html := m.String()
	if m.changed == 0 || html == page {
		return nil
	}
	return &Mutant{Operator: o.Name, Kind: o.Kind, Site: site, Changed: m.changed, HTML: html}
}

// Mutants are at most each mutants of a page by each operator, or by those named. Which
// places are changed is drawn by the seed.
func Mutants(page string, each int, seed uint64, names ...string) []Mutant {
	var made []Mutant
	d := read(page)
	for i, o := range Operators() {
		if len(names) > 0 && !slices.Contains(names, o.Name) {
			continue
		}
		n := o.sites(d, seed)
		sites := rand.New(rand.NewPCG(seed, uint64(i))).Perm(n)
		if o.of != nil {
			sites = sites[:min(n, 1)]
		}
		count := 0
		for _, site := range sites {
			if o.of != nil {
				site = 0
			}
			if mutant := o.mutate(page, seed, site); mutant != nil && count < each {
				made = append(made, *mutant)
				count++
			}
			if count == each {
				break
			}
		}
	}
	return made
}

// Mix draws n functional mutants of a page, by kind in the shares of real faults where the
// page has enough places, each page at most once.
func Mix(page string, n int, seed uint64) []Mutant {
	byKind := map[Kind][]Mutant{}
	seen := map[string]bool{page: true}
	total := 0
	for _, m := range Mutants(page, 2+n/10, seed) {
		if m.Kind != Equivalent && !seen[m.HTML] {
			seen[m.HTML] = true
			byKind[m.Kind] = append(byKind[m.Kind], m)
			total++
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	weights := 0
	for _, k := range mix {
		mutants := byKind[k.kind]
		random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		weights += k.share
	}
	var drawn []Mutant
	for len(drawn) < min(n, total) {
		left := random.IntN(weights)
		for _, k := range mix {
			if left -= k.share; left >= 0 {
				continue
			}
			if rest := byKind[k.kind]; len(rest) > 0 {
				drawn, byKind[k.kind] = append(drawn, rest[0]), rest[1:]
			}
			break
		}
	}
	slices.SortFunc(drawn, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.Operator, b.Operator), a.Site-b.Site)
	})
	return drawn
}

// Name tells mutants of one page apart.
func (m Mutant) Name() string { return fmt.Sprintf("%s-%d", m.Operator, m.Site) }
