package review_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/data/review"
	"vitrine/internal/meta/answers"
)

// label writes what a reviewer said of a row.
func label(t *testing.T, dir, reviewer, question, row, value string) {
	t.Helper()
	labelAs(t, dir, reviewer, answers.Item{ID: question + ":" + row, Kind: answers.Unit, Question: question, Task: row}, value)
}

func labelAs(t *testing.T, dir, reviewer string, item answers.Item, value string) {
	t.Helper()
	s, err := review.OpenStore(dir, reviewer)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Say(item, answers.Label{Value: answers.Text(value)}); err != nil {
		t.Fatal(err)
	}
}

// TestWhatMostRefuseGoes: b is a duplicate by two of three, c by one of two, d is no good.
func TestWhatMostRefuseGoes(t *testing.T) {
	dir, out := borderline(t), t.TempDir()
	for _, l := range [][4]string{
		{"ann", review.Duplicate, "b", "true"}, {"bob", review.Duplicate, "b", "true"}, {"cyd", review.Duplicate, "b", "false"},
		{"ann", review.Duplicate, "c", "true"}, {"bob", review.Duplicate, "c", "false"},
		{"ann", review.Good, "d", "false"}, {"ann", review.Good, "a", "true"},
	} {
		label(t, review.Folder(dir), l[0], l[1], l[2], l[3])
	}
	done, err := review.Apply(context.Background(), dir, out)
	if err != nil || done.Kept != 2 || done.Dropped != 2 || done.Split != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := read(t, filepath.Join(out, "dropped.jsonl")); got != `{"id":"b","reason":"a duplicate, by review","yes":1,"no":2}`+"\n"+`{"id":"d","reason":"not good, by review","yes":0,"no":1}`+"\n" {
		t.Errorf("dropped:\n%s", got)
	}
	if got := read(t, filepath.Join(out, "review.jsonl")); !strings.HasPrefix(got, `{"id":"c",`) {
		t.Errorf("split on:\n%s", got)
	}
	if got := read(t, filepath.Join(out, "kept.jsonl")); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, `{"id":"a"`) {
		t.Errorf("kept:\n%s", got)
	}
}

// TestAReviewerHasOneVoteOnARow, however many it is held against; a vote on a row that is
// not there is told.
func TestAReviewerHasOneVoteOnARow(t *testing.T) {
	dir := t.TempDir()
	rows := write(t, filepath.Join(dir, "rows.csv"), "id,instruction\na,A shop\nb,A blog\n")
	folder := review.Folder(rows)
	for _, other := range []string{"x", "y", "z"} {
		labelAs(t, folder, "ann", answers.Item{ID: "duplicate:a|" + other, Kind: answers.Unit, Question: review.Duplicate, Task: "a"}, "true")
	}
	for _, name := range []string{"bob", "cyd"} {
		labelAs(t, folder, name, answers.Item{ID: "duplicate:a|x", Kind: answers.Unit, Question: review.Duplicate, Task: "a"}, "false")
	}
	label(t, folder, "ann", review.Good, "gone", "false")
	out := t.TempDir()
	done, err := review.Apply(context.Background(), rows, out)
	if err != nil || done.Kept != 2 || done.Absent != 1 {
		t.Fatalf("%+v, %v: want both rows by two votes to one, and a vote on no row", done, err)
	}
	if got := read(t, filepath.Join(out, "rows.jsonl")); !strings.HasPrefix(got, `{"id":"a"`) || strings.Count(got, "\n") != 2 {
		t.Errorf("rows.jsonl:\n%s", got)
	}
}
