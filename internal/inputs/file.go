package inputs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"vitrine"
)

// A file gives the rows of one file, whatever its format.
type file struct {
	name     string // as messages say it
	id       string // of the site, where it is one
	open     func() (io.ReadCloser, error)
	settings Settings
	found    *inventory
	around   tree   // what lies in the folder of a page; nil if nothing does
	base     string // the page's name in it
	held     io.Closer
	nested   int // archives around it
}

func (f *file) Close() error {
	if f.held != nil {
		return f.held.Close()
	}
	return nil
}

func (f *file) contents() (string, []string) { return f.found.contents() }

// open finds out what a name stands for.
func open(name string, s Settings) (source, error) {
	f := &file{name: name, id: filepath.Base(name), settings: s, found: &inventory{}}
	if name == "-" {
		if s.Stdin == nil {
			return nil, refuse("standard input cannot be read here", "write it to a file and name that")
		}
		f.id, f.name = "stdin", "standard input"
		return f, f.copy(io.NopCloser(s.Stdin))
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, refuse("cannot read the input: "+err.Error(), "name a file of outputs, a page, a folder or an archive; - is standard input")
	}
	if info.IsDir() {
		return openFolder(name, s)
	}
	if info.Mode()&os.ModeDevice != 0 {
		return nil, refuse(name+" is a device", "name a file, a folder or an archive; - is standard input")
	}
	if !info.Mode().IsRegular() {
		opened, err := os.Open(name)
		if err != nil {
			return nil, refuse("cannot read the input: "+err.Error(), "")
		}
		return f, f.copy(opened)
	}
	f.open = func() (io.ReadCloser, error) { return os.Open(name) }
	r, err := f.open()
	if err != nil {
		return nil, refuse("cannot read the input: "+err.Error(), "")
	}
	folder, failed := openRoot(filepath.Dir(name), maxNamed)
	if failed == nil {
		f.around, f.base, f.held = folder, filepath.Base(name), folder
	}
	return f, r.Close()
}

// copy keeps a stream that can be read once in a file without a name.
func (f *file) copy(r io.ReadCloser) error {
	kept, size, err := spool(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return refuse("cannot read the input: "+err.Error(), "")
	}
	f.held = kept
	f.open = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(kept, 0, size)), nil }
	return nil
}

// spool copies a stream to a file that has no name and ends with its last user.
func spool(r io.Reader) (*os.File, int64, error) {
	kept, err := os.CreateTemp("", "vitrine-input-")
	if err != nil {
		return nil, 0, err
	}
	err = os.Remove(kept.Name())
	size, failed := io.Copy(kept, r)
	if err = errors.Join(err, failed); err != nil {
		return nil, 0, errors.Join(err, kept.Close())
	}
	return kept, size, nil
}

// opens gives the same bytes at every call.
func opens(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

// rows reads the file from its beginning.
func (f *file) rows() iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		u, format, err := f.start()
		if err != nil {
			yield(row{}, f.damage(err, row{at: Position{File: f.name}}))
			return
		}
		defer u.Close()
		f.found.format(format, u.packed)
		last := row{at: Position{File: f.name}}
		for r, err := range f.read(u, format) {
			if err != nil && !isRowError(err) {
				yield(row{}, f.damage(err, last))
				return
			}
			if last = r; !yield(r, err) {
				return
			}
		}
	}
}

// damage makes a broken or overgrown stream an error of the row that it ends in.
func (f *file) damage(err error, last row) error {
	if !errors.Is(err, errDamaged) {
		return err
	}
	return unusable(last.at, err.Error(), "the rest of "+f.name, "the outputs before it are used; make or fetch the file again")
}

func isRowError(err error) bool {
	var e *RowError
	return errors.As(err, &e)
}

