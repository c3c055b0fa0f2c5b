package vitrine

// Requirements are what an instruction asks for, as far as it can be checked by operating
// and reading the site. They are read by rules, or by a model that is asked for the same.
type Requirements struct {
	By        string        `json:"by"` // "rules", or the name of a model
	Behaviors []Requirement `json:"behaviors"`
	Entities  []Entity      `json:"entities"`
	Pages     []string      `json:"pages"`  // pages and sections that the instruction names, in its order
	Texts     []string      `json:"texts"`  // literal texts that must be shown
	Colors    []ColorDemand `json:"colors"` // colours by name or value
	Counts    []Count       `json:"counts"` // "12 products"
	// Unchecked are demands that nothing here can check, in the words of the instruction:
	// likeness to a named product, words of praise, native platforms.
	Unchecked []string `json:"unchecked"`
}

// A Requirement is one behaviour that an instruction asks for.
type Requirement struct {
	ID       string   `json:"id"` // "r1", in the order of the instruction
	Behavior Behavior `json:"behavior"`
	Verb     string   `json:"verb,omitempty"`   // base form, as the instruction has it
	Entity   string   `json:"entity,omitempty"` // singular; what is acted on
	Fields   []string `json:"fields,omitempty"` // of the entity that are entered, shown, or sorted, filtered or searched by
	Values   []string `json:"values,omitempty"` // options, categories, numbers that it names
	// Words are labels that the control may have, lower case, likeliest first. Their order
	// alone matters.
	Words []string `json:"words"`
	Quote string   `json:"quote"` // what asks for it
	// Cues are the independent places that ask for it: "instruction", "case 3",
	// "kind" of site, "default", "model".
	Cues []string `json:"cues"`
	// Weight is how central the instruction makes it, relative to the others; > 0.
	Weight float64 `json:"weight"`
	// Central marks the behaviour that the site is for, where two independent cues say so.
	Central bool `json:"central,omitempty"`
	// Shown marks a chart that only has to be shown: nothing that would change it is asked for.
	Shown bool     `json:"shown,omitempty"`
	After []string `json:"after,omitempty"` // IDs of what must have been done before
}

// An Entity is a thing that a site is about.
type Entity struct {
	Name   string   `json:"name"` // singular
	Fields []string `json:"fields,omitempty"`
}

// A ColorDemand is a colour that an instruction gives to a part of the page.
type ColorDemand struct {
	Part  string `json:"part"`  // "background" or "components"
	Color string `json:"color"` // as written: a CSS name or a value
}

// A Count is a number of things that an instruction asks for.
type Count struct {
	N    int    `json:"n"`
	What string `json:"what"`
}

// A Behavior is a kind of thing that a site does, which one relation proves.
type Behavior string

// The behaviours, by how often instructions and test cases ask for them.
const (
	BehaviorNav       Behavior = "nav"
	BehaviorList      Behavior = "list"
	BehaviorCreate    Behavior = "create"
	BehaviorDetail    Behavior = "detail"
	BehaviorHistory   Behavior = "history"
	BehaviorSubmit    Behavior = "submit" // with a confirmation; bookings too
	BehaviorGame      Behavior = "game"
	BehaviorSearch    Behavior = "search"
	BehaviorLookup    Behavior = "lookup" // of one record by its key
	BehaviorOrder     Behavior = "order"
	BehaviorFilter    Behavior = "filter"
	BehaviorStatus    Behavior = "status"
	BehaviorLedger    Behavior = "ledger"
	BehaviorEdit      Behavior = "edit"
	BehaviorJoin      Behavior = "join" // follow, like, vote, rate
	BehaviorReply     Behavior = "reply"
	BehaviorChat      Behavior = "chat"
	BehaviorCart      Behavior = "cart"
	BehaviorCustomize Behavior = "customize" // and generate, spin
	BehaviorChart     Behavior = "chart"
	BehaviorReport    Behavior = "report"
	BehaviorAggregate Behavior = "aggregate"
	BehaviorLive      Behavior = "live"
	BehaviorSetting   Behavior = "setting" // and theme
	BehaviorPersist   Behavior = "persist"
	BehaviorQuiz      Behavior = "quiz"
	BehaviorValidate  Behavior = "validate"
	BehaviorLimit     Behavior = "limit" // of what can be done: at most, not twice, not more than there is
	BehaviorUpload    Behavior = "upload"
	BehaviorExport    Behavior = "export"
	BehaviorMedia     Behavior = "media"
	BehaviorScene     Behavior = "scene"     // animation, orbit, hover
	BehaviorCalculate Behavior = "calculate" // and convert
	BehaviorDelete    Behavior = "delete"
	BehaviorCompare   Behavior = "compare"
	BehaviorDrag      Behavior = "drag"
	BehaviorDraw      Behavior = "draw"   // with the pointer
	BehaviorPanels    Behavior = "panels" // tabs, modal, wizard, carousel
	BehaviorLogin     Behavior = "login"  // and role
)
