package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/interact"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// wishes are five candidates, of which the most important needs the network.
var wishes = []candidate{
	{Task: "Toggle the menu", Expect: "a list", Importance: 40},
	{Task: "Sign in with another service", Expect: "an account", Importance: 100, Network: true},
	{Task: "Search for a tea", Expect: "a result", Importance: 90},
	{Task: "Buy", Expect: "a cart", Importance: 70},
	{Task: "Read the title", Expect: "nothing", Importance: 5},
}

// told says what came of each case.
func told(cases []vitrine.Case) []string {
	var lines []string
	for _, c := range cases {
		lines = append(lines, strings.Join([]string{c.Task, string(c.Verdict), value(c.Score), string(c.End)}, ", "))
	}
	return lines
}

func TestAestheticsPlansRanksActsAndJudges(t *testing.T) {
	t.Parallel()
	a := lines(planJSON(t, wishes...),
		judges("null", 1, "type", "[Search]", "oolong"), judges("null", 1, "click", "[Find]"),
		judges("1", 2, "click", "[Buy]"), judges("0", 3, "click", "[Menu]"), judges("1", 3, "finish", ""))
	d := driver(t, shop)
	tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), d, interact.Subject{Instruction: "A tea shop."})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Search for a tea, works, 1, finished", "Buy, dead, 0, finished", "Toggle the menu, works, 1, finished"}
	if diff := cmp.Diff(want, told(tr.Cases)); diff != "" || value(tr.Score) != "2" || tr.Wanted != 3 || tr.By != vitrine.ByAgent || !tr.Validity.Valid {
		t.Errorf("score %s of %d %s", value(tr.Score), tr.Wanted, diff)
	}
	if share, _, ok := tr.FSR(); ok { // what the agent chose to try are no test cases
		t.Errorf("FSR is %v", share)
	}
	first := tr.Cases[0]
	if len(first.Steps) != 2 || first.Steps[0].Judged != nil || value(first.Steps[1].Judged) != "1" || first.Rank != 0.9 || first.Expected != "a result" {
		t.Errorf("the first case: %+v", first)
	}
	if _, err := os.Stat(filepath.Join(d.Dir, first.Steps[1].Marked)); first.Steps[1].Marked == "" || err != nil {
		t.Errorf("no marked frame: %v", err)
	}
	if len(tr.Calls) != 6 || tr.Cost.USD == nil || *tr.Cost.USD <= 0 || tr.Cost.TokensIn == 0 || tr.WallMS <= 0 {
		t.Errorf("%d calls, cost %+v", len(tr.Calls), tr.Cost)
	}
	if strings.Contains(a.asked[1].Text, "Sign in") || len(a.asked[5].Images) != 3 {
		t.Errorf("the session is told of the network, or sees %d pictures", len(a.asked[5].Images))
	}
}

func TestAModelsWordAgainstWhatChangedIsKeptAndFlagged(t *testing.T) {
	t.Parallel()
	a := lines(planJSON(t, wishes[3]), judges("null", 1, "click", "[Buy]"), judges("1", 1, "finish", ""))
	tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), driver(t, shop), interact.Subject{Instruction: "A tea shop."})
	if err != nil || value(tr.Score) != "1" {
		t.Fatalf("score %s %v", value(tr.Score), err)
	}
	if c := tr.Cases[0]; !strings.Contains(c.Why, "nothing changed") || value(c.Steps[0].Judged) != "1" {
		t.Errorf("why %q, judged %s", c.Why, value(c.Steps[0].Judged))
	}
}

// The last judgement on an interaction counts: a field that took the text is not a
// search that works.
func TestTheLastJudgementCounts(t *testing.T) {
	t.Parallel()
	a := lines(planJSON(t, wishes[2]), judges("null", 1, "type", "[Search]", "tea"), judges("1", 1, "click", "[Buy]"), judges("0", 1, "finish", ""))
	tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), driver(t, shop), interact.Subject{Instruction: "A tea shop."})
	if err != nil || value(tr.Score) != "0" || tr.Cases[0].Verdict != vitrine.VerdictDead {
		t.Errorf("score %s %v", value(tr.Score), err)
	}
}

