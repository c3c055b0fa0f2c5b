package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"vitrine"
	"vitrine/internal/inputs"
)

// progress shows how a run gets on: one live line on a terminal, plain lines
// elsewhere. It satisfies pipeline.Progress.
type progress struct {
	w     io.Writer
	live  bool
	quiet bool
	total int
	start time.Time

	mu       sync.Mutex // signals arrive beside samples
	working  int
	finished int
	rewards  float64
	scored   int
	unjudged int
	outcomes map[vitrine.Outcome]int
	last     time.Time // of the last plain line
}

// displays are the values of --progress.
var displays = []string{"auto", "live", "plain", "none"}

// plainEvery is the least time between two plain lines.
const plainEvery = 5 * time.Second

func newProgress(c *common, how string, total int, dir string) *progress {
	p := &progress{w: c.err, total: total, start: time.Now(), last: time.Now(), outcomes: map[vitrine.Outcome]int{}}
	file, isFile := c.err.(*os.File)
	p.live = how == "live" || how == "auto" && isFile && term.IsTerminal(int(file.Fd())) && c.getenv("TERM") != "dumb"
	p.quiet = how == "none"
	if !p.quiet {
		fmt.Fprintf(p.w, "scoring %d samples into %s\n", total, dir)
	}
	return p
}

func (p *progress) Started(string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.working++
	p.show(false)
}

func (p *progress) Finished(s vitrine.Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.working--
	p.finished++
	if s.Reward != nil {
		p.rewards += *s.Reward
		p.scored++
		p.outcomes[s.Outcome]++
	} else {
		p.unjudged++
		p.line("unjudged %s: %s %s: %s", s.ID, s.Error.Stage, s.Error.Code, s.Error.Message)
	}
	p.show(p.finished == p.total)
}

// Unusable is about a row. Those that the survey found were shown before.
func (p *progress) Unusable(e *inputs.RowError) {
	if !e.Late {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total--
	p.line("skipped %v", e)
}

func (p *progress) interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line("finishing %d samples under way; Ctrl-C again to stop now", p.working)
}

// end leaves the terminal as it was.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live && !p.quiet {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// line prints a line that stays.
func (p *progress) line(format string, args ...any) {
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	fmt.Fprintf(p.w, format+"\n", args...)
}

func (p *progress) show(last bool) {
	switch {
	case p.quiet:
	case p.live:
		fmt.Fprintf(p.w, "\r\x1b[K%s", p.text())
	case last || time.Since(p.last) >= plainEvery:
		p.last = time.Now()
		fmt.Fprintln(p.w, p.text())
	}
}

func (p *progress) text() string {
	var b strings.Builder
	if p.live {
		const width = 24
		full := 0
		if p.total > 0 {
			full = min(width, p.finished*width/p.total)
		}
		b.WriteString(strings.Repeat("█", full) + strings.Repeat("░", width-full) + " ")
	}
	fmt.Fprintf(&b, "%d/%d", p.finished, p.total)
	for _, o := range []vitrine.Outcome{vitrine.OutcomeRendered, vitrine.OutcomeInvalidRender, vitrine.OutcomeBuildFailed, vitrine.OutcomeNoArtifact} {
		if n := p.outcomes[o]; n > 0 {
			fmt.Fprintf(&b, "  %s %d", strings.ReplaceAll(string(o), "_", " "), n)
		}
	}
	if p.unjudged > 0 {
		fmt.Fprintf(&b, "  unjudged %d", p.unjudged)
	}
	if p.scored > 0 {
		fmt.Fprintf(&b, "  mean reward %.3f", p.rewards/float64(p.scored))
	}
	elapsed := time.Since(p.start)
	fmt.Fprintf(&b, "  %s", elapsed.Round(time.Second))
	if p.finished > 2 && p.finished < p.total {
		left := time.Duration(float64(elapsed) / float64(p.finished) * float64(p.total-p.finished))
		fmt.Fprintf(&b, ", %s left", left.Round(time.Second))
	}
	return b.String()
}
