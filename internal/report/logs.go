package report

import (
	"cmp"
	"slices"
	"strings"

	"vitrine"
)

// maxLogLines bounds the console and the requests on a page; the whole logs lie
// in the evidence folder.
const maxLogLines = 200

// A consoleLine is a message and how often it came in the same words.
type consoleLine struct {
	vitrine.ConsoleMessage
	Times int
}

// consoleLines puts what went wrong first and like messages together.
func consoleLines(messages []vitrine.ConsoleMessage) (lines []consoleLine, more int) {
	at := map[vitrine.ConsoleMessage]int{}
	for _, m := range messages {
		key := m
		key.Route, key.Viewport, key.AtMS = "", "", 0
		if i, ok := at[key]; ok {
			lines[i].Times++
			continue
		}
		at[key] = len(lines)
		lines = append(lines, consoleLine{m, 1})
	}
	order := []string{"exception", "error", "warning", "info", "log"}
	slices.SortStableFunc(lines, func(a, b consoleLine) int {
		return cmp.Compare(slices.Index(order, a.Level), slices.Index(order, b.Level))
	})
	return bounded(lines)
}

// A requestLine is a request and how often it was made.
type requestLine struct {
	vitrine.Request
	Times int
}

// Given says what a request to another host was answered with; empty for any other.
func (l requestLine) Given() string {
	f := l.Fixture
	if f == nil {
		return ""
	}
	given := f.Name
	if f.Given != "" {
		given += " " + f.Given
	}
	if f.Asked != "" && f.Asked != f.Given {
		given += ", asked for " + f.Asked
	}
	if f.StandIn {
		given += ", a stand-in"
	}
	if len(f.Missing) > 0 {
		given += ", without " + strings.Join(f.Missing, ", ")
	}
	return given
}

// requestLines puts requests that were not answered first and like ones together.
func requestLines(requests []vitrine.Request) (lines []requestLine, more int) {
	at := map[vitrine.Request]int{}
	for _, r := range requests {
		key := r
		key.Route, key.Viewport, key.AtMS, key.Fixture = "", "", 0, nil
		if i, ok := at[key]; ok {
			lines[i].Times++
			continue
		}
		at[key] = len(lines)
		lines = append(lines, requestLine{r, 1})
	}
	order := []string{"failed", "missing", "blocked", "fixture", "site"}
	slices.SortStableFunc(lines, func(a, b requestLine) int {
		return cmp.Compare(slices.Index(order, a.Result), slices.Index(order, b.Result))
	})
	return bounded(lines)
}

func bounded[T any](lines []T) ([]T, int) {
	n := min(len(lines), maxLogLines)
	return lines[:n], len(lines) - n
}

// An axeLine is one broken rule of axe-core over all views.
type axeLine struct {
	vitrine.AxeResult
	Views int
}

// axeLines joins the results of all views, the gravest first. ran is false if
// axe-core ran on none.
func axeLines(views []vitrine.View) (lines []axeLine, ran bool) {
	at := map[string]int{}
	for _, v := range views {
		ran = ran || v.AxeRan
		for _, a := range v.Axe {
			i, ok := at[a.ID]
			if !ok {
				at[a.ID] = len(lines)
				lines = append(lines, axeLine{a, 1})
				continue
			}
			lines[i].Count += a.Count
			lines[i].Views++
		}
	}
	order := []string{"critical", "serious", "moderate", "minor"}
	slices.SortStableFunc(lines, func(a, b axeLine) int {
		return cmp.Compare(slices.Index(order, a.Impact), slices.Index(order, b.Impact))
	})
	return lines, ran
}
