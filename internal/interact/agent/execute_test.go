package agent

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/interact"
)

// desk has a field and buttons at known places of a window of 500 × 300.
const desk = `<style>input, button, div { position: absolute; width: 100px; height: 30px }</style>
<input style="left:50px;top:30px" id="name"><button style="left:200px;top:30px" id="add">Add</button><button style="left:350px;top:30px">Dead</button>
<p style="position:absolute;top:100px" id="out">nobody</p>
<div style="left:50px;top:150px;background:#eee" draggable="false" id="card">Card</div>
<div style="top:1500px;left:0">The end</div>
<script>
const $ = id => document.getElementById(id);
$('add').onclick = () => { $('out').textContent = 'Hello ' + $('name').value; };
$('name').onkeydown = e => { if (e.key === 'Enter') $('add').click(); };
$('card').ondblclick = () => { $('out').textContent = 'twice'; };
$('card').oncontextmenu = () => { $('out').textContent = 'menu'; };
addEventListener('keydown', e => { if (e.ctrlKey && e.key === 'k') $('out').textContent = 'command'; });
</script>`

func atDesk(t *testing.T) *interact.Driver {
	d := driver(t, desk)
	d.Viewport = vitrine.Viewport{Name: "desk", Width: 500, Height: 300}
	return d
}

func gui(action string) string { return "Thought: I see it.\nAction: " + action }

var greet = Leaf{ID: "dynamic.1.1", Dimension: "dynamic", Description: "A name can be greeted."}

func TestALeafIsExecutedByPointing(t *testing.T) {
	t.Parallel()
	for c, place := range map[Coordinates][2]string{Thousandths: {"200 150", "500 150"}, Pixels: {"100 45", "250 45"}} {
		a := lines(gui("click(point='<point>"+place[0]+"</point>')"), gui(`type(content='Ann')`), gui("click(point='<point>"+place[1]+"</point>')"), gui("finished(content='met: it greets Ann')"))
		got, err := execute(t, agent(t, a, Settings{Coordinates: c}), atDesk(t), greet, "A desk.")
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != vitrine.VerdictPass || value(got.Score) != "1" || got.End != vitrine.EndFinished || got.Why != "it greets Ann" || got.ID != greet.ID || got.Category != "dynamic" {
			t.Errorf("%s: %+v", c, got)
		}
		if n := len(got.Steps); n != 3 || !strings.Contains(strings.Join(got.Steps[2].Effect.Appeared, ""), "Hello Ann") || got.Steps[0].Before == "" {
			t.Errorf("%s: %d steps: %+v", c, n, got.Steps)
		}
		if q := a.asked[0]; len(q.Schema) > 0 || q.JSON || !strings.Contains(q.System, "left_double(") || strings.Contains(q.Text, "controls in the window") {
			t.Errorf("a GUI model is asked for JSON or shown numbers:\n%s", q.System)
		}
	}
}

func TestEveryGesture(t *testing.T) {
	t.Parallel()
	for gesture, want := range map[string]string{
		`left_double(point='<point>200 550</point>')`:              "twice",
		`right_single(point='<point>200 550</point>')`:             "menu",
		`hotkey(key='ctrl k')`:                                     "command",
		`scroll(point='<point>900 900</point>', direction='down')`: "scrolled by 180",
		`wait()`:            "nothing changed",
		`type(content='x')`: "could not be carried out",
		`drag(start_point='<point>200 550</point>', end_point='<point>500 550</point>')`: "drag",
	} {
		t.Run(gesture, func(t *testing.T) {
			t.Parallel()
			a := lines(gui(gesture), gui("finished(content='not met: no')"))
			if _, err := execute(t, agent(t, a, Settings{}), atDesk(t), greet, "A desk."); err != nil {
				t.Fatal(err)
			}
			if text := a.asked[1].Text; !strings.Contains(text[strings.Index(text, "what your last action did"):], want) {
				t.Errorf("the prompt lacks %q:\n%s", want, text)
			}
		})
	}
}

func TestEveryExecutionEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers []string
		leaf    Leaf
		end     vitrine.EndReason
		steps   int
		verdict vitrine.CaseVerdict
	}{
		"clicks where nothing is":    {[]string{gui("click(point='<point>900 900</point>')")}, greet, vitrine.EndLoop, 3, vitrine.VerdictUnclear},
		"clicks around":              {[]string{gui("click(point='<point>901 900</point>')"), gui("click(point='<point>902 900</point>')"), gui("click(point='<point>903 900</point>')"), gui("click(point='<point>904 900</point>')")}, greet, vitrine.EndNoAction, 4, vitrine.VerdictUnclear},
		"clicks beside the picture":  {[]string{gui("click(point='<point>1200 100</point>')")}, greet, vitrine.EndBadAnswer, 0, vitrine.VerdictUnclear},
		"answers JSON":               {[]string{`{"action":"click"}`}, greet, vitrine.EndBadAnswer, 0, vitrine.VerdictUnclear},
		"finishes without a verdict": {[]string{gui("finished(content='done, not failed')")}, greet, vitrine.EndBadAnswer, 0, vitrine.VerdictUnclear},
		"names what is not asked":    {[]string{gui("finished(content='found: 7')")}, Leaf{ID: "s", Dimension: "static", Description: "A card"}, vitrine.EndBadAnswer, 0, vitrine.VerdictUnclear},
		"concludes at the limit":     {append(upAndDown(8), gui("finished(content='not met: I only scrolled')")), greet, vitrine.EndStepLimit, 8, vitrine.VerdictFail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := execute(t, agent(t, lines(test.answers...), Settings{Again: 99}.orLoops(name)), atDesk(t), test.leaf, "A desk.")
			if err != nil {
				t.Fatal(err)
			}
			if c.End != test.end || len(c.Steps) != test.steps || c.Verdict != test.verdict || (c.Score == nil) != (test.verdict == vitrine.VerdictUnclear) || c.Why == "" {
				t.Errorf("got %s after %d steps, %s %s %q", c.End, len(c.Steps), c.Verdict, value(c.Score), c.Why)
			}
		})
	}
}

// orLoops has the usual bound on circles, but for those who scroll up and down.
func (s Settings) orLoops(name string) Settings {
	if strings.HasPrefix(name, "clicks") {
		return Settings{}
	}
	return s
}

func upAndDown(n int) []string {
	var all []string
	for i := range n {
		all = append(all, gui(fmt.Sprintf("scroll(point='<point>900 900</point>', direction='%s')", []string{"down", "up"}[i%2])))
	}
	return all
}

// WebDevJudge Table 10.
func TestLimitsOfSteps(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]Leaf{"static 8": {Dimension: "static"}, "dynamic 8": {Dimension: "dynamic"}, "dynamic 15": {Dimension: "dynamic", Complex: true}, "intention 15": {Dimension: "intention"}} {
		l.ID, l.Description = "x", "It is there."
		c, err := execute(t, agent(t, lines(upAndDown(20)...), Settings{Again: 99}), atDesk(t), l, "A desk.")
		if got := fmt.Sprint(l.Dimension, " ", len(c.Steps)); err != nil || got != want || c.End != vitrine.EndStepLimit {
			t.Errorf("got %s, want %s, ended by %s, %v", got, want, c.End, err)
		}
	}
}

func TestTheWorkflowSumsUp(t *testing.T) {
	t.Parallel()
	leaves := []Leaf{
		{ID: "intention.1", Dimension: "intention", Description: "It greets."},
		{ID: "static.1", Dimension: "static", Description: "A card"},
		{ID: "static.2", Dimension: "static", Description: "A footer"},
		greet,
		{ID: "dynamic.2.1", Dimension: "dynamic", Description: "Names are kept.", Complex: true},
	}
	a := lines(gui("finished(content='found: 1')"), gui("finished(content='met: it does')"), gui("finished(content='not met: no')"), "garbage")
	d := atDesk(t)
	tr, err := agent(t, a, Settings{}).Workflow(t.Context(), d, leaves, interact.Subject{Instruction: "A desk."})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"A card, pass, 1, finished", "A footer, fail, 0, finished", "It greets., pass, 1, finished",
		"A name can be greeted., fail, 0, finished", "Names are kept., unclear, nil, bad_answer",
	}
	if diff := cmp.Diff(want, told(tr.Cases)); diff != "" {
		t.Error(diff)
	}
	for _, c := range tr.Cases {
		if c.Steps == nil {
			t.Errorf("%s has no list of steps", c.ID)
		}
	}
	if diff := cmp.Diff(map[string]float64{"static": 0.5, "intention": 1, "dynamic": 0}, Rates(tr.Cases)); diff != "" || tr.Score == nil || math.Abs(*tr.Score-0.5) > 1e-12 {
		t.Errorf("score %s %s", value(tr.Score), diff)
	}
	if !strings.Contains(a.asked[0].Text, "1. A card\n2. A footer") || tr.Cost.USD == nil || len(tr.Cases[1].Calls) != 0 || len(tr.Cases[0].Calls) != 1 {
		t.Errorf("static leaves are not looked for together: %s", a.asked[0].Text)
	}
	if _, err := execute(t, agent(t, a, Settings{}), d, Leaf{ID: "x", Dimension: "taste"}, ""); vitrine.AsFault("interact", err).Code != vitrine.FaultUsage {
		t.Errorf("got %v", err)
	}
}

// execute carries out one leaf.
func execute(t *testing.T, a *Agent, d *interact.Driver, leaf Leaf, instruction string) (vitrine.Case, error) {
	trace, err := a.Workflow(t.Context(), d, []Leaf{leaf}, interact.Subject{Instruction: instruction})
	if err != nil {
		return vitrine.Case{}, err
	}
	return trace.Cases[0], nil
}
