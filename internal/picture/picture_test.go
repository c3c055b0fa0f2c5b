package picture_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/picture"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pngBomb is a whole PNG of any size, of black pixels: few bytes, much memory.
func pngBomb(t testing.TB, width, height uint32) []byte {
	t.Helper()
	var out, packed bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		must(t, binary.Write(&out, binary.BigEndian, uint32(len(data))))
		body := append([]byte(kind), data...)
		out.Write(body)
		must(t, binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(body)))
	}
	header := binary.BigEndian.AppendUint32(nil, width)
	header = binary.BigEndian.AppendUint32(header, height)
	chunk("IHDR", append(header, 8, 2, 0, 0, 0))
	z := zlib.NewWriter(&packed)
	_, err := z.Write(make([]byte, 1<<20)) // the beginning: no reader should get to the end
	must(t, err)
	must(t, z.Close())
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out.Bytes()
}

func encoded(t testing.TB, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	var out bytes.Buffer
	must(t, encode(&out, image.NewGray(image.Rect(0, 0, 16, 16))))
	return out.Bytes()
}

func pngOf(t testing.TB) []byte {
	return encoded(t, func(b *bytes.Buffer, i image.Image) error { return png.Encode(b, i) })
}

func jpegOf(t testing.TB) []byte {
	return encoded(t, func(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) })
}

// jpegOfSize says another size in its header.
func jpegOfSize(t testing.TB, width, height uint16) []byte {
	data := jpegOf(t)
	at := bytes.Index(data, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(data[at+5:], height)
	binary.BigEndian.PutUint16(data[at+7:], width)
	return data
}

// webpOfSize is the header of a lossless WebP.
func webpOfSize(width, height uint32) []byte {
	bits := (width - 1) | (height-1)<<14
	data := append([]byte("RIFF\x00\x10\x00\x00WEBPVP8L\x00\x08\x00\x00\x2f"), binary.LittleEndian.AppendUint32(nil, bits)...)
	return append(data, make([]byte, 64)...)
}

func packed(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(data)
	must(t, err)
	must(t, z.Close())
	return out.Bytes()
}

func TestHostilePicturesAreRefusedBeforeTheyAreDecoded(t *testing.T) {
	t.Parallel()
	var moving bytes.Buffer
	must(t, gif.Encode(&moving, image.NewGray(image.Rect(0, 0, 4, 4)), nil))
	scans := append(jpegOf(t), bytes.Repeat([]byte{0xff, 0xda}, 1000)...)
	for what, c := range map[string]struct {
		data     []byte
		tooLarge bool
	}{
		"a PNG of 10^5 × 10^5":       {pngBomb(t, 100_000, 100_000), true},
		"a PNG of 30,000 × 30,000":   {pngBomb(t, 30_000, 30_000), true},
		"a PNG of 2^31 − 1":          {pngBomb(t, 1<<31-1, 1<<31-1), false}, // the decoder's own bound
		"a PNG of one endless line":  {pngBomb(t, 1<<31-1, 1), true},
		"a PNG of one endless row":   {pngBomb(t, 1, 1<<30), true},
		"a PNG without pixels":       {pngBomb(t, 0, 0), false},
		"a PNG that lies":            {pngBomb(t, 5000, 5000), false},
		"a JPEG of 65,535 × 65,535":  {jpegOfSize(t, 65_535, 65_535), true},
		"a JPEG of very many scans":  {scans, true},
		"a JPEG that lies":           {jpegOfSize(t, 4000, 4000), false},
		"a WebP of 16,384 × 16,384":  {webpOfSize(16_384, 16_384), true},
		"a WebP that lies":           {webpOfSize(4000, 4000), false},
		"half a PNG":                 {pngOf(t)[:40], false},
		"half a JPEG":                {jpegOf(t)[:200], false},
		"an SVG":                     {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>`), false},
		"an SVG with entities":       {[]byte(`<!DOCTYPE svg [<!ENTITY a "&#97;"><!ENTITY b "&a;&a;">]><svg>&b;</svg>`), false},
		"a packed SVG":               {packed(t, bytes.Repeat([]byte("<svg>"), 1<<20)), false},
		"a packed PNG":               {packed(t, pngOf(t)), false},
		"a GIF":                      {moving.Bytes(), false},
		"nothing":                    {nil, false},
		"zeros":                      {make([]byte, 1<<20), false},
		"more bytes than are wanted": {append(pngOf(t), make([]byte, picture.MaxBytes)...), true},
	} {
		img, err := picture.Decode(c.data)
		if err == nil || img != nil || errors.Is(err, picture.ErrTooLarge) != c.tooLarge || len(err.Error()) > 200 {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := picture.RGBA(c.data); err == nil {
			t.Errorf("%s: RGBA takes it", what)
		}
	}
}

func TestGoodPicturesAreDecoded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.png": pngOf(t), "a.jpg": jpegOf(t)} {
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, data, 0o600))
		img, err := picture.ReadFile(os.DirFS(dir), name)
		must(t, err)
		rgba, err := picture.RGBA(data)
		must(t, err)
		if img.Bounds() != image.Rect(0, 0, 16, 16) || rgba.Bounds() != img.Bounds() {
			t.Errorf("%s has the bounds %v and %v", name, img.Bounds(), rgba.Bounds())
		}
	}
}

// What is no ordinary file is not read, and of one without end only the beginning is.
func TestFilesThatAreNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, sparse := filepath.Join(dir, "pipe"), filepath.Join(dir, "sparse.png")
	must(t, syscall.Mkfifo(pipe, 0o600))
	must(t, os.WriteFile(sparse, pngOf(t), 0o600))
	must(t, os.Truncate(sparse, 1<<40))
	for name, says := range map[string]string{pipe: "not a file", "/dev/zero": "not a file", dir: "not a file", sparse: "too large", filepath.Join(dir, "none"): "no such file"} {
		if _, err := picture.ReadFile(os.DirFS(filepath.Dir(name)), filepath.Base(name)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
