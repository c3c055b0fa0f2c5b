package digest

import "testing"

func TestTextsThatAreNotUTF8HaveHashesOfTheirOwn(t *testing.T) {
	t.Parallel()
	if Text("\xff") == Text("\xfe") {
		t.Error("two texts that are not UTF-8 have one hash")
	}
}
