package answers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/strictyaml"
)

// longestLine bounds a line of the form, in bytes.
const longestLine = 16 << 20

// A Set is a file of the form, checked.
type Set struct {
	questions []*question // in the order in which they first come
	// Notes say what of the file does not count, and why.
	Notes []string
}

// Open reads files of the form as one. Faults are those of commands.
func Open(paths ...string) (*Set, error) { return OpenWith(nil, paths...) }

// OpenWith is Open that also takes folders, which the function reads, if there is one.
func OpenWith(folder func(dir string) ([]Line, error), paths ...string) (*Set, error) {
	const fix = `each line is {"item":…}, {"label":…} or {"answer":…}, see docs/meta-data.md`
	b := newBuilder()
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() && folder != nil {
			lines, err := folder(path)
			if err != nil {
				return nil, err
			}
			if err := b.addAll(lines); err != nil {
				return nil, usage(err, path+" cannot be used", "its samples contradict each other or those of the other data: give it alone")
			}
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, usage(err, "cannot read "+path, fix)
		}
		b.dir = filepath.Dir(path)
		err = b.read(f)
		f.Close()
		if err != nil {
			return nil, usage(err, path+" cannot be used", fix)
		}
	}
	s, err := b.set()
	if err != nil {
		return nil, usage(err, strings.Join(paths, ", ")+" cannot be used", fix)
	}
	return s, nil
}

func usage(why error, message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, why, message).WithFix(fix)
}

// Holds says in a line what there is, for whoever looks for something else.
func (s *Set) Holds() string {
	counts, raters := map[Kind]int{}, map[string]bool{}
	for _, q := range s.questions {
		counts[q.kind] += len(q.items)
		for _, i := range q.items {
			for _, l := range i.labels {
				raters[l.Rater] = true
			}
		}
	}
	var parts []string
	for _, kind := range []Kind{Pair, Unit, Rating, Class} {
		if counts[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d of kind %s", counts[kind], kind))
		}
	}
	return "items, " + strings.Join(parts, ", ") + fmt.Sprintf("; raters, %d; judges, %d", len(raters), len(s.Judges()))
}

// Has says which judge the file has no answers of, if any. Faults are those of commands.
func (s *Set) Has(judges ...string) error {
	names := s.Judges()
	for _, judge := range judges {
		if !slices.Contains(names, judge) {
			return usage(nil, fmt.Sprintf("there are no answers of the judge %q", judge)+strictyaml.DidYouMean(judge, names), "name judges of the file, or none for all")
		}
	}
	return nil
}

// Read reads the form, a JSON object a line. Items may come after what is said of them.
func Read(r io.Reader) (*Set, error) {
	b := newBuilder()
	if err := b.read(r); err != nil {
		return nil, err
	}
	return b.set()
}

// Of is the set of lines of the form.
func Of(lines []Line) (*Set, error) {
	b := newBuilder()
	if err := b.addAll(lines); err != nil {
		return nil, err
	}
	return b.set()
}

