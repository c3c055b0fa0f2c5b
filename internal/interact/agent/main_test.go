package agent

import (
	"os"
	"testing"

	"vitrine/internal/browser"
	"vitrine/internal/leak"
)

// shared is the browser of all tests.
var shared *browser.Supervisor

type withBrowser struct{ *testing.M }

// Run runs the tests with a browser.
func (m withBrowser) Run() int {
	shared = browser.New(browser.Settings{Pages: 4})
	defer shared.Close()
	return m.M.Run()
}

func TestMain(m *testing.M) { os.Exit(leak.Run(withBrowser{m})) }
