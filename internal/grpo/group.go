package grpo

// A Member is one output of a group, as far as figures need it.
type Member struct {
	Reward *float64 // nil: could not be judged
	Print  Fingerprint
}

// A Group says what the outputs of one prompt have to teach.
type Group struct {
	Outputs  int `json:"outputs"`
	Unjudged int `json:"unjudged"` // without a reward
	// Mean and SD are of the rewards there are, SD over n; nil without any.
	Mean *float64 `json:"mean"`
	SD   *float64 `json:"sd"`
	// Flat: at least two rewards and all equal. All advantages are 0.
	Flat bool `json:"flat"`
	// Copies are outputs that are near duplicates of an earlier one in the group.
	Copies int `json:"copies"`
}

// Describe gives the figures of one group. Its time grows with the square of the
// number of members.
func Describe(members []Member) Group {
	rewards := make([]*float64, len(members))
	for i, m := range members {
		rewards[i] = m.Reward
	}
	v := values(rewards)
	g := Group{Outputs: len(members), Unjudged: len(members) - len(v), Flat: len(v) > 1 && equal(v), Copies: copies(members)}
	if len(v) > 0 {
		g.Mean, g.SD = new(mean(v)), new(rootMeanSquare(centre(rewards), len(v)))
	}
	return g
}

func copies(members []Member) (n int) {
	for i, m := range members {
		for _, before := range members[:i] {
			if m.Print.Near(before.Print) {
				n++
				break
			}
		}
	}
	return n
}

// A Summary is of many groups. A share or mean of nothing is nil.
type Summary struct {
	Groups   int `json:"groups"`
	Outputs  int `json:"outputs"`
	Unjudged int `json:"unjudged"`
	// Compared are groups with at least two rewards. FlatShare is the share of them
	// whose rewards are all equal, so that no trainer learns from them.
	Compared  int      `json:"compared"`
	FlatShare *float64 `json:"flat_share"`
	// RewardMean is over all rewards; SpreadMean is the mean of the groups' SD, over
	// compared groups.
	RewardMean *float64 `json:"reward_mean"`
	SpreadMean *float64 `json:"spread_mean"`
	// CopyShare is the share of outputs that nearly repeat an earlier one of their group.
	CopyShare *float64 `json:"copy_share"`
}

// Summarise puts groups together.
func Summarise(groups []Group) Summary {
	s := Summary{Groups: len(groups)}
	var flats, copied, rewards, spreads float64
	for _, g := range groups {
		s.Outputs += g.Outputs
		s.Unjudged += g.Unjudged
		copied += float64(g.Copies)
		n := g.Outputs - g.Unjudged
		if n > 0 {
			rewards += *g.Mean * float64(n)
		}
		if n > 1 {
			s.Compared++
			spreads += *g.SD
		}
		if g.Flat {
			flats++
		}
	}
	s.FlatShare, s.SpreadMean = share(flats, s.Compared), share(spreads, s.Compared)
	s.RewardMean = share(rewards, s.Outputs-s.Unjudged)
	s.CopyShare = share(copied, s.Outputs)
	return s
}

func share(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	return new(sum / float64(n))
}
