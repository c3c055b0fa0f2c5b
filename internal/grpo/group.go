package grpo

// A Member is what the statistics of a group need of one output.
type Member struct {
	Reward *float64 // nil: could not be judged
	Print  Fingerprint
}

// A Group has the statistics of the outputs to one prompt, which say whether a trainer can
// learn from them.
type Group struct {
	Outputs  int `json:"outputs"`
	Unjudged int `json:"unjudged"` // without a reward
	// Mean and SD are the mean and the population standard deviation of the rewards; nil
	// without rewards.
	Mean *float64 `json:"mean"`
	SD   *float64 `json:"sd"`
	// Flat: there are at least two rewards, and all are equal, so all advantages are 0.
	Flat bool `json:"flat"`
	// Copies is the number of outputs that nearly repeat an earlier one of the group.
	Copies int `json:"copies"`
}

// Describe computes the statistics of one group, in time quadratic in the number of
// members.
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

// A Summary has the statistics of many groups. A share or mean over no values is nil.
type Summary struct {
	Groups   int `json:"groups"`
	Outputs  int `json:"outputs"`
	Unjudged int `json:"unjudged"`
	// Compared is the number of groups with at least two rewards. FlatShare is the share
	// of them whose rewards are all equal, so that a trainer learns nothing from them.
	Compared  int      `json:"compared"`
	FlatShare *float64 `json:"flat_share"`
	// RewardMean is over all rewards; SpreadMean is the mean of the groups' SD, over
	// compared groups.
	RewardMean *float64 `json:"reward_mean"`
	SpreadMean *float64 `json:"spread_mean"`
	// CopyShare is the share of outputs that nearly repeat an earlier one of their group.
	CopyShare *float64 `json:"copy_share"`
}

// Summarise computes the summary of groups.
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
