package server

// Held is how much of a job, or of a session, is in memory: items, results, turns.
func (s *Server) Held(id string) (n int) {
	if j, err := s.jobs.find(id); err == nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		return len(j.request.Items) + len(j.results) + len(j.places)
	}
	h, err := s.sessions.find(id)
	if err != nil {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept.State == nil {
		return 0
	}
	return len(h.kept.State.Turns)
}

// JobMemory is what open jobs hold, in bytes.
func (s *Server) JobMemory() int64 { return s.jobs.memory() }
