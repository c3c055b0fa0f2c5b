package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vitrine"
)

// functions are what the templates call.
var functions = template.FuncMap{
	"number": number, "fixed": fixed, "share": share, "ms": milliseconds, "size": byteSize, "percent": percent,
	"outcome": outcomeName, "class": outcomeClass, "tone": tone, "json": compactJSON, "stamp": stamp, "count": count, "usd": textUSD,
	"swatches": swatches, "places": groupPlaces,
	"row": func(values ...any) []any { return values },
}

// minus is the sign that is as wide as a plus.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// number formats a number with at most four decimals and without trailing zeros.
func number(v float64) string {
	return minus(strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64))
}

// fixed writes a number with so many decimals; nil is a dash.
func fixed(digits int, v any) string {
	switch v := v.(type) {
	case float64:
		return minus(strconv.FormatFloat(v, 'f', digits, 64))
	case *float64:
		if v != nil {
			return fixed(digits, *v)
		}
	}
	return "–"
}

// share writes a share of 1 in percent; nil is a dash.
func share(v any) string {
	switch v := v.(type) {
	case float64:
		return fmt.Sprintf("%.1f %%", v*100)
	case *float64:
		if v != nil {
			return share(*v)
		}
	}
	return "–"
}

// percent is a share as an SVG coordinate from 0 to 100.
func percent(v float64) string { return strconv.FormatFloat(v*100, 'f', 2, 64) }

func milliseconds(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.1f ms", v)
	case v < 1000:
		return fmt.Sprintf("%.0f ms", v)
	case v < 60_000:
		return fmt.Sprintf("%.1f s", v/1000)
	}
	return (time.Duration(v) * time.Millisecond).Round(time.Second).String()
}

func byteSize(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// count writes "1 sample" or "3 samples".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// tone is the class of a score's bar.
func tone(score float64) string {
	switch {
	case score < 0.5:
		return "low"
	case score < 0.8:
		return "middle"
	}
	return "high"
}

// unjudged is shown in place of an outcome for a sample without a reward.
const unjudged = "unjudged"

func outcomeOf(s *vitrine.Sample) string {
	if !judged(s) {
		return unjudged
	}
	return string(s.Outcome)
}

func outcomeName(o string) string {
	switch vitrine.Outcome(o) {
	case vitrine.OutcomeRendered:
		return "Rendered"
	case vitrine.OutcomeInvalidRender:
		return "Invalid render"
	case vitrine.OutcomeBuildFailed:
		return "Build failed"
	case vitrine.OutcomeNoArtifact:
		return "No artifact"
	case unjudged:
		return "Unjudged"
	}
	return o
}

// outcomeClass is the style of an outcome; one that is not known has none of its
// own.
func outcomeClass(o string) string {
	for _, known := range outcomes {
		if o == string(known) {
			return "o-" + o
		}
	}
	return "o-" + unjudged
}

func compactJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// link escapes a slash-separated path for a relative URL.
func link(parts ...string) string {
	segments := strings.Split(strings.Join(parts, "/"), "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}

// A swatchBar is one color of a palette laid out from 0 to 100.
type swatchBar struct {
	Color vitrine.Color
	X, W  float64
}

func swatches(palette []vitrine.Swatch) []swatchBar {
	var total, x float64
	for _, s := range palette {
		total += s.Share
	}
	bars := make([]swatchBar, len(palette))
	for i, s := range palette {
		w := 100 * s.Share / max(total, 1e-9)
		bars[i] = swatchBar{s.Color, x, w}
		x += w
	}
	return bars
}
