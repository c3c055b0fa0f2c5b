package model

import (
	"bytes"
	"image"
	"math"
)

// ImageTokens estimates the tokens of a picture of w × h pixels, by what the
// providers document. Models of one provider differ, so it is the formula of the
// dearest common ones: budgets are reserved by it, never billed.
//
//   - OpenAI ("Images and vision"): tiles of 512 after fitting into 2048 × 2048 and
//     a shorter edge of 768, 85 + 170 each; or patches of 32 × 32, at most 1536, times
//     1.62. The larger of both. Other servers that speak the protocol run models such
//     as Qwen2.5-VL with a token for each 28 × 28 pixels, which is asked too.
//   - Anthropic ("Vision"): w·h/750, at most 4784.
//   - Google ("Understand and count tokens"): 258 for each tile of a unit that is
//     two thirds of the shorter edge, between 256 and 768; at least 1120, the upper
//     bound of models with a fixed budget a picture.
func ImageTokens(p Protocol, w, h int) int {
	switch p {
	case Anthropic:
		return min(ceilDiv(w*h, 750), 4784)
	case Google:
		return googleTokens(w, h)
	}
	patches := math.Ceil(float64(min(ceilDiv(w, 32)*ceilDiv(h, 32), 1536)) * 1.62)
	return max(openAITiles(w, h), int(patches), ceilDiv(w*h, 28*28))
}

func openAITiles(w, h int) int {
	x, y := float64(w), float64(h)
	scale := min(1, 2048/max(x, y))
	scale = min(scale, 768/min(x, y))
	return 85 + 170*int(math.Ceil(x*scale/512)*math.Ceil(y*scale/512))
}

func googleTokens(w, h int) int {
	if w <= 384 && h <= 384 {
		return 1120
	}
	unit := min(max(min(w, h)*2/3, 256), 768)
	return max(1120, 258*ceilDiv(w, unit)*ceilDiv(h, unit))
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// unreadable is the estimate for a picture whose size cannot be read.
const unreadable = 5000

// tokens estimates what a picture takes of a conversation.
func (i Image) tokens(p Protocol) int {
	c, _, err := image.DecodeConfig(bytes.NewReader(i.Data))
	if err != nil || c.Width < 1 || c.Height < 1 {
		return unreadable
	}
	return ImageTokens(p, c.Width, c.Height)
}
