package main

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

// A rated site has what people say of it and what the measured judge says.
type rated struct {
	calibrate.Rating
	judgement vitrine.Judgement
	hand      float64 // the hand-set roll-up
	valid     bool    // it renders; an image always does
	reward    *float64
}

// An unreadable site is rated, but not there.
type unreadable struct {
	Name string `json:"name"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// judging reads ratings and judges what they are of.
type judging struct {
	*common
	ratings, runDir, profile string

	kind    calibrate.Kind
	fitted  *calibrate.Profile
	samples map[string]vitrine.Sample // of runDir, by id
}

// judge and checks name what judges this kind of thing.
func (j *judging) judge() (name string, checks []string) {
	if j.kind == calibrate.KindImage {
		return pixels.Name, pixels.Checks()
	}
	return measured.Name, measured.Checks()
}

// sites judges every rated site, in the order of the file. What cannot be read is
// returned beside, unless it is more than a tenth.
func (j *judging) sites(ctx context.Context, ratings []calibrate.Rating) ([]rated, []unreadable, error) {
	sites := make([]rated, len(ratings))
	failed := make([]error, len(ratings))
	said := counter{common: j.common, verb: "judged", all: len(ratings)}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range ratings {
		work.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			sites[i], failed[i] = j.site(r)
			said.one()
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, nil, err
	}
	var good []rated
	bad := []unreadable{}
	for i, err := range failed {
		if err == nil {
			good = append(good, sites[i])
			continue
		}
		bad = append(bad, unreadable{ratings[i].Name, ratings[i].Line, err.Error()})
		j.say("skipped line %d, %s: %v", ratings[i].Line, ratings[i].Name, err)
	}
	if float64(len(bad)) > mostUnreadable*float64(len(ratings)) {
		return nil, bad, usage(fmt.Sprintf("%d of %d rated sites cannot be read, the first is %s: %s", len(bad), len(ratings), bad[0].Name, bad[0].Why),
			"paths are relative to the file of ratings; ids need --run DIR; take rows out that are gone for good")
	}
	return good, bad, nil
}

func (j *judging) read() ([]calibrate.Rating, error) {
	f, err := os.Open(j.ratings)
	if err != nil {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, err, "--ratings: cannot read "+j.ratings).WithFix("name a CSV file, see vitrine judge calibrate --help")
	}
	defer f.Close()
	ratings, err := calibrate.ParseRatings(j.ratings, f)
	if err != nil {
		return nil, err
	}
	j.kind = ratings.Kind
	if (j.kind == calibrate.KindID) != (j.runDir != "") {
		return nil, usage("--run goes with the column id, and the column id with --run", "give both, or rate by the column evidence or image")
	}
	if j.runDir != "" {
		if err := j.readRun(); err != nil {
			return nil, err
		}
	}
	if j.profile != "" {
		name, checks := j.judge()
		j.fitted, err = loadProfile(j.profile, name, checks)
	}
	return ratings.Rows, err
}

func (j *judging) readRun() error {
	_, samples, err := runs.Read(j.runDir)
	j.samples = map[string]vitrine.Sample{}
	for _, s := range runs.Newest(samples) {
		j.samples[s.ID] = s
	}
	return err
}

// loadProfile reads a profile of a judge.
func loadProfile(path, judge string, checks []string) (*calibrate.Profile, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, err, "--profile: cannot read "+path).WithFix("make one with vitrine judge calibrate")
	}
	return calibrate.Parse(path, b, judge, checks)
}

func (j *judging) site(r calibrate.Rating) (rated, error) {
	out := rated{Rating: r}
	path := r.Name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(j.ratings), path)
	}
	switch j.kind {
	case calibrate.KindImage:
		img, err := picture.ReadFile(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if err != nil {
			return out, err
		}
		out.judgement, out.valid = pixels.Judge(img, nil), true
		out.hand = pixels.Hand(out.judgement)
		if j.fitted != nil {
			out.judgement = pixels.Judge(img, j.fitted)
		}
		return out, nil
	case calibrate.KindID:
		s, ok := j.samples[r.Name]
		if !ok || s.Evidence == "" {
			return out, errors.New("the run has no evidence of it")
		}
		path, out.reward = filepath.Join(j.runDir, filepath.FromSlash(s.Evidence)), s.Reward
	}
	ev, err := evidence.Load(path)
	if err != nil {
		return out, err
	}
	out.hand, out.valid = measured.Hand(measured.Judge(ev)), ev.Validity.Valid
	out.judgement = measured.JudgeWith(ev, j.fitted)
	return out, nil
}

// counter says how far a long step is, every few seconds.
type counter struct {
	*common
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
	if c.done == c.all || time.Since(c.last) >= plainEvery {
		c.last = time.Now()
		c.say("%s %d/%d", c.verb, c.done, c.all)
	}
}
