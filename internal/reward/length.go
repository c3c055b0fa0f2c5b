package reward

import "maps"

// WithoutLength is the recipe without the parts that are read from the length of an
// output. A session whose reward has a length term of its own, of the whole
// trajectory, scores its versions by it: ReLook compares visual scores and takes the
// penalty once (Eq. 3 to 5, Algorithm 1).
func (r *Recipe) WithoutLength() *Recipe {
	rest := *r
	rest.Parts = maps.Clone(r.Parts)
	maps.DeleteFunc(rest.Parts, func(_ string, p Part) bool { return p.From == "output.tokens" })
	return &rest
}

// Again computes a value from the parts and the gate that were kept of a reward. Parts
// that the recipe does not have do not count.
func (r *Recipe) Again(parts map[string]float64, gate string) float64 {
	for _, g := range r.Gates {
		if g.Reward != nil && g.String() == gate {
			return *g.Reward
		}
	}
	return r.combine(parts)
}
