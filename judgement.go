package vitrine

// Status says how to read the score of a finding.
type Status string

// The states of a finding.
const (
	StatusScored        Status = "scored"
	StatusNotApplicable Status = "not_applicable" // the site gives no occasion: weight 0
	StatusFailed        Status = "failed"         // could not judge: no score, never 0
)

// A Finding is what one check says about one site.
type Finding struct {
	Check  string   `json:"check"` // same word as the file and the test folder
	Status Status   `json:"status"`
	Score  *float64 `json:"score"` // in [0,1]; nil unless Status is StatusScored
	Why    string   `json:"why"`   // one sentence a person can verify on the screenshot
	// Where are the places that cost points, at most a dozen, in page pixels.
	Where []Place `json:"where,omitempty"`
}

// A Place is a box on one view of the site.
type Place struct {
	Route    string `json:"route"`
	Viewport string `json:"viewport"`
	Box      Box    `json:"box"`
	Label    string `json:"label,omitempty"`
}

// A Judgement is what one judge says about one site.
type Judgement struct {
	Judge    string    `json:"judge"`              // name@version of the judge, and the model that it asks
	Protocol string    `json:"protocol,omitempty"` // of a model judge
	Findings []Finding `json:"findings"`
	// Scores are named results on their published scales: appearance 0–5,
	// alignment 0–40, aesthetics 0–30, structure 0–30, total 0–100, visual 0–100;
	// others are named after their protocol. A score that could not be given is
	// absent. Those of a panel are means.
	Scores map[string]float64 `json:"scores"`
	// Feedback is what a model judge says in words: to a person, or to the model
	// that wrote the site.
	Feedback string `json:"feedback,omitempty"`
	// Unknown says what this judge can not know.
	Unknown []string `json:"unknown,omitempty"`
	// LeftOut names the files that the judge was not shown for want of room.
	LeftOut []string `json:"left_out,omitempty"`
	Panel   *Panel   `json:"panel,omitempty"` // of several judges or repeats
	Calls   []Call   `json:"calls,omitempty"` // every one, also those that could not be used
	Cost    Cost     `json:"cost"`
}

// A Verdict says which of two sites is better.
type Verdict string

// The verdicts on a pair.
const (
	VerdictA   Verdict = "A"
	VerdictB   Verdict = "B"
	VerdictTie Verdict = "tie"
)

// A Comparison is what one judge says about two sites. Everything in it speaks of
// the caller's A and B, but for the words of a model that saw them swapped.
type Comparison struct {
	Judge    string  `json:"judge"`
	Protocol string  `json:"protocol"`
	Position string  `json:"position"` // given, both, random, alone
	Verdict  Verdict `json:"verdict"`  // empty without a usable answer
	// Far: the winner is better by far (A≫B or A≪B in AesCoder G.1), in every order.
	Far bool `json:"far,omitempty"`
	// A and B are the scores of each site; in both orders, their means.
	A map[string]float64 `json:"a,omitempty"`
	B map[string]float64 `json:"b,omitempty"`
	// Orders are the passes: one, or A first and then B first; none where each site was
	// graded alone.
	Orders   []Order   `json:"orders,omitempty"`
	Findings []Finding `json:"findings,omitempty"` // about either site, which the place names
	LeftOut  []string  `json:"left_out,omitempty"`
	Panel    *Panel    `json:"panel,omitempty"`
	Calls    []Call    `json:"calls,omitempty"`
	Cost     Cost      `json:"cost"`
}

// An Order is one pass over a pair. Verdict, scores and Leaves are of the caller's A
// and B; Feedback is as the model wrote it, which calls the first site A.
type Order struct {
	Swapped  bool               `json:"swapped"` // B was shown first
	Verdict  Verdict            `json:"verdict"`
	Far      bool               `json:"far,omitempty"`
	A        map[string]float64 `json:"a,omitempty"`
	B        map[string]float64 `json:"b,omitempty"`
	Leaves   map[string]Verdict `json:"leaves,omitempty"` // of a rubric
	Feedback string             `json:"feedback,omitempty"`
}

// A Panel is how several judges, or one asked several times, came to a result.
type Panel struct {
	Members []Member `json:"members"`
	Quorum  int      `json:"quorum"` // so many had to answer
	// Spread is of each score over the members who gave it.
	Spread map[string]Spread `json:"spread,omitempty"`
	// Agreement is in [0,1], nil with fewer than two answers: of verdicts, the share
	// of pairs of members that give the same; of scores, 1 less the mean distance
	// of pairs as a share of the scale.
	Agreement *float64 `json:"agreement"`
	// Decided says how a cascade chose.
	Decided string `json:"decided,omitempty"`
}

// A Member is one voice of a panel. One that could not judge has an Error and
// counts for nothing.
type Member struct {
	Judge   string             `json:"judge"`
	Repeat  int                `json:"repeat,omitempty"`
	Scores  map[string]float64 `json:"scores,omitempty"`
	Verdict Verdict            `json:"verdict,omitempty"`
	Error   *Fault             `json:"error,omitempty"`
}

// A Spread describes the scores of a panel. SD is of the sample (n − 1), 0 for one.
type Spread struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// A Call is one answer of a model, whether it could be used or not.
type Call struct {
	Model        string  `json:"model"`            // as asked for
	Served       string  `json:"served,omitempty"` // as the endpoint names what answered
	Prompt       string  `json:"prompt"`           // hash of the prompt template
	Conversation string  `json:"conversation"`     // hash of all that was sent
	Cost         Cost    `json:"cost"`
	LatencyMS    float64 `json:"latency_ms"`
	Attempts     int     `json:"attempts"`
	Cached       bool    `json:"cached,omitempty"`
	Finish       string  `json:"finish"`
	Answer       string  `json:"answer"` // raw
	Refusal      string  `json:"refusal,omitempty"`
	Problem      string  `json:"problem,omitempty"` // why it could not be used
}

// Cost is what a judgement or a sample cost in model calls. The zero value is of
// unknown price; see [Free].
type Cost struct {
	USD       *float64 `json:"usd"` // nil: not known
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
}

// Free is the cost of work that asks no model.
func Free() Cost { return Cost{USD: new(float64)} }

// Plus adds two costs. Unknown and known is unknown.
func (c Cost) Plus(o Cost) Cost {
	sum := Cost{TokensIn: c.TokensIn + o.TokensIn, TokensOut: c.TokensOut + o.TokensOut}
	if c.USD != nil && o.USD != nil {
		usd := *c.USD + *o.USD
		sum.USD = &usd
	}
	return sum
}