func TestWhatIsNotJudgedIsLeftOutOfTheSum(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers []string
		score   string
		cases   []string
	}{
		"one of three": {
			[]string{planJSON(t, wishes...), judges("null", 1, "click", "[Find]"), judges("1", 1, "finish", "")}, "1",
			[]string{"Search for a tea, works, 1, finished", "Buy, unclear, nil, finished", "Toggle the menu, unclear, nil, finished"},
		},
		"none": {
			[]string{planJSON(t, wishes[3]), judges("null", 1, "click", "[Buy]"), judges("null", 1, "finish", "")}, "nil",
			[]string{"Buy, unclear, nil, finished"},
		},
		"the last answers are garbage": {
			[]string{planJSON(t, wishes[2], wishes[3]), judges("null", 1, "click", "[Find]"), judges("1", 2, "click", "[Buy]"), "Score: 1"}, "1",
			[]string{"Search for a tea, works, 1, finished", "Buy, unclear, nil, bad_answer"},
		},
		"out of steps": {
			[]string{planJSON(t, wishes[2], wishes[3]), judges("null", 1, "click", "[Count]"), judges("null", 1, "click", "[Count]"), judges("0", 2, "finish", "")}, "0",
			[]string{"Search for a tea, dead, 0, finished", "Buy, unclear, nil, step_limit"},
		},
		"the plan is garbage":              {[]string{"1. Search"}, "nil", nil},
		"a plan of nothing":                {[]string{planJSON(t)}, "0", nil},
		"a plan of the network alone":      {[]string{planJSON(t, wishes[1])}, "0", nil},
		"judges before it did anything":    {[]string{planJSON(t, wishes[3]), judges("1", 1, "finish", "")}, "nil", []string{"Buy, unclear, nil, bad_answer"}},
		"an interaction that is not there": {[]string{planJSON(t, wishes[3]), judges("null", 2, "click", "[Buy]")}, "nil", []string{"Buy, unclear, nil, bad_answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := Settings{}
			if name == "out of steps" {
				settings.Steps = 2
			}
			s := interact.Subject{Instruction: "A tea shop."}
			if name == "none" || name == "the plan is garbage" { // which the paper gives 0
				s.Profile = vitrine.ProfilePublished
			}
			tr, err := agent(t, lines(test.answers...), settings).Aesthetics(t.Context(), driver(t, shop), s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.cases, told(tr.Cases)); diff != "" || value(tr.Score) != test.score {
				t.Errorf("score %s, want %s %s", value(tr.Score), test.score, diff)
			}
			for _, c := range tr.Cases {
				if c.Steps == nil || c.Why == "" || (c.End == vitrine.EndBadAnswer) != (c.Error != nil) {
					t.Errorf("%s: why %q, error %v, steps %v", c.Task, c.Why, c.Error, c.Steps)
				}
			}
		})
	}
}

func TestArrowKeysReachAGame(t *testing.T) {
	t.Parallel()
	d := driver(t, `<p id="at">x 0</p><script>let x = 0; addEventListener('keydown', e => { if (e.key === 'ArrowRight') document.getElementById('at').textContent = 'x ' + ++x; });</script>`)
	a := lines(planJSON(t, candidate{Task: "Move", Expect: "x grows", Importance: 50}), judges("null", 1, "right", ""), judges("1", 1, "finish", ""))
	tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), d, interact.Subject{Instruction: "A game."})
	if err != nil || value(tr.Score) != "1" || !strings.Contains(a.asked[2].Text, "texts that appeared: x 1") {
		t.Errorf("score %s %v\n%s", value(tr.Score), err, a.asked[2].Text)
	}
}

func TestAPageThatBreaksIsTheLastCasesFault(t *testing.T) {
	t.Parallel()
	d := driver(t, `<button>Fine</button><button onclick="for(;;);">Hang</button>`)
	a := lines(planJSON(t, candidate{Task: "Hang", Expect: "x", Importance: 50}, candidate{Task: "Later", Expect: "x", Importance: 40}), judges("null", 1, "click", "[Hang]"))
	tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), d, interact.Subject{Instruction: "A page."})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Hang, dead, 0, page", "Later, unclear, nil, page"}
	if diff := cmp.Diff(want, told(tr.Cases)); diff != "" || tr.Validity.Valid || tr.Validity.Why == "" {
		t.Errorf("%+v %s", tr.Validity, diff)
	}
}

func TestAPageThatNeverAnswersScoresZero(t *testing.T) {
	t.Parallel()
	tr, err := agent(t, lines(planJSON(t, wishes...)), Settings{}).Aesthetics(t.Context(), driver(t, `<script>for(;;);</script>`), interact.Subject{Instruction: "A page."})
	if err != nil || value(tr.Score) != "0" || tr.Validity.Valid || len(tr.Cases) != 0 || len(tr.Calls) != 0 {
		t.Errorf("score %s, %+v %v", value(tr.Score), tr, err)
	}
}
