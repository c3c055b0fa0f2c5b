package server

import "sync"

// recent remembers the newest of many things by name.
type recent[V any] struct {
	max   int
	mu    sync.Mutex
	of    map[string]V
	order []string // oldest first
}

func newRecent[V any](max int) *recent[V] { return &recent[V]{max: max, of: map[string]V{}} }

// put reports whether the name is new.
func (r *recent[V]) put(name string, v V) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.of[name]
	r.of[name] = v
	if known {
		return false
	}
	r.order = append(r.order, name)
	if len(r.order) > r.max {
		delete(r.of, r.order[0])
		r.order = r.order[1:]
	}
	return true
}

func (r *recent[V]) get(name string) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of[name]
}
