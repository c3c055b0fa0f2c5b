package vlm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// Settings determine a model's judgement, together with its subject.
type Settings struct {
	Protocol string // one of [Protocols]
	Model    string // provider/model, or an alias
	// Profile is the reading of the paper; default vitrine.
	Profile vitrine.Profile
	// Observation is what the model is shown; default: what the protocol says.
	Observation Observation
	// Position is the order of a pair; default given.
	Position Position
	// Seed chooses the order when Position is random. It is not sent.
	Seed int64
	// Template replaces the protocol's prompt; default the embedded one.
	Template string
	// Variant is which of the five templates of alignment asks; default 1.
	Variant int
	// Condition is which condition alignment asks under: variant (default) or invariant.
	Condition string
	// ScreenshotFirst shows the screenshot of alignment before the instruction, not after
	// it: PairBench asks about each pair in both orders (WebGen-R1 E.6).
	ScreenshotFirst bool
	// CodeTokens bounds the code that is shown of each site, at four bytes a token;
	// default 24000, or all of it where the paper shows all.
	CodeTokens int
	// PageText also shows the visible text of each page; default off.
	PageText bool
	// MaxTokens bounds the answer, reasoning included; default 4096.
	MaxTokens int
	// Temperature is that of the protocol where it is nil, which is left to the endpoint
	// unless the profile is published and the paper is WebDevJudge; the others give none.
	Temperature *float64
	// Repeat numbers equal questions that are each to be answered, from 0.
	Repeat int
}

// Observation is what a model is shown of a site (WebDevJudge §4.2).
type Observation string

// The observations.
const (
	ObserveImage Observation = "image"
	ObserveCode  Observation = "code"
	ObserveBoth  Observation = "both"
)

func (o Observation) image() bool { return o == ObserveImage || o == ObserveBoth }
func (o Observation) code() bool  { return o == ObserveCode || o == ObserveBoth }

// Position is the order in which a pair is shown (WebDevJudge App. D.1).
type Position string

// The positions.
const (
	PositionGiven  Position = "given"  // A first
	PositionBoth   Position = "both"   // both orders; a verdict only where they agree, else a tie
	PositionRandom Position = "random" // one order, by the seed and the pair
	PositionAlone  Position = "alone"  // each is graded by itself, and the scores are compared (WebDevJudge §4.1)
)

// withDefaults fills in what was left open.
func (s Settings) withDefaults(p *protocol) Settings {
	if s.Observation == "" {
		s.Observation = p.observes
	}
	if s.Position == "" {
		s.Position = PositionGiven
	}
	if s.Variant == 0 {
		s.Variant = 1
	}
	if s.Condition == "" {
		s.Condition = conditionVariant
	}
	s.CodeTokens = cmp.Or(s.CodeTokens, p.codeTokens, 24000)
	return s
}

// check names the first setting that cannot be.
func (s Settings) check(p *protocol) error {
	switch {
	case s.Model == "":
		return usage("no model is named", "Name one as provider/model.")
	case s.Profile != "" && !slices.Contains(vitrine.Profiles, s.Profile):
		return usage(fmt.Sprintf("there is no profile %q", s.Profile), "Say published or vitrine.")
	case p.fixed && s.Observation != p.observes:
		return usage(fmt.Sprintf("%s is shown %s by its definition, not %s", p.name, orNothing(p.observes), s.Observation), "Leave the observation out.")
	case !p.fixed && !s.Observation.image() && !s.Observation.code():
		return usage(fmt.Sprintf("observation %q", s.Observation), "Say image, code or both.")
	case !slices.Contains([]Position{PositionGiven, PositionBoth, PositionRandom, PositionAlone}, s.Position):
		return usage(fmt.Sprintf("position %q", s.Position), "Say given, both, random or alone.")
	case s.Variant < 1 || s.Variant > alignmentTemplates:
		return usage(fmt.Sprintf("alignment has no template %d", s.Variant), "Say 1 to 5.")
	case s.Condition != conditionVariant && s.Condition != conditionInvariant:
		return usage(fmt.Sprintf("condition %q", s.Condition), "Say variant or invariant.")
	case s.CodeTokens < 0 || s.MaxTokens < 0 || s.Repeat < 0:
		return usage("a number of tokens or repeats is below 0", "")
	}
	return nil
}

func orNothing(o Observation) string {
	if o == "" {
		return "words alone"
	}
	return string(o)
}

func usage(message, fix string) error {
	return vitrine.NewFault("judge", vitrine.FaultUsage, nil, strings.TrimSpace(message)).WithFix(fix)
}
