package agent

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

var window = vitrine.Viewport{Width: 1280, Height: 720}

// said is what an answer of a GUI model comes to in a picture of 1280 × 720.
func said(t *testing.T, c Coordinates, text string) ([]vitrine.Action, error) {
	t.Helper()
	_, parsed, err := parsePixel(text)
	if err != nil {
		return nil, err
	}
	m, err := grid{c, 1280, 720}.move(parsed, window)
	return m.actions, err
}

func at(x, y float64) *vitrine.Target { return &vitrine.Target{Point: []vitrine.Coord{x, y}} }

func TestTheActionSpaceOfGUIModels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]vitrine.Action{
		`click(point='<point>510 150</point>')`:                                  {{Kind: vitrine.ActClick, Target: at(510, 150)}},
		`click(start_box='<|box_start|>(100,200)<|box_end|>')`:                   {{Kind: vitrine.ActClick, Target: at(100, 200)}},
		`click(start_box="(100, 200)")`:                                          {{Kind: vitrine.ActClick, Target: at(100, 200)}},
		`click(start_box='(100,200,300,400)')`:                                   {{Kind: vitrine.ActClick, Target: at(200, 300)}},
		`left_double(point='<point>0 1000</point>')`:                             {{Kind: vitrine.ActDoubleClick, Target: at(0, 1000)}},
		`right_single(point='<point>1.5 2.25</point>')`:                          {{Kind: vitrine.ActRightClick, Target: at(1.5, 2.25)}},
		`drag(start_point='<point>1 2</point>', end_point='<point>3 4</point>')`: {{Kind: vitrine.ActDrag, Target: at(1, 2), To: at(3, 4)}},
		`drag(start_box='(1,2)', end_box='(3,4)')`:                               {{Kind: vitrine.ActDrag, Target: at(1, 2), To: at(3, 4)}},
		`hotkey(key='ctrl a')`:                                                   {{Kind: vitrine.ActPress, Text: "Control+a"}},
		`hotkey(key='ctrl shift tab')`:                                           {{Kind: vitrine.ActPress, Text: "Control+Shift+Tab"}},
		`hotkey(key='enter')`:                                                    {{Kind: vitrine.ActPress, Text: "Enter"}},
		`type(content='It\'s "tea"')`:                                            {{Kind: vitrine.ActType, Text: `It's "tea"`}},
		`type(content='a\nb')`:                                                   {{Kind: vitrine.ActType, Text: "a\nb"}},
		`type(content='tea\n')`:                                                  {{Kind: vitrine.ActType, Text: "tea"}, {Kind: vitrine.ActPress, Text: "Enter"}},
		`type(content='\n')`:                                                     {{Kind: vitrine.ActPress, Text: "Enter"}},
		`scroll(point='<point>5 5</point>', direction='down')`:                   {{Kind: vitrine.ActScroll, Target: at(5, 5), DY: 432}},
		`scroll(direction='left', point='<point>5 5</point>')`:                   {{Kind: vitrine.ActScroll, Target: at(5, 5), DX: -768}},
		`wait()`:                     {{Kind: vitrine.ActWait, MS: 5000}},
		`finished(content='met: x')`: nil,
		"click(\n  point='<point>7 8</point>'\n)": {{Kind: vitrine.ActClick, Target: at(7, 8)}},
	} {
		for _, answer := range []string{"Action: " + text, "Thought: I see (a) page.\nIt has two lines.\nAction: " + text + "\n"} {
			got, err := said(t, Thousandths, answer)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v %s", answer, err, diff)
			}
		}
	}
}

// WebDevJudge B.3: first a thought, then an action.
func TestAThoughtStandsBeforeTheAction(t *testing.T) {
	t.Parallel()
	for _, dimension := range dimensions {
		p, err := load("execute-" + dimension)
		if err != nil {
			t.Fatal(err)
		}
		system, _, err := p.render(brief{grid: grid{coordinates: Thousandths}.words()}, "x")
		thought, action := strings.Index(system, `a line that begins with "Thought:"`), strings.Index(system, `a line that begins with "Action:"`)
		if err != nil || thought < 0 || action < thought {
			t.Errorf("%s: a thought is not asked for before the action: %v\n%s", dimension, err, system)
		}
	}
	if said, c, err := parsePixel("Thought: The list is empty.\nAction: wait()"); err != nil || said != "The list is empty." || c.name != "wait" {
		t.Errorf("read %q and %+v, %v", said, c, err)
	}
	if _, _, err := parsePixel("Action: wait()\nThought: I waited."); err == nil {
		t.Error("a thought after the action was taken")
	}
}

// What an action changed stays in the conversation, and the last three pictures with their words.
func TestOlderPicturesAreLeftOutWithTheirWords(t *testing.T) {
	t.Parallel()
	a, err := (&Agent{Settings: Settings{Model: "x/y"}}).ready()
	if err != nil {
		t.Fatal(err)
	}
	r := &run{agent: a, form: pixelForm([]Leaf{greet}, window), brief: brief{items: greet.Description}}
	if r.prompt, err = load(r.form.prompt); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		wait := vitrine.Step{Action: vitrine.Action{Kind: vitrine.ActWait}}
		r.turns = append(r.turns, &turn{seen: &view{words: "address: here"}, answer: "Action: wait()", steps: []vitrine.Step{wait}})
	}
	q, err := r.request()
	if err != nil {
		t.Fatal(err)
	}
	pictures, words := 0, ""
	for _, m := range q.Messages {
		for _, p := range m.Parts {
			words += p.Text + "\n"
			if p.Image != nil {
				pictures++
			}
		}
	}
	if pictures != 3 || strings.Count(words, "address: here") != 3 || strings.Count(words, "wait: nothing changed") != 4 {
		t.Errorf("%d pictures and the words\n%s", pictures, words)
	}
}

