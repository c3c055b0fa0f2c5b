package server

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
