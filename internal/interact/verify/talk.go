package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/interact/script"
	"vitrine/internal/model"
	"vitrine/internal/model/answer"
	"vitrine/internal/model/dialog"
	"vitrine/internal/model/fence"
	"vitrine/internal/page"
)

// A talk is the conversation about one test case.
type talk struct {
	verifier *Verifier
	prompt   *prompt
	test     vitrine.TestCase
	data     words // without fences
	calls    []vitrine.Call
}

func (v *Verifier) newTalk(tc vitrine.TestCase, about Context, scene *interact.Scene) (*talk, error) {
	p, err := load()
	return &talk{
		verifier: v, prompt: p, test: tc,
		data: words{
			Instruction: about.Instruction,
			Case:        strings.TrimSpace("task: " + tc.Task + "\nexpected result: " + tc.ExpectedResult),
			Page:        describe(scene),
			Explored:    explored(about.Explored),
			Code:        packCode(about.Code, tc.Task+" "+tc.ExpectedResult, cmp.Or(v.Settings.CodeTokens, 8000)),
		},
	}, err
}

// plan asks for a script.
func (t *talk) plan(ctx context.Context) (script.Script, error) {
	system, messages, err := t.compose("", "")
	if err != nil {
		return script.Script{}, err
	}
	return t.ask(ctx, system, messages, 1)
}

// repair asks for a script once more, which may not check less.
func (t *talk) repair(ctx context.Context, s script.Script, seen string) (script.Script, error) {
	system, messages, err := t.compose(t.calls[len(t.calls)-1].Answer, seen)
	if err != nil {
		return script.Script{}, err
	}
	return t.ask(ctx, system, messages, s.Checks())
}

// compose writes the conversation: the plan, and what became of it. The fence is made
// of all that is shown, so it is another one in each.
func (t *talk) compose(given, seen string) (system string, messages []model.Message, err error) {
	d := t.data
	f := fence.New([]string{d.Instruction, d.Case, d.Page, d.Explored, d.Code, seen})
	around := func(kind, data string) string {
		if data == "" {
			return ""
		}
		return f.Around(kind, data)
	}
	w := words{
		Fence: string(f), Instruction: around("request", cmp.Or(d.Instruction, "(not known)")), Case: around("test case", d.Case),
		Page: around("page", d.Page), Explored: around("controls that were tried", d.Explored), Code: around("code", d.Code), Seen: around("run of the script", seen),
	}
	var texts [3]string
	for i, name := range []string{"system", "plan", "repair"} {
		if texts[i], err = t.prompt.render(name, w); err != nil {
			return "", nil, err
		}
	}
	messages = []model.Message{model.User(model.Text(texts[1]))}
	if seen != "" {
		messages = append(messages, model.Message{Role: model.RoleAssistant, Parts: []model.Part{model.Text(given)}}, model.User(model.Text(texts[2])))
	}
	return texts[0], messages, nil
}

// ask asks for a script with at least so many checks.
func (t *talk) ask(ctx context.Context, system string, messages []model.Message, checks int) (s script.Script, err error) {
	set := t.verifier.Settings
	calls, err := dialog.Ask(ctx, t.verifier.Asker, dialog.Question{
		Model: set.Model, Prompt: t.prompt.hash, Stage: "interact",
		Request: model.Request{
			System: system, Messages: messages, Schema: &model.Schema{Name: "script", JSON: planSchema()},
			MaxTokens: set.MaxTokens, Temperature: set.Temperature,
		},
		Read: func(text string) (err error) {
			if s, err = t.read(text); err == nil && s.Checks() < checks {
				err = fmt.Errorf("the script has %d checks, the one before had %d: mend it without checking less", s.Checks(), checks)
			}
			return err
		},
	})
	t.calls = append(t.calls, calls...)
	return s, err
}

// read takes an answer for the test case. What does not fit is said in words for the
// model.
func (t *talk) read(text string) (script.Script, error) {
	raw, err := answer.Extract(text)
	if err != nil {
		return script.Script{}, err
	}
	var given struct {
		Reason string `json:"reason"`
		Route  string `json:"route"`
		Steps  any    `json:"steps"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&given); err != nil {
		return script.Script{}, fmt.Errorf("want an object with reason (text), route (text) and steps (a list): %w", err)
	}
	file := map[string]any{"task": "the test case", "route": cmp.Or(given.Route, "/"), "steps": given.Steps}
	// Written again, since JSON has escapes that YAML has not.
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(file); err != nil {
		return script.Script{}, err
	}
	scripts, err := script.Parse("answer", b.Bytes())
	if err != nil {
		var fault *vitrine.Fault
		errors.As(err, &fault)
		return script.Script{}, errors.New(strings.TrimPrefix(fault.Message, "answer:1: "))
	}
	s := scripts[0]
	s.Task, s.Expected, s.Category = cmp.Or(saved(t.test.Task), s.Task), saved(t.test.ExpectedResult), saved(t.test.Category)
	return s, nil
}

// saved is a text of a test case as a script can hold it.
func saved(text string) string {
	const most = 1900 // bytes; the language takes 2000 letters
	return page.Bounded(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), most)
}
