package interact

import (
	"cmp"
	"context"
	"encoding/base64"
	"path"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"vitrine"
)

// picked are the kinds of fields that a browser fills in by a picker: they are set at
// once.
var picked = map[string]bool{"date": true, "time": true, "month": true, "week": true, "datetime-local": true, "color": true, "range": true}

const maxKeys = 80 // characters that are typed one by one; longer texts are put in at once

// typeInto replaces what is in a field.
func (s *Session) typeInto(ctx context.Context, c *vitrine.Control, at point, text string) (string, error) {
	var failed string
	if c.Tag == "select" {
		return s.choose(ctx, c, text)
	}
	if c.Tag == "input" && picked[c.Type] {
		err := s.probe(ctx, &failed, "put", c.Path, text)
		return failed, err
	}
	if err := s.click(ctx, at, left, 1); err != nil {
		return "", err
	}
	if err := s.probe(ctx, &failed, "ready", c.Path); err != nil || failed != "" {
		return failed, err
	}
	if text == "" || c.Value != "" {
		if err := s.press(ctx, named["delete"], 0); err != nil || text == "" {
			return "", err
		}
	}
	if len([]rune(text)) > maxKeys {
		_, err := cdp.Call(ctx, s.tab, input.InsertText, input.InsertTextParams{Text: text})
		return "", err
	}
	for _, r := range text {
		k, _ := keyOf(string(r))
		if r == '\n' {
			k = named["enter"]
		}
		if err := s.press(ctx, k, 0); err != nil {
			return "", err
		}
	}
	return "", nil
}

// choose picks an option of a list by its text.
func (s *Session) choose(ctx context.Context, c *vitrine.Control, option string) (failed string, err error) {
	if c.Tag == "select" {
		err = s.probe(ctx, &failed, "choose", c.Path, option, -1)
		return failed, err
	}
	// A list that is drawn: it is opened, and what has the text is clicked.
	if failed, err = s.clickOn(ctx, vitrine.Target{CSS: c.Path}); err != nil || failed != "" {
		return failed, err
	}
	if _, _, err := s.settle(ctx, hoverMS); err != nil {
		return "", err
	}
	for _, t := range []vitrine.Target{{Role: "option", Name: option}, {Text: option}} {
		if failed, err = s.clickOn(ctx, t); err != nil || failed == "" {
			return failed, err
		}
	}
	return failed, nil
}

func (s *Session) clickOn(ctx context.Context, t vitrine.Target) (failed string, err error) {
	_, p, failed, err := s.target(ctx, t)
	if err != nil || failed != "" {
		return failed, err
	}
	var to aimed
	if err := s.probe(ctx, &to, "aim", p, 0, true); err != nil || to.why() != "" {
		return to.why(), err
	}
	return "", s.click(ctx, point{to.X, to.Y}, left, 1)
}

// check brings a box that can be checked into a state.
func (s *Session) check(ctx context.Context, p string, at point, want bool) (string, error) {
	for range 2 {
		if is, err := s.isChecked(ctx, p, want); err != nil || is {
			return "", err
		}
		if err := s.click(ctx, at, left, 1); err != nil {
			return "", err
		}
		if is, err := s.isChecked(ctx, p, want); err != nil || is {
			return "", err
		}
		// Some switches answer late: another click would take the first one back.
		if _, _, err := s.settle(ctx, actionMS); err != nil {
			return "", err
		}
	}
	is, err := s.isChecked(ctx, p, want)
	if err != nil || is {
		return "", err
	}
	return "its state does not change", nil
}

// isChecked reports whether a box is in a state, or is there no more.
func (s *Session) isChecked(ctx context.Context, p string, want bool) (bool, error) {
	found, err := s.Query(ctx, vitrine.Target{CSS: p})
	return err == nil && (len(found) == 0 || found[0].Checked == want), err
}

// photo is a sky, a hill and a sun of 320 × 200 pixels: whoever turns it, cuts it or takes
// its colours away changes it.
const photo = "iVBORw0KGgoAAAANSUhEUgAAAUAAAADIAgMAAADkatA4AAAACVBMVEV4qtw8gkb6zUbAr4IdAAABdklEQVR42u3YwY3CMBSEYTZSLtzTBFW4hHfw9EMpOSJXuasFloCA2OEXG4mZAj55bCv4sdk4juM4jvP+7EoppLf98coBBMtv9uwCySXujiC2i93JKyPbmOt8box1/vOgc+4u4MhuIbWJOHg5E+hUJh5zKjTYTcFxjeB2Ch4+ApxeQ+QiGjRo0OB7wA/8Yq//Z3T9TxH+9bX+Byf+xsanAH5OwScpfNbDp1F+XsYnev4/B/xfEcdxHMdxHMdxHMdxnH/MoHMQTldJr3K9bpKptkJ6624S7C0XJVaUWHF4Bor22sV+xmu9j1+aTWAHsuRg+howo4XbSg91oNAdbCpdC1afSzUoHAwaFA4GDQoHgwaFg0GDwsGgQeFg0KBwMGgw0+Dsd1H0EptB4WDQoHAw0WCmwedLXAIGDQoHEw1mGhQOBg1mGhQOBg1mGnx8FUV3Ft1ZdGfRnUV3Ft1ZdGfRnUV3Ft1ZdOcXQOFg0GCmQeFgosE7nb8BA5fB/DrLH1kAAAAASUVORK5CYII="

// standIns are small files of the kinds that pages ask for, by ending.
var standIns = map[string]struct{ kind, base64 string }{
	".png":  {"image/png", photo},
	".gif":  {"image/gif", "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"},
	".txt":  {"text/plain", base64.StdEncoding.EncodeToString([]byte("A stand-in file.\n"))},
	".html": {"text/html", base64.StdEncoding.EncodeToString([]byte("<p>A stand-in file.</p>\n"))},
	".csv":  {"text/csv", base64.StdEncoding.EncodeToString([]byte("name,value\nAnna,3\nBen,5\n"))},
	".json": {"application/json", base64.StdEncoding.EncodeToString([]byte(`{"name":"Anna","value":3}`))},
	".pdf":  {"application/pdf", base64.StdEncoding.EncodeToString([]byte("%PDF-1.4\n%%EOF\n"))},
	".mp3":  {"audio/mpeg", ""}, ".mp4": {"video/mp4", ""},
}

// upload gives a file with a name to the field, or to the only field for files that the
// page has: with the body where there is one, else a stand-in of its kind.
func (s *Session) upload(ctx context.Context, p, name, body string) (failed string, err error) {
	name = cmp.Or(name, "photo.png")
	found, err := s.Query(ctx, vitrine.Target{CSS: p})
	if err != nil {
		return "", err
	}
	if len(found) == 0 || found[0].Type != "file" {
		fields, err := s.Query(ctx, vitrine.Target{CSS: "input[type=file]"})
		if err != nil {
			return "", err
		}
		if len(fields) == 0 {
			return "no field takes a file", nil
		}
		p = fields[0].Path
	}
	ending := strings.ToLower(path.Ext(name))
	if ending == ".jpg" || ending == ".jpeg" || ending == ".webp" {
		ending = ".png"
	}
	file, ok := standIns[ending]
	if !ok {
		file = standIns[".txt"]
	}
	if body != "" {
		file.base64 = base64.StdEncoding.EncodeToString([]byte(body))
	}
	err = s.probe(ctx, &failed, "give", p, path.Base(name), file.kind, file.base64)
	return failed, err
}
