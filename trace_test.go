package vitrine

import "testing"

// A case that could not be judged is left out; without any that was, there is no share.
func TestPartialCasesAreHalfOfOne(t *testing.T) {
	t.Parallel()
	lost := Case{Error: NewFault("interact", FaultJudge, nil, "no answer")}
	tr := Trace{By: ByAgent, Cases: []Case{{Verdict: VerdictPass}, {Verdict: VerdictPartial}, {Verdict: VerdictFail}, {Verdict: VerdictUnclear}, lost}}
	if share, unjudged, ok := tr.FSR(); share != 1.5/4 || unjudged != 1 || !ok {
		t.Errorf("share %g, %d unjudged, %v", share, unjudged, ok)
	}
	tr.Cases = tr.Cases[4:]
	if _, _, ok := tr.FSR(); ok {
		t.Error("a share of cases of which none was judged")
	}
}
