package flow

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"vitrine/internal/data/table"
	"vitrine/internal/digest"
	"vitrine/internal/inputs"
)

// Filter keeps rows by one field. Rows that do not have it go, unless Missing says keep.
type Filter struct {
	Field   string   `yaml:"field" json:"field"`               // a path, such as reward or meta.license
	Min     *float64 `yaml:"min" json:"min,omitempty"`         // of a number
	Max     *float64 `yaml:"max" json:"max,omitempty"`         //
	Longest int      `yaml:"longest" json:"longest,omitempty"` // of a text, in characters; 0: any
	OneOf   []string `yaml:"one_of" json:"one_of,omitempty"`   //
	Without string   `yaml:"without" json:"without,omitempty"` // a regular expression that must not match
	Missing string   `yaml:"missing" json:"missing,omitempty"` // keep: rows without the field stay
	without *regexp.Regexp
}

func (f *Filter) check(*Pipeline) (err error) {
	if f.Field == "" {
		return errors.New("field: name one")
	}
	if f.Missing != "" && f.Missing != "keep" {
		return errors.New("missing: only keep is known")
	}
	if f.Without != "" {
		f.without, err = regexp.Compile(f.Without)
	}
	return err
}

func (f *Filter) run(w *work) error {
	return w.sift(func(r inputs.Record) string { return f.reason(r.Row) })
}

// number reads a finite number.
func number(text string) (n float64, is bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// reason is why a row goes, empty if it stays.
func (f *Filter) reason(row json.RawMessage) string {
	v := Field(row, f.Field)
	n, is := number(v)
	switch {
	case v == "" && f.Missing == "keep":
		return ""
	case v == "":
		return "no " + f.Field
	case (f.Min != nil || f.Max != nil) && !is:
		return f.Field + " is no number"
	case f.Min != nil && n < *f.Min:
		return fmt.Sprintf("%s below %v", f.Field, *f.Min)
	case f.Max != nil && n > *f.Max:
		return fmt.Sprintf("%s above %v", f.Field, *f.Max)
	case f.Longest > 0 && len([]rune(v)) > f.Longest:
		return fmt.Sprintf("%s longer than %d characters", f.Field, f.Longest)
	case len(f.OneOf) > 0 && !slices.Contains(f.OneOf, v):
		return f.Field + " is none of those wanted"
	case f.without != nil && f.without.MatchString(v):
		return f.Field + " matches " + f.Without
	}
	return ""
}

// Sample keeps n rows, by the shares of a field's values: as they are, or equal.
type Sample struct {
	N      int    `yaml:"n" json:"n"`
	By     string `yaml:"by" json:"by,omitempty"`
	Shares string `yaml:"shares" json:"shares,omitempty"` // original (default) or equal
	Seed   int    `yaml:"seed" json:"seed"`
}

func (s *Sample) check(*Pipeline) error {
	s.Shares = cmp.Or(s.Shares, "original")
	if s.N < 1 || s.Shares != "original" && s.Shares != "equal" {
		return errors.New("n is at least 1, shares is original or equal")
	}
	return nil
}

func (s *Sample) run(w *work) error {
	groups, order, err := w.grouped(s.By, s.Seed)
	if err != nil {
		return err
	}
	w.countWithout(s.By, groups)
	chosen := map[string]bool{}
	for name, n := range quotas(groups, order, s.N, s.Shares == "equal") {
		for _, id := range groups[name][:n] {
			chosen[id] = true
		}
	}
	return w.sift(func(r inputs.Record) string {
		if chosen[r.ID] {
			return ""
		}
		return "not in the sample"
	})
}

// grouped are the ids of the rows by the value of a field, shuffled by a seed. Order is
// that in which the values first are there.
func (w *work) grouped(by string, seed int) (groups map[string][]string, order []string, err error) {
	groups = map[string][]string{}
	quiet := &work{ctx: w.ctx, say: func(string, ...any) {}}
	err = quiet.each(w.in, func(r inputs.Record) error {
		value := ""
		if by != "" {
			value = Field(r.Row, by)
		}
		if _, there := groups[value]; !there {
			order = append(order, value)
		}
		groups[value] = append(groups[value], r.ID)
		return nil
	})
	for _, ids := range groups {
		slices.SortFunc(ids, func(a, b string) int {
			return cmp.Or(cmp.Compare(digest.Of(seed, a), digest.Of(seed, b)), cmp.Compare(a, b))
		})
	}
	return groups, order, err
}

// countWithout counts the rows that lack the field by which rows are grouped: they form one
// group.
func (w *work) countWithout(by string, groups map[string][]string) {
	if by != "" {
		w.count("without "+by, float64(len(groups[""])))
	}
}

// quotas are how many of each group are taken, n together where there are as many: by the
// largest remainders of the original shares, or one from each group in turn.
func quotas(groups map[string][]string, order []string, n int, equal bool) map[string]int {
	all := 0
	for _, ids := range groups {
		all += len(ids)
	}
	n = min(n, all)
	taken, quota := 0, map[string]int{}
	if !equal {
		for name, ids := range groups {
			quota[name] = n * len(ids) / all
			taken += quota[name]
		}
		rest := slices.Clone(order)
		slices.SortStableFunc(rest, func(a, b string) int { return cmp.Compare(n*len(groups[b])%all, n*len(groups[a])%all) })
		for _, name := range rest[:n-taken] {
			quota[name]++
		}
		return quota
	}
	for taken < n {
		for _, name := range order {
			if taken < n && quota[name] < len(groups[name]) {
				quota[name]++
				taken++
			}
		}
	}
	return quota
}

// Split divides rows into train.jsonl and validation.jsonl, by the shares of a field's
// values. It is the last step of its rows.
type Split struct {
	Validation float64 `yaml:"validation" json:"validation"` // share, below 1
	By         string  `yaml:"by" json:"by,omitempty"`
	Seed       int     `yaml:"seed" json:"seed"`
}

func (s *Split) check(*Pipeline) error {
	if !(s.Validation > 0 && s.Validation < 1) {
		return errors.New("validation is a share above 0 and below 1")
	}
	return nil
}

func (s *Split) run(w *work) error {
	groups, order, err := w.grouped(s.By, s.Seed)
	if err != nil {
		return err
	}
	w.countWithout(s.By, groups)
	all := 0
	for _, ids := range groups {
		all += len(ids)
	}
	held := map[string]bool{}
	for name, n := range quotas(groups, order, int(s.Validation*float64(all)+0.5), false) {
		for _, id := range groups[name][:n] {
			held[id] = true
		}
	}
	files, err := table.Create(filepath.Join(w.dir, "train.jsonl"), filepath.Join(w.dir, "validation.jsonl"))
	if err != nil {
		return err
	}
	defer files.Discard()
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read, w.Kept = w.Read+1, w.Kept+1
		if held[r.ID] {
			return files.Writers[1].Line(r.Row)
		}
		return files.Writers[0].Line(r.Row)
	})
	if err != nil {
		return err
	}
	return files.Commit()
}
