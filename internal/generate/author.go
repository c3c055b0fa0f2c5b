package generate

import (
	"context"

	"vitrine"
	"vitrine/internal/model"
)

// An Author writes answers in a way of its own, such as a loop of several rounds. It is safe
// for concurrent use, and goes on with an answer whose writing was interrupted.
type Author interface {
	// Write answers a question. Its faults are treated as those of asking a model.
	Write(ctx context.Context, q Question) (Written, error)
	// String names the way with its settings: a file goes on only with the same.
	String() string
}

// A Question is a sample of a task that is to be written.
type Question struct {
	ID      string // of the answer
	Task    vitrine.Task
	Request model.Request // as it is asked where there is no author
}

// Written is an answer. That of a loop has the text, the finish reason and the tokens of the
// version that it is, and the cost, the time and the tries of all.
type Written struct {
	model.Reply
	Loop *Loop // nil where the model was asked once
}

// A Loop says how the writing of an answer in several rounds went.
type Loop struct {
	Rounds   int      `json:"rounds"`   // versions that were accepted
	Versions int      `json:"versions"` // that were written
	Best     int      `json:"best"`     // the version that is the answer, from 1
	Score    *float64 `json:"score"`    // of it; nil without a critic
	End      string   `json:"end"`      // why no further one was written
	// Usage is of all versions, and WritingSeconds of the seconds is their writing; the
	// rest is building, seeing and judging them. CriticUSD is what of the cost judged.
	Usage          model.Usage `json:"usage"`
	WritingSeconds float64     `json:"writing_seconds"`
	CriticUSD      *float64    `json:"critic_usd"`
	Run            string      `json:"run"` // folder with the versions
}

// write has a sample written.
func (s Settings) write(ctx context.Context, j job) (Written, error) {
	if s.Author != nil {
		return s.Author.Write(ctx, Question{j.id, j.task, j.ask})
	}
	reply, err := s.Asker.Ask(ctx, s.Model, j.ask)
	return Written{Reply: reply}, err
}

// A Pace is how long the answers of a file took in the mean.
type Pace struct {
	Rounds   *float64 `json:"mean_rounds"`   // nil without answers
	Versions *float64 `json:"mean_versions"` // those that were not accepted included
	// Seconds is over the Timed answers of which nothing came from the tape or the cache;
	// nil without any.
	Seconds *float64 `json:"mean_seconds"`
	Timed   int      `json:"timed"`
}

// pace sums up answers.
type pace struct {
	answers, rounds, versions, timed int
	seconds                          float64
}

func (p *pace) add(a Answer) {
	rounds, versions := 1, 1
	if a.Loop != nil {
		rounds, versions = a.Loop.Rounds, a.Loop.Versions
	}
	p.answers, p.rounds, p.versions = p.answers+1, p.rounds+rounds, p.versions+versions
	if !a.Cached {
		p.timed, p.seconds = p.timed+1, p.seconds+a.Seconds
	}
}

// Pace is that of all answers of the file, those of earlier processes included.
func (f *File) Pace() Pace {
	f.mu.Lock()
	defer f.mu.Unlock()
	mean := func(sum float64, n int) *float64 {
		if n == 0 {
			return nil
		}
		return new(sum / float64(n))
	}
	p := f.pace
	return Pace{mean(float64(p.rounds), p.answers), mean(float64(p.versions), p.answers), mean(p.seconds, p.timed), p.timed}
}
