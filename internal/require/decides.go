package require

import (
	"regexp"
	"strings"

	"vitrine"
)

// A Decision says what would decide a test case.
type Decision string

// The decisions, from the strongest to none.
const (
	ByRelation   Decision = "relation" // operating the page shows all of it
	ByAct        Decision = "act"      // operating shows the act; the rest is truth of content
	ByWords      Decision = "words"    // fields and words that must stand there
	ByColor      Decision = "color"
	NotDecidable Decision = "none"
)

// Decisions are all, in the order of a table.
var Decisions = []Decision{ByRelation, ByAct, ByWords, ByColor, NotDecidable}

var (
	// shownEffect are words of expected results that a relation can see.
	shownEffect = regexp.MustCompile(`(?i)success|confirm|updat|reflect|appear|listed|visible|added|saved|redirect|leads? to|sorted|ranked|order|chang|new |error message|prevent|records?\b|return|match|filter|only|play|moves?\b|score|removed|deducted|stored|side[- ]by[- ]side|navigat|without (?:any )?(?:technical )?errors?|submitted|recogni|acknowledg|load|accessible|clickable|route|spin|generat|creat|undo|revers|ends?\b|available|enrolled|joined|posted|sent|logged|moved|approved|real-time|continuous|select`)
	// trueContent are words that ask whether what a page says is true or fitting.
	trueContent = regexp.MustCompile(`(?i)\b(?:accurate(?:ly)?|relevant|comprehensive|insights?|appropriate|consistent with|known|actionable|informative|meaningful|helpful|understand|clear(?:ly)?|correct information|useful|complete|well-organized)\b`)
	// outside are effects that happen beyond the page.
	outside = regexp.MustCompile(`(?i)(?:whatsapp|e-?mail (?:is )?(?:received|arrives)|sms|(?:requester|superior|recipient|other user|author|all (?:involved )?part(?:y|ies)|another user)[^.]{0,40}notif|receives? (?:a|the|an)? ?notification|payment gateway|bank)`)
	// judged are demands that only an eye or a reader of meaning can decide.
	judged  = regexp.MustCompile(`(?i)free (?:of|from) (?:grammatical|spelling|errors|typos)|no unrelated|unrelated content|visually appealing|aesthetic|typograph|grammar|engaging (?:and|for)|easy to understand and|matches the (?:customer|input|design)`)
	textual = regexp.MustCompile(`(?i)\b(?:display|show|present|contain|includ|provid|list|describ|introduc|offer)\w*\b|\b(?:options?|section|page|information|content|details|text)\b`)
	content = regexp.MustCompile(`(?i)\b(?:section|page|homepage|information|content|introduction|description|details|plan|article|about|history|mission|overview|recommendation|advice)\b`)
)

// Decides says what would decide a test case of a task of this topic, judged by the
// relations that there are for its behaviours, and the behaviours that it is read to ask
// for, the main one first. Of an outside effect, such as a real mail, the act alone is
// decided. It follows the counts by hand of 310 test cases: 58 % by relation, 15 % by the
// act, 7 % by words, 16 % by colour, 3 % with a backend, 1 % not.
func Decides(c vitrine.TestCase, instruction, topic string) (Decision, []vitrine.Behavior) {
	k, _ := kindOf(mainClause(sentences(bounded(instruction, maxInstruction))), topic)
	return decides(c, k)
}

func decides(c vitrine.TestCase, k kind) (Decision, []vitrine.Behavior) {
	if _, ok := colourCase(c); ok {
		return ByColor, nil
	}
	task, expected := bounded(c.Task, maxCaseText), bounded(c.ExpectedResult, maxCaseText)
	if judged.MatchString(task) || judged.MatchString(expected) {
		return NotDecidable, nil
	}
	does := behaviorsOf(readCase(c, k))
	if len(does) == 0 {
		if textual.MatchString(expected) && content.MatchString(task) {
			return ByWords, nil
		}
		return NotDecidable, nil
	}
	static := does[0] == vitrine.BehaviorList && !shownEffect.MatchString(expected)
	switch {
	case outside.MatchString(expected):
		return ByAct, does
	case static:
		return ByWords, does
	case trueContent.MatchString(expected) && (weak(does[0]) || !shownEffect.MatchString(expected)):
		return ByAct, does
	case shownEffect.MatchString(expected) || !weak(does[0]):
		return ByRelation, does
	}
	return ByAct, does
}

// weak are behaviours of which a relation sees the act, and content is the point.
func weak(b vitrine.Behavior) bool {
	switch b {
	case vitrine.BehaviorDetail, vitrine.BehaviorReport, vitrine.BehaviorChat, vitrine.BehaviorList, vitrine.BehaviorCompare, vitrine.BehaviorLookup, vitrine.BehaviorAggregate, vitrine.BehaviorCalculate, vitrine.BehaviorChart:
		return true
	}
	return false
}

// behaviorsOf are the behaviours of acts, each once, in their order.
func behaviorsOf(acts []act) (does []vitrine.Behavior) {
	seen := map[vitrine.Behavior]bool{}
	for _, a := range acts {
		if !seen[a.does] {
			seen[a.does] = true
			does = append(does, a.does)
		}
	}
	return does
}

// A Row is one test case with what decides it.
type Row struct {
	Case      int                `json:"case"` // from 1, in the task
	Task      string             `json:"task"`
	By        Decision           `json:"by"`
	Behaviors []vitrine.Behavior `json:"behaviors"`
}

// Rows are the test cases of a task with what would decide each.
func Rows(t vitrine.Task) (rows []Row) {
	k, _ := kindOf(mainClause(sentences(bounded(t.Instruction, maxInstruction))), t.Topic)
	for i, c := range t.TestCases {
		by, does := decides(c, k)
		rows = append(rows, Row{Case: i + 1, Task: strings.TrimSpace(c.Task), By: by, Behaviors: does})
	}
	return rows
}
