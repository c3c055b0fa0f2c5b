// Package meta judges the judges: it holds what the measured judge says of sites against
// what people say of them, and fits the judge to that.
package meta

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/measured/pixels"
	"vitrine/internal/picture"
	"vitrine/internal/runs"
)

// mostUnreadable is the share of rated sites that may be missing or broken.
const mostUnreadable = 0.1

// A Rated site has what people say of it and what the measured judge says.
type Rated struct {
	calibrate.Rating
	judgement vitrine.Judgement
	hand      float64 // the hand-set roll-up
	valid     bool    // it renders; an image always does
	reward    *float64
}

// An Unreadable site is rated, but not there.
type Unreadable struct {
	Name string `json:"name"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Settings say who rated what.
type Settings struct {
	File        string // CSV file
	Run         string // run folder that the column id is about; empty: there is no such column
	Calibration string // file of the calibration to judge by; empty: the one set by hand
	// Say is given what a person may want to read meanwhile.
	Say func(format string, args ...any)
}

// Ratings are ratings with all that is needed to judge what they are of.
type Ratings struct {
	Settings
	kind    calibrate.Kind
	rows    []calibrate.Rating
	fitted  *calibrate.Calibration
	samples map[string]vitrine.Sample // of the run, by id
}

// Read reads ratings. Faults are those of commands, for people.
func Read(s Settings) (*Ratings, error) {
	f, err := os.Open(s.File)
	if err != nil {
		return nil, usage(err, "--ratings: cannot read "+s.File, "name a CSV file, see vitrine judge calibrate --help")
	}
	defer f.Close()
	parsed, err := calibrate.ParseRatings(s.File, f)
	if err != nil {
		return nil, err
	}
	r := &Ratings{Settings: s, kind: parsed.Kind, rows: parsed.Rows}
	if (r.kind == calibrate.KindID) != (s.Run != "") {
		return nil, usage(nil, "--run goes with the column id, and the column id with --run", "give both, or rate by the column evidence or image")
	}
	if s.Run != "" {
		if err := r.readRun(); err != nil {
			return nil, err
		}
	}
	if s.Calibration != "" {
		name, checks := r.judge()
		r.fitted, err = LoadCalibration(s.Calibration, name, checks)
	}
	return r, err
}

func usage(why error, message, fix string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, why, message).WithFix(fix)
}

// judge and checks name what judges this kind of thing.
func (r *Ratings) judge() (name string, checks []string) {
	if r.kind == calibrate.KindImage {
		return pixels.Name, pixels.Checks()
	}
	return measured.Name, measured.Looks()
}

// Judge judges every rated site, in the order of the file. What cannot be read is
// returned as well, unless it is more than a tenth.
func (r *Ratings) Judge(ctx context.Context) ([]Rated, []Unreadable, error) {
	sites := make([]Rated, len(r.rows))
	failed := make([]error, len(r.rows))
	said := counter{say: r.Say, verb: "judged", all: len(r.rows)}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, rating := range r.rows {
		work.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			sites[i], failed[i] = r.site(rating)
			said.one()
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, nil, err
	}
	var good []Rated
	bad := []Unreadable{}
	for i, err := range failed {
		if err == nil {
			good = append(good, sites[i])
			continue
		}
		bad = append(bad, Unreadable{r.rows[i].Name, r.rows[i].Line, err.Error()})
		r.Say("skipped line %d, %s: %v", r.rows[i].Line, r.rows[i].Name, err)
	}
	if float64(len(bad)) > mostUnreadable*float64(len(r.rows)) {
		return nil, bad, usage(nil, fmt.Sprintf("%d of %d rated sites cannot be read, the first is %s: %s", len(bad), len(r.rows), bad[0].Name, bad[0].Why),
			"paths are relative to the file of ratings; ids need --run DIR; take rows out that are gone for good")
	}
	return good, bad, nil
}

func (r *Ratings) readRun() error {
	_, samples, err := runs.Read(r.Run)
	r.samples = map[string]vitrine.Sample{}
	for _, s := range runs.Newest(samples) {
		r.samples[s.ID] = s
	}
	return err
}

// LoadCalibration reads the calibration of a judge with these checks.
func LoadCalibration(path, judge string, checks []string) (*calibrate.Calibration, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usage(err, "--calibration: cannot read "+path, "make one with vitrine judge calibrate")
	}
	return calibrate.Parse(path, b, judge, checks)
}

func (r *Ratings) site(rating calibrate.Rating) (Rated, error) {
	out := Rated{Rating: rating}
	path := rating.Name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(r.File), path)
	}
	switch r.kind {
	case calibrate.KindImage:
		img, err := picture.ReadFile(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if err != nil {
			return out, err
		}
		out.judgement, out.valid = pixels.Judge(img, nil), true
		out.hand = pixels.Hand(out.judgement)
		if r.fitted != nil {
			out.judgement = pixels.Judge(img, r.fitted)
		}
		return out, nil
	case calibrate.KindID:
		s, ok := r.samples[rating.Name]
		if !ok || s.Evidence == "" {
			return out, errors.New("the run has no evidence of it")
		}
		path, out.reward = filepath.Join(r.Run, filepath.FromSlash(s.Evidence)), s.Reward
	}
	ev, err := evidence.Load(path)
	if err != nil {
		return out, err
	}
	out.hand, out.valid = measured.Hand(measured.Judge(ev)), ev.Validity.Valid
	out.judgement = measured.JudgeWith(ev, r.fitted)
	return out, nil
}

// sayEvery is the least time between two lines of a counter.
const sayEvery = 5 * time.Second

// counter says how far a long step is, every few seconds.
type counter struct {
	say  func(format string, args ...any)
	verb string
	all  int

	mu   sync.Mutex
	done int
	last time.Time
}

func (c *counter) one() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.done == c.all || time.Since(c.last) >= sayEvery {
		c.last = time.Now()
		c.say("%s %d/%d", c.verb, c.done, c.all)
	}
}
