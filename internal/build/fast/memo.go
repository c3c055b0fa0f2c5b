package fast

import "sync"

// A memo keeps what was found by key, bounded: of those that were last put or asked for, it
// has at least half of its size. It is safe for concurrent use.
type memo[V any] struct {
	size int

	mu         sync.Mutex
	young, old map[string]V
}

func newMemo[V any](size int) *memo[V] { return &memo[V]{size: size, young: map[string]V{}} }

// get returns what was put last, unless it was dropped.
func (m *memo[V]) get(key string) (v V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok = m.young[key]; ok {
		return v, true
	}
	if v, ok = m.old[key]; ok {
		m.add(key, v)
	}
	return v, ok
}

func (m *memo[V]) put(key string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(key, v)
}

func (m *memo[V]) add(key string, v V) {
	if _, known := m.young[key]; !known && len(m.young) >= (m.size+1)/2 {
		m.old, m.young = m.young, map[string]V{}
	}
	m.young[key] = v
}

// count is how many are kept.
func (m *memo[V]) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.young) + len(m.old)
}
