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

// NoEcho sets columns of the measured judge to 0 by strict where most of what a site of a run
// folder says is its instruction repeated, and says so: that judge looks for the words of the
// instruction, and would give such a page more than a good one of another subject.
func (m *Measured) NoEcho(dir string, s vitrine.Sample, instruction string, columns ...string) error {
	if s.Evidence == "" || s.Outcome != vitrine.OutcomeRendered {
		return nil
	}
	ev, err := evidence.Load(filepath.Join(dir, filepath.FromSlash(s.Evidence)))
	if err != nil || measured.EchoShare(instruction, ev.Views) < mostly {
		return err
	}
	for _, key := range columns {
		if p, there := m.Strict[key]; there && p != nil {
			m.Strict[key] = One(0)
		}
	}
	m.Why = "most of what it says is the request repeated"
	return nil
}
