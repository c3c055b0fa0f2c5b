// Package browsertest lends the tests of a package one browser.
package browsertest

import (
	"testing"

	"vitrine/internal/browser"
	"vitrine/internal/leak"
)

var shared *browser.Supervisor

// Run runs tests, a *testing.M or what wraps one, with a supervisor that they share. It
// returns the exit code, which [leak.Run] makes 1 where tests that passed left something.
func Run(tests interface{ Run() int }, s browser.Settings) int {
	return leak.Run(suite{tests, s})
}

type suite struct {
	tests    interface{ Run() int }
	settings browser.Settings
}

// Run ends the browser before anything is looked for that the tests have left.
func (s suite) Run() int {
	shared = browser.New(s.settings)
	defer shared.Close()
	return s.tests.Run()
}

// Shared is the supervisor of the package's tests. With -short it skips the test.
func Shared(t testing.TB) *browser.Supervisor {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	return shared
}
