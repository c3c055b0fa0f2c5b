package agent

import (
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/interact"
)

const searchBox = `<form onsubmit="event.preventDefault(); document.getElementById('out').textContent = 'looked for ' + q.value"><input id="q" aria-label="Search"></form><p id="out"></p>`

// In the published profile Enter follows what is typed, whatever the answer says of it.
func TestEnterFollowsTypingAsPublished(t *testing.T) {
	t.Parallel()
	for profile, want := range map[vitrine.Profile]string{vitrine.ProfilePublished: "looked for tea", vitrine.ProfileVitrine: ""} {
		a := lines(planJSON(t, candidate{Task: "Search", Expect: "a result", Importance: 50}), judges("null", 1, "type", "[Search]", "tea"), judges("1", 1, "finish", ""))
		tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), driver(t, searchBox), interact.Subject{Instruction: "A search.", Topic: "General website", Profile: profile})
		if err != nil || value(tr.Score) != "1" {
			t.Fatalf("%s: score %s, %v", profile, value(tr.Score), err)
		}
		if got := strings.Contains(a.asked[2].Text, "looked for tea"); got != (want != "") {
			t.Errorf("%s: the search was sent: %v", profile, got)
		}
		if named := strings.Contains(a.asked[0].Text, "General website") && strings.Contains(a.asked[1].Text, "General website"); named != (profile == vitrine.ProfilePublished) {
			t.Errorf("%s: the topic is in the prompts: %v", profile, named)
		}
	}
}

// The arrow keys are for games alone (AesCoder G.3).
func TestArrowKeysAreForGamesAsPublished(t *testing.T) {
	t.Parallel()
	const moving = `<p id="at">x 0</p><script>let x = 0; addEventListener('keydown', e => { if (e.key === 'ArrowRight') document.getElementById('at').textContent = 'x ' + ++x; });</script>`
	for topic, want := range map[string]string{"Game dev": "1", "UI component": "nil"} {
		a := lines(planJSON(t, candidate{Task: "Move", Expect: "x grows", Importance: 50}), judges("null", 1, "right", ""), judges("1", 1, "finish", ""))
		tr, err := agent(t, a, Settings{}).Aesthetics(t.Context(), driver(t, moving), interact.Subject{Instruction: "A game.", Topic: topic, Profile: vitrine.ProfilePublished})
		if err != nil || value(tr.Score) != want {
			t.Errorf("%s: score %s, want %s, %v", topic, value(tr.Score), want, err)
		}
		actions := map[bool]string{true: `["click","type","wait","up","down","left","right","finish"]`, false: `["click","type","wait","finish"]`}[topic == "Game dev"]
		if schema := string(a.asked[1].Schema); !strings.Contains(schema, actions) || len(a.asked[0].Images) != 1 || len(a.asked[1].Images) == 0 {
			t.Errorf("%s: want the actions %s and pictures, got %d for the plan, %d for the first turn and %s", topic, actions, len(a.asked[0].Images), len(a.asked[1].Images), schema)
		}
		if schema := string(a.asked[1].Schema); !strings.Contains(schema, `"previous":{"type":["integer","null"],"description":"your judgement on your last action; a whole number from 0 to 1"}`) {
			t.Errorf("%s: the last action is not judged by 0, 1 or nothing: %s", topic, schema)
		}
		if steers := strings.Contains(a.asked[1].Text, "Steer it with the four arrow keys"); steers != (topic == "Game dev") {
			t.Errorf("%s: the prompt says how to play: %v", topic, steers)
		}
	}
}

// All models of WebDevJudge are asked at temperature 0 (B.1), the executor too; AesCoder gives
// none.
func TestTheExecutorHasTheTemperatureOfWebDevJudge(t *testing.T) {
	t.Parallel()
	set := 0.3
	for _, c := range []struct {
		profile vitrine.Profile
		leaves  []Leaf
		set     *float64
		want    string
	}{
		{vitrine.ProfilePublished, []Leaf{greet}, nil, "0"},
		{vitrine.ProfilePublished, []Leaf{greet}, &set, "0.3"},
		{vitrine.ProfileVitrine, []Leaf{greet}, nil, "nil"},
		{vitrine.ProfilePublished, nil, nil, "nil"},
	} {
		a := lines(gui("wait()"), gui("finished(content='met: it does')"))
		if c.leaves == nil {
			a = lines(planJSON(t, candidate{Task: "Add", Expect: "a greeting", Importance: 50}), judges("null", 1, "finish", ""))
		}
		who := agent(t, a, Settings{Temperature: c.set})
		who.Leaves = c.leaves
		if _, err := who.Exercise(t.Context(), atDesk(t), interact.Subject{Instruction: "A desk.", N: 3, Profile: c.profile}); err != nil || len(a.asked) != 2 {
			t.Fatalf("%d questions, %v", len(a.asked), err)
		}
		for i, q := range a.asked {
			if got := value(q.Temperature); got != c.want {
				t.Errorf("%s, %d leaves: question %d has the temperature %s, want %s", c.profile, len(c.leaves), i+1, got, c.want)
			}
		}
	}
}

// B.3 ends an execution at its limit of steps, also where the agent goes in circles.
func TestOnlyTheLimitEndsAnExecutionAsPublished(t *testing.T) {
	t.Parallel()
	for profile, want := range map[vitrine.Profile]int{vitrine.ProfilePublished: 8, vitrine.ProfileVitrine: 3} {
		a := lines(gui("click(point='<point>900 900</point>')"))
		tr, err := agent(t, a, Settings{}).Workflow(t.Context(), atDesk(t), []Leaf{greet}, interact.Subject{Instruction: "A desk.", Profile: profile})
		if err != nil || len(tr.Cases[0].Steps) != want || strings.Contains(a.asked[len(a.asked)-1].Text, "You did exactly this before") == (profile == vitrine.ProfilePublished) {
			t.Errorf("%s: %d steps, want %d, %v", profile, len(tr.Cases[0].Steps), want, err)
		}
	}
}
