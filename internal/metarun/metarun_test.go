package metarun

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/leak"
	"vitrine/internal/meta/answers"
	"vitrine/internal/model"
	"vitrine/internal/redteam"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// scripted answers every request by its text.
type scripted struct {
	say func(text string) (string, error)

	mu    sync.Mutex
	asked int
}

func (s *scripted) Ask(_ context.Context, name string, r model.Request) (model.Reply, error) {
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	text := ""
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			text += p.Text + "\n"
		}
	}
	answer, err := s.say(text)
	usd := 0.5
	return model.Reply{Response: model.Response{Text: answer, Finish: model.FinishStop}, Name: name, Attempts: 1, USD: &usd}, err
}

// better prefers the page that says GOOD; of two alike none.
func better(text string) (string, error) {
	winner := "tie"
	if a, b, ok := strings.Cut(text, "code of site B"); ok && strings.Contains(a, "GOOD") != strings.Contains(b, "GOOD") {
		winner = "B"
		if strings.Contains(a, "GOOD") {
			winner = "A"
		}
	}
	return fmt.Sprintf(`{"reason":"Seen.","winner":%q}`, winner), nil
}

func always(answer string) func(string) (string, error) {
	return func(string) (string, error) { return answer, nil }
}

func thingOf(word string) answers.Thing {
	return answers.Thing{Code: "<!DOCTYPE html><title>Tea</title><p>" + word}
}

// pairs are three: A better, B better, none.
func pairs(t *testing.T) string {
	t.Helper()
	var all []answers.Line
	for n, words := range [][2]string{{"GOOD", "poor"}, {"poor", "GOOD"}, {"poor", "poor"}} {
		all = append(all, answers.Line{Item: &answers.Item{
			ID: fmt.Sprint("p", n), Kind: answers.Pair, Instruction: "A page for tea",
			Truth: answers.Text([]string{"A", "B", "tie"}[n]), Shown: []answers.Thing{thingOf(words[0]), thingOf(words[1])},
		}})
	}
	return written(t, "pairs.jsonl", all)
}

func written(t *testing.T, name string, all []answers.Line) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := answers.Write(f, all); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func byCode(protocol string, asker *scripted) *Model {
	return &Model{Asker: asker, Sites: &Sites{}, Settings: vlm.Settings{Protocol: protocol, Model: "m/m", Observation: vlm.ObserveCode}}
}

// run asks once more, and gives the set with all that is known then.
func run(t *testing.T, data, file string, j Judge, a answers.Asking) (*answers.Set, []string, error) {
	t.Helper()
	open := func() *answers.Set {
		files := []string{data}
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
		set, err := answers.Open(files...)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	set := open()
	items, _ := set.Items(a)
	names, err := Ask(t.Context(), set, items, j, Settings{Asking: a, File: file, Concurrency: 2, Say: t.Logf})
	return open(), names, err
}

var inBoth = answers.Asking{Kinds: []answers.Kind{answers.Pair}, Swapped: true}

func value(t *testing.T, f answers.Figures, name string) float64 {
	t.Helper()
	for _, one := range f.Figures {
		if one.Name == name && one.Category == "" && one.Value != nil {
			return one.Value.Value
		}
	}
	t.Fatalf("there is no figure %s in %+v", name, f.Figures)
	return 0
}

// The oracle is right in both orders. Who always says A is consistent nowhere but in no tie
// that it makes: here it prefers the first place in all three.
func TestPairsAreAskedInBothOrders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		say                    func(string) (string, error)
		agreement, same, first float64
	}{
		"oracle":       {better, 1, 1, 0},
		"always first": {always(`{"reason":"First.","winner":"A"}`), 1. / 3, 0, 1},
		"always tie":   {always(`{"reason":"Same.","winner":"tie"}`), 1. / 3, 1, 0},
	} {
		asker := &scripted{say: c.say}
		data := pairs(t)
		file := filepath.Join(t.TempDir(), "answers.jsonl")
		set, names, err := run(t, data, file, byCode("direct", asker), inBoth)
		if err != nil || len(names) != 1 || names[0] != "direct-pair@1 m/m, observe code" || asker.asked != 6 {
			t.Fatalf("%s: %v, %v, %d asked", name, names, err, asker.asked)
		}
		f := answers.Judges(set, nil, names, 1)
		for figure, want := range map[string]float64{"agreement": c.agreement, "the same in both orders": c.same, "prefers the first place": c.first, "USD an answer": 0.5} {
			if got := value(t, f, figure); got != want {
				t.Errorf("%s: %s is %v, want %v", name, figure, got, want)
			}
		}
		if _, _, err := run(t, data, file, byCode("direct", asker), inBoth); err != nil || asker.asked != 6 {
			t.Errorf("%s: what is answered was asked again: %d, %v", name, asker.asked, err)
		}
	}
}

