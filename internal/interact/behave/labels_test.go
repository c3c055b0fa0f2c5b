package behave

import "testing"

// A Chinese label holds a wanted one anywhere: it has no spaces between words.
func TestChineseLabelsAreMatchedWithoutSpaces(t *testing.T) {
	t.Parallel()
	begins, holds, other := matches("添加任务", []string{"添加"}), matches("快速添加", []string{"添加"}), matches("删除任务", []string{"添加"})
	if begins <= holds || holds <= 0 || other != 0 {
		t.Errorf("got %g, %g and %g", begins, holds, other)
	}
}

// The number of a score may stand in the line above its label, or below it.
func TestAScoreStandsBesideItsLabel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines []string
		want  int
		ok    bool
	}{
		{[]string{"You got 3 of 5"}, 3, true},
		{[]string{"80%", "4", "correct", "1", "wrong"}, 4, true},
		{[]string{"Score", "7"}, 7, true},
		{[]string{"10%", "1", "答对", "9", "答错"}, 1, true},
		{[]string{"Question 3", "Restart"}, 0, false},
	} {
		if got, ok := scoreIn(c.lines); got != c.want || ok != c.ok {
			t.Errorf("%q: got %d, %t, want %d, %t", c.lines, got, ok, c.want, c.ok)
		}
	}
}

// The year behind a month is no day of it.
func TestDatesAreRead(t *testing.T) {
	t.Parallel()
	first, _ := dateOf("2025-12-31")
	for _, text := range []string{"31 December 2025", "Dec 31, 2025", "31. Dec 2025", "December 31st, 2025", "due on 12/31/2025", "Main Street 4 · 31 December 2025 · 2 comments"} {
		if got, ok := dateOf(text); !ok || got != first {
			t.Errorf("%q is day %g, want %g", text, got, first)
		}
	}
	for _, text := range []string{"May I come in?", "Junior 21", "Marsh 17"} {
		if _, ok := dateOf(text); ok {
			t.Errorf("%q is a date", text)
		}
	}
}
