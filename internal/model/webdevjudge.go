package model

import "strings"

// AsWebDevJudge is the request as WebDevJudge has all its models asked (App. B.1): at
// temperature 0, and the Claude models at 1, thinking. A temperature that is given stays, and
// then none is told to think. A model, whose name is that of the caller, is a Claude model if
// the name says so.
func (r Request) AsWebDevJudge(name string) Request {
	if r.Temperature != nil {
		return r
	}
	t := 0.0
	if r.Think = strings.Contains(strings.ToLower(name), "claude"); r.Think {
		t = 1
	}
	r.Temperature = &t
	return r
}
