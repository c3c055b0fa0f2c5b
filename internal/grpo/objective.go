package grpo

import (
	"fmt"
	"math"
)

// A Mean says how the tokens of a group become one number.
type Mean string

// The published means.
const (
	// PerSample is 1/G Σ 1/|o| Σ: each output counts the same (WebGen-R1 Eq. 5).
	PerSample Mean = "per-sample"
	// TokenMean is 1/Σ|o| ΣΣ: each token counts the same (ReLook Eq. 2).
	TokenMean Mean = "token"
)

// A Trajectory is one output of a group, token by token. Its lists have one entry a
// token, those of Ref and Critic may be nil.
type Trajectory struct {
	Advantage float64
	Policy    []float64 // ln π_θ of each token: the policy that is trained
	Old       []float64 // ln π_old: the policy that sampled
	Ref       []float64 // ln π_ref: the frozen reference; nil without a KL term
	Critic    []bool    // whose token it is; nil: all are the policy's
}

// An Objective is the clipped surrogate that GRPO maximises.
type Objective struct {
	Mean    Mean
	Epsilon float64 // the ratio is clipped to [1 − ε, 1 + ε]
	Beta    float64 // weight of the KL term; 0: none
	// CountCritic counts the critic's tokens in |o|, as ReLook Eq. 2 is written. They
	// add nothing to the sum. Most trainers divide by the policy's tokens alone.
	CountCritic bool
}

// A Value is an objective with its parts: Total is Surrogate − β·KL.
type Value struct {
	Total     float64
	Surrogate float64
	KL        float64
	Clipped   float64 // share of the policy's tokens where clipping set the value
}

// Value is J of a group. Outputs without tokens that count add 0, and count in G.
// An error names a list of the wrong length or a result that is no finite number.
func (o Objective) Value(group []Trajectory) (Value, error) {
	var sum Value
	if o.Mean != PerSample && o.Mean != TokenMean {
		return sum, fmt.Errorf("mean: want %q or %q, got %q", PerSample, TokenMean, o.Mean)
	}
	tokens, policy, clipped := 0, 0, 0
	for i, t := range group {
		if err := o.check(t); err != nil {
			return sum, fmt.Errorf("trajectory %d: %w", i, err)
		}
		one := o.sums(t)
		length := one.policy
		if o.CountCritic {
			length = len(t.Policy)
		}
		weight := 1.0
		if o.Mean == PerSample {
			weight = 1 / float64(max(1, length))
		}
		sum.Surrogate += weight * one.surrogate
		sum.KL += weight * one.kl
		tokens, policy, clipped = tokens+length, policy+one.policy, clipped+one.clipped
	}
	count := tokens
	if o.Mean == PerSample {
		count = len(group)
	}
	return sum.over(float64(max(1, count)), o.Beta, float64(clipped)/float64(max(1, policy)))
}

func (v Value) over(n, beta, clipped float64) (Value, error) {
	v.Surrogate /= n
	v.KL /= n
	v.Total = v.Surrogate - beta*v.KL
	v.Clipped = clipped
	if math.IsNaN(v.Total) || math.IsInf(v.Total, 0) {
		return Value{}, fmt.Errorf("the objective is %v: the log-probabilities lie too far apart", v.Total)
	}
	return v, nil
}

func (o Objective) check(t Trajectory) error {
	n := len(t.Policy)
	switch {
	case len(t.Old) != n:
		return fmt.Errorf("want %d log-probabilities of the old policy, got %d", n, len(t.Old))
	case len(t.Ref) != n && (t.Ref != nil || o.Beta != 0):
		return fmt.Errorf("want %d log-probabilities of the reference, got %d", n, len(t.Ref))
	case t.Critic != nil && len(t.Critic) != n:
		return fmt.Errorf("want a mask of %d tokens, got %d", n, len(t.Critic))
	}
	return nil
}

// sums are those over the tokens of one trajectory.
type sums struct {
	surrogate, kl   float64
	policy, clipped int // tokens
}

func (o Objective) sums(t Trajectory) (s sums) {
	for i := range t.Policy {
		if t.Critic != nil && t.Critic[i] {
			continue
		}
		s.policy++
		if t.Ref != nil {
			s.kl += k3(t.Policy[i], t.Ref[i])
		}
		if t.Advantage == 0 {
			continue // whatever the ratio is, even infinite
		}
		ratio := math.Exp(t.Policy[i] - t.Old[i])
		free := ratio * t.Advantage
		held := max(1-o.Epsilon, min(1+o.Epsilon, ratio)) * t.Advantage
		if held < free {
			s.clipped++
		}
		s.surrogate += min(free, held)
	}
	return s
}

// k3 estimates D_KL(π‖π_ref) from one token of π: r − ln r − 1 with r = π_ref/π.
// Expm1 keeps what is left where the two are close.
func k3(policy, ref float64) float64 {
	d := ref - policy
	return max(0, math.Expm1(d)-d)
}
