package measured

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Bounds of text that says the same again and again. On 139 honest app pages zlib makes text
// outside of tables and lists smaller by 1.6 in the middle and 2.6 at the 98th percentile,
// and 0.13 of passages of five words occur before at the 98th.
const (
	honestRatio, fillerRatio     = 3.0, 3.8
	honestRepeats, fillerRepeats = 0.15, 0.4
)

// compressibleText asks whether the text says the same again and again: how much smaller zlib
// makes it, and how many of its passages of five words occur before. Tables, lists, options
// and programs are left out, since they repeat by nature.
var compressibleText = eachView("There is too little running text to measure.", (*viewFacts).compressibleText)

func (f *viewFacts) compressibleText() (reading, bool) {
	var texts []string
	var ts []string
	bs := f.blocks()
	for i := range bs {
		if !listed(&bs[i]) && bs[i].Role != "drawing" {
			texts = append(texts, bs[i].Text)
			ts = append(ts, tokens(bs[i].Text)...)
		}
	}
	all := strings.Join(texts, "\n")
	if len(ts) < 40 {
		return reading{}, false
	}
	ratio, repeats := compression(all), repeated(ts)
	return reading{
		score: min(ramp(ratio, fillerRatio, honestRatio), ramp(repeats, fillerRepeats, honestRepeats)),
		why:   fmt.Sprintf("zlib makes the text outside of tables and lists smaller by %.1f; %s of its passages of five words occur before.", ratio, percent(repeats)),
	}, true
}

// compression is how many times smaller zlib makes a text.
func compression(s string) float64 {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s)) // a buffer takes everything
	w.Close()
	return float64(len(s)) / float64(b.Len())
}

// repeated is the share of passages of five words that occur before.
func repeated(ts []string) float64 {
	seen := map[string]bool{}
	n, again := 0, 0
	for i := 0; i+shingle <= len(ts); i++ {
		key := strings.Join(ts[i:i+shingle], " ")
		n++
		again += oneIf(seen[key])
		seen[key] = true
	}
	return share(again, n)
}
