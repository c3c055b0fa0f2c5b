package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/runs"
)

// A subject is all that the pages of one sample are made from.
type subject struct {
	Header    runs.Header
	Sample    vitrine.Sample
	Evidence  *vitrine.Evidence
	Artifact  *vitrine.Artifact
	Judgement *vitrine.Judgement
	Opinions  []vitrine.Judgement
	Trace     *vitrine.Trace
}

// fill gives every field that v reaches a value, one element to every list and map.
func fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth > 12 {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(started))
		return
	case json.RawMessage:
		v.SetBytes([]byte(spec))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("filled")
	case reflect.Bool:
		v.SetBool(true)
	default:
		if v.CanInt() {
			v.SetInt(3)
		} else if v.CanFloat() {
			v.SetFloat(0.25)
		}
	}
}

// fields visits every field that v reaches and that can be empty, with its path.
func fields(v reflect.Value, path string, visit func(path string, field reflect.Value)) {
	if v.CanSet() && path != "" {
		visit(path, v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fields(v.Elem(), path, visit)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fields(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			fields(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	}
}

// filled is a sample of which everything is known.
func filled() subject {
	var s subject
	fill(reflect.ValueOf(&s).Elem(), 0)
	s.Sample.ID, s.Sample.Status, s.Sample.Outcome = "a", vitrine.SampleScored, vitrine.OutcomeRendered
	return s
}

// pages renders all that a report holds of one sample.
func (s subject) pages() (string, error) {
	r := &run{dir: "run", header: s.Header, samples: []vitrine.Sample{s.Sample, s.Sample}, recipe: readRecipe(s.Header.RecipeSpec)}
	k := kept{dir: "run/a", rel: "a", up: "../..", evidence: s.Evidence, artifact: s.Artifact, judgement: s.Judgement, opinions: s.Opinions, trace: s.Trace}
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "sample.html", r.samplePage(0, k)); err != nil {
		return "", err
	}
	if err := templates.ExecuteTemplate(&out, "report.html", r.overview()); err != nil {
		return "", err
	}
	if err := writeIndex(&out, r, []row{newRow(&s.Sample, k)}); err != nil {
		return "", err
	}
	Text(&out, Summarize(s.Header, r.samples))
	return out.String(), nil
}

// slips are what a value looks like that was printed as something it is not.
var slips = regexp.MustCompile(`%!|<nil>|&lt;nil&gt;|\bNaN\b|[+-]Inf\b|0x[0-9a-f]{4,}|no value&gt;|map\[|\{[0-9. ]+\}`)

func (s subject) check(t *testing.T, what string) {
	t.Helper()
	text, err := s.pages()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	for _, at := range slips.FindAllStringIndex(text, 3) {
		t.Errorf("%s: the report prints …%s…", what, text[max(0, at[0]-60):min(len(text), at[1]+30)])
	}
}

func TestEveryFieldPresentAndAbsentPrintsWell(t *testing.T) {
	t.Parallel()
	filled().check(t, "all")
	subject{}.check(t, "nothing")
	for i := range reflect.TypeFor[subject]().NumField() {
		var s subject
		fill(reflect.ValueOf(&s).Elem().Field(i), 0)
		s.check(t, "only "+reflect.TypeFor[subject]().Field(i).Name)
	}
	var paths []string
	every := filled()
	fields(reflect.ValueOf(&every).Elem(), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
	if len(paths) < 300 {
		t.Fatalf("only %d fields were found", len(paths))
	}
	for _, absent := range paths {
		s := filled()
		fields(reflect.ValueOf(&s).Elem(), "", func(path string, field reflect.Value) {
			if path == absent {
				field.SetZero()
			}
		})
		s.check(t, "without "+absent)
	}
}
