package refinerun

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/model"
	"vitrine/internal/runs"
)

// versionsFile has a line for each version that the model wrote: how it came to be.
const versionsFile = "versions.jsonl"

// A Version is how one came to be; its text is in the session. One that was written when
// the process was killed, and is not in the session, is written again under the same turn.
type Version struct {
	Turn      int          `json:"turn"`
	Reasoning string       `json:"reasoning,omitempty"` // where the endpoint gives it apart
	Finish    model.Finish `json:"finish"`
	Refusal   string       `json:"refusal,omitempty"`
	By        string       `json:"answered_by,omitempty"` // the model as the endpoint names it
	Usage     model.Usage  `json:"usage"`
	USD       *float64     `json:"usd"` // nil where the price is not known
	Seconds   float64      `json:"seconds"`
	Attempts  int          `json:"attempts"`
	Cached    bool         `json:"cached"` // from the tape
}

func versionOf(turn int, r model.Reply) Version {
	return Version{turn, r.Reasoning, r.Finish, r.Refusal, r.Model, r.Usage, r.USD, r.Latency.Seconds(), r.Attempts, r.Cached}
}

// note keeps how a version came to be, before it is taken up by the session.
func (l *Loop) note(v Version) error {
	l.versions = append(l.versions, v)
	var lines bytes.Buffer
	for _, v := range l.versions {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
	}
	return l.settings.Run.Put(versionsFile, lines.Bytes())
}

// noted reads what was noted by earlier processes; runs of earlier programs have nothing.
func (l *Loop) noted() error {
	name := filepath.Join(l.settings.Run.Dir, versionsFile)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return disk.Fault(err)
	}
	defer f.Close()
	for lines := json.NewDecoder(bufio.NewReader(f)); lines.More(); {
		var v Version
		if err := lines.Decode(&v); err != nil {
			return vitrine.NewFault("store", vitrine.FaultUsage, err, name+" cannot be read").WithFix("remove it: what the versions took is lost, and nothing else")
		}
		l.versions = append(l.versions, v)
	}
	return nil
}

// Took is what a session took, versions that were lost in a kill included.
type Took struct {
	Best    Version       // how the best version came to be
	Usage   model.Usage   // of all versions
	Writing time.Duration // of them
	Seeing  time.Duration // building, seeing, trying and judging them
	Cost    vitrine.Cost  // of writing
	Critic  vitrine.Cost  // of judging
	Tries   int           // of questions to the model that writes
	// Cached says that not all of it was done now: a version is from the tape, or what was
	// seen or said of one from the cache.
	Cached bool
}

// Took sums up the session so far.
func (l *Loop) Took() (Took, error) {
	t := Took{Cost: vitrine.Free(), Critic: vitrine.Free()}
	best := l.Session.Result().BestTurn
	for _, v := range l.versions {
		if v.Turn == best {
			t.Best = v
		}
		t.Usage = model.Usage{In: t.Usage.In + v.Usage.In, Out: t.Usage.Out + v.Usage.Out, Cached: t.Usage.Cached + v.Usage.Cached, Reasoning: t.Usage.Reasoning + v.Usage.Reasoning}
		t.Writing += seconds(v.Seconds)
		t.Cost = t.Cost.Plus(vitrine.Cost{USD: v.USD, TokensIn: v.Usage.In, TokensOut: v.Usage.Out})
		t.Tries += v.Attempts
		t.Cached = t.Cached || v.Cached
	}
	_, samples, err := runs.Read(l.settings.Run.Dir)
	for _, s := range samples {
		ms := s.TimingMS
		t.Seeing += seconds((ms.Parse + ms.Build + ms.Capture + ms.Interact + ms.Judge) / 1000)
		t.Critic = t.Critic.Plus(s.Cost)
		t.Cached = t.Cached || s.Cached.Capture || s.Cached.Judge
	}
	return t, err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
