package agent

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/interact"
	"vitrine/internal/model"
)

// A view is what the model sees in one turn.
type view struct {
	scene *interact.Scene
	words string // the address and the controls
	image model.Image
	file  string // of the picture, in the evidence folder
	grid  grid
	state string // hash of all that makes two views the same to a visitor
}

// Bounds of what a turn says in words.
const (
	maxControls = 120
	maxName     = 100 // letters of a name, a value, a text
)

// look reads the page and takes its picture, with the controls numbered or bare.
func (r *run) look(ctx context.Context) (*view, error) {
	scene, err := r.session.Look(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%02d-seen", r.name, len(r.turns)+1)
	v := &view{scene: scene, words: address(scene)}
	var png []byte
	if r.form.marked {
		v.words += "\n" + list(scene.Controls, r.window)
		v.file, png, err = r.session.Marked(ctx, scene, name)
	} else {
		v.file, png, err = r.session.Frame(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	v.state = digest.Of(scene.URL, scene.Text, scene.ScrollX, scene.ScrollY, values(scene.Controls), png)
	return v, v.picture(png, r.agent.Settings.Coordinates)
}

// picture fits a frame to what models read.
func (v *view) picture(png []byte, c Coordinates) error {
	images, err := model.FitEncoded(png, model.ImageBudget{MaxTiles: 1})
	if err != nil {
		return fmt.Errorf("frame %s: %w", v.file, err)
	}
	v.image = images[0]
	size, _, err := image.DecodeConfig(bytes.NewReader(v.image.Data))
	v.grid = grid{c, float64(size.Width), float64(size.Height)}
	return err
}

func address(s *interact.Scene) string {
	return fmt.Sprintf("address: %s\ntitle: %s\npage: %.0f × %.0f, scrolled to %.0f from the top", s.URL, clip(s.Title), s.PageWidth, s.PageHeight, s.ScrollY)
}

// values is the state of controls, without their places: those may move.
func values(controls []vitrine.Control) []string {
	lines := make([]string, len(controls))
	for i, c := range controls {
		lines[i] = describe(&c)
	}
	return lines
}

// list names controls with their numbers, those in the window first.
func list(controls []vitrine.Control, window vitrine.Viewport) string {
	var inside, outside strings.Builder
	for i := range controls {
		if i == maxControls {
			fmt.Fprintf(&outside, "and %d more\n", len(controls)-maxControls)
			break
		}
		c := &controls[i]
		b := &inside
		if c.Box.Y >= float64(window.Height) || c.Box.Y+c.Box.H <= 0 || c.Box.X >= float64(window.Width) || c.Box.X+c.Box.W <= 0 {
			b = &outside
		}
		fmt.Fprintf(b, "[%d] %s\n", c.Mark, describe(c))
	}
	words := "controls in the window:\n" + inside.String()
	if inside.Len() == 0 {
		words = "controls in the window: none\n"
	}
	if outside.Len() > 0 {
		words += "controls elsewhere on the page:\n" + outside.String()
	}
	return strings.TrimSpace(words)
}

// describe is a control in words: button "Add", textbox "Email" = "a@b.co", disabled.
func describe(c *vitrine.Control) string {
	words := fmt.Sprintf("%s %q", c.Role, clip(c.Name))
	if c.Type != "" {
		words += " of type " + clip(c.Type)
	}
	if c.Value != "" {
		words += fmt.Sprintf(" = %q", clip(c.Value))
	}
	for _, s := range c.States {
		words += ", " + s
	}
	if c.Covered {
		words += ", covered by something"
	}
	return words
}

// clip shortens what a page says to one line.
func clip(s string) string {
	s = oneLine(s)
	if r := []rune(s); len(r) > maxName {
		return string(r[:maxName]) + "…"
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
