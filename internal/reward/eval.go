package reward

import (
	"fmt"
	"math"

	"vitrine"
)

// StopGate returns the first gate marked stop whose condition holds. A gate on a
// signal that is not known yet does not hold, whatever its fallback.
func (r *Recipe) StopGate(s Signals) (Gate, bool) {
	for _, g := range r.Gates {
		if v, known := s.Values[g.When]; g.Stop && known && g.holds(v) {
			return g, true
		}
	}
	return Gate{}, false
}

func (g Gate) holds(v float64) bool {
	switch {
	case g.Is != nil:
		return v == *g.Is
	case g.Below != nil:
		return v < *g.Below
	default:
		return v > *g.Above
	}
}

// Reward computes the value with all its parts. The error is a [*vitrine.Fault]
// of stage "reward" if a signal that the value depends on is unknown or out of its
// range: the sample is unjudged.
func (r *Recipe) Reward(s Signals) (vitrine.Reward, error) {
	out := vitrine.Reward{Recipe: r.ID(), Parts: make(map[string]float64, len(r.Parts))}
	decided, err := r.applyGates(s, &out)
	if err != nil || decided {
		return out, err
	}
	for _, name := range r.PartNames() {
		if _, fixed := out.Parts[name]; fixed {
			continue
		}
		part := r.Parts[name]
		v, err := part.read(name, s, &out)
		if err != nil {
			return vitrine.Reward{}, err
		}
		out.Parts[name] = part.shape(v)
	}
	out.Value = r.combine(out.Parts)
	if math.IsInf(out.Value, 0) || math.IsNaN(out.Value) {
		return vitrine.Reward{}, vitrine.NewFault("reward", vitrine.FaultUsage, nil,
			fmt.Sprintf("recipe %s gives no finite number", r.Name)).
			WithFix("Lower the weights and constants of the recipe.")
	}
	return out, nil
}

// applyGates fixes parts and says whether a gate decided the whole value.
func (r *Recipe) applyGates(s Signals, out *vitrine.Reward) (decided bool, err error) {
	_, stopped := r.StopGate(s)
	for _, g := range r.Gates {
		v, known := s.Values[g.When]
		switch {
		case !known && (stopped || g.idle(out.Parts)):
			continue
		case !known && g.Fallback == nil:
			return false, missing(s, g.When, "the gate on it could change the value")
		case !known:
			v = *g.Fallback
			out.Fallbacks = append(out.Fallbacks, vitrine.Fallback{
				Part: "gate " + g.String(), Wanted: g.When, Used: fmt.Sprint(v), Why: s.why(g.When)})
		}
		if err := inRange(g.When, v); err != nil {
			return false, err
		}
		if !g.holds(v) {
			continue
		}
		if g.Reward != nil {
			r.decide(g, out)
			return true, nil
		}
		g.fix(out)
	}
	return false, nil
}

// idle reports whether the gate could not change anything, since every part that it sets
// is fixed already.
func (g Gate) idle(parts map[string]float64) bool {
	for name := range g.Set {
		if _, fixed := parts[name]; !fixed {
			return false
		}
	}
	return g.Reward == nil
}

// decide sets the whole reward to what the gate says.
func (r *Recipe) decide(g Gate, out *vitrine.Reward) {
	for name := range r.Parts {
		out.Parts[name] = g.Set[name]
	}
	out.Value, out.Gate = *g.Reward, g.String()
}

// fix sets the parts that no earlier gate has set. The first gate that sets a part is
// named as the gate of the reward.
func (g Gate) fix(out *vitrine.Reward) {
	for name, v := range g.Set {
		if _, fixed := out.Parts[name]; fixed {
			continue
		}
		out.Parts[name] = v
		if out.Gate == "" {
			out.Gate = g.String()
		}
	}
}

// read returns the number a part starts from, and records a fallback.
func (p Part) read(name string, s Signals, out *vitrine.Reward) (float64, error) {
	if p.Constant != nil {
		return *p.Constant, nil
	}
	if v, ok := s.Values[p.From]; ok {
		return v, inRange(p.From, v)
	}
	if p.Fallback == nil {
		return 0, missing(s, p.From, "part "+name+" needs it")
	}
	v := p.Fallback.Number
	if other := p.Fallback.Signal; other != "" {
		var ok bool
		if v, ok = s.Values[other]; !ok {
			return 0, missing(s, p.From, fmt.Sprintf(
				"part %s needs it or its fallback %s (%s)", name, other, s.why(other)))
		}
		if err := inRange(other, v); err != nil {
			return 0, err
		}
	}
	out.Fallbacks = append(out.Fallbacks, vitrine.Fallback{
		Part: name, Wanted: p.From, Used: p.Fallback.String(), Why: s.why(p.From)})
	return v, nil
}

// shape applies the part's map to x: linear between points of rising x, constant before
// the first and after the last. Without a map it returns x.
func (p Part) shape(x float64) float64 {
	for i, b := range p.Map {
		switch {
		case x > b[0]:
			continue
		case i == 0:
			return b[1]
		}
		a := p.Map[i-1]
		return a[1] + (b[1]-a[1])*((x-a[0])/(b[0]-a[0]))
	}
	if len(p.Map) > 0 {
		return p.Map[len(p.Map)-1][1]
	}
	return x
}

// combine adds or multiplies the parts, in order of their names, so that rounding is the
// same every time.
func (r *Recipe) combine(parts map[string]float64) float64 {
	sum, product := 0.0, 1.0
	for _, name := range r.PartNames() {
		sum += r.Parts[name].Weight * parts[name]
		product *= parts[name]
	}
	if r.Combine == CombineProduct {
		return product
	}
	return sum
}

// missing is the fault of a sample that has no reward because a signal is unknown.
func missing(s Signals, name, need string) error {
	return vitrine.NewFault("reward", vitrine.FaultJudge, nil, fmt.Sprintf(
		"%s is not known (%s), and %s", name, s.why(name), need)).
		WithFix("Turn on the stage or judge that finds it out, or use a recipe with a fallback for it.")
}

// inRange refuses a value outside of its signal's range: a stage's bug must not reach a
// trainer.
func inRange(name string, v float64) error {
	sig, _ := lookup(name)
	if v >= 0 && v <= sig.hi { // also false for NaN
		return nil
	}
	return vitrine.NewFault("reward", vitrine.FaultInternal, nil,
		fmt.Sprintf("%s is %v, want 0 to %v", name, v, sig.hi))
}
