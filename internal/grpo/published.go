package grpo

// A Rule says how advantages are made of rewards.
type Rule string

// The published rules.
const (
	RuleGroup Rule = "group" // [GroupStandardised]
	RuleBatch Rule = "batch" // [BatchStandardised]
)

// A Recipe is how one paper trained. A number that the paper does not give is 0.
type Recipe struct {
	Name          string // of the settings, such as webgen-r1
	Source        string // paper and section
	Rule          Rule
	AdvantageClip float64 // bound of the advantages; 0: none
	Objective     Objective
	BetaSweep     []float64 // if the paper tried several
	GroupSize     int       // outputs a prompt
	BatchSize     int       // as the paper says it: the three do not mean the same
	Prompts       int       // a step
	Rollouts      int       // n_rollout
	Steps         int       // at most
	LearningRate  float64
	Schedule      string
	Temperature   float64
	TopP          float64
	MaxPrompt     int // tokens
	MaxOutput     int // tokens
	DistillWeight float64
	// PartWeights are those of the parts of the reward.
	PartWeights map[string]float64
}

// Recipes are all that were published.
func Recipes() []Recipe { return []Recipe{WebGenR1(), WebGenR1AppendixC(), AesCoder(), ReLook()} }

// WebGenR1 is how the model of WebGen-R1's Table 1 was trained: 400 steps (§3.1) in
// groups of 16, since Table 4 has the figures of Table 1 for 16, and the rest of App. C.
func WebGenR1() Recipe {
	return Recipe{
		Name: "webgen-r1", Source: "WebGen-R1, §3.1, Tables 1 and 4, App. C", Rule: RuleGroup,
		Objective: Objective{Mean: PerSample, Epsilon: 0.2, Beta: 0.01},
		GroupSize: 16, BatchSize: 256, Rollouts: 16, Steps: 400, LearningRate: 5e-6,
		Temperature: 0.7, TopP: 0.95, MaxPrompt: 4096, MaxOutput: 8192,
		PartWeights: map[string]float64{"code": 0.1, "cot": 0.1},
	}
}

// WebGenR1AppendixC is WebGen-R1 as App. C lists it: groups of 8, and 16 rollouts.
// The paper does not say how the two fit together.
func WebGenR1AppendixC() Recipe {
	r := WebGenR1()
	r.Name, r.Source, r.GroupSize = "webgen-r1-appendix-c", "WebGen-R1, §3.1 and App. C", 8
	return r
}

// AesCoder is the second stage of AesCoder (GRPO-AR, App. E). The mean over tokens is
// not from the paper, see the comment of the package.
func AesCoder() Recipe {
	return Recipe{
		Name: "aescoder", Source: "AesCoder, App. E", Rule: RuleGroup,
		Objective: Objective{Mean: PerSample, Epsilon: 0.5, Beta: 0.001},
		GroupSize: 8, BatchSize: 64, Prompts: 64, LearningRate: 3e-6, Schedule: "constant",
		PartWeights: map[string]float64{"exec": 0.1, "static": 0.8, "interact": 0.1},
	}
}

// ReLook is how ReLook trained (§3.2, App. G). Of β only a sweep is published: Beta
// is its lowest value.
func ReLook() Recipe {
	return Recipe{
		Name: "relook", Source: "ReLook, §3.2 and App. G", Rule: RuleBatch, AdvantageClip: 2,
		Objective: Objective{Mean: TokenMean, Epsilon: 0.2, Beta: 0.01, CountCritic: true},
		BetaSweep: []float64{0.01, 0.02, 0.03, 0.04, 0.05},
		GroupSize: 8, BatchSize: 256, Steps: 40, LearningRate: 1e-6,
		Schedule: "linear warmup over the first 5 %, then cosine", Temperature: 1, TopP: 0.7,
		DistillWeight: 0.1,
	}
}

// Advantages are those of a batch of groups by the rule of the recipe.
func (r Recipe) Advantages(groups [][]*float64) [][]float64 {
	if r.Rule == RuleBatch {
		return BatchStandardised(groups, r.AdvantageClip)
	}
	advantages := make([][]float64, len(groups))
	for g, rewards := range groups {
		advantages[g] = GroupStandardised(rewards)
	}
	return advantages
}
