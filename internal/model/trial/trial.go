// Package trial asks a model two tiny questions, one of them about a picture, and says
// what it can do.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"vitrine"
	"vitrine/internal/model"
)

// Result is what a trial found.
type Result struct {
	Name      string          `json:"name"`
	BaseURL   string          `json:"base_url"`
	Abilities model.Abilities `json:"abilities"`
	Calls     []Call          `json:"calls"`
	Cost      *float64        `json:"usd"` // null: the price is not known
}

// Call is one conversation of a trial.
type Call struct {
	What      string         `json:"what"` // text, picture
	OK        bool           `json:"ok"`
	Why       string         `json:"why"` // what was wrong; empty if nothing was
	Answer    string         `json:"answer"`
	Model     string         `json:"model"` // what answered
	Attempts  int            `json:"attempts"`
	LatencyMS float64        `json:"latency_ms"`
	Tokens    model.Usage    `json:"tokens"`
	USD       *float64       `json:"usd"`
	Error     *vitrine.Fault `json:"error"`
}

// Fault is why the last conversation failed; nil if all were answered.
func (r Result) Fault() *vitrine.Fault {
	return r.Calls[len(r.Calls)-1].Error
}

// Run asks the model of a name. The picture is left out where the text failed: it would
// fail alike. That a question failed is part of the result; the error is why none was
// asked.
func Run(ctx context.Context, client *model.Client, name string) (Result, error) {
	info, err := client.Describe(name)
	if err == nil {
		err = client.Ready(name)
	}
	if err != nil {
		return Result{}, err
	}
	r := Result{Name: info.Name, BaseURL: info.BaseURL, Calls: []Call{ask(ctx, client, name, "text", textQuestion(), isPong)}}
	if r.Fault() == nil {
		question, err := pictureQuestion()
		if err != nil {
			return r, err
		}
		r.Calls = append(r.Calls, ask(ctx, client, name, "picture", question, isRed))
	}
	if r.Abilities, err = client.Abilities(name); err != nil {
		return r, err
	}
	if spent := client.Spent(); spent.Unpriced == 0 {
		r.Cost = &spent.USD
	}
	return r, nil
}

// ask has one conversation; right reads what is wrong with the answer.
func ask(ctx context.Context, client *model.Client, name, what string, r model.Request, right func(string) string) Call {
	call := Call{What: what}
	reply, err := client.Ask(ctx, name, r)
	if err != nil {
		call.Error = vitrine.AsFault("judge", err)
		call.Why = call.Error.Message
		return call
	}
	call.Answer, call.Model, call.Attempts, call.Tokens, call.USD = reply.Text, reply.Model, reply.Attempts, reply.Usage, reply.USD
	call.LatencyMS = float64(reply.Latency.Microseconds()) / 1000
	switch reply.Finish {
	case model.FinishLength:
		call.Why = "the answer was cut off"
	case model.FinishRefused:
		call.Why = "it refused: " + reply.Refusal
	default:
		call.Why = right(reply.Text)
	}
	call.OK = call.Why == ""
	return call
}

// tryTokens leaves room for the thoughts of models that think before they answer.
const tryTokens = 2048

func textQuestion() model.Request {
	return model.Request{MaxTokens: tryTokens, Messages: []model.Message{model.User(model.Text("This tests the connection. Answer with the single word pong."))}}
}

func isPong(text string) string {
	if strings.Contains(strings.ToLower(text), "pong") {
		return ""
	}
	return "it was to say pong"
}

// pictureQuestion shows a red square.
func pictureQuestion() (model.Request, error) {
	square := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(square, square.Bounds(), image.NewUniform(color.RGBA{R: 220, A: 255}), image.Point{}, draw.Src)
	pictures, err := model.Fit(square, model.ImageBudget{})
	if err != nil {
		return model.Request{}, err
	}
	return model.Request{
		MaxTokens: tryTokens,
		Messages:  []model.Message{model.User(model.Text("Which colour fills this picture?"), model.Part{Image: &pictures[0]})},
		Schema: &model.Schema{Name: "colour", JSON: []byte(`{"type":"object","properties":{"colour":{"type":"string",` +
			`"enum":["red","green","blue","other"]}},"required":["colour"],"additionalProperties":false}`)},
	}, nil
}

func isRed(text string) string {
	var answer struct {
		Colour string `json:"colour"`
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&answer); {
	case err != nil:
		return "the answer does not keep to the schema"
	case answer.Colour != "red":
		return "the square is red; it saw " + answer.Colour
	}
	return ""
}
