package inputs

import (
	"errors"
	"io"
	"iter"

	"vitrine"
)

// An Item is one output, or the files of one.
type Item struct {
	vitrine.Output
	// Artifact is set where the files are there already: a page, a project, a
	// drawing. It is nil where they are yet to be parsed out of the text.
	Artifact *vitrine.Artifact
	// From is the file that a site was read from, empty for a row.
	From string
}

// Settings of a reading.
type Settings struct {
	Stdin io.Reader // what the name "-" stands for; nil: nothing, the name is refused
	// Map says where in a row a field is, and comes before every guess.
	Map Mapping
	// AnyText takes any text as what one model wrote. Without it a text must look like
	// a model's answer: a fenced block, markup or a manifest.
	AnyText bool
	// Limits bound what is read; zero fields are the defaults.
	Limits Limits
}

// Limits of a reading, in bytes unless said otherwise.
type Limits struct {
	Row      int64 // one row; default 256 MB
	Site     int64 // the files of one page or project; default 100 MB
	Archive  int64 // all that is in one archive; default 256 MB
	Files    int   // in one archive or site; default 20,000
	Listed   int   // in one folder; default 200,000
	Unpacked int64 // one compressed file; default 1 TB
	Ratio    int64 // times by which it may grow, once it has grown to 64 MB; default 1,000
}

func (l Limits) withDefaults() Limits {
	or := func(n *int64, value int64) {
		if *n == 0 {
			*n = value
		}
	}
	or(&l.Row, 256<<20)
	or(&l.Site, 100<<20)
	or(&l.Archive, 256<<20)
	or(&l.Unpacked, 1<<40)
	or(&l.Ratio, 1000)
	if l.Files == 0 {
		l.Files = 20_000
	}
	if l.Listed == 0 {
		l.Listed = 200_000
	}
	return l
}

// An Input is a source that was surveyed. It is not safe for concurrent use. Close it.
type Input struct {
	Survey Survey

	settings Settings
	root     source
	given    map[string]bool // ids that rows have
}

// A source gives rows, from the first on at every call.
type source interface {
	rows() iter.Seq2[row, error]
	contents() (format string, notes []string)
	Close() error
}

// A row is a value of a file, or a site that is loaded when it is needed.
type row struct {
	at    Position
	value []byte // JSON
	load  func() (Item, error)
}

// Open surveys a file, a folder or, as "-", standard input. An input that cannot be
// read at all is a fault of usage with what to do.
func Open(name string, s Settings) (*Input, error) {
	s.Limits = s.Limits.withDefaults()
	root, err := open(name, s)
	if err != nil {
		return nil, err
	}
	return survey(root, s)
}

// Bytes surveys what is in memory. The name is used in messages and as a hint to the
// format.
func Bytes(name string, b []byte, s Settings) (*Input, error) {
	s.Limits = s.Limits.withDefaults()
	return survey(&file{name: name, id: name, open: opens(b), settings: s, found: &inventory{}}, s)
}

func survey(root source, s Settings) (*Input, error) {
	in := &Input{settings: s, root: root, given: map[string]bool{}}
	if err := in.look(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return in, nil
}

// Close gives back the files that are held.
func (in *Input) Close() error { return in.root.Close() }

// Items gives one output after the other. A *RowError is about one row, after which
// there may be more; any other error is the last.
func (in *Input) Items() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		names := newNames(in.given)
		for r, err := range in.root.rows() {
			if err != nil {
				if !yield(Item{}, err) {
					return
				}
				continue
			}
			if !in.give(r, names, yield) {
				return
			}
		}
	}
}

// give yields what is in one row.
func (in *Input) give(r row, names *names, yield func(Item, error) bool) bool {
	drafts, err := in.read(r)
	if err != nil {
		return yield(Item{}, err)
	}
	names.row(r, drafts)
	for _, d := range drafts {
		if !yield(d.Item, nil) {
			return false
		}
	}
	return true
}

// read makes drafts of a row: outputs whose ids may be missing or there already.
func (in *Input) read(r row) ([]draft, error) {
	if r.load == nil {
		return readRecord(r, in.settings.Map)
	}
	item, err := r.load()
	if err != nil {
		return nil, &RowError{Position: r.at, Found: err.Error(), Wanted: "a page or a project", Late: true}
	}
	return []draft{{Item: item, given: true}}, nil
}
