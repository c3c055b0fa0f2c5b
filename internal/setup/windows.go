package setup

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// capture says which windows are looked at, and when.
func (l *Looking) capture() (vitrine.CaptureSettings, error) {
	s := vitrine.CaptureSettings{MaxRoutes: l.MaxRoutes}
	if l.MaxRoutes < 1 {
		return s, usage("--max-routes: must be 1 or more", "")
	}
	for name := range strings.SplitSeq(l.Viewports, ",") {
		v, err := viewport(strings.TrimSpace(name))
		if err != nil {
			return s, err
		}
		if slices.Contains(s.Viewports, v) {
			return s, usage(fmt.Sprintf("--viewport: %s is there twice", v.Name), "name each window size once")
		}
		s.Viewports = append(s.Viewports, v)
	}
	last := -1
	for text := range strings.SplitSeq(l.Times, ",") {
		seconds, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		ms := int(math.Round(seconds * 1000))
		if err != nil || ms <= last || seconds > 60 {
			return s, usage(fmt.Sprintf("--times: %q is not a list of rising seconds from 0 to 60", l.Times), "such as --times 0,1,2")
		}
		s.TimesMS = append(s.TimesMS, ms)
		last = ms
	}
	return s, nil
}

func viewport(name string) (vitrine.Viewport, error) {
	for _, v := range []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile, vitrine.Tablet} {
		if name == v.Name {
			return v, nil
		}
	}
	w, h, ok := strings.Cut(name, "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 200 || width > 4000 || height < 200 || height > 4000 {
		return vitrine.Viewport{}, usage(fmt.Sprintf("--viewport: %q is not a window size", name), "use desktop, mobile, tablet or WxH with 200 to 4000 pixels, such as 1440x900")
	}
	return vitrine.Viewport{Name: fmt.Sprintf("%dx%d", width, height), Width: width, Height: height}, nil
}
