package describe

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"

	"golang.org/x/image/draw"

	"vitrine/internal/data/pictures"
	"vitrine/internal/inputs"
	"vitrine/internal/picture"
)

// A Thumb is a row with its picture.
type Thumb struct {
	ID      string
	Text    string       // beginning of the instruction
	Reward  string       // empty if the row has none
	Picture template.URL // data: URL of a small JPEG
}

// A gallery gathers thumbnails of rows.
type gallery struct {
	most   int
	of     *pictures.Pictures
	thumbs []Thumb
	more   int // rows with a picture beyond most
}

// add shows a row if it has a picture.
func (g *gallery) add(r inputs.Record) {
	if g.most == 0 {
		return
	}
	found, ok := g.of.Of(r)
	if !ok {
		return
	}
	if len(g.thumbs) == g.most {
		g.more++
		return
	}
	if small, err := thumbnail(found.Thumb); err == nil { // a damaged picture is none
		g.thumbs = append(g.thumbs, Thumb{ID: r.ID, Text: short(r.Instruction), Reward: rewardOf(r.Row), Picture: small})
	}
}

func rewardOf(row json.RawMessage) string {
	var o struct {
		Reward *float64 `json:"reward"`
	}
	if json.Unmarshal(row, &o) != nil || o.Reward == nil { // what is no number is none
		return ""
	}
	return number(*o.Reward)
}

const thumbWidth, thumbHeight = 320, 240

// thumbnail is the top of a picture, small, as a data: URL.
func thumbnail(file string) (template.URL, error) {
	img, err := picture.ReadFile(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return "", err
	}
	b := img.Bounds()
	top := image.Rect(b.Min.X, b.Min.Y, b.Max.X, min(b.Max.Y, b.Min.Y+max(1, b.Dx()*thumbHeight/thumbWidth)))
	small := image.NewRGBA(image.Rect(0, 0, thumbWidth, max(1, top.Dy()*thumbWidth/max(1, top.Dx()))))
	draw.Draw(small, small.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, top, draw.Over, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: 80}); err != nil {
		return "", err
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes())), nil
}
