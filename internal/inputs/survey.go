package inputs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

// shownErrors is how many rows that cannot be used are shown one by one.
const shownErrors = 3

// A Survey is what an input holds.
type Survey struct {
	Rows     int // that are there, of any sort
	Outputs  int // that can be worked on
	Unusable int // rows that give no output
	Endpoint int // of these, errors of an endpoint
	First    []*RowError
	Made     int // rows without an id
	Repeats  int // rows whose id was there before
	Notes    []string

	sites  bool
	format string
	fields map[string]map[string]int // field → path → rows
}

// look reads the input once.
func (in *Input) look() error {
	s := Survey{fields: map[string]map[string]int{}}
	for r, err := range in.root.rows() {
		if err != nil && !isRowError(err) {
			var fault *vitrine.Fault
			if errors.As(err, &fault) {
				return fault
			}
			return vitrine.NewFault("input", vitrine.FaultUsage, err, "the input cannot be read")
		}
		s.Rows++
		if err == nil && r.load != nil {
			s.Outputs, s.sites = s.Outputs+1, true
			continue
		}
		var drafts []draft
		if err == nil {
			drafts, err = in.read(r)
		}
		if err != nil {
			s.unusable(err)
			continue
		}
		s.Outputs += len(drafts)
		in.ids(&s, drafts)
		for field, path := range drafts[0].from {
			if s.fields[field] == nil {
				s.fields[field] = map[string]int{}
			}
			s.fields[field][path]++
		}
	}
	s.format, s.Notes = in.root.contents()
	in.Survey = s
	return nil
}

func (s *Survey) unusable(err error) {
	var e *RowError
	if !errors.As(err, &e) {
		e = &RowError{Found: err.Error()}
	}
	s.Unusable++
	if e.Endpoint {
		s.Endpoint++
	}
	if len(s.First) < shownErrors {
		s.First = append(s.First, e)
	}
}

// ids notes the ids that the outputs of a row have.
func (in *Input) ids(s *Survey, drafts []draft) {
	for i, d := range drafts {
		switch {
		case i > 0 && d.part != "" && d.ID == drafts[i-1].ID:
		case !d.given:
			s.Made++
		case in.given[d.ID]:
			s.Repeats++
		default:
			in.given[d.ID] = true
		}
	}
}

// Lines say what was found, for a person: first how the input is read, in one line,
// then what about it is out of the ordinary.
func (s *Survey) Lines() []string {
	return append([]string{"input: " + s.what()}, s.remarks()...)
}

// Remarks are the lines without the first where the input is one site.
func (s *Survey) Remarks() []string {
	if s.sites && s.Outputs == 1 && len(s.fields) == 0 {
		return s.remarks()
	}
	return s.Lines()
}

func (s *Survey) remarks() []string {
	lines := slices.Clone(s.Notes)
	if s.Repeats > 0 {
		rows := count(s.Repeats, "row has", "rows have")
		lines = append(lines, "input: "+rows+" an id that was there before: kept as id#2, id#3, …")
	}
	if s.Endpoint > 0 {
		rows := count(s.Endpoint, "row is an error", "rows are errors")
		lines = append(lines, "input: "+rows+" of the endpoint, not of the model: not scored")
	}
	return append(lines, s.skipped()...)
}

// skipped say which rows cannot be used: the first few and their number.
func (s *Survey) skipped() []string {
	var lines []string
	for _, e := range s.First {
		lines = append(lines, "skipped "+e.Error())
	}
	if more := s.Unusable - len(s.First); more > 0 {
		lines = append(lines, fmt.Sprintf("skipped %d more; %d of %d rows cannot be used", more, s.Unusable, s.Rows))
	}
	return lines
}

func (s *Survey) what() string {
	if s.sites && len(s.fields) == 0 {
		return count(s.Outputs, "site", "sites") + " from " + cmp.Or(s.format, "a folder")
	}
	text := count(s.Rows, "row", "rows") + " of " + s.format
	if s.Outputs != s.Rows-s.Unusable {
		text += ", " + count(s.Outputs, "output", "outputs")
	}
	var from []string
	for _, field := range []string{fieldOutput, fieldInstruction, fieldID, fieldTask, fieldModel, fieldKind, fieldGroup} {
		if paths := s.fields[field]; len(paths) > 0 {
			from = append(from, field+" from "+pathsOf(paths))
		}
	}
	if s.Made > 0 {
		from = append(from, fmt.Sprintf("id made of place and content for %d", s.Made))
	}
	if len(from) > 0 {
		text += "; " + strings.Join(from, ", ")
	}
	return text
}

// pathsOf names the paths of a field, the most common first.
func pathsOf(paths map[string]int) string {
	names := slices.SortedFunc(maps.Keys(paths), func(a, b string) int {
		return cmp.Or(cmp.Compare(paths[b], paths[a]), cmp.Compare(a, b))
	})
	if len(names) == 1 {
		return fmt.Sprintf("%q", names[0])
	}
	var all []string
	for _, name := range names[:min(3, len(names))] {
		all = append(all, fmt.Sprintf("%q (%d)", name, paths[name]))
	}
	return strings.Join(all, " or ")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// inventory collects what the files of an input are, each thing once.
type inventory struct {
	formats []string
	notes   []string
}

func (s *inventory) format(f Format, packed string) {
	text := string(f)
	if packed != "" {
		text += " (" + packed + ")"
	}
	if text != "" && !slices.Contains(s.formats, text) {
		s.formats = append(s.formats, text)
	}
}

func (s *inventory) note(format string, args ...any) {
	if text := "input: " + fmt.Sprintf(format, args...); !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// folder notes what a folder holds.
func (s *inventory) folder(p plan) {
	if p.skipped > 0 {
		rows := count(p.skipped, "file of rows is", "files of rows are")
		s.note("%s left out: a folder of pages, projects or archives is no folder of rows", rows)
	}
}

func (s *inventory) contents() (string, []string) { return strings.Join(s.formats, " and "), s.notes }