func TestPixelsAreThoseOfThePicture(t *testing.T) {
	t.Parallel()
	got, err := said(t, Pixels, "Action: click(point='<point>640 180</point>')")
	if diff := cmp.Diff([]vitrine.Action{{Kind: vitrine.ActClick, Target: at(500, 250)}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := said(t, Pixels, "Action: click(point='<point>640 721</point>')"); err == nil {
		t.Error("a point below the picture was taken")
	}
}

// Nothing is guessed: each of these is sent back to the model with what is wrong.
func TestAnswersThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	for text, problem := range map[string]string{
		"":                                                    "no line begins with Action:",
		"click(point='<point>1 2</point>')":                   "no line begins with Action:",
		"I click.\nAction: wait()":                            "does not begin with Thought:",
		"Action: wait()\nAction: wait()":                      "more than one line",
		"Action: wait() and then I look":                      "after wait(…)",
		"Action: wait()\n\nwait()":                            "after wait(…)",
		"Action: click 1 2":                                   "is no action",
		"Action: Click(point='(1,2)')":                        "is no action",
		"Action: hover(point='(1,2)')":                        `no action "hover"`,
		"Action: click()":                                     "needs point",
		"Action: click(point=(1,2))":                          "no string in quotes",
		"Action: click(point='(1,2)'":                         "want a comma",
		"Action: click(point='(1,2)' x='1')":                  "want a comma",
		"Action: click(point='(1,2)', x='1')":                 "takes 1 arguments, not 2",
		"Action: click(point='(1,2)', point='(1,2)')":         "there twice",
		"Action: click(point='(1,2)', start_box='(1,2)')":     "takes 1 arguments, not 2",
		"Action: click(point='1')":                            "is no point",
		"Action: click(point='(1,2,3)')":                      "is no point",
		"Action: click(point='(1e2,2)')":                      "is no point",
		"Action: click(point='(NaN,2)')":                      "is no point",
		"Action: click(point='(-1,2)')":                       "outside of the picture",
		"Action: click(point='(1001,2)')":                     "outside of the picture",
		"Action: type(content='')":                            "needs a text",
		"Action: type(content='it's')":                        "want a comma",
		`Action: type(content='a\q')`:                         "a backslash must be followed",
		`Action: type(content='a\`:                            "a backslash must be followed",
		"Action: type(content='open)":                         "not closed",
		"Action: hotkey(key='')":                              "one to three keys",
		"Action: hotkey(key='ctrl alt shift a')":              "one to three keys",
		"Action: hotkey(key='ctrl')":                          "is no hotkey",
		"Action: hotkey(key='a ctrl')":                        "is no hotkey",
		"Action: hotkey(key='ctrl+a')":                        "no key",
		"Action: scroll(point='(1,2)', direction='sideways')": "no direction",
		"Action: wait(seconds='5')":                           "takes 0 arguments, not 1",
	} {
		if _, err := said(t, Thousandths, text); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: got %v, want %q", text, err, problem)
		}
	}
}

func TestConclusionsInWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]conclusion{
		"met: the entry is there":    {verdict: vitrine.VerdictPass, why: "the entry is there"},
		" not met: nothing happened": {verdict: vitrine.VerdictFail, why: "nothing happened"},
		"met:":                       {}, "yes": {}, "Met: x": {}, "not  met: x": {}, "": {},
		"I think it is not met: no": {},
	} {
		got, err := tellMet(text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(conclusion{})); diff != "" || (err == nil) != (want.verdict != "") {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	for text, want := range map[string][]int{"found: 3, 1": {1, 3}, "found:2": {2}, "found: none": nil} {
		got, err := tellFound(text, 3)
		if diff := cmp.Diff(want, got.found); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{"", "found:", "found: 4", "found: 0", "found: 1, 1", "found: 1 2", "found: 01", "found: +1", "found: all", "1", "found: none, 1"} {
		if got, err := tellFound(text, 3); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func FuzzPixel(f *testing.F) {
	for _, s := range []string{"Thought: a\nAction: click(point='<point>1 2</point>')", "Action: drag(start_box='(1,2)', end_box='<|box_start|>(3,4)<|box_end|>')", `Action: type(content='a\'\n')`, "Action: hotkey(key='ctrl c')", "Action: finished(content='met: x')"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, c, err := parsePixel(text)
		if err != nil {
			return
		}
		m, err := grid{Thousandths, 1280, 720}.move(c, window)
		if err != nil {
			return
		}
		if m.done == (len(m.actions) > 0) {
			t.Errorf("%q is both an action and the end, or neither: %+v", text, m)
		}
		for _, a := range m.actions {
			for _, target := range []*vitrine.Target{a.Target, a.To} {
				if target == nil {
					continue
				}
				for _, v := range target.Point {
					if math.IsNaN(v) || v < 0 || v > 1000 {
						t.Errorf("%q points at %v", text, target.Point)
					}
				}
			}
		}
	})
}
