package rubric

// Means are the statistics of WebDevJudge Table 9 over a set of trees: means of [Stats].
type Means struct {
	Trees   int                `json:"trees"`
	Height  float64            `json:"height"`
	Leaves  float64            `json:"leaves"`
	Heights map[string]float64 `json:"heights"`    // of each dimension
	Counts  map[string]float64 `json:"leaf_count"` // of each dimension
}

// MeansOf averages the statistics of at least one tree.
func MeansOf(trees []*Tree) Means {
	m := Means{Trees: len(trees), Heights: map[string]float64{}, Counts: map[string]float64{}}
	n := float64(len(trees))
	var height, leaves int
	heights, counts := map[string]int{}, map[string]int{}
	for _, t := range trees {
		s := t.Stats()
		height, leaves = height+s.Height, leaves+s.Leaves
		for _, d := range Dimensions {
			heights[d] += s.Heights[d]
			counts[d] += s.Counts[d]
		}
	}
	m.Height, m.Leaves = float64(height)/n, float64(leaves)/n
	for _, d := range Dimensions {
		m.Heights[d], m.Counts[d] = float64(heights[d])/n, float64(counts[d])/n
	}
	return m
}
