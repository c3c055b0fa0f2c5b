package agent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/browser/browsertest"
	"vitrine/internal/interact"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

const aModel = "openai/gpt-5-mini"

// actor answers as a model would, and keeps what it was asked.
type actor struct {
	say func(call int, q modeltest.Question) modeltest.Answer

	mu    sync.Mutex
	asked []modeltest.Question
}

func (a *actor) answer(q modeltest.Question) modeltest.Answer {
	a.mu.Lock()
	a.asked = append(a.asked, q)
	a.mu.Unlock()
	return a.say(q.Call, q)
}

// lines answers call by call, the last one for ever. "[Name]" in an answer stands
// for the number of the control of that name in the last list.
func lines(answers ...string) *actor {
	return &actor{say: func(call int, q modeltest.Question) modeltest.Answer {
		text := answers[min(call, len(answers))-1]
		return modeltest.Answer{Text: named.ReplaceAllStringFunc(text, func(name string) string {
			return strconv.Itoa(number(q.Text, strings.Trim(name, "[]")))
		})}
	}}
}

var named = regexp.MustCompile(`\[[A-Z][a-zA-Z ]*\]`)

// number is the number of a control in the last list of a conversation, or one that
// no control has.
func number(text, name string) int {
	all := regexp.MustCompile(`\[(\d+)\] \S+ "`+name+`"`).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return 999
	}
	n, _ := strconv.Atoi(all[len(all)-1][1])
	return n
}

// does is an answer in a test case: does("click", "[Add]").
func does(action, mark string, more ...string) string {
	return turnJSON(action, mark, more, `"direction":"none","reason":null,"verdict":"none"`)
}

func answers(verdict, reason string) string {
	return turnJSON("answer", "", nil, fmt.Sprintf(`"direction":"none","reason":%q,"verdict":%q`, reason, verdict))
}

// judges is an answer of the aesthetics form.
func judges(previous string, interaction int, action, mark string, more ...string) string {
	why := `null`
	if previous != "null" {
		why = `"as seen"`
	}
	return turnJSON(action, mark, more, fmt.Sprintf(`"previous":%s,"previous_why":%s,"interaction":%d`, previous, why, interaction))
}

func turnJSON(action, mark string, more []string, rest string) string {
	text, submit := "null", "null"
	if len(more) > 0 {
		text, submit = strconv.Quote(more[0]), "false"
	}
	if len(more) > 1 {
		submit = more[1]
	}
	if mark == "" {
		mark = "null"
	}
	return fmt.Sprintf(`{"thought":"so","action":%q,"mark":%s,"text":%s,"submit":%s,%s}`, action, mark, text, submit, rest)
}

func planJSON(t *testing.T, candidates ...candidate) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"thought": "the plan", "candidates": append([]candidate{}, candidates...)})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// driver shows a page with a body in a small window: its pictures are soon made.
func driver(t testing.TB, body string) *interact.Driver {
	t.Helper()
	html := `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Tea</title></head><body>` + body + `</body></html>`
	site := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{"index.html": []byte(html)}}
	return &interact.Driver{Browser: browsertest.Shared(t), Site: site, Viewport: vitrine.Viewport{Name: "small", Width: 480, Height: 320}, Dir: t.TempDir()}
}

// agent asks the actor over the wire.
func agent(t *testing.T, a *actor, s Settings) *Agent {
	t.Helper()
	s.Model = aModel
	return &Agent{Asker: modeltest.New(t, a.answer).Client(t, model.Settings{}), Settings: s}
}

// shop has a search that works, a button that does nothing, one that counts, and a
// menu that opens and closes.
const shop = `
<h1>Tea shop</h1>
<label>Search <input id="q"></label> <button id="go">Find</button> <p id="out"></p>
<button id="buy">Buy</button> <button id="gift">Gift</button> <button id="note">Note</button> <button id="save">Save</button>
<button id="count">Count</button> <span id="n">0</span>
<button id="menu">Menu</button> <ul id="list" hidden><li>Green</li></ul>
<script>
const $ = id => document.getElementById(id);
$('go').onclick = () => { $('out').textContent = '3 teas for ' + $('q').value; };
$('q').onkeydown = e => { if (e.key === 'Enter') $('go').click(); };
$('count').onclick = () => { $('n').textContent = +$('n').textContent + 1; };
$('menu').onclick = () => { $('list').hidden = !$('list').hidden; };
</script>`

var searching = vitrine.TestCase{Task: "Search for oolong.", ExpectedResult: "Teas are listed.", Category: "Functional Testing"}

func value(v *float64) string {
	if v == nil {
		return "nil"
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}
