package report

import (
	"path"

	"vitrine"
)

// A samplePage is what templates/sample.html shows.
type samplePage struct {
	Run, Tool, Title     string
	Assets               string // folder of styles and scripts, as seen from the page
	Sample               *vitrine.Sample
	Outcome              string
	Position, Total      int    // in the run; 0 for a page that is part of none
	Prev, Next           string // pages beside this one; "" at the ends
	Digits               int
	Reward               *breakdown // nil if unjudged
	Scale                span
	Missing              string
	Instruction          string
	Evidence             *vitrine.Evidence
	Views                []viewStrip
	Findings             findings
	Judge                string
	Scores               []scoreRow
	Unknown              []string
	Opinions             []opinion
	Trace                *traceView
	Console              []consoleLine
	Requests             []requestLine
	MoreLogs             moreLogs
	Axe                  []axeLine
	AxeRan               bool
	Artifact             *vitrine.Artifact
	Source               source
	OutputHref           string
	ConsoleHref, NetHref string
}

// moreLogs is how many lines were left out of the page.
type moreLogs struct{ Console, Requests int }

func (r *run) samplePage(i int, k kept) samplePage {
	s := &r.samples[i]
	p := samplePage{
		Run: r.name(), Assets: "..", Tool: vitrine.Version, Title: s.ID, Sample: s, Outcome: outcomeOf(s),
		Position: i + 1, Total: len(r.samples), Digits: r.digits(), Missing: k.missing,
		Findings: groupFindings(s.Findings), Scores: scoreRows(measuredScores(s.Scores)),
		Artifact: k.artifact, Source: newSource(k), OutputHref: k.file("output.txt"),
		ConsoleHref: k.file("console.jsonl"), NetHref: k.file("network.jsonl"),
	}
	p.Scale, _ = r.scale()
	if i > 0 {
		p.Prev = link(pageName(r.samples[i-1].ID))
	}
	if i+1 < len(r.samples) {
		p.Next = link(pageName(r.samples[i+1].ID))
	}
	if judged(s) {
		b := r.recipe.explain(s)
		p.Reward = &b
	}
	p.Opinions, p.Trace = opinions(k.opinions), newTraceView(k)
	if k.judgement != nil {
		p.Judge, p.Unknown = k.judgement.Judge, k.judgement.Unknown
	}
	if k.evidence != nil {
		p.see(k)
	}
	return p
}

// see fills in what comes from the evidence.
func (p *samplePage) see(k kept) {
	ev := k.evidence
	p.Evidence, p.Instruction = ev, ev.Instruction
	p.Views = strips(k)
	p.Console, p.MoreLogs.Console = consoleLines(ev.Console)
	p.Requests, p.MoreLogs.Requests = requestLines(ev.Requests)
	p.Axe, p.AxeRan = axeLines(ev.Views)
}

// First is the frame that the page opens with.
func (p samplePage) First() *shot {
	for _, v := range p.Views {
		if len(v.Shots) > 0 {
			return &v.Shots[0]
		}
	}
	return nil
}

// A viewStrip is one route at one viewport with its frames in order of time.
type viewStrip struct {
	vitrine.View
	Shots []shot
	Lost  int // frames that are not on the disk
}

// A shot is one frame.
type shot struct {
	Href          string // the whole frame
	Thumb         string // a small picture of it
	Route         string
	Viewport      string
	Seconds       string
	Width, Height int
	Same          bool // byte for byte the first frame of its view
	Capped        bool
}

func strips(k kept) []viewStrip {
	var out []viewStrip
	for _, v := range k.evidence.Views {
		s := viewStrip{View: v}
		thumb := k.file(v.Thumb)
		for i, f := range v.Frames {
			href := k.file(f.File)
			if href == "" {
				s.Lost++
				continue
			}
			same := i > 0 && f.SHA256 != "" && f.SHA256 == v.Frames[0].SHA256
			x := shot{
				Href: href, Thumb: href, Route: v.Route, Viewport: v.Viewport.Name, Seconds: number(float64(f.TimeMS) / 1000),
				Width: f.Width, Height: f.Height, Same: same, Capped: f.Capped,
			}
			if (i == 0 || same) && thumb != "" {
				x.Thumb = thumb
			}
			s.Shots = append(s.Shots, x)
		}
		out = append(out, s)
	}
	return out
}

// Name tells the view from the others of its site.
func (v viewStrip) Name() string { return path.Clean("/"+v.Route) + " · " + v.Viewport.Name }
