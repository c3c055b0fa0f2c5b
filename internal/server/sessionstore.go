package server

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/disk"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
)

// A session is one prompt's rounds. Who holds turn may step it.
type session struct {
	id     string
	owner  string
	turn   chan struct{} // holds one
	recipe *reward.Recipe
	file   string

	mu      sync.Mutex  // guards what follows
	kept    keptSession // without a State if the file alone has it
	done    bool
	removed bool
	touched time.Time
}

// A keptSession is what survives a restart.
type keptSession struct {
	Open  OpenSession     `json:"open"`
	State *refine.Session `json:"state"`
	// Best is the answer to the best output; nil if there is none.
	Best *Result `json:"best,omitempty"`

	size int // of the file, in bytes
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
	if instruction == "" {
		return nil, invalid("a session needs task_id or instruction", "")
	}
	owner := ownerOf(o.Client)
	if n := ss.open(owner); !ss.server.withinQuota(owner, n, 1, int64(ss.server.settings.MaxSessions)) {
		return nil, problem(429, string(vitrine.FaultBusy), fmt.Sprintf("%d sessions are open, %d of this client", n.all, n.own),
			"end some with DELETE, or wait: those that nobody steps are ended").after(10)
	}
	state, err := refine.New(id, string(o.TaskID), instruction, o.Loop.settings(recipe))
	if err != nil {
		return nil, invalid("loop."+err.Error(), "")
	}
	s := ss.make(keptSession{Open: o, State: state}, recipe)
	if err := s.save(&s.kept); err != nil {
		return nil, err
	}
	ss.by[id] = s
	if len(ss.by) > (keptPerOpen+1)*ss.server.settings.MaxSessions {
		ss.forget(s.touched)
	}
	return s, nil
}

// make holds a session that is in its file.
func (ss *sessions) make(k keptSession, recipe *reward.Recipe) *session {
	s := &session{id: k.State.ID, owner: ownerOf(k.Open.Client), turn: make(chan struct{}, 1), recipe: recipe, file: filepath.Join(ss.dir(), k.State.ID+".json"), done: k.State.Done, touched: time.Now()}
	if !s.done && k.size <= maxInMemory {
		s.kept = k
	}
	return s
}

func (ss *sessions) dir() string { return filepath.Join(ss.server.settings.Dir, "sessions") }

// open counts those that are not done.
func (ss *sessions) open(owner string) (n usage) {
	for _, s := range ss.by {
		if done, _ := s.rests(); done {
			continue
		}
		n.all++
		if s.owner == owner {
			n.own++
		}
	}
	return n
}

func (ss *sessions) countOpen() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return int(ss.open("").all)
}

// rests reports whether a session is done, and when somebody last asked for it.
func (s *session) rests() (done bool, touched time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done, s.touched
}

// lend gives a session away for a moment. One that is done or large, or could not be
// written, is read from its file each time: there are many, and each has all that was
// written.
func (s *session) lend(do func(*keptSession) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed {
		return noSession()
	}
	if s.kept.State == nil {
		if s.kept, err = readSession(s.file); err != nil {
			return fmt.Errorf("read session: %w", disk.Classify(err))
		}
	}
	err = do(&s.kept)
	if err == nil {
		s.done = s.kept.State.Done
	}
	if s.done || err != nil || s.kept.size > maxInMemory {
		s.kept = keptSession{}
	}
	return err
}

// maxInMemory is how large a session may be that is kept in memory besides its file, in
// bytes of the file: there are thousands, and each may have thousands of long answers.
const maxInMemory = 64 << 10

// find returns a session and keeps it from being forgotten for a while.
func (ss *sessions) find(id string) (*session, error) {
	ss.mu.Lock()
	s, ok := ss.by[id]
	ss.mu.Unlock()
	if !ok {
		return nil, noSession()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = time.Now()
	return s, nil
}

func noSession() *Problem { return notFound("such session, or no longer") }

func (ss *sessions) remove(id string) error {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.by[id]
	if !ok {
		return noSession()
	}
	delete(ss.by, id)
	return s.remove()
}

// remove forgets a session for good: a step that is under way finds it gone.
func (s *session) remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed, s.kept = true, keptSession{}
	return disk.Classify(os.Remove(s.file))
}

// sweep forgets sessions that nobody has stepped for long.
func (ss *sessions) sweep(now time.Time) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.forget(now)
}

// forget removes sessions that had their time by now and, where there are too many that
// are done, those that nobody has asked for longest.
func (ss *sessions) forget(now time.Time) {
	type resting struct {
		*session
		done    bool
		touched time.Time
	}
	var all []resting
	for _, s := range ss.by {
		if done, touched := s.rests(); len(s.turn) == 0 {
			all = append(all, resting{s, done, touched})
		}
	}
	slices.SortFunc(all, func(a, b resting) int { return b.touched.Compare(a.touched) })
	ended := 0
	for _, s := range all {
		if s.done {
			ended++
		}
		if now.Sub(s.touched) < ss.server.settings.SessionTTL && (!s.done || ended <= keptPerOpen*ss.server.settings.MaxSessions) {
			continue
		}
		if err := s.remove(); err != nil {
			ss.server.settings.Log.Warn("forget a session", "session", s.id, "error", err)
		}
		delete(ss.by, s.id)
	}
}

// save writes a session. Its mu is held, or nobody else has it yet.
func (s *session) save(k *keptSession) error {
	b, err := json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(s.file), 0o700)
	}
	if err == nil {
		err = disk.WriteFile(s.file, b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep session: %w", disk.Classify(err))
	}
	k.size = len(b)
	return nil
}

// load reads what an earlier process kept.
func (ss *sessions) load() error {
	entries, err := os.ReadDir(ss.dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("sessions: %w", disk.Classify(err))
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
	k, err := readSession(name)
	if err != nil {
		return err
	}
	recipe, err := ss.server.recipe(k.Open.Recipe)
	if err == nil {
		ss.by[k.State.ID] = ss.make(k, recipe)
	}
	return err
}

func readSession(name string) (k keptSession, err error) {
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, &k)
	}
	if err == nil && (k.State == nil || k.State.ID+".json" != filepath.Base(name)) {
		err = errors.New("this is no session")
	}
	if err != nil {
		return keptSession{}, err
	}
	k.size = len(b)
	return k, nil
}
