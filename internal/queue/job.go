package queue

import (
	"fmt"
	"regexp"
	"time"

	"vitrine"
)

// A Job is one output to be scored.
type Job struct {
	// Key is the hash of everything that the answer is a function of; jobs of one
	// key are one job. Letters, digits, - and _, at most 128.
	Key string `json:"key"`
	// Client is who asks: an owner, or "owner name". Owners take turns and, within an
	// owner's, names.
	Client string `json:"client,omitempty"`
	// Recipe is that of the reward, name@hash: a worker that has another one of this
	// name must not answer.
	Recipe string         `json:"recipe"`
	Output vitrine.Output `json:"output"`
	// Deadline is when nobody wants the answer any more; zero: never. A job that
	// was started by then is finished, and its answer kept.
	Deadline time.Time `json:"deadline,omitzero"`
}

// A Result is the answer to a job.
type Result struct {
	Key    string         `json:"key"`
	Sample vitrine.Sample `json:"sample"`
	// Evidence names the blob with the evidence folder; empty if there is none.
	Evidence string `json:"evidence,omitempty"`
	// Frames are the screenshots in the evidence folder, in order of their names.
	Frames []Frame `json:"frames,omitempty"`
	Worker string  `json:"worker,omitempty"` // who answered; empty if nobody could
	Tries  int     `json:"tries"`            // how many workers took the job
}

// A Frame is one screenshot of an evidence folder.
type Frame struct {
	File   string `json:"file"` // in the bundle, such as frames/home@desktop@0.png
	SHA256 string `json:"sha256"`
}

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

func (j Job) check() error {
	if !plainKey.MatchString(j.Key) {
		return fmt.Errorf("queue: %.140q is no key of a job", j.Key)
	}
	return nil
}

// expired reports whether a deadline has passed; a zero one never does.
func expired(deadline time.Time) bool {
	return !deadline.IsZero() && !time.Now().Before(deadline)
}

// Unjudged is the answer to a job that no worker gave: the queue does not know the
// parts of its recipe.
func Unjudged(j Job, fault *vitrine.Fault) Result {
	return Result{Key: j.Key, Sample: name(vitrine.Sample{
		Status: vitrine.SampleUnjudged, Recipe: j.Recipe, Parts: map[string]float64{}, Findings: []vitrine.Finding{}, Error: fault, Cost: vitrine.Free(),
	}, j.Output)}
}

// name says whose sample this is: outputs that differ in nothing but their names
// share an answer.
func name(s vitrine.Sample, o vitrine.Output) vitrine.Sample {
	s.ID, s.TaskID, s.Model, s.GroupID, s.Meta = o.ID, o.TaskID, o.Model, o.GroupID, o.Meta
	return s
}

// code is why a result is no judgement; empty for one that is.
func (r Result) code() vitrine.FaultCode {
	switch {
	case r.Sample.Status == vitrine.SampleScored:
		return ""
	case r.Sample.Error == nil:
		return vitrine.FaultInternal
	}
	return r.Sample.Error.Code
}

func tooLate() *vitrine.Fault {
	return vitrine.NewFault("queue", vitrine.FaultDeadline, nil, "the deadline passed before there was an answer").
		WithFix("ask again: what was started is finished and kept; or give more time or workers")
}

func closing() *vitrine.Fault {
	return vitrine.NewFault("queue", vitrine.FaultInterrupted, nil, "the queue is being closed").WithFix("ask again in a moment")
}
