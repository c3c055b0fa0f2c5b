package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/judge/measured"
)

// verdict is what the captures of one page came to.
type verdict struct {
	ID          string       `json:"id"`
	Captures    int          `json:"captures"`
	Frames      int          `json:"frames"` // of one capture
	Differences []difference `json:"differences,omitempty"`
	// Checks are those whose findings were not always the same.
	Checks []string `json:"checks,omitempty"`

	first    *vitrine.Evidence
	findings []string               // of the first capture, as JSON
	dir      string                 // of the first capture's frames, and of every other look
	at       map[string]*difference // by frame
}

// difference is one frame that did not always look the same.
type difference struct {
	Frame string `json:"frame"` // route@viewport@seconds, or what else differs
	Looks int    `json:"looks"` // how many different frames there were
	Times int    `json:"times"` // captures that differ from the first
	// Share of the pixels that differ from the first, at most, and the box around
	// them.
	Share float64 `json:"share"`
	Box   string  `json:"box,omitempty"`

	seen map[string]bool // SHA-256
}

// add compares one capture with the first. What looks new is kept.
func (p *verdict) add(ev *vitrine.Evidence, dir string) error {
	p.Captures++
	if err := p.addFindings(measured.Judge(ev).Findings); err != nil {
		return err
	}
	if p.first == nil {
		p.first = bare(ev)
		for _, v := range ev.Views {
			p.Frames += len(v.Frames)
		}
		return disk.LinkTree(filepath.Join(dir, "frames"), p.dir)
	}
	if len(ev.Views) != len(p.first.Views) {
		p.differs("views", fmt.Sprint(len(ev.Views)))
		return nil
	}
	for i, v := range ev.Views {
		first := p.first.Views[i]
		if v.Route != first.Route || len(v.Frames) != len(first.Frames) {
			p.differs(fmt.Sprintf("%s@%s: routes or number of frames (%s)", first.Route, first.Viewport.Name, v.Validity.Reason), v.Route+fmt.Sprint(len(v.Frames)))
			continue
		}
		for k, f := range v.Frames {
			if f.SHA256 != first.Frames[k].SHA256 {
				if err := p.addLook(first.Frames[k], f, dir); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *verdict) addFindings(all []vitrine.Finding) error {
	for i, f := range all {
		b, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if p.first == nil {
			p.findings = append(p.findings, string(b))
		} else if p.findings[i] != string(b) && !slices.Contains(p.Checks, f.Check) {
			p.Checks = append(p.Checks, f.Check)
		}
	}
	return nil
}

// bare is what of the evidence is compared with.
func bare(ev *vitrine.Evidence) *vitrine.Evidence {
	views := make([]vitrine.View, len(ev.Views))
	for i, v := range ev.Views {
		views[i] = vitrine.View{Route: v.Route, Viewport: v.Viewport, Frames: v.Frames}
	}
	return &vitrine.Evidence{Views: views}
}

// differs notes one more difference at a place, and whether it looks new.
func (p *verdict) differs(where, look string) (at *difference, fresh bool) {
	at, ok := p.at[where]
	if !ok {
		at = &difference{Frame: where, Looks: 1, seen: map[string]bool{}}
		p.at[where] = at
	}
	at.Times++
	if at.seen[look] {
		return at, false
	}
	at.seen[look] = true
	at.Looks++
	return at, true
}

func (p *verdict) addLook(first, now vitrine.Frame, dir string) error {
	at, fresh := p.differs(filepath.Base(first.File), now.SHA256)
	if !fresh {
		return nil
	}
	share, box, err := compare(filepath.Join(p.dir, filepath.Base(first.File)), filepath.Join(dir, now.File))
	if err != nil {
		return err
	}
	if share >= at.Share {
		at.Share, at.Box = share, box
	}
	return os.Rename(filepath.Join(dir, now.File), filepath.Join(p.dir, look(first.File, at.Looks)))
}

// look names the n-th look of a frame; the first has the frame's own name.
func look(file string, n int) string {
	name := strings.TrimSuffix(filepath.Base(file), ".png")
	if n > 1 {
		name += fmt.Sprintf("~%d", n)
	}
	return name + ".png"
}
