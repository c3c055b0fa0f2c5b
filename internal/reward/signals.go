package reward

import (
	"math"
	"strings"
)

// Signals are what the stages found out about one output. A name that is not in
// Values is not known; Missing may then say why.
type Signals struct {
	Values  map[string]float64 // signal -> value, in the range of the package's table
	Missing map[string]string  // signal -> why it is not there
}

// why says in words why a signal is not known.
func (s Signals) why(name string) string {
	if why := s.Missing[name]; why != "" {
		return why
	}
	return "no stage reported it"
}

// A stage tells when a signal is known; a later stage costs more.
type stage int

const (
	parsed   stage = iota // from the text alone
	built                 // after the build
	rendered              // after the capture
	judged                // after judging and exercising
)

type signal struct {
	name  string
	stage stage
	hi    float64 // the low end is 0 everywhere
}

// signals lists all names, in the order in which the stages find them out.
var signals = []signal{
	{"format.cot", parsed, 1},
	{"format.code", parsed, 1},
	{"format.code_strict", parsed, 1},
	{"html.present", parsed, 1},
	{"output.tokens", parsed, math.MaxFloat64},
	{"hint.pass", parsed, 1},
	{"build.ok", built, 1},
	{"render.valid", rendered, 1},
	{"frames.valid", rendered, 1},
	{"measured.appearance", judged, 5},
	{"measured.alignment", judged, 40},
	{"measured.aesthetics", judged, 30},
	{"measured.structure", judged, 30},
	{"measured.total", judged, 100},
	{"measured.content", judged, 1},
	{"vision.appearance", judged, 5},
	{"vision.total", judged, 100},
	{"vision.visual", judged, 100},
	{"vision.plot", judged, 100},
	{"vision.code", judged, 100},
	{"interact.score", judged, math.MaxFloat64},
	{"interact.fsr", judged, 1},
	{"interact.function", judged, 1},
}

// lookup finds a signal by name; every check has one of its own.
func lookup(name string) (signal, bool) {
	if id, ok := strings.CutPrefix(name, "check."); ok && id != "" {
		return signal{name, judged, 1}, true
	}
	for _, s := range signals {
		if s.name == name {
			return s, true
		}
	}
	return signal{}, false
}

// signalNames are all valid names, with check.<id> standing for every check.
func signalNames() []string {
	names := make([]string, 0, len(signals)+1)
	for _, s := range signals {
		names = append(names, s.name)
	}
	return append(names, "check.<id>")
}
