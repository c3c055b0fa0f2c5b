package behave

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/interact"
)

// Settings determine what is proved of a site, together with site, viewport and seed.
type Settings struct {
	Needs       []vitrine.Requirement
	Instruction string // what a calculation must give stands in it
	Routes      []string
	Budget      int    // actions; see [Prover]
	Seed        string // hash of the seed
	SkipRepeat  bool   // nothing is repeated at another time
	By          string // version of the relations
}

// A Prover is the [interact.Method] that proves required behaviours by relations.
type Prover struct {
	// Read says what an instruction and its test cases ask for, and what it cost to ask.
	Read func(ctx context.Context, instruction string, cases []vitrine.TestCase, topic string) (vitrine.Requirements, vitrine.Cost, error)
	// Reader identifies the model that reads instructions, and is part of the provenance; empty for
	// the rules.
	Reader string
	// Seed is secret: what pages cannot foresee is made of it. The same seed gives the same
	// trace.
	Seed []byte
	// Budget is the largest number of actions on one site; 0 means 600, and 75 more for each
	// behaviour beyond the eighth. What was not tried for it is not shown to work.
	Budget int
	// SkipRepeat leaves out that acts which worked are repeated at another time.
	SkipRepeat bool
}

// What a page may use of a processor before it counts as one that cannot be operated, and
// how many losses end a site: a hostile page must not hold a worker up. A game is watched for
// minutes of page time, in which it draws.
const (
	pageLimit = 30 * time.Second
	gameLimit = 60 * time.Second
	maxLosses = 2
)

// defaultBudget is enough for all relations on nine of ten sites; a site of which much is asked gets
// moreBudget for each behaviour beyond manyNeeds.
const (
	defaultBudget = 600
	moreBudget    = 75
	manyNeeds     = 8
)

// pageActions is how many actions are carried out on one page before the next try gets a fresh one: the limit of
// processor time is of a page, and a site of which much is asked must not use it up by that alone.
const pageActions = 100

// By is behave.
func (b *Prover) By() vitrine.TraceBy { return vitrine.ByBehave }

// Cases are not known before the instruction is read.
func (b *Prover) Cases([]vitrine.TestCase) ([]vitrine.TestCase, bool) { return nil, true }

// Exercise proves what the instruction asks for, unless the cache has the trace.
func (b *Prover) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	needs, cost, err := b.Read(ctx, s.Instruction, s.Cases, s.Topic)
	if err != nil {
		return nil, err
	}
	settings := Settings{Needs: needs.Behaviors, Instruction: s.Instruction, Routes: s.Routes(), Budget: b.budget(len(needs.Behaviors)), Seed: b.SeedHash(), SkipRepeat: b.SkipRepeat, By: Version}
	t, err := s.Cache.Trace(ctx, d, settings, func(d *interact.Driver) (*vitrine.Trace, error) {
		t := s.NewTrace(vitrine.ByBehave, d)
		t.Seed = settings.Seed
		return t, prove(ctx, d, t, settings, b.Seed)
	})
	if t != nil {
		t.Cost = t.Cost.Plus(cost)
	}
	return t, err
}

func (b *Prover) budget(needs int) int {
	if b.Budget > 0 {
		return b.Budget
	}
	return defaultBudget + moreBudget*max(0, needs-manyNeeds)
}

// Provenance is what makes its traces, besides the site, the instruction and the seed,
// which traces name by its hash: workers get it with each job.
func (b *Prover) Provenance() map[string]any {
	made := map[string]any{"version": Version, "budget": b.budget(0)}
	if b.Reader != "" {
		made["required by"] = b.Reader
	}
	return made
}

// SeedHash names the seed without giving it away.
func (b *Prover) SeedHash() string {
	return hex.EncodeToString((&tokens{seed: b.Seed, about: "name of the seed"}).sum(4))
}

// A run is one site while its requirements are proved. It survives the loss of the page.
type run struct {
	settings Settings
	seed     []byte
	shown    string // hash of what the site shows at its start
	left     int
	site     *sitemap
	trace    *vitrine.Trace
	next     int // requirement
	tries    int // of it that are over
	best     answer
	steps    []vitrine.Step // of the try that gave it
	wallMS   float64        // of these tries
	losses   int            // of the page
	segments []*segment     // of acts that showed that something works
}

// prove fills a trace with one case for each requirement.
func prove(ctx context.Context, d *interact.Driver, t *vitrine.Trace, settings Settings, seed []byte) error {
	began := time.Now()
	if len(settings.Routes) == 0 {
		settings.Routes = []string{"/"}
	}
	own := *d
	own.Limit = pageLimit
	if slices.ContainsFunc(settings.Needs, func(n vitrine.Requirement) bool { return n.Behavior == vitrine.BehaviorGame }) {
		own.Limit = gameLimit
	}
	d = &own
	r := &run{settings: settings, seed: seed, left: settings.Budget, trace: t}
	for r.next < len(settings.Needs) {
		v, err := d.Run(ctx, settings.Routes[0], r.all)
		if err != nil {
			return fmt.Errorf("behave: %w", err)
		}
		if !v.Valid {
			r.lost(v)
		}
	}
	if len(r.segments) > 0 && !settings.SkipRepeat {
		if err := r.repeat(ctx, d); err != nil {
			return fmt.Errorf("behave: %w", err)
		}
	}
	share := Function(t)
	score := share * float64(t.Wanted)
	t.Function, t.Score = &share, &score
	t.WallMS = millis(began)
	return nil
}

