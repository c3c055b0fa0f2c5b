package vitrine

// TraceSchema is the version of a saved trace.
const TraceSchema = 1

// A Trace is what happened when a site was exercised. It is saved as
// trace.json in the evidence folder, next to the frames that it names.
type Trace struct {
	Schema   int      `json:"schema"`
	By       TraceBy  `json:"by"`
	Model    string   `json:"model,omitempty"` // of agent and verify
	Browser  string   `json:"browser,omitempty"`
	Viewport Viewport `json:"viewport"`
	// Validity says whether there was anything to try: a page that does not load
	// or crashes has no cases.
	Validity Validity `json:"validity"`
	Cases    []Case   `json:"cases"`
	// Of says what the cases are, where they are not the test cases of a task.
	Of CasesOf `json:"of,omitempty"`
	// Score is s_interact of AesCoder §4.3: how many of the top N cases work. Nil
	// where nothing could be judged.
	Score *float64 `json:"score"`
	// Error is why there is no score, where that is ours or a model's doing.
	Error *Fault `json:"error,omitempty"`
	// Function is the share of required behaviours that work, in [0,1], weighted; 1 where none
	// was required. Of behave alone, nil of others.
	Function *float64 `json:"function,omitempty"`
	Seed     string   `json:"seed,omitempty"` // hash of the seed of what behave typed in
	// Wanted is N.
	Wanted int     `json:"wanted,omitempty"`
	States []State `json:"states,omitempty"` // the map that explore draws
	Calls  []Call  `json:"calls,omitempty"`  // what models were asked for no single case: a plan, a session over several
	Cost   Cost    `json:"cost"`             // of all calls, those of the cases too
	WallMS float64 `json:"wall_ms"`
}

// TraceBy is the method by which the site was exercised.
type TraceBy string

// The methods by which sites are exercised.
const (
	ByExplore TraceBy = "explore" // no model
	ByBehave  TraceBy = "behave"  // no model; relations of what the instruction asks for
	ByAgent   TraceBy = "agent"   // a model acts, turn by turn
	ByVerify  TraceBy = "verify"  // a model plans once, the browser runs the script
	ByScript  TraceBy = "script"  // a script that a person wrote or that was saved
)

// A Case is one thing that was tried, from a fresh state of the site.
type Case struct {
	ID       string `json:"id"`
	Route    string `json:"route"`
	Task     string `json:"task"`               // what is tried, in words
	Expected string `json:"expected,omitempty"` // of a test case
	Category string `json:"category,omitempty"`
	// Control is what explore operated; Rank is its importance in [0,1], or of behave the
	// weight of the requirement.
	Control *Control    `json:"control,omitempty"`
	Rank    float64     `json:"rank,omitempty"`
	Central bool        `json:"central,omitempty"` // of behave: what the site is for
	Steps   []Step      `json:"steps"`
	Checks  []Check     `json:"checks,omitempty"` // of verify and scripts
	Verdict CaseVerdict `json:"verdict"`
	// Score is 1, 0.5 or 0; nil where the verdict is unclear.
	Score *float64  `json:"score"`
	Why   string    `json:"why"`
	End   EndReason `json:"end"`
	// Script is what verify ran, in the script language, after a repair if there
	// was one.
	Script   string `json:"script,omitempty"`
	Repaired bool   `json:"repaired,omitempty"`
	// Calls are what models were asked in this case, with the raw answers; Cost is
	// their sum.
	Calls  []Call  `json:"calls,omitempty"`
	Cost   Cost    `json:"cost"`
	Error  *Fault  `json:"error,omitempty"` // why there is no verdict, where that is ours or a model's doing
	WallMS float64 `json:"wall_ms"`
}

// A CaseVerdict says what came of a case.
type CaseVerdict string

// Explore's verdicts on a control, behave's on a required behaviour (works, fail, absent,
// unclear), and the verdicts on a test case.
const (
	VerdictWorks   CaseVerdict = "works"
	VerdictDead    CaseVerdict = "dead"
	VerdictPass    CaseVerdict = "pass"
	VerdictPartial CaseVerdict = "partial"
	VerdictFail    CaseVerdict = "fail"
	VerdictAbsent  CaseVerdict = "absent" // the site has no control for it
	VerdictUnclear CaseVerdict = "unclear"
)

// EndReason is the typed cause of the end of a case.
type EndReason string

// The ends of a case.
const (
	EndFinished  EndReason = "finished"   // all steps done, or the agent said so
	EndStepLimit EndReason = "step_limit" // the agent ran out of steps
	EndLoop      EndReason = "loop"       // the same action in the same state, again and again
	EndNoAction  EndReason = "no_action"  // actions that do nothing or cannot be carried out
	EndBadAnswer EndReason = "bad_answer" // the model's answer is of no use, also when asked again
	EndBadScript EndReason = "bad_script" // the script cannot be carried out, also after its repair
	EndPage      EndReason = "page"       // the page crashed, hung or went away
	EndTime      EndReason = "time"       // the case took too long
	EndModel     EndReason = "model"      // no answer from the model
)

