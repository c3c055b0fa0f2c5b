package grpo

import (
	"fmt"
	"math"
)

// Distillation is L_distill on the critic's tokens (ReLook Eq. 6 and 7). Teacher has
// a distribution over the vocabulary for each token, Student the log-probabilities
// of the policy over the same.
type Distillation struct {
	Teacher [][]float64 // q_t(v), each adding up to 1
	Student [][]float64 // ln p(v)
}

// KL is the mean of KL(q‖p) over the critic's tokens (Eq. 6); 0 without any.
func (d Distillation) KL() (float64, error) {
	return d.mean(func(q, logp float64) float64 { return q * (math.Log(q) - logp) })
}

// CrossEntropy is the mean of −Σ q·ln p over the critic's tokens (Eq. 7); 0 without
// any. It is KL plus the entropy of the teacher, which no gradient sees.
func (d Distillation) CrossEntropy() (float64, error) {
	return d.mean(func(q, logp float64) float64 { return -q * logp })
}

func (d Distillation) mean(term func(q, logp float64) float64) (float64, error) {
	if len(d.Teacher) != len(d.Student) {
		return 0, fmt.Errorf("want %d distributions of the student, got %d", len(d.Teacher), len(d.Student))
	}
	sum := 0.0
	for t, q := range d.Teacher {
		if len(q) != len(d.Student[t]) {
			return 0, fmt.Errorf("token %d: want %d log-probabilities of the student, got %d", t, len(q), len(d.Student[t]))
		}
		for v := range q {
			if q[v] > 0 { // 0·ln 0 is 0
				sum += term(q[v], d.Student[t][v])
			}
		}
	}
	return sum / float64(max(1, len(d.Teacher))), nil
}

// Loss is L = −J + γ·L_distill (ReLook Eq. 8).
func Loss(objective, distillation, gamma float64) float64 { return -objective + gamma*distillation }
