package queue

import (
	"context"
	"encoding/json"
	"errors"
)

// MaxCrashes is how often a job may end a process of its own before it is answered as
// unjudged with the code poison.
const MaxCrashes = 2

// A record is what has become of the deliveries of one job. It is kept with the answers,
// written before a worker begins: what the server itself counts of deliveries may be lost
// with a process that ends at once.
type record struct {
	Sequence uint64 `json:"sequence"`        // of the job: a later one of the same key starts over
	Held     bool   `json:"held,omitempty"`  // a worker has it and has not said what became of it
	Alone    bool   `json:"alone,omitempty"` // a worker was lost with it
	Tries    int    `json:"tries"`           // deliveries, without those that were given back
	Crashes  int    `json:"crashes,omitempty"`
}

// recall reads the record of a job; an empty one, if there is none.
func (t *Taken) recall(ctx context.Context) (r record, err error) {
	m, err := t.queue.results.GetLastMsgForSubject(ctx, returnSubject+t.Job.Key)
	if err != nil && !errors.Is(err, errNone) {
		return record{}, err
	}
	if err == nil && json.Unmarshal(m.Data, &r) == nil && r.Sequence == t.sequence {
		return r, nil
	}
	return record{Sequence: t.sequence}, nil
}

// note keeps the record.
func (t *Taken) note(ctx context.Context) {
	data, err := json.Marshal(t.record)
	if err == nil {
		_, err = t.queue.js.Publish(ctx, returnSubject+t.Job.Key, data)
	}
	if err != nil {
		t.queue.settings.Log.Warn("queue: what becomes of a job is not kept", "key", t.Job.Key, "error", err)
	}
}

// hold says that a worker has the job now. One that had it before and said nothing was
// lost: from then on the job is to have a process of its own.
func (t *Taken) hold(ctx context.Context, poisoned bool) {
	r, err := t.recall(ctx)
	if err != nil {
		t.queue.settings.Log.Warn("queue: what became of a job is not known", "key", t.Job.Key, "error", err)
		r = record{Sequence: t.sequence, Alone: t.delivered > 1, Tries: t.delivered - 1}
	}
	r.Alone = r.Alone || r.Held || poisoned
	r.Held = true
	r.Tries++
	t.record, t.Tries, t.Alone = r, r.Tries, r.Alone
	t.note(ctx)
}

// Crashed counts that the job has ended a process of its own, and reports whether it was
// once too often.
func (t *Taken) Crashed(ctx context.Context) (poison bool) {
	t.record.Crashes++
	t.note(ctx)
	return t.record.Crashes >= MaxCrashes
}