// start unpacks the file and finds its format.
func (f *file) start() (*unpacked, Format, error) {
	r, err := f.open()
	if err != nil {
		return nil, "", err
	}
	u, err := unpack(r, f.settings.Limits)
	if err != nil {
		return nil, "", err
	}
	head, err := u.Peek(sniffed - 1)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) && len(head) == 0 {
		return nil, "", errors.Join(err, u.Close())
	}
	if decoded := asUTF8(u.Reader, head); decoded != nil {
		u.Reader = decoded
		head, err = u.Peek(sniffed - 1)
	}
	format, failed := sniff(f.name, head, err == io.EOF, f.settings.Map)
	if failed != nil {
		return nil, "", errors.Join(failed, u.Close())
	}
	return u, format, nil
}

// asUTF8 takes off a byte order mark, and decodes UTF-16; nil where there is nothing
// to do.
func asUTF8(r *bufio.Reader, head []byte) *bufio.Reader {
	endian, bom := unicode.LittleEndian, unicode.UseBOM
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = r.Discard(3)
		return r
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")): // UTF-32
		return nil
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
	case len(head) > 3 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		bom = unicode.IgnoreBOM
	case len(head) > 3 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		endian, bom = unicode.BigEndian, unicode.IgnoreBOM
	default:
		return nil
	}
	return bufio.NewReaderSize(unicode.UTF16(endian, bom).NewDecoder().Reader(r), sniffed)
}

// read gives the rows of a format.
func (f *file) read(u *unpacked, format Format) iter.Seq2[row, error] {
	at, l := Position{File: f.name}, f.settings.Limits
	switch format {
	case FormatLines:
		return lines(u, at, l.Row)
	case FormatJSON:
		return values(u, at, l.Row)
	case FormatCSV:
		return table(u, at, l.Row)
	case FormatParquet:
		return parquetRows(u, at)
	case FormatZip, FormatTar:
		return f.archive(u, format)
	case FormatPage, FormatDrawing, FormatCode:
		return one(row{at: at, load: func() (Item, error) { return f.site(format) }})
	case FormatText:
		return f.text(u)
	}
	return func(func(row, error) bool) {}
}

func one(r row) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) { yield(r, nil) }
}

// text is what one model wrote.
func (f *file) text(u *unpacked) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		head, _ := u.Peek(sniffed - 1)
		if !f.settings.AnyText && !answerMark.Match(head) && !markup.Match(bytes.TrimSpace(head)) {
			yield(row{}, refuse(fmt.Sprintf("%s holds a text that is no output: %q", f.name, short(string(head))),
				"name a file of JSON lines, JSON, CSV or Parquet, a page, a folder or an archive; vitrine render shows a text as one output"))
			return
		}
		yield(row{at: Position{File: f.name}, load: func() (Item, error) {
			content, err := f.all()
			return Item{Output: vitrine.Output{ID: f.id, Text: string(content)}, From: f.name}, err
		}}, nil)
	}
}

// all is the whole of a file that is one site.
func (f *file) all() ([]byte, error) {
	u, _, err := f.start()
	if err != nil {
		return nil, err
	}
	defer u.Close()
	return readBounded(u, f.settings.Limits.Site)
}

// readBounded reads to the end, which must come before a limit.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("more than %d MB", limit>>20)
	}
	return b, err
}

// site is the page, drawing or component that the file is, with what a page names of
// the files in its folder.
func (f *file) site(format Format) (Item, error) {
	content, err := f.all()
	item := Item{Output: vitrine.Output{ID: f.id, Text: string(content)}, From: f.name}
	if err != nil {
		return item, err
	}
	kind, name := vitrine.KindPage, "index.html"
	switch format {
	case FormatDrawing:
		kind, name = vitrine.KindSVG, "image.svg"
	case FormatCode:
		kind, name = vitrine.KindComponent, "page.tsx"
	}
	item.Artifact = &vitrine.Artifact{Kind: kind, Files: []vitrine.File{{Path: name, Content: item.Text}}}
	if kind == vitrine.KindPage && f.around != nil {
		named := referenced(f.around, f.base, item.Text)
		item.Artifact.Files = append(item.Artifact.Files, named...)
	}
	return item, nil
}

// title is a name without its extensions.
func title(name string) string {
	name = path.Base(filepath.ToSlash(name))
	for _, end := range []string{".gz", ".zst", ".zip", ".tar", ".tgz"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}
