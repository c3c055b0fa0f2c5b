package vlm

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/model"
)

// script answers by a function and keeps what it was asked.
type script struct {
	answer func(call int, r model.Request) model.Reply

	mu    sync.Mutex
	asked []model.Request
}

func (s *script) Ask(_ context.Context, name string, r model.Request) (model.Reply, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	call := len(s.asked)
	s.mu.Unlock()
	reply := s.answer(call, r)
	reply.Name, reply.Attempts = name, 1
	if reply.Finish == "" {
		reply.Finish = model.FinishStop
	}
	return reply, nil
}

// says answers every call with the same text.
func says(text string) *script {
	return &script{answer: func(int, model.Request) model.Reply { return reply(text) }}
}

func reply(text string) model.Reply {
	usd := 0.25
	return model.Reply{Response: model.Response{Text: text, Usage: model.Usage{In: 100, Out: 10}}, USD: &usd}
}

// png is how a picture begins, for clients that look.
const png = "\x89PNG\r\n\x1a\n"

// sent is all text of a request.
func sent(r model.Request) string {
	text := r.System
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			text += "\n" + p.Text
		}
	}
	return text
}

func pictures(r model.Request) (names []string) {
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Image != nil {
				names = append(names, strings.TrimPrefix(string(p.Image.Data), png))
			}
		}
	}
	return names
}

// site is a valid render of two routes at two viewports with three frames each.
func site() Subject {
	valid := vitrine.Validity{Valid: true}
	ev := &vitrine.Evidence{Instruction: "A shop for tea with a cart.", SiteHash: "s1", Validity: valid, Settings: vitrine.CaptureSettings{TimesMS: []int{0, 1000, 2000}}}
	for _, route := range []string{"/", "/about"} {
		for _, port := range []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile} {
			v := vitrine.View{Route: route, Viewport: port, Validity: valid, Text: "visible words of " + route}
			for t := range 3 {
				v.Frames = append(v.Frames, vitrine.Frame{File: fmt.Sprintf("%s@%s@%d", route, port.Name, t), TimeMS: t * 1000})
			}
			ev.Views = append(ev.Views, v)
		}
	}
	return Subject{
		Evidence: ev, Topic: "commerce",
		Files: []vitrine.File{{Path: "index.html", Content: "<h1>Tea</h1>"}},
		Frames: func(f vitrine.Frame) ([]model.Image, error) {
			return []model.Image{{Type: "image/png", Data: []byte(png + f.File)}}, nil
		},
		Truth: []model.Image{{Type: "image/png", Data: []byte(png + "truth")}},
		Tree:  tree(), Checklist: []Item{{Title: "Is it tea?", Description: "Look.", MaxScore: 10}, {Title: "Is it a shop?", MaxScore: 5}},
		Cases:      []vitrine.TestCase{{Task: "Put tea\ninto the cart.", ExpectedResult: "The cart shows 1."}, {Task: "Pay."}},
		Trajectory: "1. click button \"Add tea\": the text of the page changed: 1 in the cart",
	}
}

// other has what tells a second site from the first.
func otherSite() Subject {
	s := site()
	s.Evidence.SiteHash = "s2"
	s.Files = []vitrine.File{{Path: "index.html", Content: "<h1>Coffee</h1>"}}
	s.Frames = func(f vitrine.Frame) ([]model.Image, error) {
		return []model.Image{{Type: "image/png", Data: []byte(png + "other " + f.File)}}, nil
	}
	return s
}

func broken() Subject {
	s := site()
	s.Evidence = &vitrine.Evidence{Instruction: "A shop.", Validity: vitrine.Validity{Reason: vitrine.InvalidBlank, Why: "the page is blank"}}
	return s
}

// tree has 1 + 2 + (2 basic, 1 complex) leaves.
func tree() *rubric.Tree {
	leaf := func(s string) rubric.Node { return rubric.Node{Description: s} }
	return &rubric.Tree{
		Intention: rubric.Node{Description: "purpose", Children: []rubric.Node{leaf("It sells tea.")}},
		Static:    rubric.Node{Description: "static", Children: []rubric.Node{leaf("A heading."), leaf("A list of teas.")}},
		Dynamic: rubric.Node{Description: "dynamic", Children: []rubric.Node{
			{Description: "basic interactions", Children: []rubric.Node{leaf("Type a number."), leaf("Open the menu.")}},
			{Description: "complex interactions", Children: []rubric.Node{leaf("Put tea into the cart.")}},
		}},
	}
}

