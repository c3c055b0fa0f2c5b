package vitrine

// A Reward is the number a trainer gets, with everything needed to recompute and
// explain it.
type Reward struct {
	Recipe string  `json:"recipe"` // name@hash
	Value  float64 `json:"value"`
	// Parts has the recipe's full, fixed set of keys, numbers only.
	Parts map[string]float64 `json:"parts"`
	// Gate names the gate that decided the value, if one did.
	Gate      string     `json:"gate,omitempty"`
	Fallbacks []Fallback `json:"fallbacks,omitempty"`
}

// A Fallback records that a part was asked from a judge that was not there, and
// what the recipe used in its place.
type Fallback struct {
	Part   string `json:"part"`
	Wanted string `json:"wanted"` // the signal the recipe asks for
	Used   string `json:"used"`   // the signal or the number used
	Why    string `json:"why"`
}
