package inputs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// errDamaged is an input whose packing is broken, or is a bomb. What was read before it
// is good.
var errDamaged = errors.New("damaged")

const (
	// sniffed is how much of a file its format is found by.
	sniffed = 64 << 10
	// ratioFrom is the size from which on the ratio is looked at.
	ratioFrom = 64 << 20
	// zstdWindow is what zstd --long=27 needs.
	zstdWindow = 128 << 20
)

// unpacked is a stream of what is in a file, and how it was packed.
type unpacked struct {
	*bufio.Reader
	packed string // gzip, zstd or empty
	close  []func() error
}

func (u *unpacked) Close() error {
	var err error
	for i := len(u.close) - 1; i >= 0; i-- {
		err = errors.Join(err, u.close[i]())
	}
	return err
}

// unpack takes off one packing, which it knows by its magic number.
func unpack(f io.ReadCloser, l Limits) (*unpacked, error) {
	counted := &counter{r: f}
	raw := bufio.NewReaderSize(counted, sniffed)
	u := &unpacked{Reader: raw, close: []func() error{f.Close}}
	head, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, errors.Join(err, u.Close())
	}
	var inner io.Reader
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w gzip: %w", errDamaged, err), u.Close())
		}
		inner, u.packed = z, "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w zstd: %w", errDamaged, err), u.Close())
		}
		u.close = append(u.close, func() error { z.Close(); return nil })
		inner, u.packed = z, "zstd"
	default:
		return u, nil
	}
	u.Reader = bufio.NewReaderSize(&bounded{r: inner, packed: counted, how: u.packed, limits: l}, sniffed)
	return u, nil
}

// counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded ends a stream that grows beyond its limits, and marks its errors as damage.
type bounded struct {
	r      io.Reader
	packed *counter
	how    string
	limits Limits
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	switch {
	case b.n > b.limits.Unpacked:
		return n, fmt.Errorf("%w %s: it unpacks to more than %d MB", errDamaged, b.how, b.limits.Unpacked>>20)
	case b.n > ratioFrom && b.n/max(1, b.packed.n) > b.limits.Ratio:
		const message = "%w %s: it unpacks to more than %d times its size, as a bomb does; unpack it yourself if you trust it"
		return n, fmt.Errorf(message, errDamaged, b.how, b.limits.Ratio)
	case err != nil && err != io.EOF:
		return n, fmt.Errorf("%w %s: %w", errDamaged, b.how, err)
	}
	return n, err
}
