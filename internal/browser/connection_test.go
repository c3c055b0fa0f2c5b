package browser

import (
	"bufio"
	"bytes"
	"io"
	"testing"
)

func TestFramesOfAnyLength(t *testing.T) {
	t.Parallel()
	long, tooLong := bytes.Repeat([]byte("x"), 1<<20), bytes.Repeat([]byte("y"), maxFrame+1)
	input := io.MultiReader(bytes.NewReader([]byte("one\x00")), bytes.NewReader(append(long, 0)), bytes.NewReader(tooLong), bytes.NewReader([]byte("\x00last\x00half")))
	br := bufio.NewReaderSize(input, 1<<12)
	for _, want := range []int{3, 1 << 20, -1, 4} {
		frame, err := readFrame(br)
		if err != nil || want >= 0 && len(frame) != want || want < 0 && len(frame) > 1<<13 {
			t.Fatalf("got %d bytes, %v, want %d", len(frame), err, want)
		}
	}
	if frame, err := readFrame(br); err != io.EOF {
		t.Errorf("got %q, %v at the end", frame, err)
	}
}
