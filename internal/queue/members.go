package queue

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"vitrine"
)

// A Member is a process that has an end of the queue.
type Member struct {
	Service    string             `json:"service,omitempty"` // address of the service that asks there
	Worker     string             `json:"worker,omitempty"`  // who takes jobs there
	Provenance vitrine.Provenance `json:"provenance"`
}

// Members asks every process on the queue of a cluster who it is, and gathers what is
// answered until wait has passed. Of the settings URL and Auth count; nothing is made.
func Members(ctx context.Context, s Settings, wait time.Duration) (all []Member, err error) {
	conn, err := connect(s.withDefaults(), nil)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	inbox := conn.NewInbox()
	answers, err := conn.SubscribeSync(inbox)
	if err == nil {
		err = conn.PublishRequest(whoSubject, inbox, nil)
	}
	if err != nil {
		return nil, unreachable(err)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		msg, err := answers.NextMsgWithContext(ctx)
		if err != nil {
			return all, nil // the time is up
		}
		var m Member
		if json.Unmarshal(msg.Data, &m) == nil && m.Service+m.Worker != "" {
			all = append(all, m)
		}
	}
}

// introduce says who has this end of the queue.
func (q *Queue) introduce(ask *nats.Msg) {
	q.mu.Lock()
	m := Member{Service: q.settings.Service, Worker: q.worker, Provenance: q.settings.Provenance}
	q.mu.Unlock()
	data, err := json.Marshal(m)
	if err == nil {
		err = ask.Respond(data)
	}
	if err != nil {
		q.settings.Log.Warn("queue: say who is here", "error", err)
	}
}