func (b *builder) addAll(lines []Line) error {
	for n, l := range lines {
		if err := b.add(l); err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return nil
}

func (b *builder) read(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, longestLine)
	for line := 1; in.Scan(); line++ {
		text := bytes.TrimSpace(bytes.TrimPrefix(in.Bytes(), []byte("\ufeff"))) // some editors begin a file with this mark
		if len(text) == 0 {
			continue
		}
		l, err := lineOf(text)
		if err == nil {
			err = b.add(l)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return in.Err()
}

// lineOf reads a line. A field that the form lacks is an error: of a truth or a category that
// is misspelt, figures would be of something else.
func lineOf(text []byte) (l Line, err error) {
	if err := json.Unmarshal(text, &l); err != nil {
		return l, err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(&Line{}); err != nil {
		field, _ := strings.CutPrefix(err.Error(), "json: unknown field ")
		return l, fmt.Errorf("the form has no field %s", field)
	}
	return l, nil
}

// Write writes lines of the form.
func Write(w io.Writer, lines []Line) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, l := range lines {
		if err := out.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

type builder struct {
	dir     string // that paths are relative to; empty: the working folder
	items   map[string]*item
	order   []*item
	labels  []Label
	answers []Answer
}

func newBuilder() *builder { return &builder{items: map[string]*item{}} }

func (b *builder) add(l Line) error {
	switch {
	case l.Item != nil && l.Label == nil && l.Answer == nil:
		return b.addItem(*l.Item)
	case l.Label != nil && l.Item == nil && l.Answer == nil:
		if l.Label.Item == "" || l.Label.Rater == "" || l.Label.Value == nil {
			return errors.New("a label needs item, rater and value")
		}
		if l.Label.Seconds != nil && *l.Label.Seconds < 0 {
			return fmt.Errorf("the label of item %s by %s took %v seconds; want 0 or more", l.Label.Item, l.Label.Rater, *l.Label.Seconds)
		}
		if first := l.Label.First; first != "" && first != "A" && first != "B" {
			return fmt.Errorf("first of the label of item %s by %s is %q; want A or B", l.Label.Item, l.Label.Rater, first)
		}
		b.labels = append(b.labels, *l.Label)
	case l.Answer != nil && l.Item == nil && l.Label == nil:
		if l.Answer.Item == "" || l.Answer.Judge == "" {
			return errors.New("an answer needs item and judge, and a value, which may be null")
		}
		if err := l.Answer.check(); err != nil {
			return err
		}
		l.Answer.Repeat = max(1, l.Answer.Repeat)
		b.answers = append(b.answers, *l.Answer)
	default:
		return errors.New("want one of item, label and answer")
	}
	return nil
}

// check says which number of an answer is none that can be.
func (a *Answer) check() error {
	switch {
	case a.Confidence != nil && (*a.Confidence < 0 || *a.Confidence > 1):
		return fmt.Errorf("the confidence of %s in its answer about item %s is %v; want 0 to 1", a.Judge, a.Item, *a.Confidence)
	case a.Seconds != nil && *a.Seconds < 0:
		return fmt.Errorf("the answer of %s about item %s took %v seconds; want 0 or more", a.Judge, a.Item, *a.Seconds)
	case a.USD != nil && *a.USD < 0:
		return fmt.Errorf("the answer of %s about item %s cost %v USD; want 0 or more", a.Judge, a.Item, *a.USD)
	}
	return nil
}

func (b *builder) addItem(i Item) error {
	switch {
	case i.ID == "":
		return errors.New("an item needs an id")
	case i.Kind != Pair && i.Kind != Unit && i.Kind != Rating && i.Kind != Class:
		return fmt.Errorf("the kind of item %s is %q; want pair, unit, rating or class", i.ID, i.Kind)
	case i.Split != "" && i.Split != "fit" && i.Split != "test":
		return fmt.Errorf("the split of item %s is %q; want fit or test", i.ID, i.Split)
	case i.VariantOf == i.ID || i.VariantOf == "" && (i.Variant != "" || i.Broken):
		return fmt.Errorf("item %s is a version of nothing else; want in variant_of the id of the item that it is a version of", i.ID)
	case i.Attacked != "" && (i.VariantOf == "" || i.Broken || (i.Kind == Pair) != (i.Attacked == "A" || i.Attacked == "B")):
		return fmt.Errorf("item %s cannot be attacked in %q; want A or B of a version of a pair, it of a version of anything else, and none that is broken", i.ID, i.Attacked)
	case len(i.Shown) > 2 || len(i.Shown) > 0 && (len(i.Shown) == 2) != (i.Kind == Pair):
		return fmt.Errorf("item %s shows %d things; want two of a pair, one of anything else", i.ID, len(i.Shown))
	case len(i.Lengths) > 2 || len(i.Lengths) > 0 && (len(i.Lengths) == 2) != (i.Kind == Pair):
		return fmt.Errorf("item %s has %d lengths; want two of a pair, one of anything else", i.ID, len(i.Lengths))
	}
	if i.Truth != nil {
		if err := i.Truth.Fits(i.Kind); err != nil {
			return fmt.Errorf("truth of item %s: %w", i.ID, err)
		}
	}
	b.place(&i)
	if known := b.items[i.ID]; known != nil {
		return known.join(i)
	}
	added := &item{Item: i}
	b.items[i.ID] = added
	b.order = append(b.order, added)
	return nil
}

// place makes the paths of an item absolute.
func (b *builder) place(i *Item) {
	var rubric string
	isFile := len(i.Rubric) > 0 && json.Unmarshal(i.Rubric, &rubric) == nil
	paths := []*string{&rubric}
	i.Shown = slices.Clone(i.Shown)
	for n := range i.Shown {
		t := &i.Shown[n]
		paths = append(paths, &t.Evidence, &t.Page, &t.Picture, &t.Trajectory)
	}
	for _, path := range paths {
		if *path == "" || filepath.IsAbs(*path) {
			continue
		}
		*path = filepath.Join(b.dir, *path)
		if absolute, err := filepath.Abs(*path); err == nil {
			*path = absolute
		}
	}
	if isFile {
		i.Rubric, _ = json.Marshal(rubric) // a text always can be
	}
}

// join takes over what the same item says when it comes again, such as from another file.
func (i *item) join(again Item) error {
	if i.Kind != again.Kind || i.Question != again.Question || i.Truth != nil && again.Truth != nil && !equal(i.Truth, again.Truth) {
		return fmt.Errorf("there are two items with the id %s that differ in kind, question or truth", i.ID)
	}
	if i.Truth == nil {
		i.Truth = again.Truth
	}
	if i.Lengths == nil {
		i.Lengths = again.Lengths
	}
	if i.Shown == nil {
		i.Shown = again.Shown
	}
	if i.Rubric == nil {
		i.Rubric = again.Rubric
	}
	i.Broken = i.Broken || again.Broken
	for _, one := range []struct{ has, says *string }{
		{&i.Task, &again.Task}, {&i.Category, &again.Category}, {&i.Model, &again.Model}, {&i.Split, &again.Split},
		{&i.VariantOf, &again.VariantOf}, {&i.Variant, &again.Variant}, {&i.Template, &again.Template},
		{&i.Attacked, &again.Attacked}, {&i.Instruction, &again.Instruction}, {&i.Asks, &again.Asks},
	} {
		if *one.has != "" && *one.says != "" && *one.has != *one.says {
			return fmt.Errorf("item %s is said to be of %q and of %q", i.ID, *one.has, *one.says)
		}
		*one.has = cmp.Or(*one.has, *one.says)
	}
	return nil
}
