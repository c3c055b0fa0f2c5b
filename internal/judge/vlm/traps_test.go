package vlm

import (
	"strings"
	"testing"

	"vitrine/internal/model/dialog"
)

// Each test is named after how a published script misread an answer. Here such an
// answer is unjudged, never a number.

func misread(t *testing.T, protocol, text string) {
	t.Helper()
	got, err := (&Judge{Asker: says(text), Settings: settings(protocol)}).Judge(t.Context(), site())
	unjudged(t, err, dialog.CauseInvalid)
	if got.Scores != nil || got.Calls[0].Answer != text {
		t.Errorf("scores %v, raw answer %q", got.Scores, got.Calls[0].Answer)
	}
}

func TestTrapFirstDigitAfterGrade(t *testing.T) {
	t.Parallel()
	misread(t, "appearance", "Grade the page by its 3 sections.\nGrade: 5")
}

func TestTrapNoThatSaysYes(t *testing.T) {
	t.Parallel()
	misread(t, "filter-website", "NO. Nothing here is a YES.")
	misread(t, "filter-website", `{"reason":"NO, though some say YES.","website":"NO, not YES"}`)
}

func TestTrapPartialIsNoBoolean(t *testing.T) {
	t.Parallel()
	misread(t, "screenshot", `{"reason":"x","valid":"PARTIAL"}`)
}

func TestTrapGradeZeroInPlaceOfAFailure(t *testing.T) {
	t.Parallel()
	misread(t, "appearance", "Grade: 0")
	misread(t, "appearance", "")
}

func TestTrapDefaultOfThree(t *testing.T) {
	t.Parallel()
	misread(t, "direct", `{"reason":"good","score":`)
}

func TestTrapRangeForm(t *testing.T) {
	t.Parallel()
	misread(t, "checklist", `{"analysis":"x","items":{"item_1":7.5,"item_2":5},"overall":"35-40"}`)
	misread(t, "checklist", `{"analysis":"x","items":{"item_1":7-8,"item_2":5},"overall":12.5}`)
	misread(t, "direct", `{"reason":"x","score":"8/10"}`)
}

func TestTrapLastOverallScoreWins(t *testing.T) {
	t.Parallel()
	a := right["checklist"].answer
	misread(t, "checklist", a+"\nOn second thought:\n"+strings.NewReplacer("12.5", "11.5", "7.5", "6.5").Replace(a))
}

func TestTrapSubScoresAreNotHeldAgainstTheTotal(t *testing.T) {
	t.Parallel()
	misread(t, "checklist", strings.Replace(right["checklist"].answer, `"overall":12.5`, `"overall":14`, 1))
}

func TestTrapNumbersInTheFeedback(t *testing.T) {
	t.Parallel()
	misread(t, "static", `{"feedback":"alignment 30 of 40, aesthetics 20, structure 20, total 70"}`)
}

func TestTrapMissingCountsAsNought(t *testing.T) {
	t.Parallel()
	misread(t, "static", `{"feedback":"x","alignment":30,"aesthetics":20,"total":50}`)
	misread(t, "likert", strings.Replace(right["likert"].answer, `,"4.3":3`, "", 1))
	misread(t, "rubric", strings.Replace(right["rubric"].answer, `"static.2":false,`, "", 1))
}

func TestTrapIDsInTheThoughtsCountAsFound(t *testing.T) {
	t.Parallel()
	misread(t, "rubric", "Thought: I can see static.1 and static.2. finished(content='1, 2')")
}

func TestTrapFailedUnlessItSaysFailed(t *testing.T) {
	t.Parallel()
	misread(t, "rubric", strings.Replace(right["rubric"].answer, `"static.1":true`, `"static.1":"done"`, 1))
}

func TestTrapValuesOnInnerNodesCount(t *testing.T) {
	t.Parallel()
	misread(t, "rubric", strings.Replace(right["rubric"].answer, `"dynamic.1.1":true`, `"dynamic.1":true,"dynamic.1.1":true`, 1))
}

func TestTrapNotANumber(t *testing.T) {
	t.Parallel()
	misread(t, "direct", `{"reason":"x","score":"N/A"}`)
	misread(t, "direct", `{"reason":"x","score":NaN}`)
}

func TestTrapEverythingElseIsATie(t *testing.T) {
	t.Parallel()
	answer := strings.Replace(rightPair["rubric-pair"].answer, `"static.1":"A"`, `"static.1":"model_a"`, 1)
	_, err := (&Judge{Asker: says(answer), Settings: settings("rubric")}).Compare(t.Context(), site(), otherSite())
	unjudged(t, err, dialog.CauseInvalid)
}