// all proves the requirements that are left, on one page.
func (r *run) all(ctx context.Context, s *interact.Session) error {
	s.Sparing, s.IgnoreEndless = true, true
	r.trace.Browser = s.Browser()
	if r.site == nil {
		explored := r.settings.Budget / 4
		if r.onSight() {
			explored = 0
		}
		kept := explored
		site, err := explore(ctx, s, r.settings.Routes, &explored)
		if err != nil {
			return err
		}
		r.site = site
		r.shown = digest.Text(site.places[0].view.Text)
		r.left -= kept - explored
		p := &prover{session: s, site: site, instruction: r.settings.Instruction, left: &r.left, tokens: &tokens{seed: r.seed, about: r.shown + "/gate"}}
		if err := p.pass(ctx); err != nil {
			return err
		}
	}
	r.site.last = moment{}
	for left := r.left; r.next < len(r.settings.Needs) && left-r.left < pageActions; {
		if err := r.try(ctx, s, r.settings.Needs[r.next]); err != nil {
			return err
		}
	}
	return nil // prove goes on with a fresh page
}

// onSight reports whether all that is asked for is seen where the site begins: a scene costs much
// processor time while its controls are tried.
func (r *run) onSight() bool {
	return !slices.ContainsFunc(r.settings.Needs, func(n vitrine.Requirement) bool {
		return n.Behavior != vitrine.BehaviorScene && (n.Behavior != vitrine.BehaviorLive || !drawnSimulation(n.Quote))
	})
}

// try proves the next requirement once. Where it does not hold, the try after it, which has other
// tokens, is of the same requirement.
func (r *run) try(ctx context.Context, s *interact.Session, need vitrine.Requirement) error {
	began := time.Now()
	relation, ok := relations[need.Behavior]
	if !ok {
		r.record(need, unclear("no relation proves it"), nil, 0)
		return nil
	}
	p := &prover{
		session: s, site: r.site, need: need, others: r.settings.Needs, instruction: r.settings.Instruction, left: &r.left,
		tokens: &tokens{seed: r.seed, about: fmt.Sprintf("%s/%s/%s/%d", r.shown, need.Behavior, need.Entity, r.tries)},
	}
	a, err := recovered(ctx, p, relation)
	if err = cmp.Or(p.err, err); err != nil {
		return err
	}
	if p.spent { // an act that was not carried out may have been the one that must have no effect
		a = fails("the budget of actions was used up before it was shown: %s", a.why)
	}
	if r.tries == 0 || rank(a.verdict) > rank(r.best.verdict) {
		r.best, r.steps = a, p.steps
		if a.verdict == vitrine.VerdictWorks {
			r.keep(p)
		}
	}
	r.tries++
	r.wallMS += millis(began)
	if r.best.verdict == vitrine.VerdictFail && !p.spent && r.tries < tries {
		return nil
	}
	if s.Records() && len(r.steps) > 0 {
		if file, _, err := s.Frame(ctx, fmt.Sprintf("behave-%s", need.ID)); err == nil {
			r.steps[len(r.steps)-1].After = file
		}
	}
	r.record(need, r.best, r.steps, r.wallMS)
	return nil
}

// recovered runs a relation and returns its panic as an error, with the stack: no page may end the process.
func recovered(ctx context.Context, p *prover, relation func(context.Context, *prover) answer) (a answer, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("relation %s: panic: %v\n%s", p.need.Behavior, fault, debug.Stack())
		}
	}()
	return relation(ctx, p), nil
}

func millis(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

const tries = 2

// rank orders verdicts: absent ≤ broken < works.
func rank(v vitrine.CaseVerdict) int {
	switch v {
	case vitrine.VerdictWorks:
		return 3
	case vitrine.VerdictUnclear:
		return 2
	case vitrine.VerdictFail:
		return 1
	}
	return 0
}

// record ends a requirement.
func (r *run) record(need vitrine.Requirement, a answer, steps []vitrine.Step, wallMS float64) {
	r.next, r.tries, r.wallMS = r.next+1, 0, 0
	c := vitrine.Case{
		ID: need.ID, Route: r.settings.Routes[0], Task: task(need), Category: string(need.Behavior), Rank: need.Weight, Steps: steps, Central: need.Central,
		Verdict: a.verdict, Why: a.why, End: vitrine.EndFinished, Cost: vitrine.Free(), WallMS: wallMS,
	}
	if c.Steps == nil {
		c.Steps = []vitrine.Step{}
	}
	one, zero := 1.0, 0.0
	switch a.verdict {
	case vitrine.VerdictWorks:
		c.Score = &one
	case vitrine.VerdictFail, vitrine.VerdictAbsent:
		c.Score = &zero
	}
	r.trace.Cases = append(r.trace.Cases, c)
}

// lost records that the page was lost by the requirement that was being proved; where the
// site was not explored yet, or was lost before, all of them fail.
func (r *run) lost(v vitrine.Validity) {
	r.losses++
	why := fails("operating the page ends it: %s", v.Why)
	for r.next < len(r.settings.Needs) {
		r.record(r.settings.Needs[r.next], why, nil, 0)
		if r.site != nil && r.losses < maxLosses {
			return
		}
	}
}

// task says in words what is proved.
func task(need vitrine.Requirement) string {
	text := string(need.Behavior)
	if need.Entity != "" {
		text += " " + need.Entity
	}
	return text
}
