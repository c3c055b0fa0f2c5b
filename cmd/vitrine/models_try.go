package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/model"
)

// tried is what a try of a model found.
type tried struct {
	Name      string          `json:"name"`
	BaseURL   string          `json:"base_url"`
	Abilities model.Abilities `json:"abilities"`
	Calls     []triedCall     `json:"calls"`
	Cost      *float64        `json:"usd"` // null: the price is not known
}

// triedCall is one conversation of a try.
type triedCall struct {
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

func modelsTestCommand(c *common) *cobra.Command {
	var a asking
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "test NAME",
		Short: "Ask a model two tiny questions and say what it can do",
		Long: `Ask a model two tiny questions and say what it can do.

One is of text alone; the other shows a red square and wants an answer by a JSON
Schema. Together they cost a small part of a cent.`,
		Example: `  vitrine models test openai/gpt-5-mini
  VLLM_BASE_URL=http://gpu1:8000 vitrine models test vllm/Qwen/Qwen2.5-VL-7B-Instruct`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := a.client(c, model.Settings{Deadline: wait, Retries: 2, OnRetry: func(r model.Retry) {
				c.say("try %d: %s; again in %s", r.Attempt, strings.ReplaceAll(string(r.Cause), "_", " "), r.Wait.Round(time.Millisecond))
			}})
			if err != nil {
				return err
			}
			defer client.Close()
			return c.tryModel(cmd.Context(), client, args[0])
		},
	}
	a.add(c, cmd.Flags())
	cmd.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait for each of the two answers")
	return cmd
}

func (c *common) tryModel(ctx context.Context, client *model.Client, name string) error {
	info, err := client.Describe(name)
	if err == nil {
		err = client.Ready(name)
	}
	if err != nil {
		return err
	}
	done := tried{Name: info.Name, BaseURL: info.BaseURL}
	done.Calls = append(done.Calls, try(ctx, client, name, "text", textQuestion(), isPong))
	var failed error
	if f := done.Calls[0].Error; f != nil {
		failed = f // the picture would fail alike
	} else {
		question, err := pictureQuestion()
		if err != nil {
			return err
		}
		done.Calls = append(done.Calls, try(ctx, client, name, "picture", question, isRed))
		if f := done.Calls[1].Error; f != nil {
			failed = f
		}
	}
	if done.Abilities, err = client.Abilities(name); err != nil {
		return err
	}
	if spent := client.Spent(); spent.Unpriced == 0 {
		done.Cost = &spent.USD
	}
	if c.json {
		if err := c.printJSON(done); err != nil {
			return err
		}
	} else {
		printTried(c, done)
	}
	if failed != nil {
		return c.afterwards(failed)
	}
	return nil
}

// afterwards is an error that a document on stdout told already.
func (c *common) afterwards(err error) error {
	if c.json {
		return exit(exitCode(vitrine.AsFault("judge", err).Code))
	}
	return err
}

// try has one conversation; right reads what is wrong with the answer.
func try(ctx context.Context, client *model.Client, name, what string, r model.Request, right func(string) string) triedCall {
	call := triedCall{What: what}
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

func printTried(c *common, t tried) {
	fmt.Fprintf(c.out, "%s at %s\n", t.Name, t.BaseURL)
	for _, call := range t.Calls {
		if call.Error != nil {
			fmt.Fprintf(c.out, "  %-8s no answer\n", call.What)
			continue
		}
		verdict := "right"
		if !call.OK {
			verdict = call.Why
		}
		fmt.Fprintf(c.out, "  %-8s %s, by %s in %.0f ms, %d + %d tokens, %s\n", call.What, verdict, call.Model, call.LatencyMS, call.Tokens.In, call.Tokens.Out, cost(call.USD))
	}
	if len(t.Calls) == 2 {
		fmt.Fprintf(c.out, "  schema   %s\n", t.Abilities.Schema)
	}
	fmt.Fprintf(c.out, "  cost     %s\n", cost(t.Cost))
}

// cost writes dollars; what is not known is never 0.
func cost(usd *float64) string {
	if usd == nil {
		return "$? (the price is not known)"
	}
	return fmt.Sprintf("$%.6f", *usd)
}
