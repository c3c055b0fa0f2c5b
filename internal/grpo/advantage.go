package grpo

import "math"

// flat is how far rewards may lie apart, as a share of the largest, and still be
// equal but for rounding.
const flat = 1e-12

// GroupStandardised are the advantages (R − mean)/std of the outputs of one prompt
// (WebGen-R1 Eq. 7, AesCoder Eq. 2), in the order of the rewards. They are 0 where
// the reward is not known, and all 0 where the known ones are equal.
func GroupStandardised(rewards []*float64) []float64 {
	centred := centre(rewards)
	divide(centred, rootMeanSquare(centred, count(rewards)))
	return centred
}

// BatchStandardised are the advantages of ReLook (§2.4, App. G) of a batch of groups,
// one group a prompt: the reward less the mean of its group, divided by the standard
// deviation of these differences over the batch, clipped to [-bound, bound]. They are
// 0 where the reward is not known. The mean over the batch is 0 already, since that
// of every group is. A bound of 0 clips nothing.
func BatchStandardised(groups [][]*float64, bound float64) [][]float64 {
	advantages := make([][]float64, len(groups))
	var all []float64
	n := 0
	for g, rewards := range groups {
		advantages[g] = centre(rewards)
		all = append(all, advantages[g]...)
		n += count(rewards)
	}
	spread := rootMeanSquare(all, n)
	for _, group := range advantages {
		divide(group, spread)
		for i := range group {
			if bound > 0 {
				group[i] = max(-bound, min(bound, group[i]))
			}
		}
	}
	return advantages
}

// PerToken spreads the advantage of an output over its tokens: 0 on those of the
// critic (ReLook §2.4). Its length is that of critic.
func PerToken(advantage float64, critic []bool) []float64 {
	tokens := make([]float64, len(critic))
	for t := range tokens {
		if !critic[t] {
			tokens[t] = advantage
		}
	}
	return tokens
}

// known reports whether an output has a reward.
func known(reward *float64) bool {
	return reward != nil && !math.IsNaN(*reward) && !math.IsInf(*reward, 0)
}

func count(rewards []*float64) (n int) {
	for _, r := range rewards {
		if known(r) {
			n++
		}
	}
	return n
}

// values are the rewards that are known.
func values(rewards []*float64) []float64 {
	var v []float64
	for _, r := range rewards {
		if known(r) {
			v = append(v, *r)
		}
	}
	return v
}

// equal reports whether rewards are the same but for rounding.
func equal(v []float64) bool {
	if len(v) == 0 {
		return true
	}
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	return hi-lo <= flat*max(math.Abs(lo), math.Abs(hi))
}

func mean(v []float64) float64 {
	m := 0.0
	for i, x := range v {
		m += (x - m) / float64(i+1) // no sum that could overflow
	}
	return m
}

// centre takes the mean of the known rewards from each; 0 where it is not known or
// where all are equal.
func centre(rewards []*float64) []float64 {
	centred := make([]float64, len(rewards))
	v := values(rewards)
	if equal(v) {
		return centred
	}
	m := mean(v)
	for i, r := range rewards {
		if known(r) {
			centred[i] = *r - m
		}
	}
	return centred
}

// rootMeanSquare is the standard deviation of n centred values; others in the list
// are 0.
func rootMeanSquare(centred []float64, n int) float64 {
	largest := 0.0
	for _, x := range centred {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range centred {
		sum += (x / largest) * (x / largest)
	}
	return largest * math.Sqrt(sum/float64(n))
}

func divide(v []float64, by float64) {
	for i := range v {
		if by > 0 {
			v[i] /= by
		}
	}
}
