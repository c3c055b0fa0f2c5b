// Package evidencetest makes values and reads folders for tests of what is kept.
package evidencetest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Filled is a value in which every field that is kept has a value of its own, so
// that a field which is added later and not kept fails its round trip.
func Filled[T any]() T {
	var v T
	n := 0
	fill(reflect.ValueOf(&v).Elem(), &n)
	return v
}

func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d\n\"<&>\u2028 漢", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8:
		v.SetUint(uint64(*n%255 + 1))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 1.0/3)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		fillSlice(v, n)
	case reflect.Map:
		fillMap(v, n)
	case reflect.Struct:
		fillStruct(v, n)
	default:
		panic("no way to fill a " + v.Type().String())
	}
}

func fillSlice(v reflect.Value, n *int) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes(fmt.Appendf(nil, `{"n":%d}`, *n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), 2, 2))
	for i := range v.Len() {
		fill(v.Index(i), n)
	}
}

func fillMap(v reflect.Value, n *int) {
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	fill(key, n)
	fill(value, n)
	v.Set(reflect.MakeMap(v.Type()))
	v.SetMapIndex(key, value)
}

func fillStruct(v reflect.Value, n *int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, *n, 5, time.UTC)))
		return
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && !strings.HasPrefix(f.Tag.Get("json"), "-") {
			fill(v.Field(i), n)
		}
	}
}

// Tree reads all files of a folder.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
