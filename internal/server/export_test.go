package server

import "context"

// Expiry removes a session as a sweep does that read its head now.
func (s *Server) Expiry(id string) func(context.Context) error {
	h, there := s.sessions.heads.all()[id]
	if !there {
		return func(context.Context) error { return nil }
	}
	return func(ctx context.Context) error { return s.sessions.expire(ctx, id, h) }
}

// HeadRevision is that of a session's head.
func (s *Server) HeadRevision(id string) uint64 { return s.sessions.heads.all()[id].Revision }

// Held is how many items of a batch are in memory.
func (s *Server) Held(id string) int {
	s.batches.mu.Lock()
	f := s.batches.feeding[id]
	s.batches.mu.Unlock()
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.items)
}

// JobMemory is what open batches hold, in bytes.
func (s *Server) JobMemory() int64 { return s.batches.memory() }
