package calibrate

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// A Kind says what a rating is of.
type Kind string

// The kinds of rated things; each is the name of a column.
const (
	KindEvidence Kind = "evidence" // an evidence folder
	KindImage    Kind = "image"    // a PNG or JPEG file
	KindID       Kind = "id"       // a sample of a run
)

// columns are all columns that a file of ratings may have.
var columns = []string{string(KindEvidence), string(KindImage), string(KindID), "score", "weight", "group"}

// Ratings are what people said of sites, all of one kind.
type Ratings struct {
	Kind Kind
	Rows []Rating
}

// A Rating is what people said of one site.
type Rating struct {
	Line   int
	Name   string // path or id, as written
	Score  float64
	Weight float64 // default 1
	Group  string
}

// ParseRatings reads a CSV file with a header. Name is what messages call the
// file. A column that is not known, a rating that is not a finite number and a
// site that is rated twice are errors of code [vitrine.FaultUsage] that name the
// line: guessing would put a wrong number into every figure.
func ParseRatings(name string, r io.Reader) (*Ratings, error) {
	ratings, err := parseRatings(r)
	if err != nil {
		return nil, vitrine.NewFault("judge", vitrine.FaultUsage, err, name+" is no file of ratings").
			WithFix("a CSV file with a header, one of the columns evidence, image or id, the column score, and if need be weight and group")
	}
	return ratings, nil
}

func parseRatings(r io.Reader) (*Ratings, error) {
	in := bufio.NewReader(r)
	if mark, err := in.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
	rows := csv.NewReader(in)
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty")
	}
	if err != nil {
		return nil, err
	}
	at, err := readHeader(header)
	if err != nil {
		return nil, err
	}
	out := &Ratings{Kind: kindOf(at)}
	seen := map[string]int{}
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		line, _ := rows.FieldPos(0)
		rating, err := readRating(record, at, out.Kind)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if before := seen[rating.Name]; before > 0 {
			return nil, fmt.Errorf("line %d rates %s again, after line %d: take the mean of several people's ratings first, and give their number as weight", line, rating.Name, before)
		}
		seen[rating.Name], rating.Line = line, line
		out.Rows = append(out.Rows, rating)
	}
	if len(out.Rows) == 0 {
		return nil, errors.New("it has a header and no ratings")
	}
	return out, nil
}

// readHeader says where each column is.
func readHeader(header []string) (map[string]int, error) {
	at := map[string]int{}
	var kinds []string
	for i, column := range header {
		column = strings.ToLower(strings.TrimSpace(column))
		if !slices.Contains(columns, column) {
			return nil, fmt.Errorf("there is no column %q; columns: %s", column, strings.Join(columns, ", "))
		}
		if _, twice := at[column]; twice {
			return nil, fmt.Errorf("the column %s is there twice", column)
		}
		at[column] = i
		if slices.Contains(columns[:3], column) {
			kinds = append(kinds, column)
		}
	}
	if len(kinds) != 1 {
		return nil, fmt.Errorf("want exactly one of the columns evidence, image and id, got %d", len(kinds))
	}
	if _, ok := at["score"]; !ok {
		return nil, errors.New("there is no column score")
	}
	return at, nil
}

func kindOf(at map[string]int) Kind {
	for _, k := range []Kind{KindEvidence, KindImage} {
		if _, ok := at[string(k)]; ok {
			return k
		}
	}
	return KindID
}

func readRating(record []string, at map[string]int, kind Kind) (Rating, error) {
	out := Rating{Name: strings.TrimSpace(record[at[string(kind)]]), Weight: 1}
	if out.Name == "" {
		return out, fmt.Errorf("%s is empty", kind)
	}
	var err error
	if out.Score, err = number(record[at["score"]]); err != nil {
		return out, fmt.Errorf("score: %w", err)
	}
	if i, ok := at["weight"]; ok && strings.TrimSpace(record[i]) != "" {
		if out.Weight, err = number(record[i]); err != nil || out.Weight <= 0 {
			return out, fmt.Errorf("weight: want a number above 0, got %q", record[i])
		}
	}
	if i, ok := at["group"]; ok {
		out.Group = strings.TrimSpace(record[i])
	}
	return out, nil
}

func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("want a finite number, got %q", s)
	}
	return v, nil
}
