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
	Judge    string    `json:"judge"` // name@version of the judge
	Findings []Finding `json:"findings"`
	// Scores are named results on their published scales: appearance 0–5,
	// alignment 0–40, aesthetics 0–30, structure 0–30, total 0–100. A score that
	// could not be given is absent.
	Scores map[string]float64 `json:"scores"`
	// Unknown says what this judge can not know.
	Unknown []string `json:"unknown,omitempty"`
	Cost    Cost     `json:"cost"`
}

// Cost is what a judgement or a sample cost in model calls.
type Cost struct {
	USD       float64 `json:"usd"`
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
}
