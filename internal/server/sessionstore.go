package server

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
	"vitrine/internal/store"
	"vitrine/internal/store/blob"
)

// A session is one prompt's rounds. Who holds turn may step it.
type session struct {
	turn   chan struct{} // holds one
	recipe *reward.Recipe
	file   string

	mu      sync.Mutex // guards what follows
	kept    keptSession
	touched time.Time
}

// A keptSession is what survives a restart.
type keptSession struct {
	Open  OpenSession     `json:"open"`
	State *refine.Session `json:"state"`
}

// sessions are all that are kept.
type sessions struct {
	server *Server
	mu     sync.Mutex
	by     map[string]*session
}

// SessionID is the name of the session that was opened with a key.
func SessionID(key string) string { return "k" + blob.Hash([]byte(key))[:32] }

// create opens a session, or finds the one of the same key.
func (ss *sessions) create(o OpenSession, recipe *reward.Recipe, instruction string) (*session, error) {
	id := strings.ToLower(rand.Text())
	if o.Key != "" {
		id = SessionID(o.Key)
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if s, there := ss.by[id]; there {
		return s, nil
	}
	if ss.open() >= ss.server.settings.MaxSessions {
		return nil, problem(429, string(vitrine.FaultBusy), fmt.Sprintf("%d sessions are open", ss.server.settings.MaxSessions),
			"end some with DELETE, or wait: those that nobody steps are ended").after(10)
	}
	state, err := refine.New(id, string(o.TaskID), instruction, o.Loop.settings(recipe))
	if err != nil {
		return nil, invalid("loop."+err.Error(), "")
	}
	s := ss.make(keptSession{o, state}, recipe)
	if err := s.save(); err != nil {
		return nil, err
	}
	ss.by[id] = s
	return s, nil
}

func (ss *sessions) make(k keptSession, recipe *reward.Recipe) *session {
	return &session{turn: make(chan struct{}, 1), recipe: recipe, file: filepath.Join(ss.dir(), k.State.ID+".json"), kept: k, touched: time.Now()}
}

func (ss *sessions) dir() string { return filepath.Join(ss.server.settings.Dir, "sessions") }

// open counts those that are not done.
func (ss *sessions) open() (n int) {
	for _, s := range ss.by {
		if !s.done() {
			n++
		}
	}
	return n
}

func (ss *sessions) countOpen() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.open()
}

func (s *session) done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.State.Done
}

// find returns a session and keeps it from being forgotten for a while.
func (ss *sessions) find(id string) (*session, error) {
	ss.mu.Lock()
	s, ok := ss.by[id]
	ss.mu.Unlock()
	if !ok {
		return nil, notFound("such session, or no longer")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = time.Now()
	return s, nil
}

func (ss *sessions) remove(id string) error {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.by[id]
	if !ok {
		return notFound("such session, or no longer")
	}
	delete(ss.by, id)
	return store.Typed(os.Remove(s.file))
}

// sweep forgets sessions that nobody has stepped for long.
func (ss *sessions) sweep(now time.Time) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	maps.DeleteFunc(ss.by, func(_ string, s *session) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if now.Sub(s.touched) < ss.server.settings.SessionTTL || len(s.turn) > 0 {
			return false
		}
		if err := os.Remove(s.file); err != nil {
			ss.server.settings.Log.Warn("forget a session", "session", s.kept.State.ID, "error", err)
		}
		return true
	})
}

// save writes a session. Its mu is held, or nobody else has it yet.
func (s *session) save() error {
	b, err := json.Marshal(s.kept)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(s.file), 0o700)
	}
	if err == nil {
		err = replace(s.file, b)
	}
	if err != nil {
		return fmt.Errorf("keep session: %w", store.Typed(err))
	}
	return nil
}

// load reads what an earlier process kept.
func (ss *sessions) load() error {
	entries, err := os.ReadDir(ss.dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("sessions: %w", store.Typed(err))
	}
	for _, e := range entries {
		name := filepath.Join(ss.dir(), e.Name())
		if !strings.HasSuffix(name, ".json") {
			_ = os.Remove(name) // half written
			continue
		}
		if err := ss.loadOne(name); err != nil {
			ss.server.settings.Log.Error("a session cannot be read", "file", name, "error", err)
		}
	}
	return nil
}

func (ss *sessions) loadOne(name string) error {
	b, err := os.ReadFile(name)
	var k keptSession
	if err == nil {
		err = json.Unmarshal(b, &k)
	}
	if err == nil && (k.State == nil || k.State.ID+".json" != filepath.Base(name)) {
		err = errors.New("this is no session")
	}
	if err != nil {
		return err
	}
	recipe, err := ss.server.recipe(k.Open.Recipe)
	if err == nil {
		ss.by[k.State.ID] = ss.make(k, recipe)
	}
	return err
}
