package main

import (
	"context"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

const (
	alikeVerdict = "alike"
	tolerance    = 0.01 // share of pixels of a route that may differ
	// near is how far two bytes of a color may be apart and still look the same.
	near = 8
)

// row is the outcome of one project.
type row struct {
	Project    string  `json:"project"`
	Builder    string  `json:"builder"` // that auto came to
	Why        string  `json:"why,omitempty"`
	Verdict    string  `json:"verdict"`
	Routes     int     `json:"routes"`
	WorstRoute string  `json:"worst_route"`
	Differing  float64 `json:"differing"` // share of pixels, of the worst frame
	// FirstLook is the share that a first look found, where a second pair of looks
	// found less: what comes and goes is the page's own movement, not the build.
	FirstLook   float64            `json:"first_look,omitempty"`
	ByRoute     map[string]float64 `json:"by_route,omitempty"`
	SameConsole bool               `json:"same_console"`
	Console     [2][]string        `json:"console"`
	ExactMS     float64            `json:"exact_ms"`
	FastMS      float64            `json:"fast_ms"`
	ExactLookMS float64            `json:"exact_look_ms"`
	FastLookMS  float64            `json:"fast_look_ms"`
}

// compare builds a project both ways. The exact way goes first, so that its
// dependencies are there for the other.
func (p *pair) compare(ctx context.Context, pr project) (row, error) {
	r := row{Project: pr.name, ByRoute: map[string]float64{}, SameConsole: true}
	exact, err := p.see(ctx, p.exact, pr, "exact")
	if err != nil {
		return r, err
	}
	fast, err := p.see(ctx, p.fast, pr, "fast")
	if err != nil {
		return r, err
	}
	r.Builder, r.ExactMS, r.FastMS, r.ExactLookMS, r.FastLookMS = fast.site.Builder, exact.buildMS, fast.buildMS, exact.lookMS, fast.lookMS
	for _, s := range fast.site.Steps {
		if s.Name == "fast" {
			r.Why = s.Log
		}
	}
	if a, b := exact.site.Failure, fast.site.Failure; a != nil || b != nil {
		r.Verdict = failures(a, b)
		return r, nil
	}
	if err := r.look(exact, fast); err != nil || r.Verdict == alikeVerdict {
		return r, err
	}
	return r, r.again(ctx, p, exact, fast)
}

// again looks at both builds once more. What only one of two looks shows is how a
// page moves; what a build does wrong is there in both.
func (r *row) again(ctx context.Context, p *pair, exact, fast *seen) error {
	for _, s := range []*seen{exact, fast} {
		s.dir += "-again"
		if err := os.MkdirAll(s.dir, 0o755); err != nil {
			return err
		}
		var err error
		if s.evidence, err = p.exact.Look(ctx, s.site, s.dir); err != nil {
			return err
		}
	}
	second := *r
	second.ByRoute, second.Differing = map[string]float64{}, 0
	if err := second.look(exact, fast); err != nil || second.Verdict != alikeVerdict && second.WorstRoute == r.WorstRoute {
		return err
	}
	second.FirstLook = r.Differing
	for route, share := range r.ByRoute {
		second.ByRoute[route] = min(second.ByRoute[route], share)
	}
	second.Differing, second.WorstRoute = 0, ""
	for route, share := range second.ByRoute {
		if share >= second.Differing {
			second.Differing, second.WorstRoute = share, route
		}
	}
	if second.SameConsole && second.Differing <= tolerance {
		second.Verdict = alikeVerdict
	}
	*r = second
	return nil
}

func failures(exact, fast *vitrine.BuildFailure) string {
	text := func(f *vitrine.BuildFailure) string {
		if f == nil {
			return "builds"
		}
		return string(f.Code) + ": " + f.Message
	}
	if exact != nil && fast != nil && exact.Code == fast.Code {
		return alikeVerdict
	}
	return "exact " + text(exact) + "; fast " + text(fast)
}

func (r *row) look(exact, fast *seen) error {
	r.Verdict = alikeVerdict
	if !slices.Equal(exact.site.Routes, fast.site.Routes) || len(exact.evidence.Views) != len(fast.evidence.Views) {
		r.Verdict = "other routes"
		return nil
	}
	for i, v := range exact.evidence.Views {
		other := fast.evidence.Views[i]
		if v.Route != other.Route || len(v.Frames) != len(other.Frames) || v.Validity.Valid != other.Validity.Valid {
			r.Verdict = fmt.Sprintf("%s: another view", v.Route)
			return nil
		}
		for j, f := range v.Frames {
			share, err := differing(filepath.Join(exact.dir, f.File), filepath.Join(fast.dir, other.Frames[j].File))
			if err != nil {
				return err
			}
			r.ByRoute[v.Route] = max(r.ByRoute[v.Route], share)
			if share >= r.Differing {
				r.Differing, r.WorstRoute = share, v.Route
			}
		}
	}
	r.Routes = len(exact.evidence.Views)
	r.Console = [2][]string{errorsOf(exact.evidence), errorsOf(fast.evidence)}
	r.SameConsole = slices.Equal(r.Console[0], r.Console[1])
	switch {
	case r.Differing > tolerance:
		r.Verdict = fmt.Sprintf("%s differs", r.WorstRoute)
	case !r.SameConsole:
		r.Verdict = "console differs"
	}
	return nil
}

// address is a part of a message that names a built file or a place in one.
var address = regexp.MustCompile(`\S*/assets/\S+|:\d+:\d+`)

// errorsOf lists the errors of the console by route, without names of files,
// which differ between builds.
func errorsOf(ev *vitrine.Evidence) []string {
	var all []string
	for _, m := range ev.Console {
		if m.Level == "error" || m.Level == "exception" {
			first, _, _ := strings.Cut(m.Text, "\n")
			all = append(all, m.Route+" "+m.Level+" "+address.ReplaceAllString(first, "…"))
		}
	}
	slices.Sort(all)
	return all
}

// differing is the share of pixels that are not the same in two frames, of the
// larger one.
func differing(a, b string) (float64, error) {
	x, err := load(a)
	if err != nil {
		return 0, err
	}
	y, err := load(b)
	if err != nil {
		return 0, err
	}
	w, h := max(x.Bounds().Dx(), y.Bounds().Dx()), max(x.Bounds().Dy(), y.Bounds().Dy())
	count := 0
	for j := range h {
		for i := range w {
			if apart(x, y, i, j) {
				count++
			}
		}
	}
	return float64(count) / float64(max(1, w*h)), nil
}

func apart(x, y image.Image, i, j int) bool {
	at := image.Pt(i, j)
	if !at.In(x.Bounds()) || !at.In(y.Bounds()) {
		return true
	}
	r1, g1, b1, _ := x.At(i, j).RGBA()
	r2, g2, b2, _ := y.At(i, j).RGBA()
	return far(r1, r2) || far(g1, g2) || far(b1, b2)
}

func far(a, b uint32) bool { return max(a, b)-min(a, b) > near<<8 }

func load(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read a frame: %w", err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	return img, err
}
