package server_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

func TestBrowsersAreOnTheMetrics(t *testing.T) {
	var died atomic.Int64
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) {
		s.Browsers = func() (living, ended map[string]int) {
			return map[string]int{"serving": 2, "starting": 0}, map[string]int{"died": int(died.Load())}
		}
	}})
	for n := range 2 {
		died.Store(int64(n))
		for _, line := range []string{
			`vitrine_browsers{state="serving"} 2`, `vitrine_browsers{state="starting"} 0`,
			"# TYPE vitrine_browser_kills_total counter", fmt.Sprintf(`vitrine_browser_kills_total{reason="died"} %d`, n),
		} {
			if !metricsHave(t, s, line) {
				t.Errorf("/metrics lacks %s", line)
			}
		}
	}
}

// Where no worker is in the process there is nothing to count: not 0 browsers.
func TestNoBrowsersWithoutAWorkerHere(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	if _, text := s.Ask(t, "GET", "/metrics", nil); strings.Contains(text, "vitrine_browser") {
		t.Errorf("browsers of nobody: %s", text)
	}
}
