package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/queue"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
)

// sessions are all that are kept. What a session is lies in state.ID and is changed by who read
// it as it is; its head says whether it is open, and when it was last asked for.
type sessions struct {
	server *Server
	heads  *heads[sessionHead]
}

// A sessionHead is what every replica knows of a session.
type sessionHead struct {
	Client string `json:"client"`
	Done   bool   `json:"done,omitempty"`
}

// A keptSession is the state of a session.
type keptSession struct {
	Open  OpenSession     `json:"open"`
	State *refine.Session `json:"state"`
	// Best is the answer to the best output; nil if there is none.
	Best *Result `json:"best,omitempty"`
}

// A session is one prompt's rounds, as somebody read it.
type session struct {
	keptSession
	id     string
	recipe *reward.Recipe
	entry  *queue.Entry
}

func newSessions(s *Server) *sessions {
	return &sessions{s, newHeads[sessionHead](s.settings.Sessions, headPrefix, s.settings.Log)}
}

// SessionID is the name of the session that was opened with a key.
func SessionID(key string) string { return "k" + blob.Hash([]byte(key))[:32] }

func stateKey(id string) string { return "state." + id }

func noSession() *Problem { return notFound("such session, or no longer") }

// create opens a session, or finds the one of the same key. Its head comes first: one without a
// state is no session, and goes with its time.
func (ss *sessions) create(ctx context.Context, o OpenSession, recipe *reward.Recipe, instruction string) (*session, error) {
	id := strings.ToLower(rand.Text())
	if o.Key != "" {
		id = SessionID(o.Key)
		if s, err := ss.find(ctx, id); !errors.Is(err, queue.ErrNoEntry) {
			return s, err
		}
	}
	if instruction == "" {
		return nil, invalid("a session needs task_id or instruction", "")
	}
	state, err := refine.New(id, string(o.TaskID), instruction, o.Loop.settings(recipe))
	if err != nil {
		return nil, invalid("loop."+err.Error(), "")
	}
	if _, err := ss.heads.sync(ctx); err != nil { // else those that come while the server is away wait for one another
		return nil, err
	}
	err = ss.heads.create(ctx, id, sessionHead{Client: o.Client}, func(all map[string]head[sessionHead]) error { return ss.admit(id, o.Client, all) })
	if err != nil && !errors.Is(err, errThere) {
		return nil, err
	}
	_, err = ss.heads.bucket.Create(ctx, stateKey(id), keptSession{Open: o, State: state})
	if err != nil && !errors.Is(err, queue.ErrConflict) {
		return nil, err
	}
	return ss.find(ctx, id)
}

// errThere says that a session has a head.
var errThere = errors.New("the session is there")

// admit refuses a session where too many are open on all replicas.
func (ss *sessions) admit(id, client string, all map[string]head[sessionHead]) error {
	if _, there := all[id]; there {
		return errThere
	}
	owner := ownerOf(client)
	if n := openSessions(all, owner); !ss.server.withinQuota(owner, n, 1, int64(ss.server.settings.MaxSessions)) {
		return problem(429, string(vitrine.FaultBusy), fmt.Sprintf("%d sessions are open, %d of this client", n.all, n.own),
			"end some with DELETE, or wait: those that nobody steps are ended").after(10)
	}
	return nil
}

// openSessions counts those that are not done.
func openSessions(all map[string]head[sessionHead], owner string) (n usage) {
	for _, h := range all {
		if h.is.Done {
			continue
		}
		n.all++
		if ownerOf(h.is.Client) == owner {
			n.own++
		}
	}
	return n
}

func (ss *sessions) countOpen() int { return int(openSessions(ss.heads.all(), "").all) }

// find reads a session and keeps it from being forgotten for a while.
func (ss *sessions) find(ctx context.Context, id string) (*session, error) {
	s := &session{id: id}
	var err error
	if s.entry, err = ss.heads.bucket.Get(ctx, stateKey(id)); err != nil {
		return nil, err
	}
	if err := s.entry.Decode(&s.keptSession); err != nil {
		return nil, err
	}
	if s.State == nil || s.State.ID != id {
		return nil, queue.Damaged(s.entry.Key, errors.New("this is no session"))
	}
	if s.recipe, err = ss.server.recipe(s.Open.Recipe); err != nil {
		return nil, err
	}
	ss.touch(ctx, s)
	return s, nil
}

// touchesPerTTL is how often in its time a session that is asked for is kept for another.
const touchesPerTTL = 4

// touch notes in the head that somebody asked for the session, and whether it is done. It
// matters for limits alone, so that a request does not fail by it.
func (ss *sessions) touch(ctx context.Context, s *session) {
	ss.heads.mu.Lock()
	h, known := ss.heads.of[s.id]
	ss.heads.mu.Unlock()
	if known && h.is.Done == s.State.Done && time.Since(h.At) < ss.server.settings.SessionTTL/touchesPerTTL {
		return
	}
	err := ss.heads.update(ctx, s.id, func(h *sessionHead) bool { h.Done = h.Done || s.State.Done; return true })
	if err != nil && !errors.Is(err, queue.ErrNoEntry) {
		ss.server.settings.Log.Warn("it is not noted that a session is in use", "session", s.id, "error", err)
	}
}

// save keeps a session that was not changed since it was read; else the error is
// [queue.ErrConflict].
func (ss *sessions) save(ctx context.Context, s *session) error {
	revision, err := ss.heads.bucket.Replace(ctx, s.entry, s.keptSession)
	if err != nil {
		return err
	}
	s.entry.Revision = revision
	if s.State.Done {
		ss.touch(context.WithoutCancel(ctx), s)
	}
	return nil
}

// remove forgets a session for good: a step that is under way finds it gone.
func (ss *sessions) remove(ctx context.Context, id string) error {
	err := ss.heads.bucket.Purge(ctx, stateKey(id))
	if err == nil {
		err = ss.heads.bucket.Delete(ctx, headPrefix+id)
	}
	return err
}

// sweep forgets sessions that were not asked for in their time and, where there are too many
// that are done, those that were not asked for longest.
func (ss *sessions) sweep(ctx context.Context, now time.Time) error {
	if _, err := ss.heads.sync(ctx); err != nil {
		return err
	}
	type resting struct {
		id string
		head[sessionHead]
	}
	var all []resting
	for id, h := range ss.heads.all() {
		all = append(all, resting{id, h})
	}
	slices.SortFunc(all, func(a, b resting) int { return b.At.Compare(a.At) })
	ttl := ss.server.settings.SessionTTL
	ttl += ttl / touchesPerTTL // what was asked for since is not noted
	ended := 0
	for _, s := range all {
		if s.is.Done {
			ended++
		}
		if now.Sub(s.At) < ttl && (!s.is.Done || ended <= keptPerOpen*ss.server.settings.MaxSessions) {
			continue
		}
		if err := ss.expire(ctx, s.id, s.head); err != nil {
			return err
		}
	}
	return nil
}

// expire removes a session unless it was asked for since its head was read.
func (ss *sessions) expire(ctx context.Context, id string, h head[sessionHead]) error {
	switch err := ss.heads.bucket.DeleteAt(ctx, h.Entry); {
	case errors.Is(err, queue.ErrConflict) || errors.Is(err, queue.ErrNoEntry):
		return nil
	case err != nil:
		return err
	}
	return ss.heads.bucket.Purge(ctx, stateKey(id))
}
