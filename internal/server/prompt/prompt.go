// Package prompt reads what trainers send along with a model's answer: prompts with
// the marks of chat templates, or as messages, and labels of data sets.
package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"vitrine"
	"vitrine/internal/server"
)

// A Text is a prompt: a text, or messages, of which the last of a user counts.
type Text string

// UnmarshalJSON takes both shapes, and null.
func (t *Text) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*t = Text(text)
		return nil
	}
	var messages []message
	if err := json.Unmarshal(b, &messages); err != nil {
		return err
	}
	for _, m := range messages {
		if m.Role == "user" {
			*t = Text(Content(m.Content))
		}
	}
	return nil
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// Content is what a message says: a text, or parts of which some are texts.
func Content(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &parts) // what is no list of parts has no text
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text)
	}
	return all.String()
}

// A Label says which task an answer is for.
type Label struct {
	TaskID      server.ID    `json:"task_id"`
	Instruction string       `json:"instruction"`
	GroupID     server.ID    `json:"group_id"`
	Kind        vitrine.Kind `json:"kind"`
	// Bare is a label that is no object. It may be the id of a task, or something that
	// the data set has for others, such as a reference answer.
	Bare bool `json:"-"`
}

// UnmarshalJSON takes an object, a text that is one, the id of a task, or null.
func (l *Label) UnmarshalJSON(b []byte) error {
	type plain Label
	var text string
	if json.Unmarshal(b, &text) == nil && strings.HasPrefix(strings.TrimSpace(text), "{") {
		return json.Unmarshal([]byte(text), (*plain)(l))
	}
	if strings.HasPrefix(strings.TrimSpace(string(b)), "{") {
		return json.Unmarshal(b, (*plain)(l))
	}
	err := json.Unmarshal(b, &l.TaskID)
	l.Bare = l.TaskID != ""
	return err
}

// About is the label, or none where it is bare and no task is called so: then the
// prompt, if there is one, says what was asked.
func (l Label) About(prompt string, known func(id string) bool) Label {
	if l.Bare && !known(string(l.TaskID)) && Asked(prompt) != "" {
		return Label{}
	}
	return l
}

// Item is what is asked for an answer to a prompt. A label that says neither task
// nor instruction leaves it to the prompt what was asked; answers to one prompt are
// a group, unless the label says another.
func (l Label) Item(answer, prompt string) server.Item {
	it := server.Item{Output: &answer, TaskID: l.TaskID, Instruction: l.Instruction, Kind: l.Kind}
	if it.TaskID == "" && it.Instruction == "" {
		it.Instruction = Asked(prompt)
	}
	it.GroupID = l.GroupID
	if it.GroupID == "" {
		sum := sha256.Sum256([]byte(cmp.Or(prompt, string(l.TaskID), l.Instruction)))
		it.GroupID = server.ID(hex.EncodeToString(sum[:8]))
	}
	return it
}