func TestWhatCannotBeAnsweredIsNullAndAskedAgainOnRequest(t *testing.T) {
	t.Parallel()
	data, file := pairs(t), filepath.Join(t.TempDir(), "answers.jsonl")
	set, names, err := run(t, data, file, byCode("direct", &scripted{say: always("lovely")}), inBoth)
	if err != nil || value(t, answers.Judges(set, nil, names, 1), "answered") != 0 {
		t.Fatalf("%v, %v", names, err)
	}
	b, err := os.ReadFile(file)
	if err != nil || strings.Count(string(b), `"value":null,"error":"m/m gave no usable answer`) != 6 {
		t.Errorf("%s, %v", b, err)
	}
	asker := &scripted{say: better}
	if err := Mend(file, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := run(t, data, file, byCode("direct", asker), inBoth); err != nil || asker.asked != 0 {
		t.Errorf("%d asked, %v", asker.asked, err)
	}
	if err := Mend(file, true); err != nil {
		t.Fatal(err)
	}
	set, _, err = run(t, data, file, byCode("direct", asker), inBoth)
	if err != nil || asker.asked != 6 || value(t, answers.Judges(set, nil, names, 1), "agreement") != 1 {
		t.Errorf("%d asked, %v", asker.asked, err)
	}
}

func TestWhatAllQuestionsWouldMeetEndsTheAskingAndIsResumed(t *testing.T) {
	t.Parallel()
	data, file := pairs(t), filepath.Join(t.TempDir(), "answers.jsonl")
	left := 2
	var mu sync.Mutex
	asker := &scripted{say: func(text string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if left--; left < 0 {
			return "", vitrine.NewFault("judge", vitrine.FaultBudget, nil, "the budget is spent")
		}
		return better(text)
	}}
	_, _, err := run(t, data, file, byCode("direct", asker), inBoth)
	if vitrine.AsFault("judge", err).Code != vitrine.FaultBudget {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(file); err != nil || strings.Count(string(b), "\n") != 2 {
		t.Fatalf("%s, %v", b, err)
	}
	half, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := half.WriteString(`{"answer":{"item":"p`); err != nil || half.Close() != nil {
		t.Fatal(err)
	}
	if err := Mend(file, false); err != nil {
		t.Fatal(err)
	}
	rest := &scripted{say: better}
	set, names, err := run(t, data, file, byCode("direct", rest), inBoth)
	if err != nil || rest.asked != 4 || value(t, answers.Judges(set, nil, names, 1), "agreement") != 1 {
		t.Errorf("%d asked, %v", rest.asked, err)
	}
}

func TestUnitsByCodeAndByWhatWasDone(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "done.txt")
	if err := os.WriteFile(record, []byte("1. click the button: nothing changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	thing := thingOf("tea")
	thing.Trajectory = record
	data := written(t, "units.jsonl", []answers.Line{{Item: &answers.Item{
		ID: "u", Kind: answers.Unit, Instruction: "Tea", Asks: "Add tea", Truth: answers.Bool(false), Shown: []answers.Thing{thing},
	}}})
	units := answers.Asking{Kinds: []answers.Kind{answers.Unit}}
	for observe, want := range map[vlm.Observation]string{"": "feasibility@1 m/m", "trajectory": "trajectory@1 m/m"} {
		asker := &scripted{say: func(text string) (string, error) {
			feasible := !strings.Contains(text, "nothing changed")
			b, err := json.Marshal(map[string]any{"analysis": "x", "feasible": map[string]bool{"case_1": feasible}})
			return string(b), err
		}}
		m := byCode("feasibility", asker)
		m.Settings.Observation = observe
		set, names, err := run(t, data, filepath.Join(t.TempDir(), "a.jsonl"), m, units)
		if err != nil || len(names) != 1 || names[0] != want {
			t.Fatalf("%v, %v", names, err)
		}
		right := 0.0
		if observe == "trajectory" {
			right = 1
		}
		if got := value(t, answers.Judges(set, nil, names, 1), "accuracy"); got != right {
			t.Errorf("%s: accuracy %v", observe, got)
		}
	}
}

func TestJudgesSayWhatTheyCannotAnswer(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		judge Judge
		kind  answers.Kind
	}{
		"feasibility or behave":  {byCode("likert", nil), answers.Unit},
		"judges units alone":     {byCode("feasibility", nil), answers.Rating},
		"about categories":       {byCode("likert", nil), answers.Class},
		"neither units":          {Measured{}, answers.Unit},
		"neither pairs":          {Behave{}, answers.Pair},
		`no protocol "nonsense"`: {byCode("nonsense", nil), answers.Rating},
	} {
		if _, err := c.judge.Name(answers.Item{Kind: c.kind}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Of a pair the side is attacked that is worse, and nothing of what is shown besides changes.
func TestTheWorseOfAPairIsAttacked(t *testing.T) {
	t.Parallel()
	set, err := answers.Open(pairs(t))
	if err != nil {
		t.Fatal(err)
	}
	items, _ := set.Items(inBoth)
	items = append(items, answers.Item{ID: "bare", Kind: answers.Rating, Shown: []answers.Thing{{Picture: "p.png"}}})
	all, without := Attacked(items, redteam.Persuasions())
	if n := len(redteam.Persuasions()); len(all) != 3+3*n || without != 1 {
		t.Fatalf("%d items, %d without", len(all), without)
	}
	for _, i := range all {
		if i.VariantOf == "" {
			continue
		}
		side := int(i.Attacked[0] - 'A')
		if i.VariantOf == "p0" && side != 1 || i.VariantOf == "p1" && side != 0 || i.Truth != nil {
			t.Errorf("%s is attacked at %s", i.ID, i.Attacked)
		}
		original := set.Item(i.VariantOf)
		if i.Shown[1-side] != original.Shown[1-side] || !strings.HasPrefix(i.Shown[side].Code, original.Shown[side].Code) {
			t.Errorf("%s shows %+v", i.ID, i.Shown)
		}
	}
}

// Two pages by five templates, each itself, in other words and with the words of the other.
// Other words are asked for once a page, and not again.
func TestPairBenchDrawsItsItems(t *testing.T) {
	t.Parallel()
	items := []answers.Item{
		{ID: "tea", Kind: answers.Rating, Task: "tea", Instruction: "A tea shop", Shown: []answers.Thing{thingOf("tea")}},
		{ID: "tax", Kind: answers.Rating, Task: "tax", Instruction: "A tax form", Shown: []answers.Thing{thingOf("tax")}},
	}
	asker := &scripted{say: always(`{"instruction":"In other words"}`)}
	judge := &vlm.Judge{Asker: asker, Settings: vlm.Settings{Model: "m/m"}}
	all, err := PairBench(t.Context(), items, judge, nil, 1)
	if err != nil || len(all) != 30 || asker.asked != 2 {
		t.Fatalf("%d items, %d asked, %v", len(all), asker.asked, err)
	}
	known := map[string]answers.Item{}
	for _, i := range all {
		known[i.ID] = i
		want := map[string]string{"": "A tea shop", "paraphrase": "In other words", "distractor": "A tax form"}[i.Variant]
		if i.Task == "tea" && i.Instruction != want || i.Broken != (i.Variant == "distractor") || (i.VariantOf == "") != (i.Variant == "") {
			t.Errorf("%+v", i)
		}
	}
	if again, err := PairBench(t.Context(), append(items, all...), judge, known, 1); err != nil || len(again) != 30 || asker.asked != 2 {
		t.Errorf("%d items, %d asked, %v", len(again), asker.asked, err)
	}
	same := items[0]
	same.ID, same.Model = "tea again", "m/other"
	for _, one := range []([]answers.Item){items[:1], {items[0], same}} {
		if _, err := PairBench(t.Context(), one, judge, nil, 1); err == nil {
			t.Error("pages of one instruction have a distractor")
		}
	}
	all, err = PairBench(t.Context(), append(items, same), judge, nil, 1)
	for _, i := range all {
		if base := known[named("tea", "", 1)]; i.Task == "tea" && i.Broken && i.Instruction == base.Instruction {
			t.Errorf("the distractor of %s is its own instruction", i.ID)
		}
	}
	if err != nil || len(all) != 45 {
		t.Errorf("%d items, %v", len(all), err)
	}
}
