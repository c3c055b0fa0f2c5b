package bench

import (
	"path/filepath"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/measured"
)

// mostly is the share of a site's words from which it is an echo of the request. Honest pages
// have a tenth at most.
const mostly = 0.5

// Echoes reports whether most of what a site of a run folder says is its instruction said
// back. The measured judge, which looks for the words of the instruction, would give such a
// page more than a good one of another subject.
func Echoes(dir string, s vitrine.Sample, instruction string) (bool, error) {
	if s.Evidence == "" || s.Outcome != vitrine.OutcomeRendered {
		return false, nil
	}
	ev, err := evidence.Load(filepath.Join(dir, filepath.FromSlash(s.Evidence)))
	if err != nil {
		return false, err
	}
	var all []*vitrine.Content
	seen := map[string]bool{}
	for _, v := range ev.Views {
		if v.Content != nil && !seen[v.Route] {
			seen[v.Route] = true
			all = append(all, v.Content)
		}
	}
	return measured.EchoShare(instruction, all) >= mostly, nil
}

// NoEcho sets columns of the measured judge to 0 by strict where a site echoes its request,
// and says so.
func (m *Measured) NoEcho(dir string, s vitrine.Sample, instruction string, columns ...string) error {
	echo, err := Echoes(dir, s, instruction)
	if err != nil || !echo {
		return err
	}
	for _, key := range columns {
		if p, there := m.Strict[key]; there && p != nil {
			m.Strict[key] = One(0)
		}
	}
	m.Why = "most of what it says is the request said back"
	return nil
}