// A Control is one element that a person can operate, as it was seen.
type Control struct {
	Mark  int    `json:"mark"` // number drawn next to it, from 1, in reading order
	Role  string `json:"role"` // ARIA role, or "canvas", "keyboard", "clickable"
	Name  string `json:"name"` // accessible name
	Tag   string `json:"tag"`
	Type  string `json:"type,omitempty"` // of an input
	Value string `json:"value,omitempty"`
	// States are those that are set: checked, disabled, expanded, selected,
	// pressed, focused, required, invalid, readonly.
	States  []string `json:"states,omitempty"`
	Box     Box      `json:"box"`               // in the window, CSS pixels
	Listens bool     `json:"listens,omitempty"` // a script listens to it for clicks or keys
	Covered bool     `json:"covered,omitempty"` // something else is on top of its middle
	Frame   string   `json:"frame,omitempty"`   // of an element in an iframe: its address
	Path    string   `json:"path"`              // CSS path that finds it again, through shadow roots and frames with ">>>"
}

// An Action is one thing done to a page.
type Action struct {
	Kind   ActionKind `json:"kind"`
	Target *Target    `json:"target,omitempty"`
	To     *Target    `json:"to,omitempty"`   // of a drag
	Text   string     `json:"text,omitempty"` // to type, to select, to answer; name of a key such as "Enter" or "Control+a"
	Times  int        `json:"times,omitempty"`
	DX     float64    `json:"dx,omitempty"` // of scroll and drag, and of hover from the middle of the target; CSS pixels
	DY     float64    `json:"dy,omitempty"`
	MS     int        `json:"ms,omitempty"`   // page time to wait, or to hold a key down
	Body   string     `json:"body,omitempty"` // of upload: what the file holds; empty for a stand-in
}

// ActionKind is what an action does.
type ActionKind string

// The actions.
const (
	ActClick       ActionKind = "click"
	ActDoubleClick ActionKind = "double_click"
	ActRightClick  ActionKind = "right_click"
	ActHover       ActionKind = "hover"
	ActType        ActionKind = "type"  // replaces what is there
	ActClear       ActionKind = "clear" //
	ActPress       ActionKind = "press" // a key, at the target or where the focus is
	ActSelect      ActionKind = "select"
	ActCheck       ActionKind = "check"
	ActUncheck     ActionKind = "uncheck"
	ActDrag        ActionKind = "drag"
	ActScroll      ActionKind = "scroll" // the window, or an element
	ActUpload      ActionKind = "upload" // a file with the name Text
	ActBack        ActionKind = "back"
	ActReload      ActionKind = "reload"
	ActWait        ActionKind = "wait" // page time
	ActAnswer      ActionKind = "answer"
	ActFinish      ActionKind = "finish"
)

// A Target says what an action is done to, in one of several ways.
type Target struct {
	Mark        int     `json:"mark,omitempty" yaml:"mark,omitempty"`
	Role        string  `json:"role,omitempty" yaml:"role,omitempty"`
	Name        string  `json:"name,omitempty" yaml:"name,omitempty"`
	Nth         int     `json:"nth,omitempty" yaml:"nth,omitempty"` // from 1; 0 takes the first
	Text        string  `json:"text,omitempty" yaml:"text,omitempty"`
	Label       string  `json:"label,omitempty" yaml:"label,omitempty"`
	Placeholder string  `json:"placeholder,omitempty" yaml:"placeholder,omitempty"`
	CSS         string  `json:"css,omitempty" yaml:"css,omitempty"` // ">>>" steps into a shadow root or a frame
	Point       []Coord `json:"point,omitempty" yaml:"point,omitempty"`
}

// A Coord is a coordinate of a point in the window: 0 to 1000 of its width or
// height.
type Coord = float64

// A Step is one action with what it did.
type Step struct {
	Action Action `json:"action"`
	// Control is what the action was done to, where it is an element.
	Control *Control `json:"control,omitempty"`
	At      *Box     `json:"at,omitempty"` // where, in the window
	Effect  Effect   `json:"effect"`
	Before  string   `json:"before,omitempty"` // frames, relative to the evidence folder
	After   string   `json:"after,omitempty"`
	// Marked is Before with the controls numbered, where a model was shown it.
	Marked string `json:"marked,omitempty"`
	Why    string `json:"why,omitempty"` // the agent's reason
	// Judged is the agent's word on this step: 1, 0, or nil.
	Judged *float64 `json:"judged,omitempty"`
	// Failed says why the action could not be carried out: no such element, covered,
	// disabled. It is data.
	Failed string `json:"failed,omitempty"`
	// PageMS is the page time that passed.
	PageMS int `json:"page_ms"`
}

