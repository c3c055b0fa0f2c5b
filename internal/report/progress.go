package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	tty "golang.org/x/term"

	"vitrine"
	"vitrine/internal/inputs"
)

// Progress shows how a run gets on: one live line on a terminal, plain lines
// elsewhere. It satisfies pipeline.Progress.
type Progress struct {
	// Cost says what the models that are asked have cost so far; nil where none is.
	Cost func() string

	w     io.Writer
	live  bool
	quiet bool
	total int
	start time.Time

	mu       sync.Mutex // signals arrive while samples do
	working  int
	finished int
	rewards  float64
	scored   int
	unjudged int
	outcomes map[vitrine.Outcome]int
	last     time.Time // of the last plain line
}

// Displays are the ways to show progress.
var Displays = []string{"auto", "live", "plain", "none"}

// plainEvery is the least time between two plain lines.
const plainEvery = 5 * time.Second

// NewProgress begins to show a run over total samples into a run folder, by one of
// [Displays]: auto is live on a terminal that is not dumb (see the variable TERM), and
// plain elsewhere.
func NewProgress(w io.Writer, display, term string, total int, dir string) *Progress {
	p := &Progress{w: w, total: total, start: time.Now(), last: time.Now(), outcomes: map[vitrine.Outcome]int{}}
	p.live = display == "live" || display == "auto" && isTerminal(w) && term != "dumb"
	p.quiet = display == "none"
	if !p.quiet {
		fmt.Fprintf(p.w, "scoring %d samples into %s\n", total, dir)
	}
	return p
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && tty.IsTerminal(int(file.Fd()))
}

// Started counts a sample as under way.
func (p *Progress) Started(string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.working++
	p.show(false)
}

// Finished counts a sample, and says why one has no reward.
func (p *Progress) Finished(s vitrine.Sample) {
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
func (p *Progress) Unusable(e *inputs.RowError) {
	if !e.Late {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total--
	p.line("skipped %v", e)
}

// Interrupted says that what is under way is finished.
func (p *Progress) Interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line("finishing %d samples under way; Ctrl-C again to stop now", p.working)
}

// End leaves the terminal as it was, and returns how many samples were finished.
func (p *Progress) End() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live && !p.quiet {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	return p.finished
}

// line prints a line that stays.
func (p *Progress) line(format string, args ...any) {
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	fmt.Fprintf(p.w, format+"\n", args...)
}

func (p *Progress) show(last bool) {
	switch {
	case p.quiet:
	case p.live:
		fmt.Fprintf(p.w, "\r\x1b[K%s", p.text())
	case last || time.Since(p.last) >= plainEvery:
		p.last = time.Now()
		fmt.Fprintln(p.w, p.text())
	}
}

func (p *Progress) text() string {
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
	for _, o := range outcomes {
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
	if p.Cost != nil {
		fmt.Fprintf(&b, ", %s", p.Cost())
	}
	return b.String()
}
