package report

import (
	"maps"
	"math"
	"slices"

	"vitrine"
)

// A term is one line of the sum behind a reward.
type term struct {
	Name   string
	Value  float64
	Weight float64 // of a sum
	Adds   float64 // Weight × Value
	Reads  string
	Scaled string
	// Instead is set if the part was read from something else.
	Instead *vitrine.Fallback
	// Fixed is set if the gate that the reward names fixed the part.
	Fixed bool
}

// A breakdown explains one reward.
type breakdown struct {
	Terms   []term
	Product bool
	Value   float64
	Gate    string
	// Why says which asked-for behaviours work, where the reward depends on it.
	Why string
	// Overruled: the gate decided the whole value and the terms only explain.
	Overruled bool
}

// explain takes a reward apart.
func (r recipe) explain(s *vitrine.Sample) breakdown {
	b := breakdown{Product: r.product(), Value: *s.Reward, Gate: s.Gate}
	for _, f := range s.Findings {
		if f.Check == "behaviors" {
			b.Why = f.Why
		}
	}
	sum, product := 0.0, 1.0
	for _, name := range slices.Sorted(maps.Keys(s.Parts)) {
		p, v := r.Parts[name], s.Parts[name]
		t := term{Name: name, Value: v, Weight: p.Weight, Adds: p.Weight * v, Reads: p.Reads(), Scaled: p.Scaled(), Fixed: r.fixedBy(s.Gate, name)}
		for i := range s.Fallbacks {
			if s.Fallbacks[i].Part == name {
				t.Instead = &s.Fallbacks[i]
			}
		}
		b.Terms = append(b.Terms, t)
		sum, product = sum+t.Adds, product*v
	}
	made := sum
	if b.Product {
		made = product
	}
	b.Overruled = s.Gate != "" && math.Abs(made-b.Value) > 1e-9
	return b
}

func (r recipe) fixedBy(condition, part string) bool {
	for _, g := range r.Gates {
		if _, sets := g.Set[part]; sets && condition != "" && g.Condition() == condition {
			return true
		}
	}
	return false
}

// FixedParts are the parts that the gate fixed.
func (b breakdown) FixedParts() []string {
	var names []string
	for _, t := range b.Terms {
		if t.Fixed {
			names = append(names, t.Name)
		}
	}
	return names
}