// An Effect is what an action changed. Its zero value is an action without effect.
type Effect struct {
	// Changed are the roots of the subtrees that changed, as CSS paths, bounded.
	Changed []string `json:"changed,omitempty"`
	Added   int      `json:"added,omitempty"`   // elements
	Removed int      `json:"removed,omitempty"` // elements
	Attrs   int      `json:"attrs,omitempty"`   // attributes written with another value
	// Appeared and Gone are visible texts, bounded.
	Appeared []string `json:"appeared,omitempty"`
	Gone     []string `json:"gone,omitempty"`
	Values   []string `json:"values,omitempty"`   // fields whose value or state changed: "Email: a@b.co"
	URL      string   `json:"url,omitempty"`      // the new path, where it changed
	Loaded   bool     `json:"loaded,omitempty"`   // a new document was loaded
	Missing  bool     `json:"missing,omitempty"`  // it went to an address that the site does not have
	Storage  []string `json:"storage,omitempty"`  // keys of local and session storage, cookies
	Focus    string   `json:"focus,omitempty"`    // path of the element that got the focus
	Scrolled float64  `json:"scrolled,omitempty"` // by the window, or by the element that moved most, CSS pixels
	Requests []string `json:"requests,omitempty"` // attempts on the network
	Console  []string `json:"console,omitempty"`
	Threw    []string `json:"threw,omitempty"` // uncaught exceptions
	Dialogs  []Dialog `json:"dialogs,omitempty"`
	Popups   []string `json:"popups,omitempty"` // windows the page wanted to open
	// Pixels is the share of the window's pixels that changed beyond what moves by
	// itself; Regions are the boxes around them, in the window, bounded.
	Pixels  float64 `json:"pixels,omitempty"`
	Regions []Box   `json:"regions,omitempty"`
	// Sounds, downloads, copies to the clipboard and printing that were asked for.
	Asked []string `json:"asked,omitempty"`
}

// A Dialog is an alert, confirm or prompt, which is answered at once: yes, and the
// default text of a prompt or a fitting one.
type Dialog struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Answer string `json:"answer,omitempty"`
}

// A Check is one expectation of a script and whether it held.
type Check struct {
	Step   int     `json:"step"` // index in Steps of the action before it, -1 for none
	Expect string  `json:"expect"`
	Held   bool    `json:"held"`
	Weight float64 `json:"weight"`
	Saw    string  `json:"saw,omitempty"` // what was there instead
}

// A State is one state of the site that explore came to, and how to get there.
type State struct {
	ID    string `json:"id"` // hash of route, structure and texts
	Route string `json:"route"`
	Title string `json:"title,omitempty"`
	Frame string `json:"frame,omitempty"`
	// From and By say from which state and by which case it was reached.
	From string `json:"from,omitempty"`
	By   string `json:"by,omitempty"`
}

// CasesOf says what the cases of a trace are.
type CasesOf string

// What cases may be; empty: test cases of a task.
const (
	OfInteractions CasesOf = "interactions" // what the agent planned
	OfLeaves       CasesOf = "leaves"       // of a rubric
)

// FSR is the share of passed test cases, (passed + 0.5·partial) / all. A
// case without a verdict for a reason that is the page's or the agent's counts as
// failed; one that could not be judged for a reason that is ours, or a model's that
// did not answer, is left out and counted in unjudged. Ok is false where no case was
// judged, or where the cases are interactions that the method chose.
func (t *Trace) FSR() (share float64, unjudged int, ok bool) {
	if t.By == ByExplore || t.By == ByBehave || t.Of == OfInteractions {
		return 0, 0, false
	}
	sum := 0.0
	for _, c := range t.Cases {
		switch {
		case c.Error != nil:
			unjudged++
		case c.Verdict == VerdictPass:
			sum++
		case c.Verdict == VerdictPartial:
			sum += 0.5
		}
	}
	judged := len(t.Cases) - unjudged
	if judged == 0 {
		return 0, unjudged, false
	}
	return sum / float64(judged), unjudged, true
}

// FSRCompat is the share as WebGen-Bench's script counts it: every case is in the
// denominator, and one that could not be judged counts as failed. It is 0 without
// cases.
func (t *Trace) FSRCompat() float64 {
	share, unjudged, ok := t.FSR()
	if !ok {
		return 0
	}
	return share * float64(len(t.Cases)-unjudged) / float64(len(t.Cases))
}
