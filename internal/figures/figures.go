// Package figures computes the published figures of WebGen-Bench and WebGen-R1 from run
// folders: VRR, AAS, LDPR and FSR, of each model and by category.
package figures

import (
	"maps"
	"slices"

	"vitrine"
)

// A Table has the figures of the models of one or more runs.
type Table struct {
	Runs []Source `json:"runs"`
	// Differ says in what the runs were made differently, by run: their figures do not
	// compare. It is empty for runs of one provenance.
	Differ []string `json:"differ,omitempty"`
	Rows   []Row    `json:"rows"` // by model; of each, all samples first, then the categories
}

// A Source is one run that the figures are of.
type Source struct {
	Run      string `json:"run"`
	Recipe   string `json:"recipe"`
	Judge    string `json:"judge"`
	Interact string `json:"interact"`
	Samples  int    `json:"samples"`
}

// By is what a row is about.
type By string

// The kinds of rows. Scenarios are the sub-categories of WebGen-Bench's instructions, of
// which one has several.
const (
	ByAll         By = "all"
	ByInstruction By = "instruction" // category of the instruction (WebGen-R1, Table 2)
	ByScenario    By = "scenario"    // sub-category of the instruction (WebGen-R1, Fig. 3)
	ByTest        By = "test"        // category of the test cases (WebGen-R1, Table 2)
)

// A Row has the figures of one model over some of its samples, or over its test cases of
// one category: then it has FSR alone.
type Row struct {
	Model    string `json:"model"`
	By       By     `json:"by"`
	Category string `json:"category,omitempty"`
	Samples  int    `json:"samples"`
	// VRR is the share of samples with a valid render (WebGen-R1 §3.1).
	VRR *Figure `json:"vrr,omitempty"`
	// AAS is the mean grade, 0 to 5, that a vision model gave by the protocol appearance,
	// over samples with a valid render (WebGen-R1 §3.1).
	AAS *Figure `json:"aas,omitempty"`
	// AASMeasured is the mean of the measured judge's stand-in for that grade.
	AASMeasured *Figure `json:"aas_measured,omitempty"`
	// LDPR is the share of projects that pass a linter and whose dependencies resolve
	// (WebGen-R1 §3.1), as vitrine lint found.
	LDPR *Figure `json:"ldpr,omitempty"`
	// FSRSites is the share of sites that pass all of their test cases (WebGen-R1 App. C).
	FSRSites Figure `json:"fsr_sites"`
	// FSRCases is the share of test cases, where a partial one is half (WebGen-Bench).
	FSRCases Figure `json:"fsr_cases"`
	// FSRCasesCompat is the same as WebGen-Bench's script has it, in which a case that
	// could not be judged has failed. It is nil without cases.
	FSRCasesCompat *float64 `json:"fsr_cases_compat"`
}

// A Figure is a share in [0,1] or a mean, with its 95 % interval.
type Figure struct {
	Value *float64 `json:"value"` // nil if N is 0
	Low   *float64 `json:"low"`   // nil where there is no interval
	High  *float64 `json:"high"`
	// Interval names how Low and High were made; empty without them.
	Interval string `json:"interval,omitempty"`
	N        int    `json:"n"` // samples, sites or test cases that were judged
	// Unjudged is how many could not be judged. They are in no value.
	Unjudged int `json:"unjudged"`
}

// table computes the rows of the records, each model's by itself.
func table(records []record) []Row {
	by := map[string][]record{}
	for _, r := range records {
		by[r.model] = append(by[r.model], r)
	}
	rows := []Row{} // no null in JSON
	for _, model := range slices.Sorted(maps.Keys(by)) {
		of := by[model]
		rows = append(rows, row(model, ByAll, "", of))
		rows = append(rows, grouped(model, ByInstruction, of, func(t vitrine.Task) []string { return []string{t.Category} })...)
		rows = append(rows, grouped(model, ByScenario, of, func(t vitrine.Task) []string { return t.Subcategories })...)
		for _, category := range testCategories(of) {
			rows = append(rows, row(model, ByTest, category, of))
		}
	}
	return rows
}

// grouped has a row for each category that tasks of the records are in.
func grouped(model string, by By, records []record, categories func(vitrine.Task) []string) (rows []Row) {
	members := map[string][]record{}
	for _, r := range records {
		for _, c := range slices.Compact(slices.Sorted(slices.Values(categories(r.task)))) {
			if c != "" {
				members[c] = append(members[c], r)
			}
		}
	}
	for _, c := range slices.Sorted(maps.Keys(members)) {
		rows = append(rows, row(model, by, c, members[c]))
	}
	return rows
}

// row has the figures of some samples. By test, only those with cases of the category
// count.
func row(model string, by By, category string, records []record) Row {
	r := Row{Model: model, By: by, Category: category}
	tested := ""
	if by == ByTest {
		tested = category
		records = slices.DeleteFunc(slices.Clone(records), func(x record) bool { return x.tally(category).all() == 0 })
	} else {
		vrr, aas, measured, ldpr := renderRate(records), meanGrade(records, graded), meanGrade(records, measuredGrade), lintRate(records)
		r.VRR, r.AAS, r.AASMeasured, r.LDPR = &vrr, &aas, &measured, &ldpr
	}
	r.Samples = len(records)
	r.FSRSites, r.FSRCases, r.FSRCasesCompat = sites(records, tested), cases(records, tested), casesCompat(records, tested)
	return r
}

// testCategories are those of the cases, sorted.
func testCategories(records []record) []string {
	seen := map[string]bool{}
	for _, r := range records {
		for _, c := range r.cases {
			seen[c.Category] = true
		}
		for _, c := range r.missing {
			seen[c.Category] = true
		}
	}
	delete(seen, "")
	return slices.Sorted(maps.Keys(seen))
}