// ratings is a Likert answer with one number for all, but for what is changed.
func ratings(all int, change ...string) string {
	var parts []string
	for i, c := range subCriteria {
		n := fmt.Sprint(all)
		if i < len(change) {
			n = change[i]
		}
		parts = append(parts, fmt.Sprintf("%q:%s", c.id, n))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

const (
	thirdsA = `{"alignment":30,"aesthetics":20,"structure":20.5,"total":70.5}`
	thirdsB = `{"alignment":20,"aesthetics":20,"structure":20,"total":60}`
)

// right is a good answer to each protocol, with some of what it must give.
var right = map[string]struct {
	answer string
	scores map[string]float64
}{
	"appearance":         {`{"analysis":"Looks like a shop, 5 of 5 stars.","grade":3}`, map[string]float64{"appearance": 3}},
	"static":             {`{"feedback":"Good, 9/10.","alignment":30,"aesthetics":20,"structure":20.5,"total":70.5}`, map[string]float64{"alignment": 30, "aesthetics": 20, "structure": 20.5, "total": 70.5}},
	"code":               {`{"feedback":"Plain.","alignment":15,"design":25,"structure":20,"total":60}`, map[string]float64{"code": 60, "code.alignment": 15, "code.design": 25, "code.structure": 20}},
	"visual":             {`{"critique":["Move the heading above the list, since visitors look there first."],"score":62.5}`, map[string]float64{"visual": 62.5}},
	"direct":             {`{"reason":"Fine.","score":7}`, map[string]float64{"direct": 7}},
	"likert":             {`{"analysis":"Fine.","ratings":` + ratings(3, "5", "1") + `}`, map[string]float64{"likert": 39, "likert.1.1": 5, "likert.1.2": 1, "likert.4.3": 3}},
	"rubric":             {`{"analysis":"Fine.","leaves":{"intention.1":true,"static.1":true,"static.2":false,"dynamic.1.1":true,"dynamic.1.2":false,"dynamic.2.1":false}}`, map[string]float64{"rubric": 1 + 0.5 + 1./3, "rubric.intention": 1, "rubric.static": 0.5, "rubric.dynamic": 1. / 3}},
	"alignment":          {`{"reason":"Fits.","score":8}`, map[string]float64{"alignment.10": 8}},
	"checklist":          {`{"analysis":"Fine.","items":{"item_1":7.5,"item_2":5},"overall":12.5}`, map[string]float64{"checklist": 12.5, "checklist.1": 7.5, "checklist.2": 5}},
	"feasibility":        {`{"analysis":"Nothing takes money.","feasible":{"case_1":true,"case_2":false}}`, map[string]float64{"feasibility": 0.5, "feasibility.1": 1, "feasibility.2": 0}},
	"trajectory":         {`{"analysis":"Nobody paid.","feasible":{"case_1":true,"case_2":false}}`, map[string]float64{"feasibility": 0.5, "feasibility.1": 1, "feasibility.2": 0}},
	"screenshot":         {`{"reason":"A page.","valid":true}`, map[string]float64{"screenshot": 1}},
	"plot":               {`{"reason":"The same bars.","score":82}`, map[string]float64{"plot": 82}},
	"filter-safety":      {`{"reason":"Harmless.","safe":true,"category":"none"}`, map[string]float64{"filter-safety": 1}},
	"filter-interaction": {`{"reason":"A cart.","score":0}`, map[string]float64{"filter-interaction": 0}},
	"filter-intention":   {`{"reason":"Clear.","score":5}`, map[string]float64{"filter-intention": 5}},
	"filter-website":     {`{"reason":"No.","website":false}`, map[string]float64{"filter-website": 0}},
	"paraphrase":         {`{"instruction":"Build a tea shop that has a cart."}`, map[string]float64{"paraphrase": 1}},
}

// rightPair is the same for pairs; the answer says that the first is better.
var rightPair = map[string]struct {
	answer string
	a, b   map[string]float64
}{
	"static-pair": {`{"feedback":"A is richer.","a":` + thirdsA + `,"b":` + thirdsB + `,"verdict":"A>>B"}`, map[string]float64{"alignment": 30, "aesthetics": 20, "structure": 20.5, "total": 70.5}, map[string]float64{"alignment": 20, "aesthetics": 20, "structure": 20, "total": 60}},
	"direct-pair": {`{"reason":"A works.","winner":"A"}`, nil, nil},
	"likert-pair": {`{"analysis":"A.","a":` + ratings(4) + `,"b":` + ratings(3) + `}`, map[string]float64{"likert": 52}, map[string]float64{"likert": 39}},
	"rubric-pair": {`{"analysis":"A.","leaves":{"intention.1":"A","static.1":"A","static.2":"B","dynamic.1.1":"tie","dynamic.1.2":"tie","dynamic.2.1":"A"}}`, map[string]float64{"rubric": 1 + 0.5 + 1./3}, map[string]float64{"rubric": 0.5}},
}

func settings(protocol string) Settings { return Settings{Protocol: protocol, Model: "openai/judge"} }

func mustLoad(t *testing.T, protocol string, s Subject) *question {
	t.Helper()
	q, err := newQuestion(settings(protocol), false, s)
	if err != nil {
		t.Fatal(err)
	}
	return q
}
