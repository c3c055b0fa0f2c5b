package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const printed = `ok  	m/a	1.2s	coverage: 80.5% of statements
	m/none		coverage: 0.0% of statements
?   	m/c	[no test files]
ok  	m/b	(cached)	coverage: 50.0% of statements
`

func hold(t *testing.T, floors string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "coverage.txt")
	if err := os.WriteFile(file, []byte(floors), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run(strings.NewReader(printed), &out, file, false)
	if out.String() != printed {
		t.Errorf("passed on %q", &out)
	}
	return err
}

func TestFloors(t *testing.T) {
	t.Parallel()
	if err := hold(t, "m/a 80\nm/b 50\n"); err != nil {
		t.Error(err)
	}
	for floors, want := range map[string]string{
		"m/a 81\nm/b 50\n":        "m/a covers 80.5 %, not 81 %",
		"m/a 80\n":                "m/b has no line",
		"m/a 80\nm/b 50\nm/d 1\n": "m/d has a line and no tests that passed",
		"m/a eighty\n":            `"m/a eighty" is not a package and a number`,
	} {
		if err := hold(t, floors); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", floors, err, want)
		}
	}
}

func TestUpdateWritesFloorsThatHold(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "coverage.txt")
	if err := run(strings.NewReader(printed), &bytes.Buffer{}, file, true); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "m/a 78\nm/b 48\n" {
		t.Errorf("wrote %q", got)
	}
}
